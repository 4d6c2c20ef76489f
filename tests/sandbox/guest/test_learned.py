"""What a reference teaches of its values: what they hold, and how hard they are to guess."""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from types import ModuleType, SimpleNamespace

import pytest

Guest = Callable[[str], ModuleType]


class Array:
    """As an array, a tensor, a table or a picture."""

    def __init__(self, **parts: object) -> None:
        self.__dict__.update(parts)


EMPTY, FULL, PICTURE = Array(shape=(0, 3)), Array(shape=(2, 3)), Array(size=(0, 0))
ARRAY_OF_EMPTY = Array(shape=(1,), dtype=Array(kind="O"), tolist=lambda: [EMPTY])


def message(*bare: object, coarse: Iterable[str] = ()) -> Array:
    """What is known of a message whose values were made."""
    return Array(bare=bare, coarse=set(coarse))


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
        (FULL, SimpleNamespace(part=EMPTY), False),
        (FULL, SimpleNamespace(part=[]), False),
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
    assert teacher.holds_enough(message(), [FULL])
    assert teacher.holds_enough(message(), [reference])
    assert learned.Learned(teacher.content()).holds_enough(message(), [value]) is fine


def test_there_is_nothing_in_no_more_messages_than_the_reference_has(guest: Guest) -> None:
    learned = guest("learned")
    teacher = learned.Learned(None)
    assert teacher.holds_enough(message(), [[]])
    assert teacher.holds_enough(message(EMPTY), [FULL]), "somewhere in it there is nothing"
    told = [
        learned.Learned(teacher.content()),
        learned.Learned(teacher.content()),
        learned.Learned({**teacher.content(), "empties": learned.EMPTIES}),
    ]
    few, list_first, many = told
    assert [few.holds_enough(message(EMPTY), [1]) for _ in range(3)] == [True, True, False]
    assert list_first.holds_enough(message(), [[]])
    assert list_first.holds_enough(message(), [[]])
    assert list_first.holds_enough(message(), [[]]), "a list differs from whatever is not empty"
    assert not list_first.holds_enough(message(), [EMPTY])
    assert all(many.holds_enough(message(), [EMPTY]) for _ in range(100))


def test_numbers_are_as_exact_as_those_of_the_reference(guest: Guest) -> None:
    learned = guest("learned")
    teacher = learned.Learned(None)
    assert teacher.is_exact(message(coarse=["float16"]))
    known = learned.Learned(teacher.content())
    assert known.is_exact(message())
    assert known.is_exact(message(coarse=["float16"]))
    assert not known.is_exact(message(coarse=["float32"]))


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("float64", [math.inf], ""),
        ("float32", [1.5], ""),
        ("float32", [math.inf], "float32"),
        ("complex64", [math.inf], "complex64"),
        ("float16", [1.5], "float16"),
        ("bfloat16", [1.5], "bfloat16"),
        ("int8", [3], ""),
    ],
)
def test_numbers_of_few_digits_are_known(
    name: str, values: list[float], kind: str, guest: Guest
) -> None:
    pytest.importorskip("numpy")
    assert guest("emptiness").coarse_kind(name, values) == kind


@pytest.mark.parametrize(
    ("digits", "rounded"), [(7, True), (52, True), (53, False), (300, False), (-1, False)]
)
def test_numbers_of_an_algebra_system_have_as_many_digits_as_usual(
    digits: int, *, rounded: bool, guest: Guest
) -> None:
    assert guest("emptiness").is_rounded(Array(_prec=digits)) is rounded
    assert not guest("emptiness").is_rounded(FULL)


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
