"""`libdrift diff`: what it reads, filters and refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from libdrift.cli.diff import diff
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.languages.python.static import of_sources

RELEASES = {
    "1.0": "def f(items, axis): ...\nclass A:\n    def m(self): ...\ndef h(x): ...",
    "1.5": "def f(items, axis):\n    warnings.warn('use `fold`', DeprecationWarning)\n"
    "def fold(items, axis): ...\nclass A:\n    def m(self): ...\ndef h(x): ...",
    "2.0": "def fold(items, axis): ...\nclass A: ...\ndef h(x, y=1): ...",
}
OUTSIDER = "import other\nclass A(other.B): ..."  # what it inherits cannot be read here
app = typer.Typer()
app.command()(diff)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "history.sqlite"
    with Store.open(path) as opened:
        for version, source in RELEASES.items():
            opened.add(of_sources({"pkg/__init__.py": source}, version, "pkg"))
        opened.add(of_sources({"lib/__init__.py": OUTSIDER}, "1", "some-library"))
        opened.add(of_sources({"lib/__init__.py": "class A: ..."}, "2", "some-library"))
    return path


def run(store: Path, *arguments: str) -> str:
    options = [*arguments, "--no-mine", "--store", str(store)]
    done = CliRunner().invoke(app, options, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_json(store: Path) -> None:
    found = json.loads(run(store, "pkg", "1.0", "2.0", "--json"))
    assert (found["package"], found["from"], found["to"]) == ("pkg", "1.0", "2.0")
    rows = {(c["kind"], c["path"], c["replacement"], c["breaking"]) for c in found["changes"]}
    assert rows == {
        # Only the release between says where f went.
        ("renamed", "pkg.f", "pkg.fold", True),
        ("removed", "pkg.A.m", None, True),
        ("signature", "pkg.h", None, False),
    }


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (["--kind", "removed"], ["pkg.A.m"]),
        (["--kind", "removed", "--kind", "signature"], ["pkg.A.m", "pkg.h"]),
        (["--breaking"], ["pkg.A.m", "pkg.f"]),
        (["--path", "pkg.A"], ["pkg.A.m"]),
        (["--path", "pkg.?"], ["pkg.f", "pkg.h"]),
        (["--path", "pkg.fold"], []),  # there, and as it was
        (["--path", "pkg.fol*"], []),
        (["--path", "pkg.A.?", "--kind", "signature"], []),
    ],
)
def test_filters(store: Path, options: list[str], paths: list[str]) -> None:
    found = json.loads(run(store, "pkg", "1.0", "2.0", "--json", *options))
    assert [change["path"] for change in found["changes"]] == paths


def test_lines_and_markdown(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    total = "pkg 1.0 → 2.0: 3 changes, 2 breaking: 1 removed, 1 renamed; 1 other: 1 signature"
    first, *lines, last = run(store, "pkg", "1.0", "2.0").splitlines()
    assert (first, last) == (total, total)
    assert [line for line in lines if line[2] != " "] == [
        "! removed      pkg.A.m",
        "! renamed      pkg.f",
        "  signature    pkg.h",
    ]
    assert max(map(len, lines)) <= 40
    assert run(store, "pkg", "1.0", "2.0", "--markdown").startswith("# pkg 1.0 → 2.0\n")
    # By the index's rules 1.0.0 is 1.0, and nothing differs from itself.
    assert run(store, "pkg", "1.0", "1.0.0") == "pkg 1.0 → 1.0: no changes\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pkg", "1.2", "2.0"], "pkg 1.2 is not mined; nearest mined: 1.0 and 1.5. Run: libdrift mine pkg --versions 1.2"),
        (["pkg", "1.0", "3.0"], "pkg 3.0 is not mined; nearest mined: 2.0. Run: libdrift mine pkg --versions 3.0"),
        (["pkg", "2.0", "1.0"], "2.0 is later than 1.0. Run: libdrift diff pkg 1.0 2.0"),
        (["nope", "1", "2"], "nope is not mined. Run: libdrift mine nope --versions 1,2"),
        (["Lib", "1", "2"], "Lib is not mined. Did you mean some-library?"),
        (["pkgg", "1", "2"], "pkgg is not mined. Did you mean pkg?"),
        (["", "1", "2"], "the package's name is empty"),
        (["pkg", "1.0", "new"], "new is not a version"),
        (["pkg", "1.0", "2.0", "--path", "pkg.fodl"], "neither pkg 1.0 nor 2.0 has pkg.fodl. Did you mean: pkg.fold?"),
        (["pkg", "1.0", "2.0", "--path", "pkg.nowhere"], "has pkg.nowhere. Run: libdrift history search pkg WORDS"),
        (["pkg", "1.0", "2.0", "--path", "pkg.B.*"], "neither pkg 1.0 nor 2.0 has pkg.B.*"),
        (["pkg", "1.0", "2.0", "--path", ""], "--path is empty"),
        (["pkg", "1.0", "2.0", "--kind", "gone"], "unknown kind of change 'gone'. Kinds: introduced"),
        (["pkg", "1.0", "2.0", "--json", "--markdown"], "--markdown and --json cannot be combined"),
    ],
)  # fmt: skip
def test_mistakes(store: Path, arguments: list[str], words: str) -> None:
    with pytest.raises(UserError) as caught:
        run(store, *arguments)
    assert words in str(caught.value)


def test_releases_that_were_not_read_whole_are_named(store: Path) -> None:
    options = ["some-library", "1", "2", "--json", "--store", str(store)]
    done = CliRunner().invoke(app, options, catch_exceptions=False)
    assert json.loads(done.stdout)["incomplete"] == ["1"]
    assert done.stderr.splitlines() == [
        "note: some-library 1 was only read, not imported, and could not be read completely: some "
        "changes may be missing or wrong. Mine it again with: libdrift mine some-library "
        "--versions 1 --runtime auto",
        "note: changes of behaviour are known only if examples were run: libdrift mine some-library "
        "--versions 1,2 --examples",
    ]
    assert json.loads(run(store, "pkg", "1.0", "2.0", "--json"))["incomplete"] == []


@pytest.mark.parametrize(
    ("arguments", "notes"),
    [
        (["pkg", "1.0", "2.0"], ["note: changes of behaviour are known only if examples were run: libdrift mine pkg --versions 1.0,2.0 --examples"]),
        (["pkg", "1.0", "2.0", "--kind", "removed"], []),  # behaviour is not asked for
        (["pkg", "1.0", "1.0.0"], ["note: both are pkg 1.0: nothing to compare"]),
        (["pkg", "1", "2.0", "--kind", "removed", "--no-mine"], ["pkg 1 is 1.5: the newest of the series that is mined"]),
    ],
)  # fmt: skip
def test_notes(store: Path, arguments: list[str], notes: list[str]) -> None:
    options = [*arguments, "--store", str(store)]
    done = CliRunner().invoke(app, options, catch_exceptions=False)
    assert done.stderr.splitlines() == notes


def test_behaviour_that_was_seen_needs_no_note(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from libdrift.history import questions

    plain = questions.diff
    seen = lambda *given: replace(plain(*given), behaviour_seen=True)  # noqa: E731
    monkeypatch.setattr(questions, "diff", seen)
    options = ["pkg", "1.0", "2.0", "--store", str(store)]
    assert CliRunner().invoke(app, options, catch_exceptions=False).stderr == ""


@pytest.mark.parametrize(
    ("path", "heads"),
    [
        ("pkg.A", ["pkg.A.m"]),
        ("pkg.core.A", ["pkg.core.A.m"]),
        ("pkg.*.A.*", ["pkg.core.A.m"]),
        ("pkg", ["pkg.A.m"]),
    ],
)
def test_a_change_is_headed_by_the_name_that_was_asked_for(
    tmp_path: Path, path: str, heads: list[str]
) -> None:
    outer = "from pkg.core import A"
    with Store.open(tmp_path / "history.sqlite") as opened:
        for version, inner in (("1", "class A:\n    def m(self): ..."), ("2", "class A: ...")):
            files = {"pkg/__init__.py": outer, "pkg/core.py": inner}
            opened.add(of_sources(files, version, "pkg"))
    shown = run(tmp_path / "history.sqlite", "pkg", "1", "2", "--path", path, "--json")
    (change,) = json.loads(shown)["changes"]
    assert [change["path"]] == heads
    assert {change["path"], *change["aliases"]} == {"pkg.A.m", "pkg.core.A.m"}


def test_a_reader_that_goes_away_is_no_failure(store: Path) -> None:
    """`| head`, here one that reads nothing at all."""
    reader, writer = os.pipe()
    os.close(reader)
    command = "import sys; from libdrift.cli.app import main; main()"
    arguments = ["diff", "pkg", "1.0", "2.0", "--kind", "removed", "--store", str(store)]
    with os.fdopen(writer, "wb") as output:
        done = subprocess.run(
            [sys.executable, "-c", command, *arguments],
            stdout=output, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 141
    assert all(line.startswith(b"note: ") for line in done.stderr.splitlines())


def test_nothing_mined(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        run(tmp_path / "absent.sqlite", "pkg", "1", "2")
    assert list(tmp_path.iterdir()) == []
