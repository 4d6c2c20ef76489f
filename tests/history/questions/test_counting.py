from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from libdrift.history.questions.counting import Counts, stats
from libdrift.records import (
    Deprecation,
    Parameter,
    ParameterKind,
    Provenance,
    Signature,
    Symbol,
    SymbolKind,
)
from tests.history.small import function, klass, stored, surface

F = function("pkg:f", "a")


def test_each_release_is_counted_against_the_one_before() -> None:
    releases = [
        surface("1", F, function("pkg:g"), day=date(2020, 1, 1)),
        surface("2", function("pkg:f", "a", "b"), function("pkg:h"), function("pkg:i")),
        surface("3", function("pkg:f", "a", "b", gone="soon"), function("pkg:h")),
        surface("3.1", function("pkg:f", "a", "b", gone="soon"), function("pkg:h", doc="New.")),
    ]
    with stored(*reversed(releases)) as store:
        found = stats(store, "pkg")
        assert stats(store, "other") == []
    # The module itself is one.
    assert found == [
        Counts("1", "2020-01-01", 3),
        Counts("2", None, total=4, new=2, deleted=1, modified=1, consistent=1),
        Counts("3", None, total=3, new=0, deleted=1, modified=1, consistent=2),
        Counts("3.1", None, total=3, new=0, deleted=0, modified=0, consistent=3),
    ]


def typed(annotation: str, default: str) -> Symbol:
    parameter = Parameter("a", ParameterKind.POSITIONAL, default, annotation)
    return Symbol("pkg:f", SymbolKind.FUNCTION, Signature((parameter,), annotation))


def told(**fields: object) -> Symbol:
    evidence = Deprecation("warning", **fields)  # type: ignore[arg-type]
    return replace(F, deprecations=(evidence,))


@pytest.mark.parametrize(
    ("old", "new", "modified"),
    [
        (typed("", "1"), typed("int", "1"), 0),  # a hint for readers
        (typed("", "1"), typed("", "2"), 1),
        (typed("", "1"), typed("", "..."), 0),  # a stub does not tell
        (F, replace(F, signature=None), 0),  # nor does a name alone
        (F, told(), 1),
        (F, told(parameter="a"), 1),
        (F, told(conditional=True), 0),
        (told(), replace(F, provenance=(Provenance.RUNTIME,)), 0),  # import does not show it
        (told(message="x"), told(message="y"), 0),
    ],
)
def test_modified_is_what_a_caller_notices(old: Symbol, new: Symbol, modified: int) -> None:
    with stored(surface("1", old), surface("2", new)) as store:
        assert stats(store, "pkg")[1].modified == modified


def test_another_best_path_is_no_change() -> None:
    inner = function("pkg.sub.deep:f", "a")
    before = surface("1", inner)
    after = surface("2", inner, names={"pkg.f": "pkg.sub.deep:f"})
    same = Counts("2", None, 4, 0, 0, 0, 4)
    with stored(before, after) as store:  # pkg.f is another name of what is there
        assert stats(store, "pkg")[1] == same
    with stored(replace(after, release=before.release), surface("2", inner)) as store:
        assert stats(store, "pkg")[1] == same


def test_counts_add_up_where_one_thing_becomes_two() -> None:
    inner, other = function("pkg.sub.deep:f", "a"), function("pkg:f", "a", "b")
    before = surface("1", inner, names={"pkg.f": "pkg.sub.deep:f"})
    with stored(before, surface("2", inner, other)) as store:
        first, second = stats(store, "pkg")
    assert second.total == first.total + 1
    assert (second.new, second.deleted, second.modified) == (1, 0, 1)


def test_inner_parts_do_not_count() -> None:
    offered = {f"pkg.f{at}": f"pkg.core:f{at}" for at in range(5)}
    functions = [function(where) for where in offered.values()]
    hidden = [klass("pkg.core:Hidden"), function("pkg.core:Hidden.m"), function("pkg._p:x")]
    with stored(surface("1", *functions, *hidden, names=offered)) as store:
        assert stats(store, "pkg")[0].total == 6  # pkg and what it offers
