"""What is told of the API at stake: of exactly the task's release, or why nothing is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import pytest

from libdrift.evals.options import EvalOptions
from libdrift.evals.strategies.api_info import ApiInfo, NoInfo
from libdrift.evals.strategies.greedy import Greedy
from libdrift.history.store import Store
from libdrift.records import ChangeKind, Facts, Task
from tests.conftest import make_task
from tests.evals.small import evaluated, lines, rate, script, write_tasks
from tests.evals.strategies.rooms import Scripted, room
from tests.history.small import function, klass, surface
from tests.scoring.texts import text_suite


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "history.sqlite"
    old = (
        function("pkg:ring", "a", doc="Draw a ring.", gone="Use circle.", use="pkg.circle"),
        function("pkg:fill", "a", doc="Fill it."),
        klass("pkg:One"),
        klass("pkg:Two"),
        function("pkg:One.draw"),
        function("pkg:Two.draw"),
    )
    with Store.open(path) as store:
        store.add(surface("1.0", *old))
        store.add(
            surface("2.0", function("pkg:circle", "radius"), function("pkg:fill", "a", "b=1"))
        )
    return path


def about(symbol: str | None, version: str = "1.0", **more: Any) -> Task:
    facts = Facts("pkg", version, symbol=symbol, **more)
    return replace(make_task("t1", 1), facts=facts)


def told(task: Task, history: Path, ways: EvalOptions | None = None) -> tuple[str, dict[str, str]]:
    """The prompt, and what is noted of it."""
    from inspect_ai.model import ModelOutput

    strategy = ApiInfo(room([task], ways or EvalOptions(), history))
    prompt = strategy.opening(task)
    notes = strategy.read(task, prompt, ModelOutput.from_content("m", "x")).notes
    return prompt.user, dict(notes)


FOUND: dict[str, tuple[Task, str, str]] = {
    "as of the first release": (about("pkg.fill"), "document", "pkg 1.0: pkg.fill(a)\nFill it.\n"),
    "as of the second": (about("pkg.fill", "2.0"), "document", "pkg 2.0: pkg.fill(a, b=1)\n"),
    "with what it warns of": (about("pkg.ring()"), "document", "Deprecated: Use circle."),
    "by its mere name": (about("ring"), "document", "pkg 1.0: pkg.ring(a)"),
    "gone, and what to use": (
        about("pkg.ring", "2.0"),
        "history",
        "pkg.ring was not found in pkg 2.0; it was in earlier ones, such as 1.0. Use pkg.circle.",
    ),
    "not there yet": (
        about("pkg.circle"),
        "history",
        "pkg.circle was not found in pkg 1.0; it is in later ones, such as 2.0.",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_the_api_is_told_as_of_the_tasks_release(name: str, history: Path) -> None:
    task, source, text = FOUND[name]
    user, notes = told(task, history)
    assert notes == {"api_info": source}
    assert f"Name: {task.facts.symbol}\n" in user
    assert user.index(text) < user.index("Return 1.")


NOT_FOUND = {
    "the task names no API": about(None),
    "pkg 1.0 has nothing called circle": about("circle"),
    "pkg 1.0 has 2 things called draw": about("draw"),
    "pkg 1.5 is not mined": about("pkg.fill", "1.5"),
    "no text that could be looked up": about("pkg.\ud800"),
    "no mined release of pkg": about("pkg.nothing"),
    "no mined package has other.fill": about("other.fill"),
    "other is not mined": replace(about("fill"), facts=Facts("other", "1.0", symbol="fill")),
    "pkg.fill is of pkg, not of other": replace(
        about(""), facts=Facts("other", "1.0", symbol="pkg.fill")
    ),
}


@pytest.mark.parametrize("why", NOT_FOUND)
def test_what_cannot_be_had_is_said(why: str, history: Path) -> None:
    task = NOT_FOUND[why]
    user, notes = told(task, history)
    assert notes["api_info"] == "none"
    assert why in notes["api_info_why"]
    assert ("Name: " in user) == bool(task.facts.symbol)


def test_nothing_mined_at_all_is_said_too(tmp_path: Path) -> None:
    _, notes = told(about("pkg.fill"), tmp_path / "none.sqlite")
    assert (notes["api_info"], bool(notes["api_info_why"])) == ("none", True)


@pytest.mark.parametrize("symbol", ["pkg.fill", "pkg.ring", "pkg.circle"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_without_the_version_none_is_told(symbol: str, version: str, history: Path) -> None:
    task = about(symbol, version, change=ChangeKind.SIGNATURE, changed_in="2.0")
    with_it, _ = told(task, history)
    without, notes = told(task, history, EvalOptions(version=False))
    assert "Change: signature, in pkg 2.0\n" in with_it
    assert "Change: signature\n" in without
    assert "1.0" not in without
    assert "2.0" not in without
    assert notes["api_info"] in {"document", "history"}


def test_a_benchmarks_own_record_comes_first(history: Path) -> None:
    record = {"signature": "fn fill(a: u8)", "documentation": "Fills.", "examples": "…"}
    task = replace(about("pkg.fill"), source=MappingProxyType({"api": record}))
    user, notes = told(task, history)
    assert notes == {"api_info": "record"}
    assert "fn fill(a: u8)\nFills.\n" in user
    assert "Fill it." not in user


@pytest.mark.parametrize("kind", ["token", "line", "block", "migration"])
def test_versions_and_imports_are_told_or_not_in_completions(kind: str, history: Path) -> None:
    plain = text_suite().tasks[kind]
    facts = replace(plain.facts, library="pkg", symbol="pkg.fill")
    task = replace(plain, facts=facts, starter=plain.starter.replace("shapes", "pkg"))
    task = replace(task, reference=plain.reference.replace("shapes", "pkg"))
    for version in (True, False):
        for imports in (True, False):
            ways = EvalOptions(version=version, imports=imports)
            alone = NoInfo(room([task], ways, history)).opening(task)
            user, notes = told(task, history, ways)
            assert alone == Greedy(room([task], ways)).opening(task)
            assert user.endswith(alone.user)
            assert ("fill(a, b=1)" in user, notes["api_info"]) == (True, "document")
            assert ("2.0" in user) == version
            assert ("import pkg" in user) == imports


KNOWS = """
def reply(messages, task_id, sample):
    knows = "pkg.fill(a)" in messages[-1][1]
    return f"def number(): return {task_id[1:] if knows else None}"
"""


@pytest.mark.parametrize(("strategy", "expected"), [("api-info", 1.0), ("no-info", 0.0)])
def test_a_model_that_needs_the_signature(
    strategy: str, expected: float, tmp_path: Path, history: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(history))
    suite = write_tasks(tmp_path, [about("pkg.fill")])
    arguments = (suite, "--model", script(tmp_path, KNOWS), "--out", "out")
    assert rate(evaluated(*arguments, "--strategy", strategy)) == expected
    notes = lines(tmp_path / "out/answers.jsonl")[0].get("notes", {})
    assert notes == ({"api_info": "document"} if strategy == "api-info" else {})


def test_only_releases_that_are_needed_are_mined(history: Path) -> None:
    record = MappingProxyType({"api": {"signature": "fn f()"}})
    tasks = [about("pkg.fill"), about(None), replace(about("pkg.fill"), source=record)]
    tasks = [replace(task, id=str(number)) for number, task in enumerate(tasks)]
    place = room(tasks, EvalOptions(), history)
    mined: list[str] = []

    class Shelf:
        async def mine(self, wanted: Iterable[Task]) -> None:
            mined.extend(task.id for task in wanted)

    place.shelf = cast("Any", Shelf())
    asyncio.run(ApiInfo(place).prepare(Scripted(lambda _place, _prompt: "")))
    assert mined == ["0"]
