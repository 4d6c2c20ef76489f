import attr
import pytest
from answer import make_event_class


@attr.define
class Point:
    x: int
    y: int = 7


@attr.s
class Named:
    name = attr.ib()


def test_keywords_work():
    event = make_event_class(Point)(x=1, source="mouse")
    assert isinstance(event, Point)
    assert type(event).__name__ == "Event"
    assert attr.asdict(event) == {"x": 1, "y": 7, "source": "mouse"}


@pytest.mark.parametrize(
    ("base", "args", "kwargs"),
    [
        (Point, (1,), {"source": "s"}),
        (Point, (1, 2), {"source": "s"}),
        (Named, ("n",), {"source": "s"}),
        (Named, ("n", "s"), {}),
    ],
)
def test_positional_arguments_are_refused(base, args, kwargs):
    with pytest.raises(TypeError):
        make_event_class(base)(*args, **kwargs)


def test_source_is_required():
    with pytest.raises(TypeError):
        make_event_class(Named)(name="n")


def test_base_still_takes_positions():
    make_event_class(Point)
    assert Point(4, 5).y == 5
