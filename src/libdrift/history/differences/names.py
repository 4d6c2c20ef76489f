"""Names of modules that one release has and another has not, each thing once."""

from __future__ import annotations

import builtins
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libdrift.history.differences.renames import RenameCandidate
from libdrift.history.views import View
from libdrift.records import Binding, Provenance, Symbol, SymbolKind

# Names that a module has for its own annotations.
_TYPING = re.compile(r"\b(?:TypeVar|TypeVarTuple|ParamSpec)\(")
_DEFINED = {SymbolKind.FUNCTION, SymbolKind.CLASS}  # with code of their own
_UNREAD = 0.7  # confidence in what a module lacks that may answer to more than was read


@dataclass(frozen=True, slots=True)
class Absent:
    """``things`` in their own right; ``within``: those that went with their whole module."""

    things: Sequence[RenameCandidate]
    within: Sequence[RenameCandidate]


def pairs(old: View, new: View) -> dict[tuple[str, str], list[str]]:
    """Symbols that one path reaches in both releases, with all such paths.

    A path that is an accident in both counts only where the symbol has no better one: it may well
    reach something else by the same name.
    """
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for target, paths in old.paths.items():
        both = [
            (path, name)
            for path in paths
            if (name := new.find(path)) and not new.is_forwarded(path)
        ]
        meant = [item for item in both if old.promised(item[0]) and new.promised(item[0])]
        for path, name in meant or both[:1]:
            found[target, name.target].append(path)
    return found


def absent(view: View, other: View) -> Absent:
    """What ``view`` offers and ``other`` does not."""
    gone = {path for path in view.names if other.find(path) is None}
    modules = {path for path in gone if _is_module(view, path)}
    things: list[RenameCandidate] = []
    within: list[RenameCandidate] = []
    for target in dict.fromkeys(view.names[path].target for path in gone):
        paths = [path for path in view.paths[target] if path in gone and view.promised(path)]
        if not paths or not _counts(view, other, target, paths[0]):
            continue
        kept = tuple(
            path for path in view.paths[target] if path not in gone and other.promised(path)
        ) or tuple(_namesakes(view, other, target, paths[0]))
        alone = [path for path in paths if not _inside(path, modules)]
        if not alone:
            if not kept:
                within.append(_thing(view, other, target, paths, kept))
        elif not kept or _is_loss(view, other, alone[0], kept[0]):
            things.append(_thing(view, other, target, alone, kept))
    things.sort(key=lambda thing: thing.path)
    return Absent(things, within)


def _namesakes(view: View, other: View, target: str, path: str) -> Iterator[str]:
    """The same name further out, that stays.

    It is surely the same thing where that is known by name alone, or where the path is inner:
    numpy.core.numeric.sin is numpy.sin, however many definitions import makes of it.
    """
    symbol = view.symbols.get(target)
    vague = symbol is not None and symbol.kind is SymbolKind.UNKNOWN
    if (symbol and "external" in symbol.traits) or not (vague or view.is_inner(path)):
        return
    parent, _, last = path.rpartition(".")
    while parent := parent.rpartition(".")[0]:
        outer = f"{parent}.{last}"
        if view.promised(outer) and other.promised(outer):
            yield outer


def _is_loss(view: View, other: View, path: str, kept: str) -> bool:
    """Whether a path matters of a thing that has another: not any inner one, nor one forwarded."""
    if view.is_inner(path) and not view.is_inner(kept):
        # Unless its own definition was there, and went from a module that stays.
        return _is_own(view, path) and _is_written_down(view, other, path)
    if other.is_buried(path):
        return True
    parent = other.find(path.rpartition(".")[0])
    if parent is None or other.answers(parent.target):
        return True
    return not other.is_hazy(parent.target) or _is_written_down(view, other, path)


def _is_own(view: View, path: str) -> bool:
    module = view.find(path.rpartition(".")[0])
    return module is not None and view.names[path].target.startswith(f"{module.target}:")


def _is_written_down(view: View, other: View, path: str) -> bool:
    """Whether a name is one that ``other`` would write down too, however its module is made."""
    parent, _, label = path.rpartition(".")
    name, owner = view.names[path], other.find(parent)
    symbol = view.symbols.get(name.target)
    if symbol is None or symbol.kind not in _DEFINED or "external" in symbol.traits:
        return False
    if any(Provenance.STATIC not in known for known in (name.provenance, symbol.provenance)):
        return False
    return owner is not None and other.shows(owner.target, label)


def _thing(
    view: View, other: View, target: str, paths: Sequence[str], kept: tuple[str, ...]
) -> RenameCandidate:
    parent = other.find(paths[0].rpartition(".")[0])
    hazy = parent is not None and other.is_hazy(parent.target)
    sure = _UNREAD if hazy and paths[0] not in other.surface.tombstones else 1.0
    return RenameCandidate(
        paths[0], target, view.symbols.get(target), tuple(paths[1:]), kept, sure=sure
    )


def _counts(view: View, other: View, target: str, path: str) -> bool:
    """Whether the absence is known, and of something that is the package's to offer."""
    symbol = view.symbols.get(target)
    if view.is_forwarded(path) or (symbol and _TYPING.search(symbol.value)):
        return False
    module = target.partition(":")[0]
    foreign = symbol is not None and "external" in symbol.traits
    if foreign and view.names[path].binding is Binding.REEXPORTED:
        # `from os import getcwd` in a package's own module; `from compat import range`
        label = path.rpartition(".")[2]
        if _is_pythons(module) or hasattr(builtins, label):
            return False
    if other.is_buried(path):
        return True
    if other.may_miss(symbol, view.names[path]):
        return False
    above, _, last = path.rpartition(".")
    parent = other.find(above)
    if parent is not None and (other.is_dark(parent.target) or other.imports(parent.target, last)):
        return False
    return not other.is_dark(module)


def _is_pythons(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _is_module(view: View, path: str) -> bool:
    symbol: Symbol | None = view.symbols.get(view.names[path].target)
    return symbol is not None and symbol.kind is SymbolKind.MODULE


def _inside(path: str, modules: set[str]) -> bool:
    parent = path.rpartition(".")[0]
    while parent:
        if parent in modules:
            return True
        parent = parent.rpartition(".")[0]
    return False
