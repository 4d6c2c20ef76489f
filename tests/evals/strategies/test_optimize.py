"""A system prompt is bettered on a fifth of the tasks, by visible tests only, round by round."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from inspect_ai.model import Model

from libdrift.errors import UserError
from libdrift.evals.asking import AskedSample, Asker, Channel, Sampling
from libdrift.evals.ledger import Ledger
from libdrift.evals.options import EvalOptions
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.optimize import FILE, Optimize, chosen
from libdrift.evals.troubles import ProviderTrouble, Trouble
from libdrift.records import Gap, Split, Task
from tests.conftest import make_task
from tests.evals.small import evaluated, lines, rate, script, server, write_tasks
from tests.evals.strategies.rooms import Scripted, room
from tests.scoring.texts import text_task

WORD = """
import pathlib
def reply(messages, task_id, sample):
    with pathlib.Path("asked.txt").open("a") as file:
        file.write(f"{task_id}\\n")
    if task_id == "optimize/0/t7" and pathlib.Path("ill").exists():
        raise RuntimeError("the provider is on fire")
    if task_id == "optimize/1":
        return "Gladly. <prompt>\\nBe CAREFUL.\\n</prompt> Good luck!"
    careful = messages[0] == ("system", "Be CAREFUL.")
    return f"def number(): return {task_id.rpartition('t')[2] if careful else -1}"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_tasks(tmp_path, [make_task(f"t{number}", number) for number in range(10)])
    return tmp_path


def test_a_word_that_its_own_prompt_lacks_takes_a_model_from_nothing_to_all(here: Path) -> None:
    arguments = ("small.jsonl", "--model", script(here, WORD))
    assert rate(evaluated(*arguments, "--strategy", "greedy", "--out", "greedy")) == 0.0
    (here / "asked.txt").unlink()
    summary = evaluated(*arguments, "--strategy", "optimize", "--out", "out")
    assert rate(summary) == 1.0
    assert (here / "out" / FILE).read_text() == "Be CAREFUL."
    notes = {line["task_id"]: line["notes"] for line in lines(here / "out/answers.jsonl")}
    on = {name for name, note in notes.items() if note.get("optimised_on")}
    assert {(note["best_round"], *note["scores"]) for note in notes.values()} == {(1, 0.0, 100.0)}
    assert len({note["system"] for note in notes.values()}) == 1
    asked = (here / "asked.txt").read_text().split()
    tried = [f"optimize/{number}/{name}" for number in (0, 1) for name in sorted(on)]
    assert len(on) == 2
    assert sorted(asked) == sorted(["optimize/1", *tried, *notes])
    told = (here / "out/calls.jsonl").read_text()
    assert "def test_it" not in told  # a hidden test's


def test_trouble_before_the_first_task_is_shown_and_nothing_is_asked_twice(here: Path) -> None:
    (here / "ill").touch()
    arguments = ("small.jsonl", "--model", script(here, WORD), "--out", "out")
    summary = evaluated(*arguments, "--strategy", "optimize", code=3)
    assert summary["unanswered_samples"] == 10
    assert summary["troubles"]["provider error"]["count"] == 1
    assert not (here / "out" / FILE).exists()
    (here / "ill").unlink()
    assert rate(evaluated(*arguments, "--strategy", "optimize")) == 1.0
    asked = (here / "asked.txt").read_text().split()
    assert {name: asked.count(name) for name in asked if asked.count(name) > 1} == {
        "optimize/0/t7": 2
    }


# --- rounds, with a model that is right about as many tasks as its last prompt says


def circles(count: int) -> list[Task]:
    gap = Gap("circle", "shapes.circle()", "<token_mask>")
    return [
        text_task(f"c/{number}", "token", "circle", gap, "import shapes\nshapes.<token_mask>()\n")
        for number in range(count)
    ]


def optimised(
    tasks: list[Task],
    prompts: list[str],
    ways: EvalOptions | None = None,
    folder: Path | None = None,
) -> tuple[Optimize, Scripted]:
    strategy = Optimize(room(tasks, ways or EvalOptions(strategy="optimize"), folder=folder))
    order = {task.id: number for number, task in enumerate(chosen(tasks))}

    def reply(place: str, prompt: Prompt) -> str:
        _, number, *name = place.split("/", 2)
        if not name:
            return prompts[int(number) - 1]
        right = int(prompt.system.rpartition(" ")[2] or 0) > order[name[0]]
        return f"<start>{'circle' if right else 'ring'}<end>"

    asker = Scripted(reply)
    asyncio.run(strategy.prepare(asker))
    return strategy, asker


def notes_of(strategy: Optimize, task: Task) -> tuple[int, list[float], bool]:
    from inspect_ai.model import ModelOutput

    prompt = strategy.opening(task)
    notes = strategy.read(task, prompt, ModelOutput.from_content("m", "x")).notes
    return notes["best_round"], notes["scores"], notes.get("optimised_on", False)


ROUNDS: dict[str, tuple[int, list[str], int, list[float], str]] = {
    # tasks in the fifth, prompts that are written → the best round, scores, the prompt kept
    "no gain": (2, ["right 0"], 0, [0.0, 0.0], ""),
    "worse than before": (4, ["right 2", "right 1"], 1, [0.0, 50.0, 25.0], "right 2"),
    "under 1.5 points": (68, ["right 1"], 1, [0.0, 1.47], "right 1"),
    "over 1.5 points": (60, ["right 1", "right 1"], 1, [0.0, 1.67, 1.67], "right 1"),
    "all of it": (2, ["right 1", "right 2"], 2, [0.0, 50.0, 100.0], "right 2"),
    "five rounds": (
        8,
        [f"right {number}" for number in range(1, 9)],
        5,
        [0.0, 12.5, 25.0, 37.5, 50.0, 62.5],
        "right 5",
    ),
    "in tags": (1, ["So: <prompt> right 1 </prompt>."], 1, [0.0, 100.0], "right 1"),
    "in an open tag": (1, ["<prompt>right 1"], 1, [0.0, 100.0], "right 1"),
    "an empty prompt": (1, ["<prompt> </prompt>"], 0, [0.0], ""),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_rounds_go_on_while_they_gain(name: str, tmp_path: Path) -> None:
    count, written, best_round, scores, kept = ROUNDS[name]
    tasks = circles(5 * count)
    strategy, asker = optimised(tasks, written, folder=tmp_path)
    found = [notes_of(strategy, task) for task in tasks]
    assert {(one[0], *one[1]) for one in found} == {(best_round, *scores)}
    assert sum(one[2] for one in found) == count == len(chosen(tasks))
    assert (tmp_path / FILE).read_text() == kept
    assert {strategy.opening(task).system for task in tasks} == {kept}
    tried = [place for place, _ in asker.asked if place.count("/") > 1]
    assert len(tried) == count * len(scores)


@pytest.mark.parametrize(("rounds", "made"), [(None, 5), (1, 1), (2, 2), (9, 5)])
def test_rounds_are_capped_and_the_default_is_five(rounds: int | None, made: int) -> None:
    tasks = circles(40)
    written = [f"right {number}" for number in range(1, 9)]
    strategy, _ = optimised(tasks, written, EvalOptions(strategy="optimize", rounds=rounds))
    assert len(notes_of(strategy, tasks[0])[1]) == made + 1


def test_what_failed_is_shown_but_no_reference() -> None:
    tasks = circles(40)
    _, asker = optimised(tasks, ["right 0"], EvalOptions(strategy="optimize", system="Be kind 0"))
    (shown,) = [prompt.user for place, prompt in asker.asked if place == "optimize/1"]
    assert "0.0% of" in shown
    assert "<prompt>\nBe kind 0\n</prompt>" in shown
    assert shown.count("<start>ring<end>") == 5
    assert "circle" not in shown


def test_the_fifth_is_the_same_whatever_the_order() -> None:
    tasks = [make_task(f"t{number}", number) for number in range(50)]
    found = {task.id for task in chosen(tasks)}
    assert found == {task.id for task in chosen(tasks[::-1])}
    assert (len(found), len(chosen(tasks[:1])), len(chosen(tasks[:3]))) == (10, 1, 1)


def unseen(task: Task) -> Task:
    return replace(task, tests=tuple(one for one in task.tests if one.split is Split.HIDDEN))


def test_tasks_without_visible_tests_cannot_guide_it() -> None:
    tasks = [make_task("t1", 1), unseen(make_task("t2", 2))]
    assert [task.id for task in chosen(tasks)] == ["t1"]
    with pytest.raises(UserError, match="no task of small has visible tests"):
        optimised(tasks[1:], [])


def test_without_a_prompt_no_task_is_asked() -> None:
    def fails(place: str, prompt: Prompt) -> str:
        raise Trouble(ProviderTrouble.RATE, f"{place} {len(prompt.user)}")

    tasks = circles(5)
    strategy = Optimize(room(tasks, EvalOptions(strategy="optimize")))
    with pytest.raises(Trouble, match="rate limit"):
        asyncio.run(strategy.prepare(Scripted(fails)))
    with pytest.raises(Trouble, match="no system prompt"):
        strategy.opening(tasks[0])


def test_a_provider_that_is_down_is_not_waited_for_forever(here: Path) -> None:
    with server(lambda _path, _body: (503, {"error": {"message": "busy"}})) as (address, asked):
        arguments = ("small.jsonl", "--model", "m", "--base-url", address, "--retries", "0")
        summary = evaluated(*arguments, "--strategy", "optimize", "--out", "out", code=3)
    assert (summary["unanswered_samples"], "busy" in summary["stopped"]) == (10, True)
    assert {one["messages"][-1]["content"][:6] for one in asked} == {"Return"}


def test_a_folder_that_takes_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write to"):
        optimised(circles(5), ["right 1"], folder=tmp_path / "gone")


def test_another_model_may_write_the_prompts(here: Path) -> None:
    """It is asked for nothing else, and the model at stake for no prompt."""
    asked = here / "asked.txt"
    writer = here / "writer.py"
    writer.write_text(
        "import pathlib\ndef reply(messages, task_id, sample):\n"
        "    pathlib.Path('wrote.txt').write_text(task_id)\n"
        "    return '<prompt>Be CAREFUL.</prompt>'\n"
    )
    summary = evaluated(
        "small.jsonl",
        *("--model", script(here, WORD), "--strategy", "optimize", "--out", "out"),
        *("-S", f"optimizer=scripted/{writer}"),
    )
    assert rate(summary) == 1.0
    assert (here / "wrote.txt").read_text().split() == ["optimize/1"]
    assert "optimize/1" not in asked.read_text().split()


def test_a_budget_needs_the_price_of_both_models() -> None:
    channel = Channel("m", Ledger(None), lambda _in, _out: 0.0, max_cost=1.0)
    asker = Asker(channel, AskedSample("t", 0), Sampling(0.0, 1.0, 10, 0))
    with pytest.raises(UserError, match="the price of nobody/knows is unknown"):
        asker.of_another("nobody/knows", cast("Model", None))
