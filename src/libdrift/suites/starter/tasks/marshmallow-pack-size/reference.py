from marshmallow import Schema, ValidationError, fields


def make_order_schema(pack: int) -> Schema:
    """Return a schema of orders whose quantity is a positive multiple of pack."""

    def whole_packs(number: int) -> None:
        if number <= 0 or number % pack:
            raise ValidationError(f"Must be a positive multiple of {pack}.")

    class OrderSchema(Schema):
        item = fields.String(required=True)
        quantity = fields.Integer(required=True, validate=whole_packs)

    return OrderSchema()
