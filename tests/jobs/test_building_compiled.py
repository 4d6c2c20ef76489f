from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest

from libdrift import config, suites
from libdrift.build.live import compiled
from libdrift.build.live.compiled import ProvenTasks, marked
from libdrift.errors import UserError
from libdrift.jobs import building_compiled
from libdrift.jobs.building_compiled import CompiledOptions, build_compiled
from libdrift.records import Task
from libdrift.scoring import RunOptions
from tests.conftest import make_task

Draft = Callable[[Counter[str]], list[Task]]
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
    window = building_compiled._window("crate:x", DAYS, after)
    assert (window.old, window.new) == (old, new)


def test_nothing_came_after_a_day() -> None:
    with pytest.raises(UserError, match="no release after 2025-01-01"):
        building_compiled._window("crate:x", DAYS, date(2025, 1, 1))


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two packages with three drafts each, of which the third does not hold; what was drafted."""
    drafted: list[str] = []

    def draft(package: str, left_out: Counter[str]) -> list[Task]:
        drafted.append(package)
        left_out["no example"] += 1
        names = [f"{package}-{n}" for n in range(3)]
        return [marked(make_task(name, 1), family="generate") for name in names]

    def packages(*_: object) -> list[tuple[str, Draft]]:
        return [(name, lambda left, name=name: draft(name, left)) for name in ("a", "b")]  # type: ignore[misc]

    def prove(tasks: Sequence[Task], *_: object) -> ProvenTasks:
        kept = tuple(task for task in tasks if not task.id.endswith("2"))
        return ProvenTasks(kept, {"reference": len(tasks) - len(kept)})

    monkeypatch.setattr(building_compiled, "_drafted", packages)
    monkeypatch.setattr(compiled, "prove", prove)
    return drafted


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
    with pytest.raises(UserError, match="is there already"):
        build_compiled(asked(path))
    # Another build has the same hash, and does what was done not again.
    path.unlink()
    assert build_compiled(asked(path)).hash == built.hash
    assert steps == ["a", "b"]
    assert build_compiled(asked(path, force=True)).hash == built.hash
    assert steps == ["a", "b", "a", "b"]


def test_a_limit_is_of_each_package(steps: list[str], tmp_path: Path) -> None:
    built = build_compiled(asked(tmp_path / "own.jsonl", limit=1))
    assert built.tasks == 2
    assert built.dropped["over the limit"] == 2


def test_there_are_two_languages(tmp_path: Path) -> None:
    options = CompiledOptions("perl", date(2024, 1, 1), out=tmp_path / "x.jsonl")
    with pytest.raises(UserError, match="Known are python, rust, java"):
        build_compiled(options)


def test_a_package_of_another_language_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"flask is no package of Rust. Write rust, or crate:flask"):
        build_compiled(asked(tmp_path / "x.jsonl", packages=("flask",)))
