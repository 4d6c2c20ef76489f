"""Which releases tasks need in the history: their own, and another one to mislead with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from libdrift.config import Settings
from libdrift.errors import LibdriftError, UserError
from libdrift.history import versions
from libdrift.history.questions import document
from libdrift.history.questions.documents import may_be_unseen
from libdrift.history.spelling import is_typed, mined_as
from libdrift.history.store import Store, StoredRelease
from libdrift.languages.python.usage import mentions
from libdrift.mining import MiningOptions, Runtime, mine
from libdrift.mining.crew import NOT_IMPORTED
from libdrift.records import Task

Needed = tuple[str, str]  # package and version


@dataclass(frozen=True, slots=True)
class Unmined:
    """A release that could not be mined."""

    package: str
    version: str
    reason: str


def release_of(task: Task) -> Needed:
    """The release of a task's library, by the name that the history has for it."""
    return mined_as(task.facts.library, task.language), task.facts.version


def other_release(task: Task, store: Store) -> str | None:
    """Another mined release of the task's library, whose documents mislead.

    That for which the task's wrong answer was written; else the nearest on the other side of the
    change; else the one that is farthest away.
    """
    library, own = release_of(task)
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
    for package, version, _ in _wanted(tasks, other=other):
        known = store.versions(store.number(package))
        if not any(versions.same(version, item) for item in known):
            found[package, version] = None
    return tuple(found)


def _wanted(tasks: Iterable[Task], *, other: bool) -> Iterator[tuple[str, str, Task]]:
    for task in tasks:
        package, own = release_of(task)
        if task.language != "python" and not is_typed(package):
            continue  # of a registry that is not mined
        wrong = _wrong_version(task) if other else ""
        yield from ((package, version, task) for version in (own, wrong) if version)


def undocumented(tasks: Iterable[Task], store: Store, *, other: bool = False) -> tuple[Needed, ...]:
    """Mined releases that an import would tell more of: of the very APIs that tasks are about.

    Of what is compiled, reading tells at most the name; of what a decorator documents, no text. A
    release that was imported, or could not be, is not named again.
    """
    found: dict[Needed, None] = {}
    known: dict[str, list[StoredRelease]] = {}
    for package, version, task in _wanted(tasks, other=other):
        if task.language != "python" or (package, version) in found:
            continue
        if package not in known:
            known[package] = [item for item in store.releases(package) if _is_only_read(item)]
        held = [item for item in known[package] if versions.same(item.release.version, version)]
        if held and _is_dark(store, task, held[0]):
            found[package, version] = None
    return tuple(found)


def _is_only_read(stored: StoredRelease) -> bool:
    tried = any(gap.startswith(NOT_IMPORTED) for gap in stored.origin.gaps)
    return not stored.origin.runtime and not tried


def _is_dark(store: Store, task: Task, stored: StoredRelease) -> bool:
    """Whether there is no document on what a task is about: its API, else what its reference uses.

    An API that is not there may be one that reading does not show.
    """
    package, version = stored.release.package, stored.release.version
    symbol = (task.facts.symbol or "").partition("(")[0].strip()
    for path in [symbol] if symbol else mentions(task.reference).used:
        if store.package_of(path) != package:
            continue
        try:
            found = document(store, path, version).symbol
        except UserError:
            if symbol and may_be_unseen(store, path, version):
                return True
        else:
            if not found.doc.strip() and not _is_plain(found.value):
                return True
    return False


def _is_plain(value: str) -> bool:
    """A number or a text needs no documentation, and has none."""
    try:
        ast.literal_eval(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True


def mine_missing(needed: Sequence[Needed], store: Store, settings: Settings) -> tuple[Unmined, ...]:
    """Read releases into the history, without importing them; what failed is told."""
    failed: list[Unmined] = []
    for package, wanted in _by_package(needed):
        options = MiningOptions(versions=wanted, runtime=Runtime.NEVER)
        reasons, why = _mined(package, options, store, settings)
        known = store.versions(store.number(package))
        failed += [
            Unmined(package, version, reasons.get(version) or why or "there is no such release")
            for version in wanted
            if not any(versions.same(version, item) for item in known)
        ]
    return tuple(failed)


def import_mined(needed: Sequence[Needed], store: Store, settings: Settings) -> tuple[Unmined, ...]:
    """Import releases that were only read; those of which that was no success are told."""
    failed: list[Unmined] = []
    for package, wanted in _by_package(needed):
        options = MiningOptions(versions=wanted, runtime=Runtime.ALWAYS)
        reasons, why = _mined(package, options, store, settings)
        failed += [
            Unmined(package, item.release.version, _gap(item) or reasons.get(version) or why)
            for version in wanted
            for item in store.releases(package)
            if versions.same(version, item.release.version) and not item.origin.runtime
        ]
    return tuple(failed)


def _gap(stored: StoredRelease) -> str:
    return next((gap for gap in stored.origin.gaps if gap.startswith("not imported")), "")


def _by_package(needed: Sequence[Needed]) -> Iterator[tuple[str, tuple[str, ...]]]:
    packages: dict[str, list[str]] = {}
    for package, version in needed:
        packages.setdefault(package, []).append(version)
    yield from ((package, tuple(wanted)) for package, wanted in packages.items())


def _mined(
    package: str, options: MiningOptions, store: Store, settings: Settings
) -> tuple[dict[str, str], str]:
    """Why releases were not mined, by version; and why none was."""
    try:
        result = mine([package], options, store, settings)
    except LibdriftError as error:
        return {}, str(error)
    reasons = {event.release.version: event.reason for event in result.failed}
    return reasons, "; ".join(result.complaints)


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
