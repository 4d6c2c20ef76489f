"""Runs as columns, one row an answer: what the page computes all its numbers from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from libdrift.analysis.comparing import DEGREES
from libdrift.analysis.measuring import measures_of
from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.rating import AMOUNTS, OF_TEXTS
from libdrift.analysis.selecting import natural
from libdrift.records import Observation, Outcome
from libdrift.version import __version__

_STUDENT = 200  # degrees of freedom that the page is told of; for more it has a formula
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """Where an answer stands: the number of its run, its task and the number of its sample."""

    run: int
    task_id: str
    sample: int


@dataclass(frozen=True, slots=True)
class PageNumbers:
    """What a page is told of all answers, and whose row is whose."""

    content: dict[str, Any]
    places: tuple[AnswerPlace, ...]
    tasks: tuple[tuple[str, str], ...]  # suite and task, as rows number them


def numbers_of(runs: Sequence[ObservedRun], note: str = "") -> PageNumbers:
    """Rows of one run and one task stand together: the page adds them up as they come."""
    numbered: dict[tuple[str, str], int] = {}
    for run in runs:
        for one in run.observations:
            numbered.setdefault((run.suite, one.task_id), len(numbered))
    rows = [
        (number, numbered[run.suite, one.task_id], one)
        for number, run in enumerate(runs)
        for one in run.observations
    ]
    rows.sort(key=lambda row: (row[0], row[1], row[2].sample))
    answers = [row[2] for row in rows]
    content = {
        "made": {
            "libdrift": __version__,
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "note": note,
        },
        "student": _quantiles(),
        "amounts": sorted(AMOUNTS),
        "of_texts": sorted(OF_TEXTS),
        "degrees": sorted(DEGREES),
        "runs": [_about(run) for run in runs],
        "tasks": {"ids": [task_id for _, task_id in numbered]},
        "outcomes": [outcome.value for outcome in Outcome],
        "measures": [
            {"name": str(one), "metric": one.metric, "level": one.level}
            for one in measures_of(answers)
        ],
        "rows": _rows(rows),
        "values": _values(answers),
        "facts": _facts(answers),
    }
    places = tuple(AnswerPlace(number, one.task_id, one.sample) for number, _, one in rows)
    return PageNumbers(content, places, tuple(numbered))


def _about(run: ObservedRun) -> dict[str, Any]:
    about = run.description
    finished = about.get("summary") is not None
    settings = ("model", "base_url", "ways", "answers", "sandbox", "time_factor", "fingerprint")
    kept = {name: about[name] for name in settings if about.get(name)}
    notes = {"notes": list(run.notes)} if run.notes else {}
    return {
        "name": run.name,
        "label": run.label,
        "suite": run.suite,
        "mode": run.mode,
        "tasks": run.tasks,
        "state": "finished" if finished else "not finished: running, or stopped",
        "finished": finished,
        "provenance": {**kept, **run.provenance, **notes},
    }


def _rows(rows: Sequence[tuple[int, int, Observation]]) -> dict[str, list[Any]]:
    outcomes = {outcome: at for at, outcome in enumerate(Outcome)}
    return {
        "run": [run for run, _, _ in rows],
        "task": [task for _, task, _ in rows],
        "sample": [one.sample for _, _, one in rows],
        "outcome": [outcomes[one.outcome] for _, _, one in rows],
        "seconds": [_number(one.seconds) for _, _, one in rows],
        "input": [one.input_tokens for _, _, one in rows],
        "output": [one.output_tokens for _, _, one in rows],
        "cost": [_number(one.cost) for _, _, one in rows],
    }


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _values(answers: Sequence[Observation]) -> dict[str, list[float | None]]:
    names = dict.fromkeys(name for one in answers for name in one.values)
    return {name: [_number(one.values.get(name)) for one in answers] for name in names}


def _facts(answers: Sequence[Observation]) -> dict[str, dict[str, Any]]:
    """Each fact as a list of its values, and for each row the place there; -1 is unknown."""
    found = {}
    for name in dict.fromkeys(name for one in answers for name in one.facts):
        values = sorted(_known(answers, name), key=natural)
        place: dict[str | None, int] = {value: at for at, value in enumerate(values)}
        codes = [place.get(one.facts.get(name), -1) for one in answers]
        found[name] = {"values": values, "codes": codes}
    return found


def _known(answers: Iterable[Observation], name: str) -> set[str]:
    return {value for one in answers if (value := one.facts.get(name)) is not None}


@cache
def _quantiles() -> list[float]:
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # `stats` takes a second

    return [float(stdtrit(freedom, (1 + _LEVEL) / 2)) for freedom in range(1, _STUDENT + 1)]
