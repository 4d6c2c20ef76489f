"""``libdrift history``: what it prints, its JSON, and its refusals."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from libdrift.cli.history import app
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.records import Deprecation, Origin, Release
from tests.history.small import function, klass, surface

OLD = function("pkg:append", "other", "line=0", doc="Append rows.")
SOON = replace(
    OLD,
    deprecations=(
        Deprecation("warning", "Use concat.", replacement="concat"),
        Deprecation("decorator", parameter="line", replacement="lines"),
    ),
)
FRAME = klass("pkg.core:Frame", doc="A table [of rows].")


@pytest.fixture(autouse=True)
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "history.sqlite"
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(file))
    with Store.open(file) as store:
        origin = Origin("pkg-1.0.whl", files=3, unread=("bad.py: no",))
        store.add(replace(surface("1.0", OLD, day=date(2020, 1, 2)), origin=origin))
        store.add(surface("1.1", SOON, function("pkg:concat", doc="Put together.")))
        store.add(surface("2.0", FRAME, function("pkg:concat", "b"), names={"pkg.Frame": FRAME.id}))
        store.note_failure(Release("pypi", "pkg", "3.0"), "no files")
    return file


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def read(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


def test_the_life_of_a_symbol_as_json() -> None:
    found = read("pkg.append")
    shape = ("path", "package", "introduced", "removed", "replacement")
    assert [found[key] for key in shape] == ["pkg.append", "pkg", "1.0", "2.0", "pkg.concat"]
    assert found["introduced_before"] is True
    assert found["deprecated"].items() >= {"version": "1.1", "message": "Use concat."}.items()
    assert found["signatures"] == [{"from": "1.0", "to": "1.1", "signature": "(other, line=0)"}]
    assert [
        (row["parameter"], row["version"], row["replacement"]) for row in found["parameters"]
    ] == [("line", "1.1", "lines")]
    assert found["mined"] == {"first": "1.0", "last": "2.0", "releases": 3}
    still = read("pkg.concat")
    assert (still["introduced"], still["deprecated"], still["removed"], still["replacement"]) == (
        "1.1",
        None,
        None,
        None,
    )


def test_the_life_of_a_symbol_for_people() -> None:
    assert run("pkg.append").splitlines() == [
        "pkg.append  function of pkg (3 mined releases, 1.0 to 2.0)",
        "  introduced   1.0 (2020-01-02), the first mined release, or before",
        "  deprecated   1.1",
        "               Use concat.",
        "  removed      2.0; last there in 1.1",
        "  use instead  pkg.concat",
        "  parameters   line  deprecated 1.1  use lines",
        "  signatures   1.0 – 1.1  (other, line=0)",
        "  defined at   1.0 – 1.1  pkg:append",
    ]
    assert "  the same as  pkg.Frame\n" in run("pkg.core.Frame")


@pytest.mark.parametrize(
    "arguments",
    [
        ("pkg.append", "--json"),
        ("--json", "pkg.append"),
        ("symbol", "pkg.append", "--json"),
        ("--store", "STORE", "pkg.append", "--json"),
        ("pkg.append", "--store", "STORE", "--json"),
    ],
)
def test_a_symbol_needs_no_command_and_options_stand_anywhere(
    arguments: tuple[str, ...], history: Path
) -> None:
    given = [str(history) if item == "STORE" else item for item in arguments]
    assert json.loads(run(*given))["path"] == "pkg.append"


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_help_shows_both_ways(arguments: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, arguments).output
    assert "libdrift history SYMBOL" in shown
    for command in ("symbol", "list", "search", "stats", "export", "remove"):
        assert f"  {command}" in shown


def test_list() -> None:
    found = read("list")
    (package,) = found["packages"]
    assert [row["version"] for row in package["releases"]] == ["1.0", "1.1", "2.0"]
    assert (
        package["releases"][0].items()
        >= {"date": "2020-01-02", "complete": False, "unread": ["bad.py: no"]}.items()
    )
    assert [(row["version"], row["reason"]) for row in found["failures"]] == [("3.0", "no files")]
    shown = run("list")
    assert "1.0 (2020-01-02)" in shown
    assert "pkg 3.0: no files" in shown
    shown = run("list", "pkg")
    assert "3 files" in shown
    assert "1 file " in shown
    assert [row["package"] for row in read("list", "pkg")["packages"]] == ["pkg"]


def test_list_of_nothing(history: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.sqlite"
    Store.open(empty).close()
    with pytest.raises(UserError, match=r"^nothing is mined yet\. Run: libdrift mine PACKAGE"):
        run("list", "--store", str(empty))
    with Store.open(empty) as store:
        store.note_failure(Release("pypi", "pkg", "3.0"), "no files")
    assert run("list", "pkg", "--store", str(empty)) == "pkg 3.0: no files\n"


def test_search() -> None:
    assert [hit["path"] for hit in read("search", "pkg", "rows")["hits"]] == ["pkg.Frame"]
    found = read("search", "pkg", "rows", "--at", "1.0", "--limit", "1")
    assert (found["version"], [hit["path"] for hit in found["hits"]]) == ("1.0", ["pkg.append"])
    assert found["hits"][0]["summary"] == "Append rows."
    shown = run("search", "pkg", "a", "table")
    assert "A table [of rows]." in shown
    assert "1 found in pkg 2.0" in shown
    assert run("search", "pkg", "nowhere").strip() == "0 found in pkg 2.0"


def test_stats() -> None:
    rows = read("stats", "pkg")["releases"]
    assert rows[0] == {
        "version": "1.0",
        "date": "2020-01-02",
        "total": 2,
        "new": None,
        "deleted": None,
        "modified": None,
        "consistent": None,
    }
    assert rows[2] == {
        "version": "2.0",
        "date": None,
        "total": 4,
        "new": 2,
        "deleted": 1,
        "modified": 1,
        "consistent": 1,
    }
    assert "2020-01-02" in run("stats", "pkg")


def test_export(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    shown = run("export", "--parquet", str(tmp_path / "out"))
    assert "3 rows" in shown
    files = read("export", "--parquet", str(tmp_path / "out"), "--package", "pkg")["files"]
    assert {Path(file).name for file in files} == {
        "releases.parquet",
        "symbols.parquet",
        "names.parquet",
        "examples.parquet",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("append",), r"no mined package has append\. Did you mean: pkg\.append\?"),
        (("pkg.apend",), r"Did you mean: pkg\.append\?"),
        (("",), r"^the symbol's name is empty\. Write it as in code"),
        (("lst",), r"^no mined package has lst\. Did you mean: libdrift history list\?$"),
        (("list", "pkgg"), r"pkgg is not mined\. Did you mean pkg\?"),
        (("stats", "pkgg"), r"pkgg is not mined\. Did you mean pkg\?"),
        (("search", "pkgg", "x", "--no-mine"), r"pkgg is not mined\. Did you mean pkg\?"),
        (("search", "pkg", ""), r"^the search has no words"),
        (("search", "pkg", "x", "--at", "banana"), r"^banana is not a version"),
        (("list", "--store", "."), r"^\. is a folder, but the history is a file"),
        (("export", "--parquet", __file__), r"is a file, but tables need a folder"),
        (("list", "other"), r"other is not mined\. Run: libdrift mine other"),
        (("stats", "other"), r"other is not mined\. Run: libdrift mine other"),
        (("search", "other", "x", "--no-mine"), r"other is not mined\. Run: libdrift mine other"),
        (
            ("search", "pkg", "x", "--at", "9", "--no-mine"),
            r"pkg 9 is not mined; nearest mined: 2\.0",
        ),
        (
            ("pkg.append", "--store", "nowhere.sqlite", "--no-mine"),
            r"nothing is mined yet\. Run: libdrift mine PACKAGE",
        ),
    ],
)
def test_refusals(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        run(*arguments)


def test_remove(history: Path) -> None:
    refused = (
        r"^pkg \(3 releases, 1 failure\) would be removed from the history\. Add --yes to do it$"
    )
    with pytest.raises(UserError, match=refused):
        run("remove", "pkg")
    assert run("remove", "pkg==1.1", "--yes") == "removed pkg 1.1 (1 release); 0.0 MB freed\n"
    assert [row["version"] for row in read("list")["packages"][0]["releases"]] == ["1.0", "2.0"]
    found = read("remove", "pkg", "--yes")
    assert (found["versions"], found["failures"]) == (["1.0", "2.0"], ["3.0"])
    with pytest.raises(UserError, match="nothing is mined yet"):
        run("list")


@pytest.mark.parametrize(("answer", "left"), [("y\n", []), ("n\n", ["pkg"]), ("", ["pkg"])])
def test_remove_asks(
    history: Path, monkeypatch: pytest.MonkeyPatch, answer: str, left: list[str]
) -> None:
    def invoked() -> None:
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
        app(["remove", "pkg"])

    alone = typer.Typer()
    alone.command()(invoked)
    CliRunner().invoke(alone, input=answer)
    with Store.open(history, readonly=True) as store:
        assert store.packages() == left


def test_the_answer_loads_nothing_heavy() -> None:
    """Not a timing of this machine: what would make the command slow is not imported."""
    code = (
        "import sys; from libdrift.cli.history import symbol; symbol('pkg.append');"
        "heavy = {'rich', 'msgspec', 'packaging', 'pydantic', 'requests'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
