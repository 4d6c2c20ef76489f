"""What running examples showed, kept beside the releases: a trial for each pair of them."""

# ruff: noqa: S608  (only names of our own tables are set into statements)
from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from libdrift.history import versions
from libdrift.history.store import packing
from libdrift.history.store.database import Store
from libdrift.records import ExampleFinding, ExampleOutcome, ExampleTrial, Reliability


def keep(store: Store, trial: ExampleTrial, findings: Iterable[ExampleFinding]) -> None:
    """Put a trial in, or in the place of an earlier one of the same two releases."""
    with store.changing():
        package, _ = store.place(trial.package, trial.old)
        forget(store, package, trial.old, trial.new)
        cursor = store.db.execute(
            "INSERT INTO trials (package, old, new, ran, summary) VALUES (?, ?, ?, ?, ?)",
            (package, trial.old, trial.new, _now(), _packed(asdict(trial))),
        )
        store.db.executemany(
            "INSERT INTO trial_findings VALUES (?, ?, ?, ?)",
            [
                (cursor.lastrowid, number, item.path, _packed(asdict(item)))
                for number, item in enumerate(findings)
            ],
        )


def forget(store: Store, package: int, *ends: str) -> None:
    """Drop the trials that have all of these versions as their ends. The caller is changing."""
    chosen = "SELECT id FROM trials WHERE package = ?" + " AND ? IN (old, new)" * len(ends)
    held = (package, *ends)
    store.db.execute(f"DELETE FROM trial_findings WHERE trial IN ({chosen})", held)
    store.db.execute(f"DELETE FROM trials WHERE id IN ({chosen})", held)


def trials(store: Store, package: str) -> list[ExampleTrial]:
    """Of a package, in version order."""
    with store.snapshot():
        rows = store.db.execute(
            "SELECT summary FROM trials WHERE package = ?", (store.number(package),)
        ).fetchall()
    found = [_trial(_unpacked(row[0])) for row in rows]
    return sorted(found, key=lambda item: (versions.order(item.old), versions.order(item.new)))


def findings(store: Store, trial: ExampleTrial, paths: Sequence[str] = ()) -> list[ExampleFinding]:
    """All that a trial found, or what it found of some paths."""
    with store.snapshot():
        rows = store.db.execute(
            "SELECT f.data FROM trial_findings f JOIN trials t ON t.id = f.trial"
            " WHERE t.package = ? AND t.old = ? AND t.new = ? ORDER BY f.number",
            (store.number(trial.package), trial.old, trial.new),
        ).fetchall()
    found = [_finding(_unpacked(row[0])) for row in rows]
    return [item for item in found if not paths or not {item.path, *item.also}.isdisjoint(paths)]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _packed(content: dict[str, Any]) -> bytes:
    return packing.deflate(json.dumps(content, ensure_ascii=True).encode())


def _unpacked(blob: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(packing.inflate(blob))
    return found


def _trial(content: dict[str, Any]) -> ExampleTrial:
    rows = tuple(Reliability(**row) for row in content.pop("reliability"))
    dependencies = tuple(content.pop("dependencies"))
    return ExampleTrial(**content, dependencies=dependencies, reliability=rows)


def _finding(content: dict[str, Any]) -> ExampleFinding:
    for name in ("uses", "keywords", "also"):
        content[name] = tuple(content[name])
    return ExampleFinding(**content | {"outcome": ExampleOutcome(content["outcome"])})
