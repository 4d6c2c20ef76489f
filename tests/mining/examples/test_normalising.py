"""What of two outputs is noise, and what is another way to print the same."""

from __future__ import annotations

import pytest

from libdrift.mining.examples.normalising import (
    edits,
    is_prose,
    same,
    same_but_spelled,
    unwrapped,
    wrappers,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("array([1, 2])", "array([1,\n       2])"),
        ("[ 1.  2.]", "[1. 2.]"),
        ("<f at 0x7f01020304>", "<f at 0x7f99999999>"),
        ("<a.b.Thing object at 0x7f01020304>", "<a._c.Thing object at 0x7f99999999>"),
        ("<class 'a.b.Thing'>", "<class 'a._c.Thing'>"),
        ("<function f at 0x7f01020304>", "<function f at 0x7f99999999>"),
        ("{'b': 1, 'a': {3, (2, 1)}}", "{'a': {(2, 1), 3}, 'b': 1}"),
        ("{'x, y', 'z'}", "{'z', 'x, y'}"),
        ("0.30000000000000004", "0.3"),
        ("array([1.0000001, 5.])", "array([1., 5.])"),
        ("[1.5, 2.2e-17]", "[1.5, -0.]"),
        ("0.12345", "0.12346"),  # the last digit, rounded the other way
        ("0.3333", "0.33333333"),
        ("1.5+2.0000001j", "1.5+2.j"),
        ("1.5-0.j", "1.5+0.j"),
        ("[2.5+1e-17j]", "[2.5-3e-18j]"),
        ("residual 5.79e-06", "residual 5.78e-06"),
    ],
)
def test_noise(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "2"),
        ("1", "1.0"),  # another type
        ("1000000001", "1000000002"),  # integers are exact
        ("[1, 2]", "(1, 2)"),
        ("[1, 2]", "[1, 2, 3]"),
        ("0.5", "0.6"),
        ("0.123", "0.124"),
        ("1.5-2.j", "1.5+2.j"),
        ("5.7e-06", "6.7e-06"),
        ("int64", "int32"),
        ("'ab'", "'a b'"),
        ("{1: 2}", "{2: 1}"),
        ("True", "False"),
        ("nan", "0."),
        ("", "1"),
    ],
)
def test_what_is_no_noise(one: str, other: str) -> None:
    assert not same(one, other)
    assert not same_but_spelled(one, other)


@pytest.mark.parametrize(
    ("one", "other", "names"),
    [
        ("1.0", "lib.float64(1.0)", {"lib.float64"}),
        ("[1, 2]", "[lib.int8(1), lib.int8(2)]", {"lib.int8"}),
        ("Pair(a=1.0, b=-2.5)", "Pair(a=F(1.0), b=F(-2.5))", {"F"}),
        ("'abc'", "lib.str_('abc')", {"lib.str_"}),
        ("(1-2j)", "lib.complex(1-2j)", {"lib.complex"}),
        ("True", "lib.True_", {"lib.True_"}),
        ("{'a': 1}", "{'a': lib.int8(1)}", {"lib.int8"}),
    ],
)
def test_values_that_say_their_type(one: str, other: str, names: set[str]) -> None:
    assert not same(one, other)
    assert same_but_spelled(one, other)
    assert wrappers(other) == names
    assert unwrapped(one) == unwrapped(unwrapped(one))


def test_prose() -> None:
    assert is_prose("The quick brown fox jumps over the lazy dog. " * 30)
    assert not is_prose("The quick brown fox jumps over the lazy dog. ")
    assert not is_prose("a 1 b 2 " * 200)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Int64Index([1, 2])", "Index([1, 2])", {(("Int64Index",), ("Index",))}),
        ("Int64Index([7])", "Index([8])", {(("Int64Index",), ("Index",))}),
        ("[1, 2]", "[1, 3]", None),  # numbers alone: the cause may be any
        ("a " * 1000, "b " * 1000, None),
    ],
)
def test_what_is_replaced(one: str, other: str, expected: object) -> None:
    assert edits(one, other) == expected
