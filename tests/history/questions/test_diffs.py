"""Differences as a caller without a terminal gets them; ``tests/cli/test_diff`` has the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.errors import UserError
from libdrift.history.questions import DiffFilter, diff
from libdrift.records import ChangeKind, Provenance, Symbol
from tests.history.small import function, signature, stored, surface

OLD = (function("pkg:f", "a"), function("pkg:g"), function("pkg.sub:h"))
NEW = (function("pkg:f", "a", "b"), function("pkg:new"))


def test_what_changed_and_what_of_it_is_wanted() -> None:
    with stored(surface("1", *OLD), surface("2", *NEW)) as store:
        found = diff(store, "pkg", "1.0", "2")
        assert (found.package, found.old, found.new) == ("pkg", "1", "2")
        assert {change.path for change in found.changes} >= {"pkg.f", "pkg.g", "pkg.new"}
        assert (found.partial, found.unimported) == ((), ())
        kinds = DiffFilter(frozenset({ChangeKind.SIGNATURE}))
        assert [change.path for change in diff(store, "pkg", "1", "2", kinds).changes] == ["pkg.f"]
        under = diff(store, "pkg", "1", "2", DiffFilter(path="pkg.n*"))
        assert [change.path for change in under.changes] == ["pkg.new"]
        for path, message in (("pkg.no", "neither pkg 1 nor 2 has pkg.no"), (" ", "is empty")):
            with pytest.raises(UserError, match=message):
                diff(store, "pkg", "1", "2", DiffFilter(path=path))


def test_a_path_that_is_asked_for_is_told_as_its_life_tells_it() -> None:
    """What went with its module, and what is there by accident, no list has."""
    with stored(surface("1", *OLD), surface("2", *NEW)) as store:
        (change,) = diff(store, "pkg", "1", "2", DiffFilter(path="pkg.sub.h")).changes
        assert (change.kind, change.path, change.breaking) == ("removed", "pkg.sub.h", True)


def by_import(symbol: Symbol, *names: str) -> Symbol:
    return replace(symbol, signature=signature(*names), provenance=(Provenance.RUNTIME,))


@pytest.mark.parametrize(
    ("before", "after", "told", "uncompared"),
    [
        (("a", "level=None", "only=None"), ("a", "only=False"), {"level", "only"}, ()),
        (("a", "b", "c"), ("a", "b", "c"), set(), ()),
        (("x", "y"), ("a", "b", "c"), set(), ("pkg.f",)),
    ],
)
def test_releases_that_were_read_in_different_ways(
    before: tuple[str, ...], after: tuple[str, ...], told: set[str], uncompared: tuple[str, ...]
) -> None:
    seen = by_import(function("pkg:f"), *before)
    with stored(surface("1", seen), surface("2", function("pkg:f", *after))) as store:
        found = diff(store, "pkg", "1", "2")
    assert {change.parameter for change in found.changes} == told
    assert found.uncompared == uncompared
