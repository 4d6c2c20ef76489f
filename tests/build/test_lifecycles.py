from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.build.lifecycles import Lifecycle, Lifecycles
from libdrift.records import Origin, Provenance, Surface, Symbol, SymbolKind, VersionNote
from tests.history.small import function, klass, signature, stored, surface

_DEAD = Symbol(
    "pkg:f", SymbolKind.FUNCTION, signature("x"), notes=(VersionNote("removed", "2.0", "gone"),)
)


def label(
    path: str, *surfaces: Surface, at: str = "2.0", asked: tuple[str, ...] = ()
) -> str | None:
    with stored(*surfaces) as store:
        return Lifecycles(store, "pkg", asked).labels(at, [path])[path]


@pytest.mark.parametrize(
    ("before", "here", "after", "expected"),
    [
        # one symbol, `pkg.f`, in three releases; None: no such release
        (["a"], ["a"], ["a"], "unchanged"),
        ([], ["a"], ["a"], "introduced"),
        (["a"], ["a"], [], "deprecated"),
        (["a"], ["a", "b"], ["a", "b"], "modified"),
        (["a=1"], ["a=2"], ["a=2"], "modified"),
        (["a"], ["a"], ["a", "b"], "unchanged"),  # the next release's change is not this one's
        ([], ["a"], [], "introduced"),
        (["a"], ["a", "b"], [], "deprecated"),
        (None, ["a"], ["a"], "unchanged"),
        (None, ["a"], [], "deprecated"),
        (["a"], ["a"], None, "unchanged"),
        ([], ["a"], None, "introduced"),
        (None, ["a"], None, None),
    ],
)
def test_a_label_is_that_of_the_neighbours(
    before: list[str] | None, here: list[str], after: list[str] | None, expected: str | None
) -> None:
    releases = [
        surface(version, function("pkg:g"), *([function("pkg:f", *names)] if names else []))
        for version, names in (("1.0", before), ("2.0", here), ("3.0", after))
        if names is not None
    ]
    assert label("pkg.f", *releases) == expected


@pytest.mark.parametrize(
    ("path", "here", "other", "expected"),
    [
        ("pkg.new", function("pkg:new", "x"), function("pkg:old", "x"), "introduced"),  # a rename
        ("pkg.C.f", function("pkg:C.f", "x"), function("pkg:C.g", "x"), "introduced"),
        ("pkg.C.f", function("pkg:C.f", "x"), function("pkg:C.f", "x", "y=1"), "modified"),
        ("pkg.f", function("pkg:f", "x"), _DEAD, "introduced"),  # there only to say that it is gone
        # Annotations say nothing of how it is called.
        (
            "pkg.f",
            function("pkg:f", "x"),
            replace(function("pkg:f", "x"), signature=replace(signature("x"), returns="int")),
            "unchanged",
        ),
    ],
)
def test_what_is_compared(path: str, here: Symbol, other: Symbol, expected: str) -> None:
    found = [surface(at, item, klass("pkg:C")) for at, item in (("1.0", other), ("2.0", here))]
    assert label(path, *found) == expected


def test_a_new_name_of_a_known_thing_is_introduced() -> None:
    known = function("pkg.core:f", "x")
    found = [surface("1.0", known), surface("2.0", known, names={"pkg.f": "pkg.core:f"})]
    assert label("pkg.f", *found) == Lifecycle.INTRODUCED
    assert label("pkg.core.f", *found) == Lifecycle.UNCHANGED


@pytest.mark.parametrize(
    "other",
    [
        # names that reading could not see; a file that could not be read
        replace(
            surface("1.0", function("pkg.a:g")),
            origin=Origin(gaps=("pkg.a: names made at import",)),
        ),
        replace(
            surface("1.0", function("pkg.a:g")), origin=Origin(unread=("pkg/a.py: no Python",))
        ),
    ],
)
def test_what_may_have_been_there_unseen_has_no_label(other: Surface) -> None:
    here = surface("2.0", function("pkg.a:f", "x"), function("pkg.b:f", "x"))
    assert label("pkg.a.f", other, here) is None
    assert label("pkg.b.f", other, here) == Lifecycle.INTRODUCED
    after = surface("3.0", function("pkg.b:f", "x"))
    assert label("pkg.a.f", other, here, after) == Lifecycle.DEPRECATED  # that is known


def test_what_only_stubs_tell_is_not_new_where_there_were_none() -> None:
    told = replace(function("pkg:f", "x"), provenance=(Provenance.STUB,))
    assert label("pkg.f", surface("1.0", function("pkg:g")), surface("2.0", told)) is None


def test_what_a_foreign_base_gives_is_not_new() -> None:
    before = surface("1.0", klass("pkg:C", "other.Base"), outside={"other.Base": ("f",)})
    here = surface("2.0", klass("pkg:C"), function("pkg:C.f", "x"))
    assert label("pkg.C.f", before, here) is None


def test_neighbours_are_those_asked_for_before_all_that_are_mined() -> None:
    releases = [surface(version, function("pkg:f")) for version in ("1.9", "1.10", "2.0", "3.0")]
    with stored(*releases) as store:
        lives = Lifecycles(store, "pkg")
        assert lives.neighbours("2.0") == ("1.10", "3.0")
        assert lives.neighbours("1.9") == (None, "1.10")
        asked = Lifecycles(store, "pkg", ["2.0", "1.9.0"])
        assert asked.neighbours("2.0") == ("1.9", "3.0")
        assert asked.neighbours("1.9") == (None, "2.0")


def test_a_release_is_read_once() -> None:
    releases = [surface(version, function("pkg:f")) for version in ("1.0", "2.0", "3.0")]
    with stored(*releases) as store:
        lives = Lifecycles(store, "pkg")
        views = [lives.view(version) for version in ("1.0", "2.0", "3.0")]
        lives.labels("2.0", ["pkg.f"])
        assert [lives.view(version) for version in ("1.0", "2.0", "3.0")] == views
