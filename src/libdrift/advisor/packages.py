"""Which of the packages that are checked a module is of."""

from __future__ import annotations

from collections.abc import Iterable

from libdrift.advisor.releases import ReleasePair


class CheckedPackages:
    """Which package a module is of, among those that are checked."""

    def __init__(self, pairs: Iterable[ReleasePair]) -> None:
        self._roots = {root: pair.package for pair in pairs for root in pair.roots}

    def of(self, module: str) -> str | None:
        while module:
            found = self._roots.get(module)
            if found is not None:
                return found
            module = module.rpartition(".")[0]
        return None

    @property
    def roots(self) -> tuple[str, ...]:
        return tuple(self._roots)
