"""Which packages a program imports, among those that a lock file or an environment names.

Which names a package offers is told by its releases (``sklearn`` is scikit-learn's): by those in
the history, by its own name, and where that leaves an import unexplained, by mining more.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from libdrift.advisor.checking import parsed
from libdrift.advisor.programs import SourceProgram
from libdrift.errors import LibdriftError
from libdrift.history.differences.signatures import likeness
from libdrift.languages.python.usage import all_imported

Roots = Callable[[str], Sequence[str] | None]  # of a package, where some release of it is known
_LIKE = 0.5  # likeness of an import's name and a package's that is worth a look into the package


def imported_tops(found: Iterable[SourceProgram]) -> dict[str, None]:
    """The top names of all that programs import, the standard library and themselves aside."""
    tops: dict[str, None] = {}
    own: set[str] = set()
    for program in found:
        path = Path(program.file)
        own |= {path.stem, path.parent.name}
        tree = parsed(program.code)
        if isinstance(tree, str):
            continue
        for item in all_imported(ast.walk(tree)):
            if not item.is_relative:
                tops[item.full.partition(".")[0]] = None
    skipped = own | sys.stdlib_module_names
    return {name: None for name in tops if name not in skipped}


def chosen(
    tops: Iterable[str],
    candidates: Mapping[str, str],
    known: Roots,
    learn: Callable[[str], Sequence[str]],
) -> list[str]:
    """The candidates that programs import something of.

    ``known`` tells what a package offers without work; ``learn`` mines it, and may raise.
    """
    left = dict.fromkeys(tops)
    found: list[str] = []
    unknown: list[str] = []
    for package in candidates:
        roots = known(package)
        if roots is None and package.replace("-", "_") in {top.lower() for top in left}:
            roots = [top for top in left if top.lower() == package.replace("-", "_")]
        if roots is None:
            unknown.append(package)
        elif _take(roots, left):
            found.append(package)
    for package in sorted(unknown, key=lambda name: -_alike(name, left)):
        if _alike(package, left) < _LIKE:
            break
        try:
            if _take(learn(package), left):
                found.append(package)
        except LibdriftError:
            continue  # told by whoever loads it, should it matter
    return found


def _take(roots: Iterable[str], left: dict[str, None]) -> bool:
    tops = {root.partition(".")[0] for root in roots} & left.keys()
    for top in tops:
        del left[top]
    return bool(tops)


def _alike(package: str, tops: Iterable[str]) -> float:
    words = [package, *package.split("-")]
    return max((likeness(word, top) for top in tops for word in words), default=0.0)
