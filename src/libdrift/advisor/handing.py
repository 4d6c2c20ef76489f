"""Whether a function hands its ``**keywords`` on to what knows them, as its documentation tells."""

from __future__ import annotations

import re

from libdrift.history.views import View
from libdrift.records import Symbol

_WORD = re.compile(r"[A-Za-z_]\w*")


def still_takes(symbol: Symbol, path: str, parameter: str, view: View) -> bool:
    """Whether a parameter that a signature does not name works as before.

    The documentation speaks of it, or of a function beside this one that has it.
    """
    said = set(_WORD.findall(symbol.doc)) - {path.rpartition(".")[2]}
    if parameter in said:
        return True
    owner = path.rpartition(".")[0]
    return any(_has(view.symbol(f"{owner}.{name}"), parameter) for name in sorted(said))


def _has(symbol: Symbol | None, parameter: str) -> bool:
    if symbol is None or symbol.signature is None:
        return False
    return any(item.name == parameter for item in symbol.signature.parameters)
