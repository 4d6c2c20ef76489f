from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from libdrift.history.questions import suggest
from libdrift.history.store import Store
from libdrift.history.store.packages import near, packages_like
from libdrift.records import Release, Surface
from tests.history.small import function, klass, stored, surface


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    base = [klass("pkg:Base"), function("pkg:Base.head")]
    frame = [klass("pkg.core:Frame", "pkg:Base"), function("pkg.core:Frame.append")]
    with stored(
        surface("1", *base, *frame, function("pkg:trapz"), names={"pkg.Frame": "pkg.core:Frame"}),
        surface("2", *base, function("pkg:append"), function("pkg:to_csv")),
    ) as found:
        yield found


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Frame.append", ["pkg.Frame.append"]),
        ("append", ["pkg.append", "pkg.Frame.append"]),
        ("frame.Append", ["pkg.Frame.append"]),
        ("p.trapz", ["pkg.trapz"]),
        ("pkg.trapezz", ["pkg.trapz"]),
        ("pkg.Frame.haed", ["pkg.Frame.head"]),  # inherited
        ("Frmae.apend", ["pkg.Frame.append", "pkg.append"]),
        ("pkg.to_cvs", ["pkg.to_csv"]),
        ("other.to_cvs", ["pkg.to_csv"]),
        ("toxcsv", ["pkg.to_csv"]),  # not by _ as a wildcard, but as a slip
        ("x.xappend", []),  # a slip is not in the first letter
        ("pkgg", ["pkg"]),
        ("%", []),
        ("", []),
        (".", []),
        ("nothing.like.it", []),
    ],
)
def test_did_you_mean(store: Store, asked: str, expected: list[str]) -> None:
    assert suggest(store, asked) == expected


@pytest.mark.parametrize(
    ("asked", "packages", "paths"),
    [
        ("PIL", ["pillow"], []),
        ("pil", ["pillow"], ["PIL"]),
        ("pilow", ["pillow"], ["PIL"]),
        ("pillow", ["pillow"], ["PIL"]),
        ("sklaern", ["scikit-learn"], ["sklearn"]),
        ("scikit-lern", ["scikit-learn"], []),
        ("_imaging", [], []),
        ("lst", [], []),
        ("", [], []),
    ],
)
def test_packages(asked: str, packages: list[str], paths: list[str]) -> None:
    pillow = Surface(Release("pypi", "pillow", "1"), ("PIL", "_imaging"), {}, {})
    learn = Surface(Release("pypi", "scikit-learn", "1"), ("sklearn",), {}, {})
    with stored(pillow, learn) as store:
        assert packages_like(store, asked) == packages
        if asked not in {"PIL", "_imaging"}:  # those are paths, and need no suggestion
            assert suggest(store, asked) == paths


@pytest.mark.parametrize(("asked", "meant"), [("Grup", "Group"), ("grup", "group")])
def test_case_decides_between_names_that_are_alike_otherwise(asked: str, meant: str) -> None:
    assert near(asked, ["group", "Group"]) == near(asked, ["Group", "group"]) == [meant]


def test_of_a_known_package_no_other_is_meant() -> None:
    other = replace(
        surface("1", function("other:nothing")),
        release=Release("pypi", "other", "1"),
        roots=("other",),
    )
    with stored(surface("1", function("pkg:f")), other) as store:
        assert suggest(store, "pkg.nothingg") == []
        assert suggest(store, "x.nothingg") == ["other.nothing"]
