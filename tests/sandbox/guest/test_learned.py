"""What a reference teaches of its values: what they hold, and how hard they are to guess."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from types import ModuleType, SimpleNamespace

import pytest

Guest = Callable[[str], ModuleType]
EMPTY = SimpleNamespace(shape=(0, 3))  # as an array, a tensor or a table
FULL = SimpleNamespace(shape=(2, 3))
PICTURE = SimpleNamespace(size=(0, 0))
ARRAY_OF_EMPTY = SimpleNamespace(
    shape=(1,), dtype=SimpleNamespace(kind="O"), tolist=lambda: [EMPTY]
)


@pytest.mark.parametrize(
    ("reference", "value", "fine"),
    [
        (FULL, FULL, True),
        (FULL, EMPTY, False),
        (FULL, [1, {"a": EMPTY}], False),
        (2.5, EMPTY, False),
        (2.5, [], True),  # a list differs from whatever is not empty
        (FULL, [[], [FULL]], False),  # numpy makes an array of it
        (FULL, OrderedDict(a=EMPTY), False),
        (FULL, deque([EMPTY]), False),
        (FULL, {"a": EMPTY}.values(), False),
        (FULL, [[[[[[EMPTY]]]]]], False),
        (FULL, ARRAY_OF_EMPTY, False),
        (FULL, PICTURE, False),
        (EMPTY, EMPTY, True),
        ([], EMPTY, True),  # one has a list for it, another an array
        ({"a": ()}, EMPTY, True),
    ],
)
def test_nothing_is_empty_where_the_reference_has_something(
    reference: object, value: object, *, fine: bool, guest: Guest
) -> None:
    learned = guest("learned")
    teacher = learned.Learned(None)
    assert teacher.holds_enough(FULL)
    assert teacher.holds_enough(reference)
    assert learned.Learned(teacher.content()).holds_enough(value) is fine


NOTHING: tuple[list[object], list[object], str, str] = ([], [], "", "")


@pytest.mark.parametrize(
    ("operation", "made", "extras", "bits"),
    [
        ("call", True, NOTHING, 1),
        ("call", ValueError(), NOTHING, 3),
        ("get", AttributeError("_pytestfixturefunction"), NOTHING, 0),
        ("get", 4, NOTHING, 3),
        ("names", {"f": 4}, NOTHING, 0),
        ("call", None, ([], [], "no", ""), 5),
        ("call", None, ([], [(None, [True, True])], "", ""), 4),
    ],
)
def test_all_that_must_be_guessed_is_weighed(
    operation: str, made: object, extras: object, bits: int, guest: Guest
) -> None:
    teacher = guest("learned").Learned(None)
    teacher.weigh_all(operation, [], made, extras)
    assert teacher.guess_bits == bits


def test_an_iterator_has_no_length_but_what_it_gives(guest: Guest) -> None:
    known = guest("learned").Learned(guest("learned").Learned(None).content())
    assert known.asks("object", "len")
    assert known.asks("iterator", "next")
    assert not known.asks("iterator", "len")
