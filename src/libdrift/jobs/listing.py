"""Benchmarks and their tasks."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from libdrift import config, suites
from libdrift.analysis.datasets import SuiteStatistics, statistics
from libdrift.errors import UserError
from libdrift.records import Suite, Task, TaskKind
from libdrift.suites import recipes

# What the published solution calls and decides would give it away, and so would the name that is
# asked for.
_WITHHELD = {"api_calls", "logic"}
_ANSWERS = {"symbol"}
# Of an API that is to be found and explained, whatever tells what happened to it.
_LABELS = {"symbol", "change", "category", "lifecycle", "changed_in", "incompatibilities"}


def suite_names() -> list[str]:
    """The names that suites are loaded by."""
    return suites.names()


def load_suite(name: str, data: Path | None = None) -> Suite:
    """A suite by its name, or a file or folder of tasks by its path."""
    return suites.load(name, config.load(data))


def overview(data: Path | None = None) -> list[dict[str, Any]]:
    """Of every benchmark: tasks, environments, where its data comes from, or what is missing."""
    return [_overview(name, data) for name in suite_names()]


def _overview(name: str, data: Path | None) -> dict[str, Any]:
    waiting = recipes.unbuilt(name, config.load(data))
    if waiting is not None:  # a list is no reason to build anything
        return {
            "suite": name,
            "title": waiting.title,
            "tasks": len(waiting.tasks),
            "environments": None,
            "source": "built on first use, from its manifest",
        }
    try:
        suite = load_suite(name, data)
    except UserError as error:
        return {"suite": name, "tasks": None, "environments": None, "missing": str(error)}
    return {
        "suite": suite.name,
        "title": suite.title,
        "tasks": len(suite.tasks),
        "environments": len(suite.environments),
        "source": suite.source,
    }


def asks_for_changes(suite: Suite) -> bool:
    """Whether some task asks what another one's facts would tell."""
    kinds = {task.kind for task in suite.tasks.values()}
    return bool(kinds & {TaskKind.LOCATE, TaskKind.EXPLAIN})


def candidates_view(task: Task, *, asked: bool) -> dict[str, Any]:
    """What a candidate may see of a task, and its facts; never its tests or answers."""
    withheld = set(_WITHHELD)
    if task.gap is not None or task.language == "rust" or "live" in task.facts.tags:
        withheld |= _ANSWERS
    if asked:
        withheld |= _LABELS
    facts = {
        key: list(value) if isinstance(value, tuple) else value and str(value)
        for key, value in asdict(task.facts).items()
        if key not in withheld
    }
    return {
        "task_id": task.id,
        "title": task.title,
        "problem": task.problem,
        "starter": task.starter,
        "language": task.language,
        "python": task.environment.runtime if task.language == "python" else None,
        "runtime": task.environment.runtime,
        "requirements": list(task.environment.requirements),
        "facts": facts,
    }


def suite_statistics(suite: str | Suite, data: Path | None = None) -> SuiteStatistics:
    """What a suite's data holds: counts by every fact, and lengths, as typed tables."""
    loaded = load_suite(suite, data) if isinstance(suite, str) else suite
    return statistics(loaded)
