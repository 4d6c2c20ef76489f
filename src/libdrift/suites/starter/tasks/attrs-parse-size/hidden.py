import attr
import pytest
from answer import parse_size
from attr.exceptions import FrozenInstanceError


@pytest.mark.parametrize(("text", "fields"), [("1x2", (1, 2)), ("1920x1080", (1920, 1080))])
def test_fields(text, fields):
    size = parse_size(text)
    assert type(size).__name__ == "Size"
    assert attr.astuple(size) == fields
    assert [field.name for field in attr.fields(type(size))] == ["width", "height"]


def test_cannot_be_changed():
    size = parse_size("3x4")
    with pytest.raises(FrozenInstanceError):
        size.width = 5
    assert size.width == 3


def test_equality_and_hash():
    assert parse_size("7x8") == parse_size("7x8") != parse_size("8x7")
    assert {parse_size("7x8"): "small"}[parse_size("7x8")] == "small"
