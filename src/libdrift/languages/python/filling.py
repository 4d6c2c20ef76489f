"""Names that functions may give to a class, where a table of them is made as they run.

``add_methods(cls)`` gets ``{"add": …, "sub": …}`` from a second function, and has a third set each
of them on the class: which ones, reading cannot tell.
"""

from __future__ import annotations

from libdrift.languages.python.borrowing import REFERENCE
from libdrift.languages.python.linking import Linker
from libdrift.languages.python.making import MAY_FILL, SETS
from libdrift.languages.python.parsed import ParsedReference


def given_as_it_runs(maker: ParsedReference | None, linker: Linker) -> list[str]:
    """What the function and those that it hands the class on to may give; none sets it, none is."""
    found = _named(maker, linker, set())
    return sorted(found - {SETS}) if SETS in found else []


def _named(maker: ParsedReference | None, linker: Linker, seen: set[str]) -> set[str]:
    found: set[str] = set()
    if maker is None or maker.definition is None:
        return found
    for label in maker.definition.lists.get(MAY_FILL, ()):
        if not label.startswith(REFERENCE):
            found.add(label)
        elif label not in seen:
            seen.add(label)
            found |= _named(
                linker.dotted(maker.module, label.removeprefix(REFERENCE)), linker, seen
            )
    return found
