from marshmallow import Schema, fields


def make_order_schema(pack: int) -> Schema:
    """Return a schema of orders whose quantity is a positive multiple of pack."""

    class OrderSchema(Schema):
        item = fields.String(required=True)
        quantity = fields.Integer(
            required=True, validate=lambda number: number > 0 and number % pack == 0
        )

    return OrderSchema()
