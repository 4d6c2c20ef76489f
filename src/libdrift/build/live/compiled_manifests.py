"""Manifests of proven tasks of compiled languages: no text, only where each is from."""

from __future__ import annotations

from collections.abc import Iterable

from libdrift.build.live.compiled import origin
from libdrift.build.live.compiled_ledger import PackageTasks
from libdrift.build.live.manifests import parts_of
from libdrift.build.live.records import hash_of
from libdrift.records import Task
from libdrift.suites.recipes.manifest import (
    SCHEMA_VERSION,
    PairEntry,
    TaskEntry,
    TaskManifest,
)


def manifest_of_rows(
    name: str, title: str, language: str, rows: Iterable[PackageTasks]
) -> TaskManifest:
    """What is needed to make these tasks again: the releases that were compared, and hashes."""
    found = [row for row in rows if row.tasks]
    pairs = tuple(PairEntry(*row.pair, most=row.most) for row in found)
    entries = [_entry(task, row) for row in found for task in row.tasks]
    entries.sort(key=lambda entry: entry.id)
    return TaskManifest(SCHEMA_VERSION, name, title, pairs, tuple(entries), language)


def _entry(task: Task, row: PackageTasks) -> TaskEntry:
    told = origin(task)
    return TaskEntry(
        task.id, *row.pair, str(told["family"]), str(told.get("symbol", "")), hash_of(task),
        parts_of(task),
    )  # fmt: skip
