"""The commands over tasks that are judged by their text: score, report, prompts."""

from __future__ import annotations

import json
import os
import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from libdrift import records
from libdrift.cli.app import app
from libdrift.errors import UserError
from libdrift.records import Environment, Gap, Split, TestStyle
from libdrift.suites import task_files
from tests.conftest import AS_OF
from tests.scoring.texts import text_suite, text_task

SUITE = text_suite()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with a file of tasks and one of answers: right ones, and one that is not."""
    monkeypatch.chdir(tmp_path)
    task_files.write(tmp_path / "tasks.jsonl", "texts", "Texts", SUITE.tasks.values(), {})
    answers = [{"task_id": task.id, "answer": task.reference} for task in SUITE.tasks.values()]
    answers[0]["answer"] = "ring"
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def scored(*arguments: str) -> dict[str, Any]:
    done = run("score", "tasks.jsonl", "answers.jsonl", "--json", *arguments)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_score_prints_every_level_and_says_where_breakdowns_are(here: Path) -> None:
    done = run("score", "tasks.jsonl", "answers.jsonl")
    assert done.exit_code == 0, done.stderr
    for level in ("token", "line", "block", "migrate", "middle"):
        assert f"\n{level}: " in done.stdout
    assert "breakdowns: libdrift report runs/texts-answers-" in done.stderr


def test_score_as_json_has_the_shape_of_the_contract(here: Path) -> None:
    summary = scored("--out", "run")
    assert summary["outcomes"] == {"passed": 4, "failed": 1}
    assert (summary["suite"], summary["tasks"], summary["attempts"]) == ("texts", 5, 5)
    keys = {"metric", "split", "group", "value", "stderr", "stderr_kind", "n", "n_counts", "tasks"}
    assert all(keys == set(score) for score in summary["scores"])
    kept = json.loads((here / "run/run.json").read_text())
    assert (kept["mode"], kept["k"]) == ("fixed", [1])
    assert kept["summary"] == summary
    assert len((here / "run/scores.jsonl").read_text().splitlines()) == 5


def test_the_same_command_goes_on_with_what_is_there(here: Path) -> None:
    first = scored()
    assert scored()["scores"] == first["scores"]
    assert len(list((here / "runs").iterdir())) == 1
    scored("--mode", "released")
    assert len(list((here / "runs").iterdir())) == 2


def test_what_has_tests_is_run_too(here: Path) -> None:
    environment = Environment("python", "3.11", ("pytest==8.3.5",), AS_OF)
    line = "total = math.fsum([1, 2])"
    task = text_task(
        "sum",
        "line",
        line,
        Gap("fsum", line, "<line_mask>"),
        "import math\n<line_mask>\n",
    )
    tests = (records.Tests(Split.HIDDEN, TestStyle.SCRIPT, "assert total == 3\n"),)
    task = replace(task, environment=environment, tests=tests)
    task_files.write(here / "tasks.jsonl", "texts", "Texts", [*SUITE.tasks.values(), task], {})
    answers = [f"<start>{line}<end>", "total = math.fsum([1, 3])", "total = sum([1, 2])"]
    (here / "answers.jsonl").write_text(json.dumps({"task_id": "sum", "answers": answers}))
    summary = scored()
    assert summary["outcomes_by_split"] == {
        "text": {"passed": 2, "failed": 1},
        "hidden": {"passed": 2, "failed": 1},
    }
    rates = [s for s in summary["scores"] if s["metric"] == "success_rate" and s["group"] == "all"]
    assert [(rate["split"], rate["value"]) for rate in rates] == [("hidden", pytest.approx(2 / 3))]


def test_strict_is_for_those_who_want_all_right(here: Path) -> None:
    assert run("score", "tasks.jsonl", "answers.jsonl", "--strict").exit_code == 1


@pytest.mark.parametrize("k", ["", "0", "1,x", "-1", "1.5"])
def test_a_k_that_is_no_number_of_samples(here: Path, k: str) -> None:
    with pytest.raises(UserError, match="--k 1,3,10"):
        run("score", "tasks.jsonl", "answers.jsonl", "--k", k)


def test_too_few_samples_for_a_k_leave_it_out(here: Path) -> None:
    metrics = {score["metric"] for score in scored("--k", "1,3")["scores"]}
    assert "em@1" in metrics
    assert "em@3" not in metrics


def test_verified_is_refused_where_nothing_is(here: Path) -> None:
    with pytest.raises(UserError, match="no task of texts is known to be verified"):
        run("score", "tasks.jsonl", "answers.jsonl", "--verified")


def test_bad_lines_are_told_and_counted(here: Path) -> None:
    with (here / "answers.jsonl").open("a") as file:
        file.write("\nnonsense\n" * 30)
    done = run("score", "tasks.jsonl", "answers.jsonl", "--json")
    assert len(json.loads(done.stdout)["left_out"]) == 30
    assert (
        "answers.jsonl:6 left out: not JSON at column 5; write one object per line"
        in done.stderr.replace("\n", " ")
    )
    assert "… and 10 more answers left out" in done.stderr


def test_report_breaks_down_and_sets_runs_side_by_side(here: Path) -> None:
    scored("--out", "one")
    scored("--out", "two", "--mode", "released")
    done = run("report", "one", "two", "--by", "year")
    assert done.exit_code == 0, done.stderr
    assert "1: one (texts, fixed)\n2: two (texts, released)" in done.stdout
    assert re.search(r"answers\s\(one\)\W+answers\s\(two\)", done.stdout)  # the runs are columns
    assert "on the tasks that every run answered" in done.stdout
    assert "by year of the release" in done.stdout
    assert "by source" not in done.stdout
    whole = run("report", "one").stdout
    for title in ("each rule alone", "leaving one rule out"):
        assert title in whole
    assert "by library" not in whole
    assert "by library" in run("report", "one", "--by", "library").stdout


@pytest.mark.parametrize("width", ["40", "80"])
def test_numbers_are_never_cut(here: Path, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    scores = [
        {
            "metric": metric,
            "value": 0.123,
            "stderr": 0.456,
            "n": 12345,
            "split": "line",
            "group": group,
        }
        for metric in ("em@1", "ism@1", "pm@1", "cdc@1")
        for group in ("all", "version=some-long-library 1.2.3", "version=other 3")
    ]
    (here / "one").mkdir()
    content = {"suite": "texts", "mode": "fixed", "summary": {"scores": scores}}
    (here / "one/run.json").write_text(json.dumps(content))
    shown = run("report", "one", "--by", "version").stdout
    assert shown.count("12.3 ± 45.6") == 8
    assert shown.count("12345") == 2


def test_report_as_json_and_markdown(here: Path) -> None:
    scored("--out", "one")
    found = json.loads(run("report", "one", "--json").stdout)
    (told,) = found["runs"]
    assert told == {
        "run": "one", "suite": "texts", "mode": "fixed", "asked": "", "label": "answers",
    }  # fmt: skip
    first = found["tables"][0]
    assert first["title"] == "token: EM, ISM, PM, CDC"
    em = {"value": 0.0, "stderr": None, "stderr_kind": "", "n": 1, "n_counts": "answers"}
    em |= {"tasks": 1, "low": 0.0, "high": pytest.approx(0.793, abs=0.001)}
    assert first["rows"] == [{"k": "1", "em": em, "n": 1}]
    text = run("report", "one", "--markdown").stdout
    assert "### line: EM, ISM, PM, CDC\n\n| k | em | ism | pm | cdc | n |\n| --- |" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere is not a run"),
        (["one", "--by", "mood"], "no breakdown by mood"),
        (["one", "--by", "direction"], "no breakdown by direction"),
        (["half"], "not finished"),
    ],
)
def test_report_says_what_is_wrong(here: Path, arguments: list[str], message: str) -> None:
    scored("--out", "one")
    (here / "half").mkdir()
    (here / "half/run.json").write_text('{"suite": "texts"}')
    with pytest.raises(UserError, match=message):
        run("report", *arguments)


def test_prompts_are_written_for_every_task(here: Path) -> None:
    done = run("suites", "prompts", "tasks.jsonl", "prompts.jsonl")
    assert done.exit_code == 0, done.stderr
    assert "5 prompts of texts in prompts.jsonl" in done.stdout
    lines = [json.loads(line) for line in (here / "prompts.jsonl").read_text().splitlines()]
    assert [line["task_id"] for line in lines] == list(SUITE.tasks)
    (asked,) = lines[0]["messages"]
    assert asked["role"] == "user"
    assert "<token_mask>" in asked["content"]
    assert "shapes==2.0" in asked["content"]
    assert [message["role"] for message in lines[4]["messages"]] == ["system", "user"]
    assert "This code runs with shapes 2.0." in lines[4]["messages"][1]["content"]


def test_prompts_without_a_version_have_none_anywhere(here: Path) -> None:
    run("suites", "prompts", "tasks.jsonl", "p.jsonl", "--no-tell-version")
    assert "2.0" not in (here / "p.jsonl").read_text()
    assert "This code runs with" not in (here / "p.jsonl").read_text()


def test_styles_of_completion_in_a_line(here: Path) -> None:
    run("suites", "prompts", "tasks.jsonl", "p.jsonl", "--style", "left", "--no-tell-version")
    lines = [json.loads(line) for line in (here / "p.jsonl").read_text().splitlines()]
    assert lines[4] == {"task_id": "middle", "prompt": "import shapes\nround = shapes"}
    fim = ["--style", "fim", "--family", "starcoder2", "--force"]
    run("suites", "prompts", "tasks.jsonl", "p.jsonl", *fim)
    lines = [json.loads(line) for line in (here / "p.jsonl").read_text().splitlines()]
    assert lines[4]["prompt"].endswith("round = shapes<fim_suffix>\nprint(round)\n<fim_middle>")
    assert "<|endoftext|>" in lines[4]["stop"]


def test_documents_stand_before_text_to_go_on_from_as_a_comment(here: Path) -> None:
    page = here / "docs/shapes/2.0/page.md"
    page.parent.mkdir(parents=True)
    page.write_text("# shapes.circle\n\nDraws round things.\n")
    given = ["--strategy", "rag", "-S", "docs_folder=docs"]
    run("suites", "prompts", "tasks.jsonl", "p.jsonl", "--style", "left", *given)
    lines = [json.loads(line) for line in (here / "p.jsonl").read_text().splitlines()]
    assert "# Draws round things.\n" in lines[4]["prompt"]
    assert lines[4]["prompt"].endswith("import shapes\nround = shapes")
    (asked,) = lines[0]["messages"]
    assert "Draws round things." in asked["content"].partition("--- end of the documentation")[0]
    with pytest.raises(UserError, match="documents reveal the version"):
        run(
            *("suites", "prompts", "tasks.jsonl", "q.jsonl", "--style", "left"),
            *("--no-tell-version", *given),
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tasks.jsonl", "p.jsonl", "--style", "odd"], "unknown style 'odd'"),
        (["tasks.jsonl", "p.jsonl", "--style", "fim"], "no family"),
        (["tasks.jsonl", "tasks.jsonl"], "already exists"),
        (["tasks.jsonl", "answers.jsonl", "--style", "fim", "--force"], "no family"),
        (["starter", "p.jsonl", "--prompts", "odd"], "--prompts odd: unknown"),
        (["starter", "p.jsonl", "--per", "year"], "draws nothing"),
        (["starter", "p.jsonl", "--style", "odd"], "unknown style 'odd'"),
        (["starter", "p.jsonl", "--style", "fim"], "starter has no completion in a line"),
    ],
)
def test_prompts_say_what_is_wrong(here: Path, arguments: list[str], message: str) -> None:
    kept = (here / "answers.jsonl").read_text()
    with pytest.raises(UserError, match=message):
        run("suites", "prompts", *arguments)
    assert (here / "answers.jsonl").read_text() == kept
    assert not list(here.glob(".*.part"))


def test_show_withholds_the_name_that_is_asked_for(here: Path) -> None:
    shown = json.loads(run("suites", "show", "tasks.jsonl", "--json").stdout)["tasks"]
    assert [task["task_id"] for task in shown] == list(SUITE.tasks)
    for task in shown:
        assert "symbol" not in task["facts"]
        assert "circle" not in json.dumps(task)


def test_show_lists_a_line_a_task_and_shows_what_is_asked(here: Path) -> None:
    listed = run("suites", "show", "tasks.jsonl").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["task", *SUITE.tasks]
    shown = run("suites", "show", "tasks.jsonl", "middle").stdout
    assert "shapes==2.0\n" in shown
    assert "round = shapes<fill>" in shown


def test_what_is_judged_by_its_text_is_not_audited(here: Path) -> None:
    with pytest.raises(UserError, match="texts has no tests to run"):
        run("audit", "tasks.jsonl")


def test_there_is_nothing_to_export_where_nothing_is_run(here: Path) -> None:
    with pytest.raises(UserError, match=r"libdrift suites prompts tasks\.jsonl FILE"):
        run("suites", "export", "tasks.jsonl", "work")
    assert not (here / "work").exists()


def test_one_verdict_is_shown_with_why(here: Path) -> None:
    scored("--out", "one")
    failed = next(iter(SUITE.tasks))
    shown = run("report", "one", "--failures", "5").stdout
    assert shown.startswith("one: 1 verdict\n")
    assert f"{failed}, sample 0, hidden: failed: not the reference" in shown
    passed = list(SUITE.tasks)[1]
    assert f"{passed}, sample 0, hidden: passed" in run("report", "one", "--task", passed).stdout
    found = json.loads(run("report", "one", "--failures", "5", "--json").stdout)
    assert [one["task_id"] for one in found["runs"][0]["verdicts"]] == [failed]
    with pytest.raises(UserError, match="has no verdict on 'nope'"):
        run("report", "one", "--task", "nope")


def test_a_breakdown_that_runs_lack_is_answered_with_those_they_have(here: Path) -> None:
    scored("--out", "one")
    with pytest.raises(
        UserError, match=r"no breakdown by proof for these runs\. Available: "
    ) as why:
        run("report", "one", "--by", "proof")
    assert "proof" not in str(why.value).partition("Available")[2]
    with pytest.raises(UserError, match="no verdict of tests that prove a pass"):
        run("report", "one", "--proven")


def test_what_numbers_mean_is_said_below_them(here: Path) -> None:
    scored("--out", "one")
    shown = run("report", "one").stdout
    assert "n counts answers" in shown


def test_answers_that_are_none_leave_no_folder(here: Path) -> None:
    (here / "answers.jsonl").write_text('{"task_id": "nobody", "answer": "x"}\n')
    with pytest.raises(UserError, match="no usable answer"):
        run("score", "tasks.jsonl", "answers.jsonl")
    assert not (here / "runs").exists()


def test_answers_on_stdin(here: Path) -> None:
    given = (here / "answers.jsonl").read_bytes()
    done = CliRunner().invoke(app, ["score", "tasks.jsonl", "-", "--json"], input=given)
    assert done.exit_code == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["scores"] == scored()["scores"]
    assert summary["run"].startswith("runs/texts-stdin-")


def test_prompts_of_programs_too(here: Path) -> None:
    done = run("suites", "prompts", "starter", "p.jsonl")
    assert done.exit_code == 0, done.stderr
    lines = [json.loads(line) for line in (here / "p.jsonl").read_text().splitlines()]
    first = lines[0]
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert "Installed: Python 3.11" in first["messages"][1]["content"]
    run("suites", "prompts", "starter", "q.jsonl", "--no-tell-version")
    assert "Installed: Python." in (here / "q.jsonl").read_text()


def test_answers_by_a_pipe(here: Path) -> None:
    """It can be read but once, and its name says nothing."""
    os.mkfifo("pipe:[12]")
    content = Path("answers.jsonl").read_bytes()
    writer = threading.Thread(target=lambda: Path("pipe:[12]").write_bytes(content))
    writer.start()
    done = run("score", "tasks.jsonl", "pipe:[12]", "--json")
    writer.join()
    assert done.exit_code == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["run"].startswith("runs/texts-piped-")
