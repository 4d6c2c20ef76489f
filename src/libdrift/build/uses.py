"""The calls of pinned libraries that tasks can be made of: one of each chain, none in doubt.

*Direct* uses go by the import (``plt.figure()``), *indirect* ones are on a value that came from
the library: ``ax = plt.subplot(); ax.plot()``. A chain of calls is one use, of its last call.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from libdrift.build.pins import Libraries
from libdrift.build.releases import ReleaseAt
from libdrift.languages.python import usage
from libdrift.languages.python.usage import PLAIN_NAMES, Certainty, Reason, UseKind

# Why a call is no use, as it is counted.
PRIVATE = "use: private name"
PLAIN = "use: method that plain values have too, on a value of unknown class"
NOBODYS = "use: method that no class of the pinned release has"
LACKING = "use: not in the pinned release"
QUOTED = "use: inside an f-string"  # a prompt would end inside a string

Lookup = Callable[[str], ReleaseAt | None]  # the mined release of a pinned library


class Access(StrEnum):
    DIRECT = "direct"
    INDIRECT = "indirect"


@dataclass(frozen=True, slots=True, order=True)
class CallUse:
    """A call. Lines count from 1, columns from 0 and in bytes, as the syntax tree has them."""

    line: int
    column: int
    end_line: int
    end_column: int
    name_line: int  # where the API's own name stands
    library: str
    symbol: str  # in full, or as the code writes it where the value's class is unknown
    token: str  # the last name, as written
    root: str  # what the expression begins with: plt, ax, self.model; empty for a bare name
    access: Access
    is_resolved: bool


@dataclass(frozen=True, slots=True)
class FileUses:
    uses: tuple[CallUse, ...]  # in the order of the file
    aliases: Mapping[str, tuple[str, ...]]  # of each library: the names that imports give it
    left_out: Mapping[str, int]


def find(tree: ast.Module, libraries: Libraries, release: Lookup) -> FileUses:
    """All uses of pinned libraries. Raises ``RecursionError`` where code is nested too deep."""
    reading = usage.read(tree, libraries, release)
    left_out: Counter[str] = Counter()
    chains: dict[int, usage.Use] = {}
    for use in reading.uses:
        if use.kind is not UseKind.CALL or use.why is Reason.INHERITED or _is_module(use):
            continue
        reason = _doubt(use, release(use.package))
        if reason:
            left_out[reason] += 1
            continue
        last = chains.setdefault(use.chain, use)
        if _end(use) > _end(last):
            chains[use.chain] = use
    left_out[QUOTED] += sum(use.is_quoted for use in chains.values())
    found = sorted(_use(use) for use in chains.values() if not use.is_quoted)
    return FileUses(tuple(found), reading.aliases, +left_out)


def _is_module(use: usage.Use) -> bool:
    """A module, which nobody calls."""
    return not use.is_member and "." not in use.path


def _end(use: usage.Use) -> tuple[int, int]:
    return (use.call.end_line, use.call.end_column) if use.call else (0, 0)


def _is_resolved(use: usage.Use) -> bool:
    """A member that its class has not is of a class below the one that annotations tell."""
    return not use.is_member or (use.certainty > Certainty.GUESSED and not use.is_missing)


def _doubt(use: usage.Use, release: ReleaseAt | None) -> str:
    if use.name.startswith("_") or (not use.is_member and "._" in use.path):
        return PRIVATE
    if use.is_missing and not use.is_member:
        return LACKING
    of_value = release is not None and release.is_of_value(use.path)
    if _is_resolved(use) and not of_value:
        return ""
    if use.name in PLAIN_NAMES:
        return PLAIN
    return NOBODYS if release is not None and not release.has_member(use.name) else ""


def _use(use: usage.Use) -> CallUse:
    call = use.call or use.span
    return CallUse(
        call.line,
        call.column,
        call.end_line,
        call.end_column,
        use.span.end_line,
        use.package,
        use.path if _is_resolved(use) else use.written,
        use.name,
        use.root,
        Access.INDIRECT if use.is_member else Access.DIRECT,
        _is_resolved(use),
    )
