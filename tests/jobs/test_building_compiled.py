from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from libdrift import config, suites
from libdrift.build.control import Window
from libdrift.build.live import compiled
from libdrift.build.live.compiled import ProofTrial, ProvenTasks, marked
from libdrift.build.live.compiled_ledger import PackageLedger
from libdrift.errors import UserError
from libdrift.execution import Job, Options
from libdrift.jobs import building_compiled, compiled_steps, remaking_compiled
from libdrift.jobs.building_compiled import CompiledFile, CompiledOptions, build_compiled
from libdrift.jobs.compiled_steps import CompiledPlan, CompiledStep, window_of
from libdrift.jobs.remaking_live import build_manifest
from libdrift.records import Outcome, Task, TestStyle
from libdrift.sandbox import Backend, Judgement, Program
from libdrift.scoring import RunOptions
from tests.conftest import make_task

DAYS: dict[str, date | None] = {
    "1.0.0": date(2021, 1, 1),
    "1.1.0": date(2022, 1, 1),
    "2.0.0": date(2024, 1, 1),
}


@pytest.mark.parametrize(
    ("after", "old", "new"),
    [
        (date(2023, 1, 1), "1.1.0", "2.0.0"),
        (date(2022, 1, 1), "1.0.0", "2.0.0"),
        (date(2020, 1, 1), "1.0.0", "2.0.0"),
    ],
)
def test_what_came_after_a_day_is_compared_with_the_last_before(
    after: date, old: str, new: str
) -> None:
    window = window_of("crate:x", DAYS, after)
    assert (window.old, window.new) == (old, new)


def test_nothing_came_after_a_day() -> None:
    with pytest.raises(UserError, match="no release after 2025-01-01"):
        window_of("crate:x", DAYS, date(2025, 1, 1))


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two packages with three drafts each, of which the third does not hold; what was drafted."""
    drafted: list[str] = []

    def draft(package: str, left_out: Counter[str]) -> list[Task]:
        drafted.append(package)
        left_out["no example"] += 1
        names = [f"{package}-{n}" for n in range(3)]
        return [marked(_tagged(make_task(name, 1)), family="generate") for name in names]

    def packages(_: object) -> list[CompiledStep]:
        return [CompiledStep(name, partial(draft, name)) for name in ("a", "b")]

    def prove(tasks: Sequence[Task], *_: object) -> ProvenTasks:
        kept = tuple(task for task in tasks if not task.id.endswith("2"))
        return ProvenTasks(kept, {"reference": len(tasks) - len(kept)})

    monkeypatch.setattr(CompiledPlan, "steps", packages)
    monkeypatch.setattr(compiled, "prove", prove)
    monkeypatch.setattr(compiled, "told_apart", lambda tasks, *_: list(tasks))
    return drafted


def _tagged(task: Task) -> Task:
    return replace(task, facts=replace(task.facts, tags=("live-rust", "generate")))


def asked(path: Path, **more: object) -> CompiledOptions:
    running = RunOptions(sandbox="none")
    return CompiledOptions("rust", date(2024, 1, 1), out=path, running=running, **more)  # type: ignore[arg-type]


def test_what_holds_is_written_and_the_rest_counted(steps: list[str], tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    built = build_compiled(asked(path))
    assert (built.tasks, dict(built.families)) == (4, {"generate": 4})
    assert (dict(built.drafts), dict(built.dropped)) == (
        {"generate": 6},
        {"generate: reference": 2},
    )
    assert dict(built.left_out) == {"no example": 2}
    suite = suites.load(str(path), config.load())
    assert (suite.name, list(suite.tasks)) == ("live-rust", ["a-0", "a-1", "b-0", "b-1"])
    with pytest.raises(UserError, match="already exists"):
        build_compiled(asked(path))
    # Another build has the same hash, and does what was done not again.
    path.unlink()
    assert build_compiled(asked(path)).hash == built.hash
    assert steps == ["a", "b"]
    assert build_compiled(asked(path, force=True)).hash == built.hash
    assert steps == ["a", "b", "a", "b"]


def test_what_the_answer_to_another_task_of_the_file_solves_is_left_out(
    steps: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "told_apart", lambda tasks, *_: list(tasks)[1:])
    built = build_compiled(asked(tmp_path / "own.jsonl"))
    assert (built.tasks, built.dropped["another task's answer passes"]) == (3, 1)
    assert built.manifest is not None
    assert "a-0" not in built.manifest.read_text("utf-8")


def test_whatever_is_dropped_gives_others_new_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [make_task(f"t{number}", 1) for number in range(4)]
    solved = {("t1", "t2"), ("t0", "t3")}  # t3 is the next to t0 only when t1 and t2 are gone
    solved |= {("t2", "t3")}
    tried: list[tuple[str, str]] = []

    def trials(task: Task, others: Sequence[Task]) -> list[ProofTrial]:
        at = others.index(task)
        following = others[(at + 1) % len(others)].id
        program = Program(following, "", TestStyle.RUST)
        return [
            ProofTrial(compiled.REFERENCE, task.environment, program, compiled.passes),
            ProofTrial(compiled.ANOTHERS, task.environment, program, compiled.fails),
        ]

    def run(jobs: Sequence[Job], _: object) -> Iterator[tuple[Job, Judgement]]:
        for job in jobs:
            tried.append((job.key[0], job.program.answer))
            passes = tried[-1] in solved
            yield job, Judgement(Outcome.PASSED if passes else Outcome.FAILED, "", 0.1)

    monkeypatch.setattr(compiled, "run_jobs", run)
    options = Options(config.load(), cast("Backend", None))  # nothing is run
    kept = compiled.told_apart(tasks, trials, options)
    assert [one.id for one in kept] == ["t3"]
    assert len(tried) == len(set(tried))


def test_a_limit_is_of_each_package(steps: list[str], tmp_path: Path) -> None:
    built = build_compiled(asked(tmp_path / "own.jsonl", limit=1))
    assert built.tasks == 2
    assert built.dropped["generate: over the limit"] == 2


def test_there_are_two_languages(tmp_path: Path) -> None:
    options = CompiledOptions("perl", date(2024, 1, 1), out=tmp_path / "x.jsonl")
    with pytest.raises(UserError, match="Known: python, rust, java"):
        build_compiled(options)


def test_a_package_of_another_language_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"flask is not a Rust package. Write rust, or crate:flask"):
        build_compiled(asked(tmp_path / "x.jsonl", packages=("flask",)))


def test_drafts_over_a_limit_are_no_failures(steps: list[str], tmp_path: Path) -> None:
    build_compiled(asked(tmp_path / "own.jsonl", limit=1))
    row = PackageLedger(tmp_path / "own.jsonl", "[] 1 0").get("a")
    assert row is not None
    assert building_compiled._line(row) == "a: 1 of 2 drafts hold; 1 over the limit"


class Plans:
    """Steps of crates whose releases are known; drafts are as many as versions were asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.days = dict(DAYS)
        self.out = tmp_path / "own.jsonl"
        self.asked: list[tuple[str, str]] = []
        monkeypatch.setattr(compiled_steps, "days_of", lambda _: dict(self.days))
        monkeypatch.setattr(remaking_compiled, "days_of", lambda _: dict(self.days))
        for module in (compiled_steps, remaking_compiled):
            monkeypatch.setattr(module, "rust_drafts", self.drafts)
        monkeypatch.setattr(compiled, "prove", lambda tasks, *_: ProvenTasks(tuple(tasks), {}))

    def drafts(self, window: Window, *_: object) -> list[Task]:
        self.asked.append((window.old, window.new))
        task = _tagged(make_task(f"crate-x-{window.new}", 1))
        return [marked(task, family="generate", symbol="x.f")]

    def build(self, **more: object) -> CompiledFile:
        return build_compiled(asked(self.out, packages=("crate:x",), **more))


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Plans:
    return Plans(monkeypatch, tmp_path)


def test_since_the_last_run_only_what_is_new_is_looked_at(plans: Plans) -> None:
    with pytest.raises(UserError, match="was not built here before"):
        plans.build(since_last=True)
    plans.build()
    assert plans.build(since_last=True).tasks == 1
    plans.days["2.1.0"] = date(2025, 1, 1)
    del plans.days["1.1.0"]
    again = plans.build(since_last=True)
    assert plans.asked == [("1.1.0", "2.0.0"), ("2.0.0", "2.1.0")]
    assert again.tasks == 2
    assert again.vanished == ["crate:x 1.1.0 is gone from the index"]


def test_a_manifest_makes_the_same_tasks(plans: Plans, tmp_path: Path) -> None:
    built = plans.build()
    assert built.manifest is not None
    again = build_manifest(built.manifest, tmp_path / "again.jsonl", running=RunOptions("none"))
    assert (again.tasks, again.differing) == (1, [])
    assert dict(again.families) == {"generate": 1}
    text = built.manifest.read_text().replace("crate-x-2.0.0", "crate-x-3.0.0")
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(UserError, match="no task of live-rust could be made"):
        build_manifest(tmp_path / "other.json", tmp_path / "o.jsonl", running=RunOptions("none"))
