"""`libdrift report`: figures of runs, and papers that are laid out from them."""

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
from tests.suites.gitchameleon.small import PROBLEM, lines, packed

TASKS = ("numpy", "pandas", "scipy", "numpy")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def made(folder: Path, rights: str, **about: Any) -> Path:
    """The folder of a run of GitChameleon, as `eval` and `score` leave it."""
    folder.mkdir(parents=True)
    splits = ("hidden", "visible")
    judged = [
        (str(at), "passed", "") if sign == "1" else (str(at), "failed", "test_it: TypeError: no")
        for at, sign in enumerate(rights)
    ]
    verdicts = [
        {"task_id": task, "sample": 0, "split": split, "outcome": outcome, "reason": reason}
        for task, outcome, reason in judged
        for split in splits
    ]
    facts = [{"library": TASKS[at % 4], "year": str(2020 + at % 3)} for at in range(len(rights))]
    tasks = [{"task_id": str(at), "facts": one} for at, one in enumerate(facts)]
    value = rights.count("1") / len(rights)
    score = {"metric": "success_rate", "value": value, "stderr": 0.1, "n": len(rights)}
    scores = [{**score, "split": split, "group": "all"} for split in splits]
    summary = {"scores": scores, "tasks": len(rights)}
    content = {"suite": "gitchameleon", **about, "summary": summary, "provenance": {}}
    (folder / "run.json").write_text(json.dumps(content))
    (folder / "verdicts.jsonl").write_text("\n".join(map(json.dumps, verdicts)) + "\n")
    (folder / "tasks.jsonl").write_text("\n".join(map(json.dumps, tasks)) + "\n")
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """Recorded answers of one model, and a run of the same model that debugs itself."""
    answers = {"path": "answers/gpt-4o.jsonl"}
    asked = {"model": "openai/gpt-4o", "ways": {"strategy": "self-debug"}}
    first = made(tmp_path / "runs" / "recorded", "11001010", answers=answers)
    return [str(first), str(made(tmp_path / "runs" / "debugged", "11101110", **asked))]


def test_figures_of_runs_with_their_numbers(runs: list[str], tmp_path: Path) -> None:
    out = tmp_path / "figures"
    done = run("report", *runs, "--figures", str(out), "--json", "--where", "library=numpy")
    content = json.loads(done.stdout)
    files = {Path(one["file"]).name for one in content["figures"]}
    assert {"hidden-overall.svg", "hidden-by-year.svg", "hidden-agreement.svg"} <= files
    assert files | {name.replace(".svg", ".csv") for name in files} | {"figures.json"} == {
        path.name for path in out.iterdir()
    }
    assert "scatter of two metrics: three runs or more are needed" in content["not_drawn"]
    rows = list(csv.DictReader((out / "hidden-overall.csv").read_text().splitlines()))
    by_run = {row["series"]: {} for row in rows}  # type: dict[str, dict[str, float]]
    for row in rows:
        by_run[row["series"]][row["system"]] = float(row["value"])
    # Of eight answers four are for numpy: those at places 0, 3, 4 and 7.
    assert by_run["hidden"] == {"gpt-4o": 0.5, "openai/gpt-4o, self-debug": 0.5}


def test_files_are_listed_and_those_of_others_kept(runs: list[str], tmp_path: Path) -> None:
    out = tmp_path / "figures"
    done = run("report", runs[0], "--figures", str(out), "--by", "year", "--format", "pdf")
    assert "hidden-by-year.pdf" in done.stderr.replace("\n", "")
    assert (out / "hidden-by-year.pdf").read_bytes().startswith(b"%PDF")
    other = tmp_path / "other"
    other.mkdir()
    (other / "hidden-by-year.svg").write_text("mine")
    with pytest.raises(UserError, match="libdrift did not write it"):
        run("report", runs[0], "--figures", str(other), "--by", "year")
    assert (other / "hidden-by-year.svg").read_text() == "mine"


def test_a_paper_is_filled_from_a_folder_of_runs(runs: list[str], tmp_path: Path) -> None:
    done = run("report", "--paper", "gitchameleon", str(tmp_path / "runs"))
    assert done.exit_code == 0
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("  openai/gpt-4o  ")][:1]
    assert row.split()[:3] == ["openai/gpt-4o", "50.0", "±"]
    assert row.count("75.0 ± 15.3") == 2  # debugged: hidden and visible
    assert "--model openai/gpt-4o --strategy cot" in done.stdout
    assert "tables and" in done.stderr


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--latex", r"50.0 $\pm$ 17.7"),
        ("--markdown", "| 50.0 ± 17.7 |"),
        ("--csv", "Table 1: Success on hidden and visible tests"),
    ],
)
def test_papers_in_other_forms(runs: list[str], option: str, words: str) -> None:
    done = run("report", "--paper", "gitchameleon", *runs, option)
    assert words in done.stdout
    if option == "--csv":
        rows = csv.DictReader(io.StringIO(done.stdout))
        cells = [row for row in rows if (row["setting"], row["column"]) == ("greedy", "hidden")]
        assert cells[0]["value"] == "0.5"
        assert float(cells[0]["stderr"]) == pytest.approx(0.177, abs=1e-3)


def test_a_paper_with_figures_and_a_leaderboard(tmp_path: Path) -> None:
    for at, rights in enumerate(("1100", "1110", "1000")):
        made(tmp_path / "runs" / f"r{at}", rights, model=f"p/m{at}", ways={"strategy": "greedy"})
    board = tmp_path / "board.csv"
    board.write_text("model,score\nm0,40\nM1,55\np/m2,20\n")
    arguments = ("report", "--paper", "gitchameleon", str(tmp_path / "runs"), "--json")
    figures = ("--figures", str(tmp_path / "out"), "--leaderboard", str(board))
    content = json.loads(run(*arguments, *figures).stdout)
    entries = {entry["number"]: entry for entry in content["entries"]}
    (figure,) = entries["Figure 3"]["figures"]
    places = [point["the other benchmark"] for point in figure["data"]]
    assert places == pytest.approx([0.4, 0.55, 0.2])
    assert (tmp_path / "out" / "figure-3.svg").is_file()
    assert not json.loads(run(*arguments).stdout)["figures"]


def test_a_paper_without_runs_says_what_it_needs() -> None:
    done = run("report", "--paper", "rustevo")
    assert "libdrift eval rustevo --model PROVIDER/MODEL --strategy api-info" in done.stdout
    assert done.stderr.startswith("0 of ")


def test_mistakes_in_one_line(runs: list[str], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Known: gitchameleon, libevolutioneval"):
        run("report", "--paper", "nature", *runs)
    with pytest.raises(UserError, match="no run of versicode was given"):
        run("report", "--paper", "versicode", *runs)
    with pytest.raises(UserError, match="no run is given"):
        run("report")


def test_answers_that_were_scored_are_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`score` for each file of answers, then `report`: no step in between."""
    monkeypatch.chdir(tmp_path)
    packed(tmp_path / "data/gitchameleon", PROBLEM)
    right = PROBLEM["starting_code"] + PROBLEM["solution"]
    wrong = PROBLEM["starting_code"] + "    raise KeyError"
    for name, answer in (("gpt-4o", wrong), ("gpt-4o-self-debug", right), ("o1", right)):
        lines(tmp_path / f"{name}.jsonl", {"example_id": "2", "answer": answer})
        done = run("score", "gitchameleon", f"{name}.jsonl", "--data", "data")
        assert done.exit_code == 0, done.stderr
    content = json.loads(run("report", "--paper", "gitchameleon", "runs", "--json").stdout)
    (table,) = [entry for entry in content["entries"] if entry["number"] == "Table 1"]
    rows = {row["row"]: [cell["value"] for cell in row["cells"]] for row in table["rows"]}
    assert rows == {
        "gpt-4o": [0, 0, None, 1, 1, 1, None, None],  # a wrong answer that is not even a program
        "o1": [1, 1, 1, None, None, None, None, None],
    }


def test_only_figures_of_the_metric_that_is_asked_for(runs: list[str], tmp_path: Path) -> None:
    out = tmp_path / "figures"
    run("report", *runs, "--figures", str(out), "--metric", "visible")
    drawn = {path.stem.partition("-")[0] for path in out.glob("*.svg")}
    assert drawn == {"visible"}
