import pytest
from answer import make_order_schema
from marshmallow import ValidationError


@pytest.mark.parametrize(("pack", "quantity"), [(1, 1), (4, 8), (10, 250)])
def test_whole_packs(pack, quantity):
    order = {"item": "tile", "quantity": quantity}
    assert make_order_schema(pack).load(order) == order


@pytest.mark.parametrize(("pack", "quantity"), [(4, 6), (4, 0), (5, -10), (10, 11)])
def test_anything_else_is_refused(pack, quantity):
    with pytest.raises(ValidationError) as caught:
        make_order_schema(pack).load({"item": "tile", "quantity": quantity})
    assert set(caught.value.messages) == {"quantity"}


def test_fields_are_required():
    assert set(make_order_schema(3).validate({})) == {"item", "quantity"}


def test_schemas_do_not_share_their_pack():
    three, five = make_order_schema(3), make_order_schema(5)
    assert three.validate({"item": "nut", "quantity": 9}) == {}
    assert set(five.validate({"item": "nut", "quantity": 9})) == {"quantity"}
