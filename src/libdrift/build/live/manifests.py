"""Manifests of proven tasks: made from them, and tasks made from a manifest, hash by hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from libdrift.build.live.building import StepOutcome, family_of
from libdrift.build.live.evidence import Places
from libdrift.build.live.records import LiveFamily, hash_of
from libdrift.build.live.tasking import SUITE
from libdrift.records import Environment, Task
from libdrift.suites.recipes.manifest import (
    SCHEMA_VERSION,
    PairEntry,
    PairPlace,
    TaskEntry,
    TaskManifest,
)


def manifest(
    name: str, title: str, tasks: Iterable[Task], outcomes: Iterable[StepOutcome]
) -> TaskManifest:
    """What is needed to make these tasks again."""
    entries = tuple(map(_entry, tasks))
    wanted = {entry.pair for entry in entries}
    pairs = tuple(
        PairEntry(*outcome.step.key, (_place(outcome.places[0]), _place(outcome.places[1])))
        for outcome in outcomes
        if outcome.places is not None and outcome.step.key in wanted
    )
    return TaskManifest(SCHEMA_VERSION, name, title, pairs, entries)


def _entry(task: Task) -> TaskEntry:
    told = task.source[SUITE]
    return TaskEntry(
        task.id, told["package"], told["old"], told["new"], family_of(task),
        told.get("symbol", ""), hash_of(task), parts_of(task),
    )  # fmt: skip


def parts_of(task: Task) -> dict[str, str]:
    """Hashes of what a task consists of, for people who ask why it is another one."""
    parts: dict[str, object] = {
        "prompt": (task.problem, task.starter, task.prefix, task.suffix),
        "reference": task.reference,
        "tests": task.tests,
        "environment": (task.environment, task.wrong),
    }
    return {
        name: hashlib.sha256(msgspec.json.encode(part)).hexdigest()[:6]
        for name, part in parts.items()
    }


def _place(environment: Environment) -> PairPlace:
    return PairPlace(environment.runtime, environment.requirements, environment.as_of)


def places_of(pair: PairEntry) -> Places:
    old, new = (
        Environment("python", place.runtime, place.requirements, place.as_of)
        for place in pair.places
    )
    return old, new


def families_of(entries: Iterable[TaskEntry]) -> tuple[LiveFamily, ...]:
    """Those that are needed, in the order in which they are drafted."""
    wanted = {entry.family for entry in entries}
    return tuple(family for family in LiveFamily if family.value in wanted)


@dataclass(frozen=True, slots=True)
class ManifestMatch:
    """The tasks of a manifest that were made again, and of each other one the reason."""

    tasks: tuple[Task, ...]
    differing: tuple[str, ...]


def matched(
    entries: Sequence[TaskEntry], made: Mapping[str, Task], trouble: str = ""
) -> ManifestMatch:
    """Of one pair's entries those whose hash is the same."""
    tasks: list[Task] = []
    differing: list[str] = []
    for entry in entries:
        task = made.get(entry.id)
        if task is None:
            why = trouble or "no example gives it any more"
            differing.append(f"{entry.id}: {why}")
        elif hash_of(task) != entry.hash:
            now = parts_of(task)
            parts = [name for name, known in entry.parts.items() if now.get(name) != known]
            differing.append(f"{entry.id}: its {', '.join(parts) or 'facts'} differ")
        else:
            tasks.append(task)
    return ManifestMatch(tuple(tasks), tuple(differing))
