"""Which releases tasks need in the history: their own, and another one to mislead with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from libdrift.config import Settings
from libdrift.errors import LibdriftError
from libdrift.history import versions
from libdrift.history.store import Store
from libdrift.mining import MiningOptions, Runtime, mine
from libdrift.records import Task

Needed = tuple[str, str]  # package and version


@dataclass(frozen=True, slots=True)
class Unmined:
    """A release that could not be mined."""

    package: str
    version: str
    reason: str


def other_release(task: Task, store: Store) -> str | None:
    """Another mined release of the task's library, whose documents mislead.

    That for which the task's wrong answer was written; else the nearest on the other side of the
    change; else the one that is farthest away.
    """
    library, own = task.facts.library, task.facts.version
    known = store.versions(store.number(library))
    others = [version for version in known if not versions.same(version, own)]
    if not others:
        return None
    pinned = _wrong_version(task)
    for version in others:
        if pinned and versions.same(version, pinned):
            return version
    change = task.facts.changed_in
    if change:
        edge, here = versions.order(change), versions.order(own)
        before = [version for version in others if versions.order(version) < edge]
        after = [version for version in others if versions.order(version) >= edge]
        across = before[-1:] if here >= edge else after[:1]
        if across:
            return across[0]
    place = sum(versions.order(version) < versions.order(own) for version in others)
    return others[0] if place > len(others) - place else others[-1]


def missing(tasks: Iterable[Task], store: Store, *, other: bool = False) -> tuple[Needed, ...]:
    """The releases that tasks need and the history has not, each once.

    With ``other``, those for which their wrong answers were written, too.
    """
    found: dict[Needed, None] = {}
    for task in tasks:
        if task.language != "python":
            continue
        wrong = _wrong_version(task) if other else ""
        for version in (task.facts.version, wrong):
            known = store.versions(store.number(task.facts.library))
            if version and not any(versions.same(version, item) for item in known):
                found[task.facts.library, version] = None
    return tuple(found)


def mine_missing(needed: Sequence[Needed], store: Store, settings: Settings) -> tuple[Unmined, ...]:
    """Read releases into the history, without importing them; what failed is told."""
    packages: dict[str, list[str]] = {}
    for package, version in needed:
        packages.setdefault(package, []).append(version)
    failed: list[Unmined] = []
    for package, wanted in packages.items():
        options = MiningOptions(versions=tuple(wanted), runtime=Runtime.NEVER)
        reasons: dict[str, str] = {}
        try:
            result = mine([package], options, store, settings)
            reasons = {event.release.version: event.reason for event in result.failed}
            why = "; ".join(result.complaints)
        except LibdriftError as error:
            why = str(error)
        known = store.versions(store.number(package))
        failed += [
            Unmined(package, version, reasons.get(version) or why or "there is no such release")
            for version in wanted
            if not any(versions.same(version, item) for item in known)
        ]
    return tuple(failed)


def _wrong_version(task: Task) -> str:
    """The version of the library that the task's wrong answer is right for."""
    library = canonicalize_name(task.facts.library)
    for line in task.wrong.environment.requirements if task.wrong else ():
        try:
            item = Requirement(line)
        except InvalidRequirement:
            continue
        if canonicalize_name(item.name) == library:
            pins = [spec.version for spec in item.specifier if spec.operator in {"==", "==="}]
            return pins[0] if pins else ""
    return ""
