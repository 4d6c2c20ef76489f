"""What holds for every benchmark, those of newcomers too: each is run by the table below."""

from __future__ import annotations

import inspect
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from libdrift import config, suites
from libdrift.errors import MissingDataError, UserError
from libdrift.records import Attempt, Outcome, Split, Suite, Verdict
from libdrift.scoring import Numbers
from libdrift.scoring.groups import groups
from libdrift.suites.benchmarks import Asking, Benchmark
from libdrift.suites.selecting import selected
from tests.published import published
from tests.scoring.texts import text_suite

ROOT = Path(__file__).parent.parent.parent
SHIPPED = {"starter"}
BENCHMARKS = {name: suites.benchmark_of(Suite(name, "", "")) for name in suites.names()}


@pytest.fixture(scope="module", params=suites.written())
def suite(request: pytest.FixtureRequest) -> Suite:
    name = request.param
    data = None if name in SHIPPED else published(name).parent
    return suites.load(name, config.load(data))


@pytest.mark.published
def test_its_tasks_are_told_apart_and_say_what_they_are_about(suite: Suite) -> None:
    assert suite.tasks
    for task_id, task in suite.tasks.items():
        assert (task.id, task.suite) == (task_id, suite.name)
        assert task.facts.library
        assert task.facts.version
        assert {"all", f"library={task.facts.library}"} <= set(groups(task))


@pytest.mark.published
def test_its_tasks_can_be_chosen_by_their_facts(suite: Suite) -> None:
    first = next(iter(suite.tasks.values()))
    found = selected(suite, list(suite.tasks.values()), [f"library={first.facts.library}"])
    assert first.id in found.tasks


@pytest.mark.published
def test_its_verified_list_names_its_own_tasks(suite: Suite) -> None:
    assert set(suites.verified(suite)) <= set(suite.tasks)


@pytest.mark.published
def test_its_own_scores_are_scores_or_none(suite: Suite) -> None:
    tasks = list(islice((task for task in suite.tasks.values() if task.tests), 3))
    attempts = [Attempt(task.id, 0, task.reference, task.reference) for task in tasks]
    verdicts = [Verdict(task.id, 0, Split.HIDDEN, Outcome.PASSED) for task in tasks]
    for measure in suites.benchmark_of(suite).scores:
        for score in measure(suite, attempts, verdicts, Numbers()):
            assert score.metric
            assert score.value is None or score.value >= 0
            assert score.n <= len(attempts)


@pytest.mark.published
def test_its_own_words_ask_what_is_judged_by_its_text(suite: Suite) -> None:
    texts = [task for task in suite.tasks.values() if task.gap is not None]
    ask = suites.benchmark_of(suite).prompt
    assert all(ask(task, Asking()) is not None for task in texts[:50])
    assert all(ask(task, Asking()) is None for task in suite.tasks.values() if task.gap is None)


def test_a_file_of_tasks_asks_in_the_words_of_each_kind() -> None:
    texts = text_suite()
    own = {name: one.prompt for name, one in BENCHMARKS.items()}
    for task in texts.tasks.values():
        asking = [name for name, ask in own.items() if ask(task, Asking()) is not None]
        wanted = "libevolutioneval" if task.facts.granularity == "middle" else "versicode"
        assert asking == [wanted]
        assert suites.prompt_for(texts, task, Asking()) == own[wanted](task, Asking())


@pytest.mark.parametrize("name", suites.written())
def test_it_is_one_record_of_one_folder(name: str, tmp_path: Path) -> None:
    benchmark = BENCHMARKS[name]
    assert benchmark.name == name
    assert inspect.getmodule(benchmark.load).__name__ == f"libdrift.suites.{name}"  # type: ignore[union-attr]
    assert (ROOT / "docs" / f"{name}.md").is_file() or name in SHIPPED
    if name not in SHIPPED:
        nowhere = replace(config.load(), data=tmp_path, cache=tmp_path)
        with pytest.raises(MissingDataError):
            benchmark.load(nowhere)


def test_a_name_is_taken_but_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suites, "_BENCHMARKS", dict(suites._BENCHMARKS))
    mine = Benchmark("mine", lambda _: Suite("mine", "Mine", "here"))
    suites.register(mine)
    assert "mine" in suites.names()
    assert suites.load("mine", config.load()).title == "Mine"
    for taken in ("mine", "starter", "tasks.jsonl"):
        with pytest.raises(UserError, match="is not a name for a benchmark"):
            suites.register(replace(mine, name=taken))


def test_a_file_of_tasks_has_the_scores_of_every_benchmark() -> None:
    own = suites.benchmark_of(Suite("a file's", "", "tasks.jsonl")).scores
    assert set(own) == {measure for one in BENCHMARKS.values() for measure in one.scores}
