"""Which releases tasks need in the history: their own, and another one to mislead with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from libdrift.errors import LibdriftError
from libdrift.history import versions
from libdrift.history.mining import Event, Failed, Listed, Missing, Options, Runtime, mine
from libdrift.history.store import Store
from libdrift.languages.python.index import Index
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


def mine_missing(
    needed: Sequence[Needed],
    store: Store,
    index: Index,
    cache: Path,
    progress: Callable[[Event], None] | None = None,
) -> tuple[Unmined, ...]:
    """Read releases into the history, without importing them; what failed is told."""
    packages: dict[str, list[str]] = {}
    for package, version in needed:
        packages.setdefault(package, []).append(version)
    failed: list[Unmined] = []
    for package, wanted in packages.items():
        reasons: dict[str, str] = {}
        options = Options(versions=tuple(wanted), runtime=Runtime.NEVER)
        try:
            for event in mine([package], options, store, index, cache):
                _note(event, reasons)
                if progress is not None:
                    progress(event)
        except LibdriftError as error:
            reasons.setdefault("", str(error))
        for version in wanted:
            known = store.versions(store.number(package))
            if not any(versions.same(version, item) for item in known):
                reason = reasons.get(version) or reasons.get("") or "the index has no such release"
                failed.append(Unmined(package, version, reason))
    return tuple(failed)


def _note(event: Event, reasons: dict[str, str]) -> None:
    """Why something failed, by version; what concerns all of them by none."""
    if isinstance(event, Failed):
        reasons[event.release.version] = event.reason
    elif isinstance(event, Missing):
        reasons[""] = str(event.error)
    elif isinstance(event, Listed) and event.problems:
        reasons[""] = "; ".join(event.problems)


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
