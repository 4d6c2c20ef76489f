from marshmallow import Schema, fields, pre_load


def make_player_schema() -> Schema:
    """Return a schema that takes players out of their envelope."""
    ...
