from marshmallow import Schema, fields, pre_load


def make_player_schema() -> Schema:
    """Return a schema that takes players out of their envelope."""

    class PlayerSchema(Schema):
        name = fields.String(required=True)
        score = fields.Integer(required=True)

        @pre_load(pass_many=True)
        def unwrap(self, data, many, **kwargs):
            return data["players" if many else "player"]

    return PlayerSchema()
