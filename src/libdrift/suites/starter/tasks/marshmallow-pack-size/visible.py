_schema = make_order_schema(6)
assert _schema.load({"item": "egg", "quantity": 12}) == {"item": "egg", "quantity": 12}
assert list(_schema.validate({"item": "egg", "quantity": 7})) == ["quantity"]
