"""What a server is asked: symbols of the history, most of them with a version that matters."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libdrift.errors import UserError
from libdrift.history.paths import public_paths
from libdrift.history.store import Store
from libdrift.records import Signature, Surface, Symbol

_CHANGED = 0.8  # of the cases, those whose version matters
_PYPI = "pypi"


@dataclass(frozen=True, slots=True)
class SymbolCase:
    """A question, and what is true: ``signature`` is of this version, ``None`` if it has none.

    ``is_changed``: the newest mined release answers otherwise.
    """

    package: str
    version: str
    symbol: str
    exists: bool
    signature: Signature | None
    is_changed: bool
    newest: str


def sample_cases(
    store: Store, count: int, seed: int = 0, packages: Sequence[str] = ()
) -> list[SymbolCase]:
    """Cases of all packages in turn, so that large ones do not fill the sample."""
    names = list(packages) or store.packages()
    chance = random.Random(seed)  # noqa: S311  (a sample, not a secret)
    pools = [pool for name in names if (pool := _cases(store, name, chance))]
    if not pools:
        where = f"{', '.join(packages)}: no" if packages else "no package has"
        raise UserError(
            f"{where} two mined releases that differ",
            f"Mine some: libdrift mine {' '.join(packages) or 'click flask'} --all-minor",
        )
    found: list[SymbolCase] = []
    while len(found) < count and pools:
        for pool in list(pools):
            changed, same = pool
            some = changed if chance.random() < _CHANGED and changed else same or changed
            if not some:
                pools.remove(pool)
                continue
            found.append(some.pop(chance.randrange(len(some))))
            if len(found) == count:
                break
    return found


def _cases(
    store: Store, package: str, chance: random.Random
) -> tuple[list[SymbolCase], list[SymbolCase]] | None:
    """Changed and unchanged symbols of one older release, against the newest mined one."""
    releases = store.releases(package)
    if len(releases) < 2 or releases[0].release.ecosystem != _PYPI:  # noqa: PLR2004  (of two)
        return None
    newest = releases[-1].release.version
    older = chance.choice(releases[:-1]).release.version
    here, there = (_offered(store.surface(package, one)) for one in (older, newest))
    changed: list[SymbolCase] = []
    same: list[SymbolCase] = []
    for path in sorted({*here, *there}):
        old, new = here.get(path), there.get(path)
        differs = old is None or new is None or _shape(old) != _shape(new)
        signature = old.signature if old is not None else None
        case = SymbolCase(package, older, path, old is not None, signature, differs, newest)
        (changed if differs else same).append(case)
    return changed, same


def _offered(surface: Surface) -> dict[str, Symbol]:
    """What can be called, by its most public path."""
    return {path: symbol for path, symbol in _callables(surface) if "._" not in path}


def _callables(surface: Surface) -> Iterator[tuple[str, Symbol]]:
    for key, (path, inner) in public_paths(surface).items():
        symbol = surface.symbols.get(key)
        if symbol is not None and symbol.signature is not None and not inner:
            yield path, symbol


def _shape(symbol: Symbol) -> tuple[tuple[str, str | None], ...]:
    given = symbol.signature.parameters if symbol.signature is not None else ()
    return tuple((item.name, item.default) for item in given)
