"""What would make a number wrong, each as it was once met."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from libdrift import records
from libdrift.evals.session import ANSWERS
from libdrift.records import Environment, Split, TestStyle
from libdrift.suites import task_files
from tests.conftest import make_task
from tests.evals.small import RIGHT, chat, evaluated, lines, rate, run, script, server, write_tasks
from tests.scoring.texts import text_suite

Said = tuple[int, dict[str, Any]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    write_tasks(tmp_path)
    return tmp_path


def test_completions_are_not_asked_for_as_json_and_have_metrics_of_their_own(here: Path) -> None:
    suite = text_suite()
    task_files.write(here / "texts.jsonl", "texts", "Texts", suite.tasks.values(), {})
    answers = {name: f"<start>{task.reference}<end>" for name, task in suite.tasks.items()}
    code = f"ANSWERS = {answers!r}\ndef reply(messages, task_id, sample):\n    return ANSWERS[task_id]\n"
    arguments = ("--model", script(here, code), "--structured", "--out", "out")
    summary = evaluated("texts.jsonl", *arguments)
    assert summary["outcomes"]["passed"] == len(suite.tasks)


def test_one_environment_that_cannot_be_had_costs_its_own_task_alone(here: Path) -> None:
    lost = make_task("t1", 1, Environment("cobol", "1", ()))
    write_tasks(here, [make_task("t0", 0), lost, make_task("t2", 2)])
    summary = evaluated("small.jsonl", "--model", script(here), "--out", "out", code=3)
    assert rate(summary) == 1.0
    assert summary["outcomes"] == {"passed": 2, "infrastructure": 1}


def test_other_tests_are_another_run(here: Path) -> None:
    first = evaluated("small.jsonl", "--model", script(here))
    stricter = replace(
        make_task("t0", 0),
        tests=(records.Tests(Split.HIDDEN, TestStyle.SCRIPT, "assert number() == 7\n"),),
    )
    write_tasks(here, [stricter, make_task("t1", 1), make_task("t2", 2)])
    second = evaluated("small.jsonl", "--model", script(here))
    assert first["run"] != second["run"]
    assert rate(second) == pytest.approx(2 / 3)


def test_a_gap_in_recorded_answers_shifts_no_sample(here: Path) -> None:
    rows = [
        {"task_id": f"t{task}", "sample": sample, "answer": f"def number(): return {value}"}
        for task in range(3)
        for sample, value in ((0, 99), (2, task))
    ]
    (here / "recorded.jsonl").write_text("\n".join(map(json.dumps, rows)))
    arguments = ("--model", "replay/recorded.jsonl", "--samples", "3", "--out", "out")
    summary = evaluated("small.jsonl", *arguments, code=3)
    assert (summary["unanswered_samples"], rate(summary)) == (3, 0.5)
    kept = {(line["task_id"], line["sample"]) for line in lines(here / "out" / ANSWERS)}
    assert kept == {(f"t{task}", sample) for task in range(3) for sample in (0, 2)}


def test_samples_that_are_asked_for_later_have_seeds_of_their_own(here: Path) -> None:
    broken = [True]

    def reply(path: str, body: dict[str, Any]) -> Said:
        if broken and body["seed"] > 0:
            return 400, {"error": {"message": "not now"}}
        return 200, chat(f"def number(): return {body['seed']}")

    write_tasks(here, [make_task("t1", 1)])
    with server(reply) as (address, _):
        arguments = ("small.jsonl", "--model", "m", "--base-url", address, "--out", "out")
        arguments += ("--strategy", "sample", "--samples", "3")
        evaluated(*arguments, code=3)
        broken.clear()
        evaluated(*arguments)
    texts = {line["sample"]: line["answer"] for line in lines(here / "out" / ANSWERS)}
    assert texts == {number: f"def number(): return {number}" for number in range(3)}


def test_a_verdict_goes_with_its_answer(here: Path) -> None:
    arguments = ("small.jsonl", "--model", script(here), "--out", "out")
    evaluated(*arguments)
    path = here / "out" / ANSWERS
    kept = path.read_text().splitlines(keepends=True)
    # A line that is broken, one that is whole, and one that is lost.
    path.write_text(kept[0][:-20] + "\n" + kept[1])
    (here / "out/calls.jsonl").unlink()
    again = evaluated(*arguments)
    assert (again["attempts"], rate(again), again["usage"]["calls"]) == (3, 1.0, 2)


NOTHING = {
    "no choices": chat(),
    "an error for an end": {
        **chat(""),
        "choices": [
            {"index": 0, "finish_reason": "error", "message": {"role": "assistant", "content": ""}}
        ],
    },
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_reply_without_an_answer_is_no_wrong_answer(here: Path, name: str) -> None:
    with server(lambda _path, _body: (200, NOTHING[name])) as (address, _):
        arguments = ("small.jsonl", "--model", "m", "--base-url", address, "--out", "out")
        summary = evaluated(*arguments, "--retries", "0", code=3)
    assert summary["unanswered_samples"] == 3
    assert list(summary["troubles"]) == ["provider error"]


def test_a_strategy_that_fails_is_told_and_no_wrong_answer(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from libdrift.evals.strategies.greedy import Greedy

    def fail(*arguments: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(Greedy, "read", fail)
    summary = evaluated("small.jsonl", "--model", script(here), "--out", "out", code=3)
    assert summary["troubles"] == {"libdrift's own fault": {"count": 3, "last": "KeyError: 'oops'"}}


def test_a_budget_holds_however_many_are_asked_at_once(here: Path) -> None:
    write_tasks(here, [make_task(f"t{number}", number) for number in range(12)])
    slow = "import asyncio\n" + RIGHT.replace("def reply", "async def reply").replace(
        "    number = task_id", "    await asyncio.sleep(0.2)\n    number = task_id"
    )
    # A call costs about a cent.
    arguments = ("--price", "100,100", "--max-cost", "0.05", "--at-once", "12", "--out", "out")
    summary = evaluated("small.jsonl", "--model", script(here, slow), *arguments, code=3)
    assert 0 < summary["usage"]["cost"] < 0.07


def test_asking_goes_on_while_answers_are_judged(here: Path) -> None:
    write_tasks(here, [make_task(f"t{number}", number) for number in range(5)])
    code = """
import pathlib, time
def reply(messages, task_id, sample):
    with pathlib.Path("asked.txt").open("a") as file:
        done = pathlib.Path("out/verdicts.jsonl")
        file.write(f"{done.read_text().count(chr(10)) if done.exists() else 0}\\n")
    return f"import time\\ntime.sleep(0.3)\\ndef number(): return {task_id[1:]}"
"""
    summary = evaluated(
        "small.jsonl", "--model", script(here, code), "--at-once", "1", "--out", "out"
    )
    assert rate(summary) == 1.0
    # All were asked before the first few were judged.
    assert max(map(int, (here / "asked.txt").read_text().split())) < 4


def test_a_mistyped_command_does_not_take_the_folder(here: Path) -> None:
    from libdrift.errors import UserError

    with pytest.raises(UserError, match="unknown provider"):
        run("eval", "small.jsonl", "--model", "opnai/x", "--out", "out")
    assert rate(evaluated("small.jsonl", "--model", script(here), "--out", "out")) == 1.0


def test_a_provider_alone_is_no_model(here: Path) -> None:
    from libdrift.errors import UserError

    with pytest.raises(UserError, match=r"openai is a provider, not a model\. Write openai/NAME"):
        run("eval", "small.jsonl", "--model", "openai")
