"""``libdrift build``: what it writes and prints, and its refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from libdrift.cli.app import app
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.languages.python.static import of_sources
from libdrift.suites import task_files
from tests.build.repos import write

OLD = '''
def ring(radius):
    """Draw a curve that is closed.

    .. deprecated:: 1.0
       Use :func:`pkg.circle` instead.

    >>> import pkg
    >>> shape = pkg.ring(2)
    >>> print(shape.area)
    """

def square(side):
    """Draw four equal sides around a place."""
'''
NEW = (
    OLD.replace("ring", "circle")
    .replace(".. deprecated:: 1.0\n       Use :func:`pkg.circle` instead.", "")
    .replace("def square(side)", "def square(side, colour)")
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and a history of two releases."""
    file = tmp_path / "history.sqlite"
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(file))
    with Store.open(file) as store:
        for version, text in (("1.0", OLD), ("2.0", NEW)):
            store.add(of_sources({"pkg/__init__.py": text}, version, "pkg"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def run(*arguments: str) -> Result:
    done = CliRunner().invoke(app, ["build", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done


def read(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    return found


def test_completion_from_history(here: Path) -> None:
    done = run("completion", "--package", "pkg", "--versions", "1.0,2.0")
    assert "4 tasks in completion-pkg.jsonl\n  1.0: 2\n  2.0: 2\n" in done.stdout
    assert "libdrift score completion-pkg.jsonl" in done.stderr
    suite = task_files.read(here / "completion-pkg.jsonl")
    assert suite.name == "completion-pkg"
    facts = [task.facts for task in suite.tasks.values()]
    assert [(of.version, of.symbol, of.lifecycle) for of in facts] == [
        ("1.0", "pkg.ring", "deprecated"),
        ("1.0", "pkg.square", "unchanged"),
        ("2.0", "pkg.circle", "introduced"),
        ("2.0", "pkg.square", "modified"),
    ]
    # An id must not give the answer away.
    assert not any("ring" in name or "square" in name for name in suite.tasks)


def test_all_mined_releases_are_the_default_and_a_limit_is_kept(here: Path) -> None:
    found = read("completion", "--package", "pkg", "--out", "a.jsonl", "--limit", "1")
    assert found["counts"] == {"1.0": 1, "2.0": 1}
    assert found["left_out"] == {"over the limit": 2}
    first = (here / "a.jsonl").read_bytes().split(b"\n")[1:]
    read("completion", "--package", "pkg", "--out", "a.jsonl", "--limit", "1", "--force")
    assert (here / "a.jsonl").read_bytes().split(b"\n")[1:] == first


def test_only_some_lifecycles(here: Path) -> None:
    found = read("completion", "--package", "pkg", "--out", "a.jsonl", "--only", "modified")
    assert found["lifecycles"] == {"modified": 1}
    (task,) = task_files.read(here / "a.jsonl").tasks.values()
    assert task.facts.symbol == "pkg.square"
    shown = CliRunner().invoke(app, ["suites", "show", "a.jsonl"]).stdout
    assert "signature" in shown.splitlines()[1].split()


def test_twins_of_a_file(here: Path) -> None:
    lines = [{"schema_version": 1, "suite": "mine"}]
    tests = [{"split": "hidden", "style": "script", "code": "assert x == 1"}]
    for name, version, day in (("a", "1.0", "2023-01-01"), ("b", "2.0", "2025-01-01")):
        place = {"requirements": [f"pkg=={version}"], "runtime": "3.11"}
        facts = {"release_date": day}
        lines.append(
            {"id": name, "environment": place, "reference": "x = 1", "tests": tests, "facts": facts}
        )
    (here / "mine.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    found = read("twins", "mine.jsonl", "--cutoff", "2024-06-01")
    assert (found["pairs"], found["file"]) == (1, "mine-twins.jsonl")
    suite = task_files.read(here / "mine-twins.jsonl")
    assert suite.tasks["b"].facts.tags == ("twin: a",)
    with pytest.raises(UserError, match="no task after 2026-01-01"):
        run("twins", "mine.jsonl", "--cutoff", "2026-01-01", "--force")


def test_twins_read_a_folder_too(here: Path) -> None:
    run("init", "own")
    with pytest.raises(UserError, match="own: no task after 2020-01-01 has a similar one"):
        run("twins", "own", "--cutoff", "2020-01-01")
    assert not list(here.glob("*-twins.jsonl"))


def test_migration_from_examples(here: Path) -> None:
    found = read("migration", "--package", "pkg", "--versions", "1.0,2.0")
    assert found["tasks"] == 2
    tasks = task_files.read(here / "migration-pkg.jsonl").tasks.values()
    assert {task.facts.direction for task in tasks} == {"old-to-new", "new-to-old"}
    (forth,) = [task for task in tasks if task.facts.direction == "old-to-new"]
    assert "pkg.ring(2)" in forth.starter
    assert "pkg.circle(2)" in forth.reference


def test_usage_from_repositories(here: Path) -> None:
    code = "import pkg\n\n\ndef draw():\n    shape = pkg.circle(2)\n    return shape\n"
    write(here / "repos/one", {"requirements.txt": "pkg==2.0\n", "draw.py": code})
    write(here / "repos/two", {"requirements.txt": "pkg>=2.0\n", "draw.py": code})
    done = run("usage", "--repo", "repos", "--level", "line", "--level", "middle")
    assert "2 tasks in usage.jsonl" in done.stdout
    assert "two pins no exact version" in done.stderr
    tasks = task_files.read(here / "usage.jsonl").tasks.values()
    assert {task.facts.granularity for task in tasks} == {"line", "middle"}
    for task in tasks:
        assert (task.facts.symbol, task.facts.lifecycle) == ("pkg.circle", "introduced")
        assert task.facts.access == "direct"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["completion", "--package", "nope"], "nope is not mined"),
        (["completion", "--package", "pkg", "--versions", ""], "--versions is empty"),
        (["completion", "--package", "pkg", "--only", ","], "--only is empty"),
        (["completion", "--package", "pkg", "--only", "new"], "no lifecycle 'new'"),
        (["completion", "--package", "pkg", "--versions", "9"], "9"),
        (["completion", "--package", "pkg", "--out", "a.txt"], "does not end in .jsonl"),
        (["completion", "--package", "pkg", "--out", "there.jsonl"], "already exists"),
        (["migration", "--package", "pkg", "--versions", "1.0"], "not two releases"),
        (["migration", "--package", "nope", "--versions", "1.0,2.0"], "nope is not mined"),
        (["usage", "--repo", "nowhere"], "nowhere does not exist"),
        (["usage", "--repo", ".", "--level", "page"], "no level 'page'"),
        (["usage", "--repo", "bare"], "no task could be made"),
        (["live", "--manifest", "nope"], "no manifest nope. Name a file .*NAME.manifest.json"),
    ],
)
def test_refusals(here: Path, arguments: list[str], message: str) -> None:
    (here / "there.jsonl").write_text("mine")
    write(here / "bare", {"requirements.txt": "pkg==2.0\n", "a.py": "x = 1\n"})
    with pytest.raises(UserError, match=message):
        run(*arguments)
    assert (here / "there.jsonl").read_text() == "mine"
    assert not (here / "usage.jsonl").exists()
