"""Values that travel: each comes back as it was, and nothing but data is ever made."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import enum
import fractions
import functools
import json
import math
import numbers
import pathlib
import re
import subprocess
import sys
import uuid
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any, Self

import pytest

Guest = Callable[[str], ModuleType]


class Codec(SimpleNamespace):
    """The modules that tell and make values, as one."""


def codec_of(guest: Guest) -> Codec:
    found = Codec()
    for name in ("allowing", "encoding", "verifying", "decoding"):
        found.__dict__.update(vars(guest(name)))
    return found


class Colour(enum.Enum):
    RED = 1


def there(codec: Codec, value: object, *, allowed: Any = None) -> Any:
    """A value that was told, sent as JSON, and made anew by a side that makes little."""
    encoder = codec.Encoder(lambda *_: None)
    told = json.loads(json.dumps(encoder.tell(value), allow_nan=False))
    allow = allowed or codec.is_plain_value
    return codec.Decoder(encoder.blobs, None, allow).make(told)


SHARED: list[Any] = [1]
VALUES = [
    None, True, False, 0, -7, 2**63, -(2**200), 1.5, -0.0, math.inf, -math.inf, 3 + 4j,
    "", "é\x00\ud800", b"", b"\x00\xff", bytearray(b"ab"), [], [1, [2, "x"]], (), (1, (2,)), {},
    {"a": 1, 2: [3], (1, 2): None}, {1, 2}, frozenset({"a"}), range(1, 9, 2), slice(1, None, 2), ...,
    dt.datetime(2024, 2, 29, 12, 30, tzinfo=dt.UTC), dt.date(1, 1, 1),
    dt.timedelta(days=-1, microseconds=5), decimal.Decimal("1.10"), fractions.Fraction(1, 3),
    uuid.UUID(int=5), pathlib.PurePosixPath("/a/b"), collections.OrderedDict(b=1, a=2),
    collections.Counter("aab"), collections.deque([1, 2]), int, dict,
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back_as_it_was(value: object, guest: Guest) -> None:
    made = there(codec_of(guest), value)
    assert type(made) is type(value)
    assert made == value
    assert repr(made) == repr(value)


def test_nan_and_dictionary_views_come_back(guest: Guest) -> None:
    codec = codec_of(guest)
    assert math.isnan(there(codec, math.nan))
    source = {"a": 1, "b": 2}
    assert there(codec, source.keys()) == source.keys()
    assert list(there(codec, source.values())) == [1, 2]
    assert there(codec, source.items()) == source.items()


def test_what_is_shared_stays_shared_and_circles_close(guest: Guest) -> None:
    made = there(codec_of(guest), [SHARED, SHARED])
    assert made[0] is made[1]
    circle: list[Any] = []
    circle.append(circle)
    back = there(codec_of(guest), circle)
    assert back[0] is back


def test_numbers_of_numpy_come_back(guest: Guest) -> None:
    numpy = pytest.importorskip("numpy")
    codec = codec_of(guest)
    for value in (
        numpy.arange(6, dtype="f4").reshape(2, 3),
        numpy.asfortranarray(numpy.arange(6).reshape(2, 3)),
        numpy.array([True, False]),
        numpy.array(["a", "bcd"]),
        numpy.array("2024-01-02", dtype="M8[D]"),
        numpy.array([None, "x", 2], dtype=object),
        numpy.empty((0, 3)),
        numpy.float32(1.5),
        numpy.int64(-3),
    ):
        made = there(codec, value)
        assert type(made) is type(value)
        assert made.dtype == value.dtype
        assert made.shape == value.shape
        assert made.tolist() == value.tolist()
        assert made.flags.writeable or not made.shape


REFUSED = [
    Colour.RED,  # a class that is not on the list
    re.compile("a"),
    subprocess.CompletedProcess(["x"], 0),
    lambda: None,
    open,
    math,
]


@pytest.mark.parametrize("value", REFUSED, ids=lambda value: type(value).__name__)
def test_nothing_else_is_made(value: object, guest: Guest) -> None:
    codec = codec_of(guest)
    with pytest.raises((codec.Unknown, codec.Untold)):
        there(codec, value)


@pytest.mark.parametrize(
    ("module", "name", "learned"),
    [
        ("enum", "Enum", True),
        ("os", "system", False),
        ("subprocess", "Popen", False),
        ("builtins", "eval", False),
        ("builtins", "getattr", False),
        ("functools", "partial", False),
        ("operator", "attrgetter", False),
        ("unittest.mock", "_ANY", False),
        ("pytest", "approx", False),
        ("pickle", "loads", False),
        ("re", "_compile", True),
        ("json", "loads", False),  # a function that makes anything of a text
    ],
)
def test_no_reference_teaches_to_run_code(
    module: str,
    name: str,
    learned: bool,  # noqa: FBT001
    guest: Guest,
) -> None:
    __import__(module)
    assert codec_of(guest).may_be_learned("make", module, name) is learned


MALFORMED = [
    ["l"], ["l", "x"], ["d", 0, 1], ["d", 0, 1, 2, 1, 3], ["zz"], [[]], {}, ["i", "g"],
    ["i", "1" * 20_000], ["f", "1"], ["n", 0, "<f8", [2], 0], ["n", 0, "<f8", [-1], 0],
    ["n", 0, "<f8", [2**60], 0], ["n", 0, "O", [1], 0], ["m", 3], ["a", 1, 1], ["b", 9],
    ["t", ["l", 0], ["l", 0]], ["g", 1, 2], ["o", 0, "builtins", "int", [], {}, None, None],
]  # fmt: skip


@pytest.mark.parametrize("told", MALFORMED, ids=lambda told: json.dumps(told)[:40])
def test_what_is_no_value_is_an_error(told: Any, guest: Guest) -> None:
    pytest.importorskip("numpy")
    codec = codec_of(guest)
    with pytest.raises(Exception):  # noqa: B017, PT011  (whichever: the caller takes all for garbled)
        codec.Decoder([b"12345678"], None, codec.is_plain_value).make(told)


def test_nesting_has_an_end(guest: Guest) -> None:
    codec = codec_of(guest)
    deep: list[Any] = []
    for _ in range(codec.DEPTH + 5):
        deep = [deep]
    with pytest.raises(codec.Untold):
        codec.Encoder(lambda *_: None).tell(deep)
    told: Any = None
    for _ in range(codec.DEPTH + 5):
        told = ["t", told]
    with pytest.raises(codec.Malformed):
        codec.Decoder([], None, codec.is_plain_value).make(told)


def test_no_text_is_run_while_a_value_is_made(guest: Guest) -> None:
    codec = codec_of(guest)
    with codec.Sheltered(), pytest.raises(codec.Malformed):
        eval("1 + 1")
    assert eval("1 + 1") == 2, "and afterwards all is as it was"


@pytest.mark.parametrize(
    "module", ["pytest", "_pytest.outcomes", "unittest.case", "hypothesis.errors", "nose.plugins"]
)
def test_what_judges_is_never_learned_from_a_reference(
    guest: Guest, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    allowing = guest("allowing")
    skipped = type("Skipped", (Exception,), {"__module__": module})
    place = ModuleType(module)
    place.__dict__["Skipped"] = skipped
    monkeypatch.setitem(sys.modules, module, place)
    assert allowing.is_judging(skipped)
    assert not any(allowing.may_be_learned(use, module, "Skipped") for use in ("make", "value"))
    mine = type("Mine", (skipped,), {"__module__": "library"})
    library = ModuleType("library")
    library.__dict__["Mine"] = mine
    monkeypatch.setitem(sys.modules, "library", library)
    assert not allowing.may_be_learned("make", "library", "Mine")


class Single:
    """One for all, as libraries keep them."""

    only: Any = None
    size = 1

    def __new__(cls) -> Self:
        cls.only = cls.only or object.__new__(cls)
        return cls.only


class Common:
    """A new one each time."""

    size = 1


def made_with(codec: Codec, told: Any, arguments: Any = None) -> Any:
    return codec.Decoder([], None, lambda *_: True, arguments).make(told)


@pytest.mark.parametrize("way", ["o", "c!"])
def test_the_state_of_what_others_have_too_stays(way: str, guest: Guest) -> None:
    codec, state = codec_of(guest), ["d", 1, "size", 5]
    fresh = made_with(codec, [way, 0, __name__, "Common", [], {}, state, None, None])
    assert fresh.size == 5
    known = Single()
    told = [way, 0, __name__, "Single", [], {}, state, None, None]
    assert made_with(codec, told) is known
    assert known.size == 1


def test_an_argument_that_becomes_a_part_is_a_copy(guest: Guest) -> None:
    codec, given = codec_of(guest), [1, 2]
    spoken = ["a", 1, 0]
    assert made_with(codec, ["l", 0, spoken], lambda *_: given)[0] is given
    state = ["d", 1, "size", spoken, "again", spoken]
    told = ["o", 0, __name__, "Common", [], {}, state, None, None]
    made = made_with(codec, told, lambda *_: given)
    assert made.size == given
    assert made.size is not given
    assert made.size is made.again


@pytest.mark.parametrize("rest", [([1], None), (None, [[0, 1]])], ids=["items", "pairs"])
def test_only_lists_and_dictionaries_are_filled(rest: tuple[Any, Any], guest: Guest) -> None:
    """A table would write to the array that it was made of."""
    codec = codec_of(guest)
    with pytest.raises(codec.Malformed):
        made_with(codec, ["o", 0, __name__, "Common", [], {}, None, *rest])


def told_with(module: str, name: str, arguments: list[Any], state: Any) -> list[Any]:
    return ["o", 0, module, name, arguments, {}, state, None, None]


@pytest.mark.parametrize(
    ("module", "name", "arguments"),
    [
        ("fractions", "Fraction", [1, 2]),
        ("datetime", "date", [2024, 1, 1]),
        ("pathlib", "PurePosixPath", ["a"]),
        ("ipaddress", "IPv4Address", ["10.0.0.1"]),
    ],
)
def test_what_is_whole_when_it_is_made_has_no_other_parts(
    module: str, name: str, arguments: list[Any], guest: Guest
) -> None:
    codec, state = codec_of(guest), ["t", None, ["d", 1, "_numerator", 0, "_denominator", 0]]
    assert made_with(codec, told_with(module, name, arguments, None)) is not None
    with pytest.raises(codec.Malformed):
        made_with(codec, told_with(module, name, arguments, state))


class Exact(numbers.Number):
    """A number as algebra systems have it."""

    __hash__ = None  # type: ignore[assignment]
    _prec = 53
    _mpf_ = (0, 1, 0, 1)


@pytest.mark.parametrize(
    ("state", "fine"),
    [
        (["d", 1, "_prec", 53], True),
        (["d", 1, "_prec", 1], False),
        (["d", 1, "_prec", ["l", 2]], False),
        (["d", 1, "_mpf_", ["t", 0, 0, 1, 0]], False),
        (None, True),
    ],
)
def test_a_number_is_what_it_was_made_of(state: Any, guest: Guest, *, fine: bool) -> None:
    codec, told = codec_of(guest), told_with(__name__, "Exact", [], state)
    if fine:
        assert made_with(codec, told)._prec == 53
    else:
        with pytest.raises(codec.Malformed):
            made_with(codec, told)


def test_a_fraction_has_no_digits_to_be_known_by(guest: Guest) -> None:
    """As rational numbers of an algebra system have it, beside the class's own exactness."""
    exact = Exact()
    exact._prec, exact._mpf_ = -1, None  # type: ignore[assignment]
    codec = codec_of(guest)
    codec.verify(exact)  # raises what is no number
    exact._mpf_ = (0, 0, 1, 0)
    with pytest.raises(codec.Malformed):
        codec.verify(exact)


@pytest.mark.parametrize(
    ("parts", "fine"),
    [
        ((0, 1, 0, 1), True),
        ((1, 5, -3, 3), True),
        ((0, 0, 0, 0), True),
        ((1, 0, -789, -3), True),
        ((0, 0, 1, 0), False),
        ((0, 4, 0, 3), False),
        ((0, 5, 0, 1), False),
    ],
)
def test_numbers_of_parts_have_one_way_to_be_written(
    parts: tuple[int, ...], guest: Guest, *, fine: bool
) -> None:
    assert bool(guest("verifying").is_normal(parts)) is fine


class Keeping:
    """Works something out once, and keeps it."""

    def __init__(self) -> None:
        self.found = [1]

    @functools.cached_property
    def count(self) -> int:
        return len(self.found)


def test_what_a_class_works_out_is_worked_out_here(guest: Guest) -> None:
    state = ["d", 1, "count", 7, "found", ["l", 2, 5, 6]]
    made = made_with(codec_of(guest), told_with(__name__, "Keeping", [], state))
    assert made.found == [5, 6]
    assert made.count == 2


class Graph:
    """As networkx has it."""

    _adj: Any
    _node: Any

    def is_directed(self) -> bool:
        return False


Graph.__module__ = "networkx.classes.graph"
EDGE: dict[str, int] = {}


@pytest.mark.parametrize(
    ("adjacent", "nodes", "fine"),
    [
        ({1: {2: EDGE}, 2: {1: EDGE}}, {1: {}, 2: {}}, True),
        ({1: {}, 2: {}}, {}, False),
        ({1: {2: EDGE}, 2: {}}, {1: {}, 2: {}}, False),
        ({1: {2: EDGE}, 2: {1: {}}}, {1: {}, 2: {}}, False),
        ([], {}, False),
    ],
)
def test_a_graph_is_one_graph(adjacent: Any, nodes: Any, guest: Guest, *, fine: bool) -> None:
    codec, graph = codec_of(guest), Graph()
    graph._adj, graph._node = adjacent, nodes
    if fine:
        codec.verify(graph)
    else:
        with pytest.raises((codec.Malformed, KeyError)):
            codec.verify(graph)
