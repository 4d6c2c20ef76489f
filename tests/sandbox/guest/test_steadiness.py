"""What a thing of the answer's says of itself holds until somebody does something with it."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

Guest = Callable[[str], ModuleType]


def asked(steadiness: Any, operation: str, value: object, *arguments: object) -> bool:
    place = (operation, 7, arguments)
    return bool(steadiness.holds("object", f"{operation} {arguments[:1]}", place, value))


def test_a_thing_says_the_same_until_somebody_acts(guest: Guest) -> None:
    learned = guest("learned").Learned({})
    steadiness = guest("steadiness").Steadiness(learned)
    assert asked(steadiness, "get", 3.0, "mean")
    assert asked(steadiness, "get", 3.0, "mean")
    assert asked(steadiness, "get", 4.0, "most")
    assert not asked(steadiness, "get", 5.0, "mean")
    assert not asked(steadiness, "get", 3, "mean"), "another kind of number"
    assert asked(steadiness, "call", None)
    assert asked(steadiness, "get", 5.0, "mean")
    assert asked(steadiness, "getitem", 1, 0)
    assert asked(steadiness, "getitem", 2, 1)
    assert not asked(steadiness, "getitem", 2, 0)
    assert asked(steadiness, "next", 1)
    assert asked(steadiness, "next", 2)
    assert asked(steadiness, "str", float("nan"))
    assert asked(steadiness, "str", float("nan"))
    assert asked(steadiness, "get", 0.001, "elapsed")
    assert asked(steadiness, "get", 0.003, "elapsed"), "a time goes on"
    assert not asked(steadiness, "get", 0.0, "elapsed")


def called(steadiness: Any, value: object, *arguments: object) -> bool:
    return bool(steadiness.holds("function", "call", ("call", 3, arguments), value))


def test_a_function_gives_nearly_the_same_number_for_the_same_arguments(guest: Guest) -> None:
    steadiness = guest("steadiness").Steadiness(guest("learned").Learned({}))
    assert called(steadiness, 10.0, [4, "a"])
    assert called(steadiness, 11, [4, "a"]), "as numbers of chance differ"
    assert called(steadiness, -3.0, [5, "a"])
    assert not called(steadiness, math.inf, [4, "a"])
    assert not called(steadiness, -10.0, [4, "a"])
    assert called(steadiness, 1, object())
    assert called(steadiness, 9, object()), "nobody knows whether they are the same"
    assert called(steadiness, "text", [4, "a"])
    assert asked(steadiness, "set", None, "limit")
    assert called(steadiness, -10.0, [4, "a"]), "something was done in between"
    teacher = guest("learned").Learned(None)
    assert all(called(guest("steadiness").Steadiness(teacher), n, 1) for n in (1, 10, 100))
    counting = guest("steadiness").Steadiness(teacher)
    assert [called(counting, n, 1) for n in (1, 10, 100)] == [True] * 3
    counting = guest("steadiness").Steadiness(guest("learned").Learned(teacher.content()))
    assert [called(counting, n, 1) for n in (1, 10, 100)] == [True] * 3


def test_what_the_reference_says_anew_each_time_others_may_too(guest: Guest) -> None:
    teacher = guest("learned").Learned(None)
    steadiness = guest("steadiness").Steadiness(teacher)
    assert [asked(steadiness, "get", number, "count") for number in range(3)] == [True] * 3
    known = guest("learned").Learned(teacher.content())
    steadiness = guest("steadiness").Steadiness(known)
    assert [asked(steadiness, "get", number, "count") for number in range(3)] == [True] * 3
    assert [asked(steadiness, "get", number, "size") for number in range(3)] == [True, False, False]
