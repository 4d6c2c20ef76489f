"""Changes as people and programs read them."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from rich.console import Console

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


def printed(changes: list[Change]) -> str:
    console = Console(width=80, record=True, file=StringIO())
    console.print(report.table(changes))
    return console.export_text()


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


def test_table_loses_no_letter() -> None:
    long = replace(GONE, path="pkg." + "x" * 90)
    text = printed([long, RENAMED, ADDED])
    assert text.count("x") == 90
    assert "the same code: 0.75" in " ".join(text.replace("│", " ").split())
    marks = [line.split("│")[1].strip() for line in text.splitlines() if "│" in line]
    assert marks.count("!") == 2


def test_markup_is_text() -> None:
    """A default such as `[red]` is not a colour."""
    assert "[red]" in printed([replace(ADDED, detail="default of c is [red]")])


def test_markdown() -> None:
    text = report.markdown("pkg", "1.0", "2.0", [ADDED, GONE, RENAMED, SOON])
    assert text.splitlines()[0] == "# pkg 1.0 → 2.0"
    assert "4 changes: 1 removed, 1 deprecated, 1 signature, 1 renamed; 2 breaking." in text
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["## Removed (1)", "## Deprecated (1)", "## Signature (1)", "## Renamed (1)"]
    assert "- **breaking** `pkg.f`: gone; use pkg.g instead" in text
    assert "- `pkg.h`: new parameter \\*\\*kwargs" in text
    assert "- `pkg.h`: goes in 3.0 (use pkg.g)" in text


def test_summary() -> None:
    assert report.summary([]) == "no changes"
    assert report.summary([GONE]) == "1 change: 1 removed; 1 breaking"
