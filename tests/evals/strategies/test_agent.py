"""An agent at work: a plan, tools at the task's own versions, budgets, and an answer at the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from libdrift import suites
from libdrift.config import Settings
from libdrift.evals.options import EvalOptions
from libdrift.evals.strategies.agent import Budget
from tests.conftest import make_task
from tests.evals.small import chat, evaluated, lines, rate, script, server, write_tasks
from tests.evals.test_lookups import click, mined

TASK = "click-sum-of-chain"
POLICY = """
import json, pathlib
TURNS = json.loads(pathlib.Path("turns.json").read_text())
def reply(messages, task_id, sample):
    at = sum(role == "assistant" for role, _ in messages)
    return TURNS[min(at, len(TURNS) - 1)]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(tmp_path / "history.sqlite"))
    return tmp_path


@pytest.fixture
def reference(settings: Settings) -> str:
    return suites.load("starter", settings).tasks[TASK].reference


def turn(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments}


def asked(
    here: Path, *turns: str | dict[str, Any], suite: str = "starter", options: tuple[str, ...] = ()
) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """The summary of a run by a policy, the answer's line, and what tools gave back."""
    (here / "turns.json").write_text(json.dumps(turns))
    chosen = ("--task", TASK) if suite == "starter" else ()
    arguments = ("--model", script(here, POLICY), "--strategy", "agent", "--out", "out")
    summary = evaluated(suite, *chosen, *arguments, *options)
    said = [line["messages"] for line in lines(here / "out/calls.jsonl") if "messages" in line]
    results = [one["content"] for one in max(said, key=len) if one["role"] == "tool"]
    return summary, lines(here / "out/answers.jsonl")[0], results


def test_a_policy_uses_each_tool_and_ends_with_an_answer_that_passes(
    here: Path, reference: str
) -> None:
    mined(
        here / "history.sqlite",
        click("8.1.0", "resultcallback", "old_name"),
        click("8.2.1", "result_callback", "style"),
        click("8.3.0", "result_callback", "style", "from_the_future"),
    )
    summary, answer, results = asked(
        here,
        "1. Look. 2. Try. 3. Hand in.",
        turn("search_documentation", words="callback for the values of a chain"),
        turn("documentation", name="click.Group.result_callback()"),
        turn("history", name="click.Group.resultcallback"),
        turn("changes", name="callback"),
        turn("run_code", code="import click, os\nprint(click.__file__, os.__file__)"),
        turn("run_visible_tests", code=reference.replace("result_callback", "resultcallback")),
        turn("run_visible_tests", code=f"```python\n{reference}```"),
        turn("submit", code=reference),
        options=("-S", "steps=8"),
    )
    assert rate(summary) == 1.0
    assert answer["answer"] == reference
    notes = answer["notes"]
    assert (notes["ended"], notes["steps"]) == ("submit", 8)
    assert notes["tools"] == {
        "search_documentation": 1,
        "documentation": 1,
        "history": 1,
        "changes": 1,
        "run_code": 1,
        "run_visible_tests": 2,
        "submit": 1,
    }
    found, documented, life, changes, ran, failed, passed = results
    assert "Of click 8.2.1:" in found
    assert "click.Group.result_callback(replace=False): For a chain" in found
    assert documented == (
        "click 8.2.1: click.Group.result_callback(replace=False)\nFor a chain's values."
    )
    assert "removed: 8.2.1" in life
    assert "installed: click.Group.resultcallback is not in click 8.2.1" in life
    assert "click 8.1.0 → 8.2.1" in changes
    assert "click.Group.resultcallback" in changes
    assert "style" not in changes
    assert ran == "It ran to its end. Its output:\nclick/__init__.py os.py"
    assert "AttributeError: 'Group' object has no attribute 'resultcallback'" in failed
    assert 'File "answer.py", line' in failed
    assert str(Path.home()) not in failed
    assert passed == "The visible tests pass."
    assert "future" not in str(results)


NOT_DONE = [
    ("documentation", "name", "click.Group.resultcallback", "not in click 8.2.1"),
    ("search_documentation", "words", "zyzzyva", "Nothing in click 8.2.1"),
    ("history", "name", "click.nowhere", "no mined release of click"),
    ("changes", "name", "zyzzyva", "0 on zyzzyva"),
    ("run_code", "code", "", "the answer is empty"),
    ("run_code", "code", "def f(:", "SyntaxError"),
    ("run_code", "code", "import os; os._exit(3)", "exit status 3"),
    ("run_visible_tests", "code", " ", "the answer is empty"),
    ("submit", "code", "\n", "the answer is empty"),
]


def test_what_cannot_be_done_is_said_in_words(here: Path, reference: str) -> None:
    mined(
        here / "history.sqlite",
        click("8.1.0", "resultcallback"),
        click("8.2.1", "result_callback"),
    )
    turns = [turn(tool, **{name: text}) for tool, name, text, _ in NOT_DONE]
    end = turn("submit", code=reference)
    _, answer, results = asked(here, "A plan.", *turns, end, options=("-S", "steps=99"))
    for (tool, _, text, expected), result in zip(NOT_DONE, results, strict=True):
        assert expected in result, (tool, text)
    assert answer["notes"]["ended"] == "submit"


def test_without_a_history_the_agent_still_works(
    here: Path, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/simple")  # nobody is there
    look = turn("documentation", name="click.Group.result_callback")
    summary, _, results = asked(here, "A plan.", look, turn("submit", code=reference))
    assert rate(summary) == 1.0
    assert results == ["the documentation of click 8.2.1 is not at hand."]


def test_calls_that_cannot_be_done_come_back_as_text(here: Path) -> None:
    write_tasks(here, [make_task("t4", 4)])
    _, answer, results = asked(
        here,
        "A plan.",
        turn("rm_rf", path="/"),
        turn("run_code"),
        turn("run_code", code=["print(1)"]),
        turn("documentation", symbol="none"),
        "I think that I should think.",
        turn("submit", code="def number():\n    return 4"),
        suite="small.jsonl",
    )
    assert [text.partition(":")[0] for text in results] == [
        "There is no tool 'rm_rf'. There are",
        "run_code takes one text, named code",
        "run_code takes one text, named code",
        "documentation takes one text, named name",
    ]
    assert answer["notes"]["tools"] == {
        "unknown": 1,
        "run_code": 2,
        "documentation": 1,
        "submit": 1,
    }
    assert answer["notes"]["steps"] == 6


FOUR, FIVE = ("def number():\n    return 4", "def number():\n    return 5")
BLOCK = f"```python\n{FOUR}\n```"
TRY = turn("run_visible_tests", code=FIVE)
ENDS: dict[str, tuple[list[Any], tuple[str, ...], str, int, str]] = {
    "a program in place of a call": (["A plan.", BLOCK], (), "answer", 1, BLOCK),
    "no step left": (["A plan.", TRY, TRY, BLOCK], ("-S", "steps=2"), "steps", 2, BLOCK),
    "no token left": (["A plan.", TRY, BLOCK], ("-S", "tokens=600"), "tokens", 1, BLOCK),
    "a long plan": (["A plan. " * 500, BLOCK], ("-S", "tokens=1000"), "tokens", 0, BLOCK),
    "handed in at last": (
        ["A plan.", TRY, turn("submit", code=FOUR)], ("-S", "steps=1"), "steps", 1, FOUR,
    ),
    "no last program: the one that was tested": (
        ["A plan.", TRY, turn("run_code", code="print()"), "No."], ("-S", "steps=2"), "steps", 2, FIVE,
    ),
    "still calling: the one that was run": (
        ["A plan.", turn("run_code", code=FIVE)], ("-S", "steps=3"), "steps", 3, FIVE,
    ),
    "nothing at all": (["A plan.", "Hm."], ("-S", "steps=2"), "steps", 2, "Hm."),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_budgets_are_kept_and_there_is_an_answer_at_the_end(here: Path, name: str) -> None:
    turns, options, ended, steps, expected = ENDS[name]
    write_tasks(here, [make_task("t4", 4)])
    summary, answer, _ = asked(here, *turns, suite="small.jsonl", options=options)
    assert (answer["answer"], answer["notes"]["ended"]) == (expected, ended)
    assert answer["notes"]["steps"] == steps
    assert summary["usage"]["calls"] == 1 + steps + (ended in {"steps", "tokens"})
    assert summary["unanswered_samples"] == 0


def test_time_is_a_budget_too() -> None:
    assert Budget(EvalOptions(seconds=0)).over == "seconds"
    assert not Budget(EvalOptions(seconds=60)).over


LONG = """
import pathlib
def reply(messages, task_id, sample):
    if not any(role == "assistant" for role, _ in messages):
        return "A plan."
    if "no room for further steps" in messages[-1][1] and len(messages) < 6:
        return "def number():\\n    return 4"
    if len(messages) > 5:
        raise RuntimeError(pathlib.Path("ill").read_text())
    return {"tool": "run_code", "arguments": {"code": "print(object(), id(1) > 0)"}}
"""


@pytest.mark.parametrize(
    ("error", "code", "ended"), [("context size exceeded", 0, "context"), ("on fire", 3, "")]
)
def test_a_talk_that_grows_too_long_ends_with_an_answer(
    here: Path, error: str, code: int, ended: str
) -> None:
    write_tasks(here, [make_task("t4", 4)])
    (here / "ill").write_text(error)
    arguments = ("--model", script(here, LONG), "--strategy", "agent", "--out", "out")
    summary = evaluated("small.jsonl", *arguments, code=code)
    assert summary["unanswered_samples"] == (code != 0)
    if ended:
        assert lines(here / "out/answers.jsonl")[0]["notes"]["ended"] == ended


FLAKY = """
import pathlib
def reply(messages, task_id, sample):
    turn = sum(role == "assistant" for role, _ in messages)
    if turn == 3 and not pathlib.Path("well").exists():
        raise RuntimeError("on fire")
    if turn == 0:
        return "A plan."
    if turn < 4:
        code = "import time, tempfile\\nprint(object(), tempfile.mkdtemp(), time.strftime('%F %T'))"
        return {"tool": "run_code", "arguments": {"code": code}}
    return {"tool": "submit", "arguments": {"code": "def number():\\n    return 4"}}
"""


def test_an_agent_that_was_stopped_goes_on_without_asking_twice(here: Path) -> None:
    write_tasks(here, [make_task("t4", 4)])
    arguments = ("--model", script(here, FLAKY), "--strategy", "agent", "--out", "out")
    evaluated("small.jsonl", *arguments, code=3)
    (here / "well").touch()
    summary = evaluated("small.jsonl", *arguments)
    assert (rate(summary), summary["usage"]["calls"], summary["usage"]["reused"]) == (1.0, 5, 3)


def test_a_provider_s_own_calls_of_tools_are_answered_and_kept(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    write_tasks(here, [make_task("t4", 4)])
    ill = [True]
    calls = [
        [("run_code", '{"code": prin'), ("rm_rf", "{}")],
        [("run_code", json.dumps({"code": "print(object())"}))],
        [("submit", json.dumps({"code": FOUR}))],
    ]

    def reply(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        said = chat("A plan.")
        if turn == 3 and ill.pop():
            return 400, {"error": {"message": "not now"}}
        if turn:
            said["choices"][0]["message"]["tool_calls"] = [
                {
                    "id": f"{turn}.{at}",
                    "type": "function",
                    "function": {"name": name, "arguments": text},
                }
                for at, (name, text) in enumerate(calls[turn - 1])
            ]
        return 200, said

    with server(reply) as (url, requests):
        arguments = ("--model", "openai/gpt-4o-mini", "--base-url", url, "--strategy", "agent")
        evaluated("small.jsonl", *arguments, "--out", "out", code=3)
        ill.append(False)
        summary = evaluated("small.jsonl", *arguments, "--out", "out")
    assert (rate(summary), summary["usage"]["calls"], summary["usage"]["reused"]) == (1.0, 4, 3)
    results = [one["content"] for one in requests[-1]["messages"] if one["role"] == "tool"]
    assert results[0].startswith("run_code takes one text, named code")
    assert results[1].startswith("There is no tool 'rm_rf'")
    assert results[2] == "It ran to its end. Its output:\n<object object at 0x…>"


def test_planning_alternates_with_steps(here: Path, reference: str) -> None:
    _, answer, _ = asked(
        here,
        "1. Try. 2. Hand in.",
        turn("run_code", code="print(1)"),
        "It runs: hand it in.",
        turn("submit", code=reference),
        options=("-S", "planning=alternate"),
    )
    notes = answer["notes"]
    assert (notes["ended"], notes["steps"]) == ("submit", 2), "a look at the plan is no step"
    said = [line["messages"] for line in lines(here / "out/calls.jsonl") if "messages" in line]
    texts = [one["content"] for one in max(said, key=len) if one["role"] == "user"]
    assert "look at your plan again" in texts[2]
    assert "Now take that next step" in texts[3]
