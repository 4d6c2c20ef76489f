from marshmallow import Schema, fields


def make_order_schema(pack: int) -> Schema:
    """Return a schema of orders whose quantity is a positive multiple of pack."""
    ...
