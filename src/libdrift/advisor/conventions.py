"""What a release's own documentation calls values of its classes: ``df = pd.DataFrame(…)``."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from libdrift.history.views import View
from libdrift.languages.python.usage import ReleaseTypes
from libdrift.records import Symbol

_ASSIGNED = re.compile(
    r"^[ \t]*(?:>>>|\.\.\.)[ \t]*([A-Za-z_]\w+)[ \t]*=(?!=)[ \t]*(.+)", re.MULTILINE
)
_MADE = re.compile(r"(?:\w+\.)*([A-Z]\w*)\(")
_OFTEN, _MOSTLY = 10, 0.8  # so often, and in such a part of all cases


class Conventions:
    """Of one release."""

    def __init__(self, view: View, types: ReleaseTypes) -> None:
        self._view, self._types = view, types
        self._known: dict[str, str] = {}

    def likely_class(self, variable: str) -> str:
        """The class whose values the documentation gives such a name, by its path."""
        if variable not in self._known:
            paths = self._view.by_last.get(called_like(variable, self._names), ())
            self._known[variable] = next((one for one in paths if self._types.is_class(one)), "")
        return self._known[variable]

    @cached_property
    def _names(self) -> Mapping[str, str]:
        return names_of_values(self._view.symbols.values())


def names_of_values(symbols: Iterable[Symbol]) -> Mapping[str, str]:
    """Of variables that examples nearly always give to one class: the class's own name."""
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for symbol in symbols:
        for name, value in _ASSIGNED.findall(symbol.doc) if symbol.doc else ():
            made = _MADE.match(value)
            told[name][made[1] if made else ""] += 1
    found = {}
    for name, counts in told.items():
        kind, often = counts.most_common(1)[0]
        if kind and often >= _OFTEN and often >= _MOSTLY * counts.total():
            found[name] = kind
    return found


def called_like(variable: str, names: Mapping[str, str]) -> str:
    """The class that a variable's name tells of: ``df``, ``self.df``, ``sales_df``, ``df_2``."""
    words = variable.rpartition(".")[2].strip("_0123456789").split("_")
    told = {names[word] for word in (words[0], words[-1]) if word in names}
    return told.pop() if len(told) == 1 else ""
