"""Pairs of signatures: what differs, parameter by parameter, and what breaks a caller."""

from __future__ import annotations

import pytest

from libdrift.history.differences.signatures import differences
from libdrift.languages.python.static import of_sources
from libdrift.records import Provenance, Symbol

Row = tuple[str, str, str, bool]  # aspect, parameter, replacement, breaking


def function(parameters: str, decorator: str = "", body: str = "...") -> Symbol:
    source = f"{decorator}\ndef f({parameters}):\n    {body}\n"
    return of_sources({"pkg/__init__.py": source}).symbols["pkg:f"]


def rows(old: Symbol, new: Symbol, told: dict[str, str] | None = None) -> list[Row]:
    found = differences(old, new, told)
    return sorted((d.aspect, d.parameter, d.replacement, d.breaking) for d in found)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a, b=1", "a, b=1", []),
        ("a: int", "a: str", []),
        # Added.
        ("a", "a, b=1", [("added", "b", "", False)]),
        ("a", "a, b", [("added", "b", "", True)]),
        ("a", "a, *, b", [("added", "b", "", True)]),
        ("a", "a, *, b=1", [("added", "b", "", False)]),
        ("b=1", "a=0, b=1", [("added", "a", "", True)]),  # by position, b is a now
        ("a", "a, *args", [("added", "*args", "", False)]),
        ("a", "a, **kwargs", [("added", "**kwargs", "", False)]),
        # Removed.
        ("a, b", "a", [("removed", "b", "", True)]),
        ("a, b", "a, **kwargs", [("added", "**kwargs", "", False), ("removed", "b", "", True)]),
        ("a, *, b=1, **kwargs", "a, **kwargs", [("removed", "b", "", False)]),
        ("a, *args", "a", [("removed", "*args", "", True)]),
        ("a, **kwargs", "a", [("removed", "**kwargs", "", True)]),
        ("a, **options", "a, **kwargs", []),
        # Renamed.
        ("a, line", "a, end", [("renamed", "line", "end", True)]),
        ("a, b, /", "a, c, /", []),
        ("a, *, line_end=1", "a, *, lineend=1", [("renamed", "line_end", "lineend", True)]),
        ("a, *, allow_redirects=True, b=1", "a, *, follow_redirects=False, b=1",
         [("default", "follow_redirects", "", False), ("renamed", "allow_redirects", "follow_redirects", True)]),
        ("a, pass_many=False", "a, *, pass_collection=False",
         [("keyword-only", "pass_collection", "", True), ("renamed", "pass_many", "pass_collection", True)]),
        # The last one went and another came: that it has the same default says nothing.
        ("a, mix=True", "a, catch=True", [("added", "catch", "", False), ("removed", "mix", "", True)]),
        ("a, *, x=1", "a, *, y=1", [("added", "y", "", False), ("removed", "x", "", True)]),
        ("a, x=1", "a, y", [("added", "y", "", True), ("removed", "x", "", True)]),
        (
            "a, size=1, b=2",
            "a, sizes=2, b=2",
            [("default", "sizes", "", False), ("renamed", "size", "sizes", True)],
        ),
        # Reordered.
        ("a, b", "b, a", [("reordered", "a", "", True)]),
        ("a, b, c", "c, a, b", [("reordered", "c", "", True)]),
        ("*, a, b", "*, b, a", []),
        # Kind.
        ("a, b", "a, *, b", [("keyword-only", "b", "", True)]),
        ("a, *, b", "a, b", [("kind", "b", "", False)]),
        ("a, b", "a, b, /", [("kind", "a", "", True), ("kind", "b", "", True)]),
        ("a, /", "a", [("kind", "a", "", False)]),
        # Defaults.
        ("a=1", "a=2", [("default", "a", "", False)]),
        ("a=1", "a", [("required", "a", "", True)]),
        ("a", "a=1", [("optional", "a", "", False)]),
        ("a='x'", 'a="x"', []),
        ("a=np.inf", "a=inf", []),
        ("a=lib.no_default", "a=None", [("default", "a", "", False)]),
        ("a=1.5", "a=np.float64(1.5)", []),
        ("a=TABLE", "a=...", []),
        # A wrapper says nothing of what it takes.
        ("*args, **kwargs", "a, b=1", []),
        ("a, b", "*args, **kwargs", []),
        ("*args", "a, b", []),
    ],
)  # fmt: skip
def test_differences(old: str, new: str, expected: list[Row]) -> None:
    assert rows(function(old), function(new)) == sorted(expected)


def test_one_that_stood_beside_its_successor_is_removed() -> None:
    body = "warnings.warn('x is deprecated, use y', DeprecationWarning) if x else 0"
    old = function("a, x=None, y=None", body="if x:\n        " + body.partition(" if")[0])
    assert rows(old, function("a, y=None")) == [("removed", "x", "y", True)]


def test_renamed_as_a_release_between_tells() -> None:
    old, new = function("a, *, x=1"), function("a, *, y=1")
    assert rows(old, new, {"x": "y"}) == [("renamed", "x", "y", True)]


KWARG = "@deprecate_kwarg('x', 'y')"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # The decorator takes the old name: nothing breaks before it goes.
        (function("a, *, x=1"), function("a, *, y=1", KWARG), [("renamed", "x", "y", False)]),
        (function("a, *, y=1", KWARG), function("a, *, y=1"), [("removed", "x", "y", True)]),
        (function("a, *, y=1", KWARG), function("a, *, y=1", KWARG), []),
        (function("a, *, y=1", KWARG), function("a"),
         [("removed", "x", "", True), ("removed", "y", "", True)]),
        (function("a, b"), function("a, *, b", "@deprecate_nonkeyword_arguments(version='3')"),
         [("keyword-only", "b", "", False)]),
        # A parameter that was warned of is meant to fail, whatever **kwargs swallows.
        (function("a, *, x=1, **kw", "@delete_parameter('3.1', 'x')"), function("a, **kw"),
         [("removed", "x", "", True)]),
    ],
)  # fmt: skip
def test_decorators_of_parameters(old: Symbol, new: Symbol, expected: list[Row]) -> None:
    assert rows(old, new) == sorted(expected)


def seen(symbol: Symbol) -> Symbol:
    from dataclasses import replace

    return replace(symbol, provenance=(Provenance.RUNTIME,))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a, b=<object>", "a, b=MISSING", []),
        ("a, b=1", "a, *, b=1", []),
        ("a", "a, b=1", [("added", "b", "", False)]),
        ("a, **kwargs", "a, b=1", []),  # what one swallows, the other may list
    ],
)
def test_import_and_source_are_compared_by_name(old: str, new: str, expected: list[Row]) -> None:
    before = seen(function(old.replace("<object>", "'<object>'")))
    assert rows(before, function(new)) == expected


def test_no_signature_is_not_compared() -> None:
    from dataclasses import replace

    some = function("a")
    assert differences(replace(some, signature=None), some) == []
    assert differences(some, replace(some, signature=None)) == []
