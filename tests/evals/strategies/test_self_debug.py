"""Explaining and correcting what the visible tests show to be wrong, and only that."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from libdrift import suites
from libdrift.config import Settings
from libdrift.evals.options import EvalOptions
from libdrift.evals.strategies.self_debug import SelfDebug
from libdrift.records import Environment, Split, Task
from tests.conftest import AS_OF, make_task
from tests.evals.small import evaluated, lines, rate, script, write_tasks

# Right only where an error's frame of the answer or of its test was shown.
LEARNS = """
import json, pathlib, re
ANSWERS = json.loads(pathlib.Path("known.json").read_text())
def reply(messages, task_id, sample):
    if "Explain" in messages[-1][1]:
        return "The name is of another version."
    shown = any(re.search(r'File "(test_)?answer.py", line', text) for _, text in messages)
    return "```python\\n" + ANSWERS[task_id][shown] + "\\n```"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def prompts(out: Path) -> dict[str, list[str]]:
    """All that was sent, a task."""
    calls = lines(out / "calls.jsonl")
    said = {line["prompt"]: line["messages"] for line in calls if "messages" in line}
    found: dict[str, list[str]] = {}
    for line in calls:
        if "output" in line:
            texts = [message["content"] for message in said[line["prompt"]]]
            found.setdefault(line["task_id"], []).append("\n".join(texts))
    return found


def told_lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if len(line.strip()) > 3}


def secrets(task: Task) -> set[str]:
    """Lines of the hidden tests that are nowhere else: not in what models see, nor in answers."""
    code = dict.fromkeys(Split, "") | {tests.split: tests.code for tests in task.tests}
    answers = task.reference + (task.wrong.code if task.wrong else "")
    seen = "\n".join((task.problem, task.starter, code[Split.VISIBLE], answers))
    return told_lines(code[Split.HIDDEN]) - told_lines(seen)


LIBRARIES = {"attrs", "click", "jinja2", "marshmallow"}


def test_a_model_that_learns_from_the_trace_goes_from_none_to_all(
    here: Path, settings: Settings
) -> None:
    # Of small libraries: the strategy is the same for all, and heavy imports take minutes.
    starter = suites.load("starter", settings).tasks
    tasks = {name: task for name, task in starter.items() if task.facts.library in LIBRARIES}
    write_tasks(here, list(tasks.values()))
    known = {task.id: [task.wrong and task.wrong.code, task.reference] for task in tasks.values()}
    (here / "known.json").write_text(json.dumps(known))
    asked = ("small.jsonl", "--model", script(here, LEARNS))
    n = len(tasks)
    assert n > 8
    without = evaluated(*asked, "--strategy", "greedy", "--out", "without")
    assert (rate(without), without["attempts"], without["usage"]["calls"]) == (0.0, n, n)
    summary = evaluated(*asked, "--strategy", "self-debug", "--out", "out")
    assert (rate(summary), summary["attempts"], summary["usage"]["calls"]) == (1.0, n, 3 * n)
    notes = [line["notes"] for line in lines(here / "out/answers.jsonl")]
    assert notes == [{"rounds": 1, "visible": "passed"}] * n

    for task_id, texts in prompts(here / "out").items():
        shown = "\n".join(texts)
        hidden = secrets(tasks[task_id])
        assert len(hidden) > 2
        assert not hidden & told_lines(shown), task_id
        assert str(Path.home()) not in shown
        assert str(settings.cache) not in shown


SCRIPTS = {
    "right at once": ("[4]", [], {"rounds": 0, "visible": "passed"}, 1),
    "no round": ("[5, 4]", ["-S", "rounds=0"], {"rounds": 0, "visible": "failed"}, 1),
    "never right": ("[5]", ["-S", "rounds=2"], {"rounds": 2, "visible": "failed"}, 5),
    "right at last": ("[5, 6, 4]", ["-S", "rounds=9"], {"rounds": 2, "visible": "passed"}, 5),
    "not code": ("['(', 4]", [], {"rounds": 1, "visible": "passed"}, 3),
    "nothing": ("[None, 4]", [], {"rounds": 1, "visible": "passed"}, 3),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_only_failures_are_debugged_and_only_so_often(here: Path, name: str) -> None:
    values, options, notes, calls = SCRIPTS[name]
    write_tasks(here, [make_task("t4", 4)])
    model = f"""
VALUES = {values}
def reply(messages, task_id, sample):
    if "Explain" in messages[-1][1]:
        return "Another number is wanted."
    at = min(sum("Explain" in text for _, text in messages), len(VALUES) - 1)
    return "" if VALUES[at] is None else f"def number():\\n    return {{VALUES[at]}}"
"""
    arguments = ("--model", script(here, model), "--strategy", "self-debug", "--out", "out")
    summary = evaluated("small.jsonl", *arguments, *options)
    assert lines(here / "out/answers.jsonl")[0]["notes"] == notes
    assert summary["usage"]["calls"] == calls
    talk = prompts(here / "out")["t4"][-1]
    assert ("Another number is wanted." in talk) == (calls > 1)
    assert ("assert number() == 4" in talk) == (calls > 1)


def test_an_endless_program_is_told_so(here: Path) -> None:
    write_tasks(here, [make_task("t4", 4)])
    model = """
def reply(messages, task_id, sample):
    told = "did not end within its time limit" in str(messages)
    return "def number():\\n    return 4" if told else "while True: pass"
"""
    arguments = ("--model", script(here, model), "--strategy", "self-debug", "--out", "out")
    summary = evaluated("small.jsonl", *arguments, "--time-floor", "1", "--time-factor", "1")
    assert rate(summary) == 1.0


def test_trouble_of_this_machine_is_no_reason_to_debug(here: Path) -> None:
    nowhere = Environment("python", "2.0", ("pytest==8.3.5",), AS_OF)
    write_tasks(here, [make_task("t4", 4, nowhere)])
    model = "def reply(messages, task_id, sample):\n    return 'def number(): return 5'\n"
    arguments = ("--model", script(here, model), "--strategy", "self-debug", "--out", "out")
    summary = evaluated("small.jsonl", *arguments, code=3)  # as its verdict cannot be had either
    assert summary["usage"]["calls"] == 1
    assert lines(here / "out/answers.jsonl")[0]["notes"] == {
        "rounds": 0,
        "visible": "infrastructure",
    }


CUT_SHORT = """
import pathlib
def reply(messages, task_id, sample):
    if "Explain" in messages[-1][1]:
        return "Another number is wanted."
    if len(messages) > 3 and pathlib.Path("ill").exists():
        raise RuntimeError(pathlib.Path("ill").read_text())
    return f"def number():\\n    return {4 if len(messages) > 3 else 5}"
"""


def test_a_round_that_was_cut_short_goes_on_without_asking_twice(here: Path) -> None:
    write_tasks(here, [make_task("t4", 4)])
    (here / "ill").write_text("the provider is on fire")
    arguments: tuple[Any, ...] = ("--model", script(here, CUT_SHORT), "--out", "out")
    evaluated("small.jsonl", *arguments, "--strategy", "self-debug", code=3)
    (here / "ill").unlink()
    summary = evaluated("small.jsonl", *arguments, "--strategy", "self-debug")
    assert (rate(summary), summary["usage"]["calls"], summary["usage"]["reused"]) == (1.0, 3, 2)


def test_a_talk_that_grows_too_long_leaves_the_answer_that_is_there(here: Path) -> None:
    write_tasks(here, [make_task("t4", 4)])
    (here / "ill").write_text("the context size is exceeded")
    arguments = ("--model", script(here, CUT_SHORT), "--strategy", "self-debug", "--out", "out")
    summary = evaluated("small.jsonl", *arguments)
    assert (rate(summary), summary["unanswered_samples"]) == (0.0, 0)
    assert summary["troubles"] == {}  # there is an answer, and its notes tell
    notes = lines(here / "out/answers.jsonl")[0]["notes"]
    assert notes == {"rounds": 0, "visible": "failed", "debugging": "context too long"}


def test_every_sample_is_debugged(here: Path) -> None:
    write_tasks(here, [make_task("t4", 4)])
    model = """
def reply(messages, task_id, sample):
    if "Explain" in messages[-1][1]:
        return "Another number is wanted."
    return f"def number():\\n    return {4 if len(messages) > 3 or sample == 1 else 5}"
"""
    arguments = ("--model", script(here, model), "--strategy", "self-debug", "--out", "out")
    assert rate(evaluated("small.jsonl", *arguments, "--samples", "2")) == 1.0
    rounds = [line["notes"]["rounds"] for line in lines(here / "out/answers.jsonl")]
    assert rounds == [1, 0]


def test_tasks_without_visible_tests_do_not_fit() -> None:
    task = make_task("t4", 4)
    assert SelfDebug.unfit(task, EvalOptions()) == ""
    hidden = tuple(tests for tests in task.tests if tests.split is Split.HIDDEN)
    assert "no visible tests" in SelfDebug.unfit(replace(task, tests=hidden), EvalOptions())
