"""`libdrift report` over runs of programs, made of their files alone."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from libdrift.cli.app import app
from libdrift.errors import UserError
from tests.analysis.runs import folder, verdict

LIBRARIES = {"a": "numpy", "b": "numpy", "c": "flask", "d": "flask"}
TASKS = [
    {
        "task_id": task_id,
        "facts": {"library": library, "year": f"202{at}", "date": f"202{at}-01-01"},
    }
    for at, (task_id, library) in enumerate(LIBRARIES.items())
]


def program_run(path: Path, right: str, tasks: str = "abcd", **about: Any) -> None:
    """A run whose answers to some tasks are right."""
    verdicts = []
    for task_id in tasks:
        reason = "script: TypeError: no" if task_id not in right else ""
        outcome = "passed" if task_id in right else "failed"
        verdicts.append(verdict(task_id, outcome, reason=reason))
        verdicts.append(verdict(task_id, "passed", split="visible"))
    share = len(set(right) & set(tasks)) / len(tasks)
    score = {
        "metric": "success_rate", "value": share, "stderr": 0.1, "n": len(tasks), "split": "hidden",
        "group": "all", "stderr_kind": "binomial", "n_counts": "answers", "tasks": len(tasks),
    }  # fmt: skip
    by_library = {**score, "group": "library=numpy"}
    summary = {"scores": [score, by_library], "tasks": len(tasks)}
    files = {"tasks.jsonl": TASKS, "verdicts.jsonl": verdicts}
    folder(path, files, summary=summary, **about)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    program_run(tmp_path / "runs/plain", "ab", model="m", ways={"strategy": "greedy"})
    program_run(tmp_path / "runs/rag", "bcd", "bcd", model="m", ways={"strategy": "rag"})
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["report", *arguments], catch_exceptions=False)


def told(*arguments: str) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_two_facts_at_once() -> None:
    (table,) = told("runs/plain", "--by", "library,year")["tables"]
    assert table["title"] == "by library and year"
    assert [(row["library"], row["year"], row["hidden"]["value"]) for row in table["rows"]] == [
        ("flask", "2022", 0.0),
        ("flask", "2023", 0.0),
        ("numpy", "2020", 1.0),
        ("numpy", "2021", 1.0),
    ]
    cell = table["rows"][0]["hidden"]
    assert (cell["n"], cell["tasks"], cell["low"]) == (1, 1, 0.0)
    assert cell["high"] == pytest.approx(0.793, abs=0.001)
    assert "0.0 [0.0, 79.3]" in run("runs/plain", "--by", "library,year").stdout


def test_one_fact_is_from_the_runs_own_scores() -> None:
    (table,) = told("runs/plain", "--by", "library")["tables"]
    assert [row["library"] for row in table["rows"]] == ["numpy"]
    assert table["rows"][0]["success_rate"]["stderr"] == 0.1


def test_errors_of_failed_programs() -> None:
    (table,) = told("runs/plain", "--by", "library,error")["tables"]
    (row,) = table["rows"]
    assert (row["library"], row["error"], row["share"]["value"]) == ("flask", "TypeError", 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--by", "library,mood"], "no breakdown by mood for these runs. Available: library"),
        (["--by", "library", "--by", "mood"], "no breakdown by mood"),
        (["--by", "a,b,c,d"], "must be one to 3 facts"),
        (["--where", "library=nump"], "no answer has library=nump"),
        (["--where", "year"], "--where year: not a condition"),
        (["--metric", "em"], "--metric em: no answer has this metric"),
        (["--proven", "--by", "library"], "--proven works only on all tasks together"),
        (["--time", "--gap", "soon"], "not a length of time"),
        (["--leaderboard", "nowhere.csv"], "cannot read nowhere.csv"),
        (["--gap", "30d"], "--gap 30d needs a date"),
        (["--proven", "--time"], "--proven and --time cannot be combined"),
        (["--proven", "--figures", "drawn"], "--proven and --figures cannot be combined"),
        (["--failures", "1", "--where", "year=2021"], "--failures and --where cannot be"),
        (["--html", "page.html", "--csv"], "--html and --csv cannot be combined"),
        (["--paper", "versicode", "--metric", "em"], "--paper and --metric cannot be"),
        (["--csv", "--latex"], "cannot be combined"),
        (["--format", "png"], "--format png needs figures. Add --figures DIR"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_what_is_wrong_fails_in_a_line(arguments: list[str], message: str, form: list[str]) -> None:
    with pytest.raises(UserError, match=message.replace(".", r"\.")) as caught:
        run("runs/plain", *arguments, *form)
    assert "\n" not in str(caught.value)


def test_only_some_answers() -> None:
    (table,) = told("runs/plain", "--where", "library=NUMPY", "--where", "year>=2021")["tables"]
    (row,) = table["rows"]
    assert (row["hidden"]["value"], row["n"]) == (1.0, 1)


def test_runs_are_compared_on_common_tasks() -> None:
    found = told("runs/plain", "runs/rag", "--by", "library")
    (one,) = found["comparisons"]
    assert one["runs"] == ["m, greedy", "m, rag"]
    hidden = one["measures"][0]
    assert hidden["tasks"] == {"common": 3, "union": 4}
    differences = {item["group"]: item["difference"] for item in hidden["differences"]}
    assert differences == {
        "all": pytest.approx(2 / 3), "library=flask": 1.0, "library=numpy": 0.0,
    }  # fmt: skip
    assert [gap["gap"] for gap in one["visible_gap"]] == [0.5, 0.0]
    assert [task["task_id"] for task in hidden["discordant"]] == ["c", "d"]


def test_a_folder_of_runs_with_models_as_columns() -> None:
    shown = run("runs", "--discordant", "1").stdout
    assert "m, greedy" in shown.split("hidden: tests")[1].split("\n")[2]
    assert "difference: m, rag minus m, greedy" in shown
    assert "3 of 4" in shown
    assert "0 (TypeError)" in shown
    assert "… and 1 more" in shown
    assert "these runs cover different tasks" in run("runs").stderr


def test_runs_in_a_folder_that_cannot_be_read_are_told(here: Path) -> None:
    (here / "runs/rag/run.json").write_text('{"suite": "nowhere"}')
    program_run(here / "runs/second", "a", model="z")
    done = run("runs")
    assert done.exit_code == 0
    found = told("runs", "--by", "library,year")  # the runs keep their columns
    assert [one["label"] for one in found["runs"]] == ["m, greedy", "z"]
    assert {row["run"] for row in found["tables"][0]["rows"]} == {"1", "2"}
    assert found["comparisons"][0]["runs"] == ["m, greedy", "z"]
    assert "left out: runs/rag is not finished" in done.stderr.replace("\n", " ")
    with pytest.raises(UserError, match="is not finished"):
        run("runs/rag")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"summary": {"model": "m", "strategy": "rag"}}, "run has no answers"),
        ({"schema_version": 9, "summary": {"scores": []}}, "written by another version"),
        ({"summary": {"scores": [], "tasks": []}}, "is not a run: its run.json cannot be read"),
        ({"summary": []}, "is not a run"),
        ({"summary": {"scores": [{"metric": "success_rate"}]}}, "is not a run"),
        ({"summary": {"scores": []}}, "no scores"),
        ({"summary": {"scores": [], "outcomes_by_split": [1]}}, "outcomes are malformed"),
        ({"summary": {"scores": [], "outcomes_by_split": {"hidden": None}}}, "are malformed"),
    ],
)
def test_runs_of_others_and_without_answers(
    here: Path, content: dict[str, Any], message: str
) -> None:
    (here / "run").mkdir()
    (here / "run/run.json").write_text(json.dumps({"suite": "nowhere", **content}))
    with pytest.raises(UserError, match=message):
        run("run")


def test_damaged_lines_are_said(here: Path) -> None:
    with (here / "runs/plain/verdicts.jsonl").open("a") as file:
        file.write('{"task_id": \n')
    done = run("runs/plain", "--by", "library,year")
    assert done.exit_code == 0
    assert "1 damaged line left out" in done.stderr.replace("\n", " ")


def test_lost_verdicts_are_said(here: Path) -> None:
    # Its own scores are in run.json: the tables looked whole, with no verdict left behind them.
    folder = here / "runs/plain"
    about = json.loads((folder / "run.json").read_text())
    lines = (folder / "verdicts.jsonl").read_text().splitlines(keepends=True)
    about["summary"]["outcomes_by_split"] = {"hidden": {"passed": len(lines)}}
    (folder / "run.json").write_text(json.dumps(about))
    assert "verdicts" not in run("runs/plain").stderr
    (folder / "verdicts.jsonl").write_text("".join(lines[:1]) + lines[1][:20])
    said = run("runs/plain").stderr.replace("\n", " ")
    assert f"verdicts.jsonl has 1 of {len(lines)} verdicts" in said


def test_failures_of_a_folder_of_runs() -> None:
    assert run("runs", "--failures", "1").stdout.count(" verdict") >= 2


def test_a_file_is_no_run(here: Path) -> None:
    (here / "notes.txt").write_text("{}")
    with pytest.raises(UserError, match=r"notes\.txt is not a run: it is a file, not a folder"):
        run("notes.txt")


def test_time_and_correlations() -> None:
    found = told("runs", "--time", "--cutoff", "2021-06-01", "--gap", "30d", "--correlations")
    (estimate, _) = found["time"]["cutoff_estimates"]
    assert estimate["told"] == "4 tasks of 4 release dates are too few to estimate a cut-off"
    assert found["time"]["windows"][0]["until"] == "2021-05-02"
    assert found["correlations"]["within_runs"][0]["first"] == "hidden"
    shown = run("runs", "--time", "--correlations").stdout
    assert "knowledge cut-off" in shown
    assert "correlation of metrics over the tasks of a run" in shown


def test_a_leaderboard(here: Path) -> None:
    (here / "board.csv").write_text("model,score\nplain,10\nrag,20\n")
    (one, *_) = told("runs", "--leaderboard", "board.csv")["correlations"]["leaderboard"]
    assert (one["second"], one["n"], one["pearson"]) == ("leaderboard", 2, None)


def test_csv_has_every_number_in_a_row() -> None:
    rows = list(csv.DictReader(io.StringIO(run("runs", "--csv", "--by", "library,year").stdout)))
    first = rows[0]
    assert (first["table"], first["run"], first["metric"]) == (
        "by library and year", "m, greedy", "hidden",
    )  # fmt: skip
    assert (first["library"], first["year"], float(first["value"])) == ("flask", "2022", 0.0)
    assert any(row["table"].startswith("difference") for row in rows)


def test_latex_can_be_set() -> None:
    shown = run("runs", "--latex").stdout
    assert shown.startswith("% 1: plain (nowhere, m)\n")
    assert shown.count(r"\begin{tabular}") == shown.count(r"\end{tabular}") > 3
    assert r" \\" in shown
    assert "% interval" not in shown.replace(r"\%", "")


def test_one_answer_a_task_beside_several(here: Path) -> None:
    """pass@1 of a run with one answer a task is its success rate, and no dash."""
    folder = here / "runs/several/run.json"
    program_run(folder.parent, "abc", model="s")
    about = json.loads(folder.read_text())
    rate = about["summary"]["scores"][0]
    about["summary"]["scores"] += [
        {**rate, "metric": f"pass@{k}", "value": 0.5, "n_counts": "tasks"} for k in (1, 5)
    ]
    folder.write_text(json.dumps(about))
    tables = told("runs/plain", "runs/several")["tables"]
    (table,) = [one for one in tables if one["title"] == "hidden: pass@k"]
    found = {(row["k"], row["run"]): row["pass"]["value"] for row in table["rows"]}
    assert found == {("1", "1"): 0.5, ("1", "2"): 0.5, ("5", "2"): 0.5}
