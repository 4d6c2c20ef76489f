"""Runs that are made here, answer by answer, for tests of what is drawn and laid out."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

from libdrift.analysis.observing import ObservedRun
from libdrift.records import Observation, Outcome

LIBRARIES = ("numpy", "pandas", "scipy")
CATEGORIES = ("argument or attribute", "function name")


def answers(
    run: str, rights: str, *, visible: str = "", error: str = "TypeError"
) -> tuple[Observation, ...]:
    """An answer for each sign: ``1`` is right, ``0`` is wrong. Facts go by the place of a task."""
    found = []
    for at, sign in enumerate(rights):
        right = sign == "1"
        facts = {
            "library": LIBRARIES[at % 3],
            "version": f"{LIBRARIES[at % 3]} 1.{at % 4}",
            "year": str(2019 + at % 4),
            "category": CATEGORIES[at % 2],
            "level": "generate",
            **({} if right else {"error": error}),
        }
        values = {
            "hidden": float(right),
            "visible": float((visible or rights)[at] == "1"),
            "api_hit_rate_released": float(at % 2 == 0),
            "api_hit_rate": float(at % 2 == 0),
        }
        outcome = Outcome.PASSED if right else Outcome.FAILED
        found.append(Observation(run, f"t{at}", 0, outcome, facts, values))
    return tuple(found)


def observed(
    model: str,
    rights: str,
    strategy: str = "greedy",
    suite: str = "gitchameleon",
    visible: str = "",
    **ways: Any,
) -> ObservedRun:
    """A run of a model that was asked by a strategy."""
    name = f"{model}-{strategy}".replace("/", "-")
    rows = answers(name, rights, visible=visible)
    about = {"suite": suite, "model": model, "ways": {"strategy": strategy, **ways}}
    return _run(name, f"{model}, {strategy}", suite, rows, about)


def recorded(file: str, rights: str, suite: str = "gitchameleon") -> ObservedRun:
    """A run of answers that came as a file."""
    rows = answers(file, rights)
    about = {"suite": suite, "answers": {"path": file}}
    return _run(file, Path(file).stem, suite, rows, about)


def of_rows(label: str, rows: tuple[Observation, ...], suite: str, **about: Any) -> ObservedRun:
    return _run(label, label, suite, rows, {"suite": suite, "model": label, **about})


def _run(
    name: str, label: str, suite: str, rows: tuple[Observation, ...], about: dict[str, Any]
) -> ObservedRun:
    tasks = len({row.task_id for row in rows})
    return ObservedRun(name, label, suite, "", tasks, MappingProxyType({}), rows, Path(name), about)
