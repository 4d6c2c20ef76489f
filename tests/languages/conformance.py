"""What every language's surfaces keep to, so that the rest of the house can read them."""

from __future__ import annotations

from collections.abc import Iterator

from libdrift.history.differences.diff import compare
from libdrift.records import Surface
from tests.history.small import stored


def faults(surface: Surface) -> Iterator[str]:
    """Where a surface is not one that history, diff and retrieval understand."""
    for scope, names in surface.scopes.items():
        if scope not in surface.symbols:
            yield f"{scope} has names, and is nothing itself"
        for label, name in names.items():
            if name.target not in surface.symbols:
                yield f"{scope} has {label}, which leads nowhere"
    for symbol_id, symbol in surface.symbols.items():
        if symbol.id != symbol_id:
            yield f"{symbol_id} calls itself {symbol.id}"
    paths = dict(surface.walk())
    if len(paths) <= len(surface.roots):
        yield "nothing is offered"
    for path, name in paths.items():
        found = surface.resolve(path)
        if found is None or found.id != name.target:
            yield f"{path} is not found again"
    if compare(surface, surface):
        yield "it differs from itself"
    release = surface.release
    with stored(surface) as store:
        if store.surface(release.package, release.version) != surface:
            yield "it does not come back from the store as it was"
