"""What changed between two releases, of what concerns some symbols or some code."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from libdrift.errors import UserError
from libdrift.history import versions
from libdrift.history.questions import Diff
from libdrift.history.questions import diff as compared
from libdrift.history.spelling import dotted
from libdrift.jobs import on_demand as missing
from libdrift.jobs.answering.context import NAMED, AnswerContext, ServedRelease, read_missing
from libdrift.jobs.histories import open_history
from libdrift.records import Change

_COMPARING = threading.Lock()
_KEPT = 64  # comparisons that are kept: an agent asks of one upgrade again and again


@dataclass(frozen=True, slots=True)
class ChangesQuestion:
    """``symbols`` or ``code`` say what of it is wanted; with neither it is all that breaks."""

    package: str
    old: str
    new: str
    symbols: tuple[str, ...] = ()
    code: str | None = None


@dataclass(frozen=True, slots=True)
class ChangesAnswer:
    old: ServedRelease
    new: ServedRelease
    changes: tuple[Change, ...]
    asked: str  # in words, of what
    others: int = 0  # changes between the two that were not asked for
    partial: tuple[str, ...] = ()  # releases that could not be read whole


def changes(context: AnswerContext, asked: ChangesQuestion) -> ChangesAnswer:
    """The changes from one release to a later one, or backwards from a later to an earlier."""
    if asked.symbols and asked.code is not None:
        raise UserError("both symbols and code are given", "Give one of them")
    old = _release(context, asked.package, asked.old)
    new = _release(context, asked.package, asked.new)
    if versions.order(old.version) > versions.order(new.version):
        raise UserError(
            f"{old.version} is later than {new.version}",
            "Ask from the earlier to the later version",
        )
    used = set() if asked.code is None else _used(context, asked.code, old)
    found = _diff(context.history, asked.package, old.version, new.version)
    chosen, words = _chosen(found.changes, asked, used)
    return ChangesAnswer(
        old, new, tuple(chosen), words, len(found.changes) - len(chosen), found.partial
    )


def _release(context: AnswerContext, package: str, version: str) -> ServedRelease:
    found = missing.exactly(context.history, package, version, context.on_demand)
    read_missing(context.history, found, context.on_demand)
    return context.served(found.package, found.versions[0], NAMED)


def _diff(path: Path, package: str, old: str, new: str) -> Diff:
    # What is mined between two releases tells more of them: with it, the comparison is another.
    mined = tuple(missing.mined_versions(path, package))
    return _kept(path, package, old, new, mined)


@lru_cache(maxsize=_KEPT)
def _kept(path: Path, package: str, old: str, new: str, mined: tuple[str, ...]) -> Diff:
    del mined
    # Two releases of a large package take 150 MB: several pairs at once are too much for a server.
    with _COMPARING:
        with open_history(path) as history:
            found = compared(history, package, old, new)
        _give_back_memory()
    return found


def _give_back_memory() -> None:
    """To the system: the C library keeps what was freed, where it has this call."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _chosen(
    found: Sequence[Change], asked: ChangesQuestion, used: Iterable[str]
) -> tuple[list[Change], str]:
    if asked.symbols:
        wanted = {dotted(symbol).strip() for symbol in asked.symbols}
        return _concerning(found, wanted, inner=True), f"concerning {', '.join(sorted(wanted))}"
    if asked.code is not None:
        return _concerning(found, used, inner=False), "concerning what the code uses"
    return [change for change in found if change.breaking], "that break code"


def _concerning(found: Sequence[Change], wanted: Iterable[str], *, inner: bool) -> list[Change]:
    """Changes of some symbols and of what holds them; ``inner``: of what they hold, too."""
    names = set(wanted)
    # A class or module that is gone takes its members along.
    owners = {path.rpartition(".")[0] for path in names}

    def is_wanted(path: str) -> bool:
        if path in names or ("." in path and path in owners):
            return True
        above = path.rpartition(".")[0]
        while inner and above:
            if above in names:
                return True
            above = above.rpartition(".")[0]
        return False

    return [item for item in found if any(map(is_wanted, (item.path, *item.aliases)))]


def _used(context: AnswerContext, code: str, old: ServedRelease) -> set[str]:
    """The paths that code uses of a release."""
    from libdrift.advisor.checking import parsed
    from libdrift.advisor.packages import CheckedPackages
    from libdrift.advisor.releases import ReleasePair
    from libdrift.languages.python import usage

    tree = parsed(code)
    if isinstance(tree, str):
        raise UserError(f"the code does not parse: {tree}", "Send code that parses")
    with open_history(context.history) as history:
        surface = history.surface(old.package, old.version)
    pair = ReleasePair(surface, surface)
    try:
        reading = usage.read(tree, CheckedPackages([pair]), lambda _: pair.old_types)
    except RecursionError as error:
        raise UserError("the code is nested too deep", "Send less of it") from error
    return {path for use in reading.uses for path in (use.path, use.canonical) if path}
