"""`libdrift suites`: what data holds, prompts of every suite, and the papers' studies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from libdrift import config, suites
from libdrift.analysis.coverage import SuiteCoverage, TaskCoverage
from libdrift.analysis.lint_study import STAGES, LintStage, LintStudy
from libdrift.cli.app import app
from libdrift.errors import UserError
from libdrift.records import Attempt, Split
from tests.conftest import make_task
from tests.evals.small import evaluated, lines, script, write_tasks


def run(*arguments: str | Path, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["suites", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == code, done.stderr
    return done.stdout


def told(*arguments: str | Path) -> Any:
    return json.loads(run(*arguments, "--json"))


def test_statistics_are_tables_json_and_markdown() -> None:
    found = told("stats", "starter")
    assert found["tasks"] == found["samples"] == 28
    tables = {table["name"]: table for table in found["tables"]}
    assert {"libraries", "library", "year", "change", "lengths", "tests"} <= set(tables)
    assert sum(row[1] for row in tables["library"]["rows"]) == 28
    assert [split for split, *_ in tables["tests"]["rows"]] == ["hidden", "visible"]
    shown = run("stats", "starter")
    assert "Tasks by library and year" in shown
    written = run("stats", "starter", "--markdown")
    assert "## Libraries and their versions" in written
    assert "| attrs | 3 |" in written


@pytest.mark.parametrize("wording", ["libdrift", "paper"])
def test_a_suite_of_programs_has_prompts_too(tmp_path: Path, wording: str) -> None:
    path = tmp_path / "p.jsonl"
    found = told("prompts", "starter", path, "--prompts", wording, "--sample", "3")
    assert found == {"suite": "starter", "file": str(path), "prompts": 3}
    for line in map(json.loads, path.read_text().splitlines()):
        system, user = line["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        assert "```python" in user["content"]
    with pytest.raises(UserError, match="already exists"):
        run("prompts", "starter", path)


def _page(folder: Path, package: str, version: str) -> Path:
    place = folder / "docs" / package / version
    place.mkdir(parents=True)
    (place / "page.md").write_text(f"# Commands\n\nHow {package} {version} names commands.\n")
    return folder / "docs"


def test_prompts_with_documents_are_those_that_rag_asks(tmp_path: Path) -> None:
    task = suites.load("starter", config.load()).tasks["click-reserved-names"]
    suite, path = write_tasks(tmp_path, [task]), tmp_path / "p.jsonl"
    _page(tmp_path, "click", "8.2.0")
    folder = _page(tmp_path, "click", task.facts.version)
    given = ("--strategy", "rag", "-S", f"docs_folder={folder}")
    assert told("prompts", suite, path, *given)["prompts"] == 1
    written = json.loads(path.read_text())["messages"]
    assert f"How click {task.facts.version} names commands." in written[1]["content"]
    assert "How click 8.2.0" not in written[1]["content"]
    model = script(tmp_path, "def reply(messages, task_id, sample):\n    return ''\n")
    out = tmp_path / "run"
    evaluated(suite, "--model", model, "--plain", *given, "--out", out)
    asked = [line["messages"] for line in lines(out / "calls.jsonl") if "messages" in line]
    assert asked == [written]


def test_a_task_whose_release_cannot_be_had_gets_no_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(tmp_path / "history.sqlite"))
    suite, path = write_tasks(tmp_path, [make_task("t1", 1)]), tmp_path / "p.jsonl"
    found = json.loads(run("prompts", suite, path, "--strategy", "rag", "--json", code=3))
    assert found["prompts"] == 0
    assert list(found["without_documents"]) == ["t1"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--strategy", "cot"], "prompts are written for greedy and rag"),
        (["-S", "documents=2"], "greedy has no option 'documents'"),
        (["--strategy", "rag", "-S", "steps=2"], "rag has no option 'steps'"),
        (["--strategy", "rag", "-S", "docs_folder=nowhere"], "nowhere is not there"),
    ],
)
def test_documents_of_prompts_say_what_is_wrong(
    tmp_path: Path, given: list[str], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        run("prompts", "starter", tmp_path / "p.jsonl", *given)
    assert not (tmp_path / "p.jsonl").exists()


def test_answers_of_each_stage_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The linters are tried elsewhere: here what they make is made up."""
    suite = write_tasks(tmp_path)
    code = "def number():\n    return 0\n"
    attempts = {name: (Attempt("t0", 0, code, code),) for name in STAGES}
    made = tuple(LintStage(name, 1, number, 5.0 + number, 1) for number, name in enumerate(STAGES))
    monkeypatch.setattr("libdrift.jobs.studies.study", lambda *_: LintStudy("x", made, attempts))
    answers = tmp_path / "a.jsonl"
    answers.write_text(json.dumps({"task_id": "t0", "answer": code}))
    found = told("lint", suite, answers, tmp_path / "out")
    assert [stage["name"] for stage in found["stages"]] == ["given", "formatted", "repaired"]
    assert [stage["pylint"] for stage in found["stages"]] == [5.0, 6.0, 7.0]
    (line,) = (tmp_path / "out/formatted.jsonl").read_text().splitlines()
    assert json.loads(line)["answer"] == f"```python\n{code}\n```"
    assert "formatted" in run("lint", suite, answers, tmp_path / "out")


def test_coverage_is_told_of_each_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured is measured elsewhere: here it is made up."""
    tasks = (
        TaskCoverage("a", "x", 4, 3, (3,)),
        TaskCoverage("b", "x", reason="its tests fail"),
    )
    made = SuiteCoverage("starter", Split.HIDDEN, tasks)
    monkeypatch.setattr("libdrift.jobs.studies.coverage", lambda *_: made)
    found = told("coverage", "starter")
    assert (found["coverage"], found["measured"]) == (0.75, 1)
    assert "75.0% of all lines" in run("coverage", "starter")


def test_what_is_judged_by_its_text_has_no_coverage(tmp_path: Path) -> None:
    from libdrift.suites import task_files
    from tests.scoring.texts import text_suite

    path = tmp_path / "texts.jsonl"
    task_files.write(path, "texts", "Texts", text_suite().tasks.values(), {})
    with pytest.raises(UserError, match="judged by its text"):
        run("coverage", path)
