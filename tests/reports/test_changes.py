"""Changes as people and programs read them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from libdrift.records import Change, ChangeKind
from libdrift.reports import changes as report

GONE = Change(
    "pkg", "1.0", "2.0", ChangeKind.REMOVED, "pkg.f", "function",
    detail="gone; use pkg.g instead", replacement="pkg.g", breaking=True, aliases=("pkg.sub.f",),
)  # fmt: skip
RENAMED = replace(
    GONE, kind=ChangeKind.RENAMED, path="pkg.old_name", detail="now pkg.new", confidence=0.75,
    evidence=("the same code",),
)  # fmt: skip
ADDED = Change(
    "pkg", "1.0", "2.0", ChangeKind.SIGNATURE, "pkg.h", "function", aspect="added",
    parameter="**kwargs", after="**kwargs", detail="new parameter **kwargs",
)  # fmt: skip
SOON = replace(
    ADDED, kind=ChangeKind.DEPRECATED, aspect="", parameter="", detail="goes in 3.0",
    replacement="pkg.g",
)  # fmt: skip


def test_json() -> None:
    found = report.to_json("pkg", "1.0", "2.0", [GONE, ADDED])
    assert found["counts"] == {"removed": 1, "signature": 1, "breaking": 1}
    assert (found["package"], found["from"], found["to"]) == ("pkg", "1.0", "2.0")
    first, second = found["changes"]
    assert first["kind"] == "removed"
    assert first["path"] == "pkg.f"
    assert first["replacement"] == "pkg.g"
    assert first["breaking"] is True
    assert first["aliases"] == ["pkg.sub.f"]
    assert first["aspect"] is None
    assert first["taxonomies"]["versicode"] == "deprecation"
    assert (second["aspect"], second["parameter"]) == ("added", "**kwargs")
    assert second["replacement"] is None
    keys = {"kind", "path", "detail", "replacement", "breaking", "evidence"}  # the contract
    assert keys <= first.keys()


def test_lines() -> None:
    """A path is one line at any width; parameters of one signature are one entry."""
    long = replace(GONE, path="pkg." + "x" * 90, aliases=tuple("abcde"))
    lost = replace(ADDED, parameter="x", detail="parameter x is gone", breaking=True)
    assert report.lines([long, RENAMED, ADDED, lost, SOON], 40) == [
        f"! removed      pkg.{'x' * 90}",
        "    gone; use pkg.g instead",
        "    also: a, b, c, d, e",
        "! renamed      pkg.old_name",
        "    now pkg.new (the same code: 0.75)",
        "    also: pkg.sub.f",
        "! signature    pkg.h",
        "  ! parameter x is gone",
        "    new parameter **kwargs",
        "  deprecated   pkg.h",
        "    goes in 3.0 (use pkg.g)",
    ]
    wide = replace(ADDED, detail="default of some is [red], was 'a-long-word' before")
    assert report.lines([wide], 30)[1:] == [
        "    default of some is [red],",
        "      was 'a-long-word' before",
    ]


def parameter(aspect: str, name: str, before: str = "", after: str = "", **more: Any) -> Change:
    kind = more.pop("kind", ChangeKind.SIGNATURE)
    detail = f"{aspect} {name}"
    return replace(
        ADDED, kind=kind, aspect=aspect, parameter=name, before=before, after=after, detail=detail,
        **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        # One line an aspect, what breaks first, and of that what is gone before the rest.
        (
            [
                parameter("keyword-only", "a", breaking=True),
                parameter("keyword-only", "b", breaking=True),
                parameter("added", "n", after="n=None"),
                parameter("added", "m", after="m=1"),
                parameter("removed", "x", breaking=True),
                parameter("removed", "y", breaking=True),
            ],
            [
                "! parameters that are gone: x, y",
                "! parameters that are keyword-only now: a, b",
                "  new parameters: n=None, m=1",
            ],
        ),
        # One that breaks and one that does not are two lines; so are one that is sure and one not.
        (
            [
                parameter("removed", "x"),
                parameter("removed", "y", breaking=True),
                parameter("removed", "z", breaking=True, confidence=0.5),
            ],
            ["! removed y", "! removed z (not certain: 0.50)", "  removed x"],
        ),
        # A replacement, or another default, is of one parameter.
        (
            [
                parameter("removed", "x", replacement="z"),
                parameter("removed", "y"),
                parameter("default", "a", "1", "2"),
                parameter("default", "b", "1", "3"),
                parameter("default", "c", "1", "2"),
                parameter("renamed", "d"),
                parameter("renamed", "e"),
            ],
            [
                "  removed x",
                "  removed y",
                "  renamed d",
                "  renamed e",
                "  default was 1, is 2: a, c",
                "  default b",
            ],
        ),
        (
            [parameter("required", "x", "x=1", "x", breaking=True), parameter("required", "y", "y=2", "y", breaking=True)],
            ["  parameters without a default now: x, y (were x=1, y=2)"],
        ),
        ([parameter("optional", "x", "x", "x=1"), parameter("optional", "y", "y", f"y={'9' * 99}")],
         [f"  parameters with a default now: x=1, y={'9' * 57}…"]),
        # Deprecations of parameters say each something of their own.
        ([parameter("", "x", kind=ChangeKind.DEPRECATED), parameter("", "y", kind=ChangeKind.DEPRECATED)],
         ["   x", "   y"]),
    ],
)  # fmt: skip
def test_parameters_of_one_aspect_are_one_line(changes: list[Change], told: list[str]) -> None:
    assert [line[2:] for line in report.lines(changes, 200)[1:]] == told


def test_of_one_symbol_what_breaks_code_comes_first() -> None:
    lost = parameter("removed", "x", breaking=True)
    found = report.lines([SOON, lost, replace(SOON, path="pkg.z")], 100)
    heads = [line for line in found if line[2] != " "]
    assert heads == ["! signature    pkg.h", "  deprecated   pkg.h", "  deprecated   pkg.z"]


def test_markdown() -> None:
    text = report.markdown("pkg", "1.0", "2.0", [ADDED, GONE, RENAMED, SOON])
    assert text.splitlines()[0] == "# pkg 1.0 → 2.0"
    others = "2 others: 1 deprecated, 1 signature"
    assert f"4 changes, 2 breaking: 1 removed, 1 renamed; {others}." in text
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["## Removed (1)", "## Deprecated (1)", "## Signature (1)", "## Renamed (1)"]
    assert "- **breaking** `pkg.f`: gone; use pkg.g instead" in text
    assert "- `pkg.h`: new parameter \\*\\*kwargs" in text
    assert "- `pkg.h`: goes in 3.0 (use pkg.g)" in text
    assert "  - also `pkg.sub.f`" in text


def test_markdown_of_several_parameters() -> None:
    lost = replace(ADDED, parameter="x", detail="parameter x is gone", breaking=True)
    assert report.markdown("pkg", "1.0", "2.0", [ADDED, lost]).splitlines()[-4:] == [
        "",
        "- **breaking** `pkg.h`",
        "  - **breaking** parameter x is gone",
        "  - new parameter \\*\\*kwargs",
    ]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ([], "no changes"),
        ([GONE], "1 change, 1 breaking: 1 removed"),
        ([ADDED, ADDED], "1 change, none breaking: 1 signature"),
        ([GONE, ADDED], "2 changes, 1 breaking: 1 removed; 1 other: 1 signature"),
    ],
)
def test_summary(changes: list[Change], text: str) -> None:
    assert report.summary(changes) == text
