"""What every language's surfaces keep to, so that the rest of the house can read them."""

from __future__ import annotations

from libdrift.history.diff import compare
from libdrift.records import Surface
from tests.history.small import stored


def check(surface: Surface) -> None:
    """Fails where a surface is not one that history, diff and retrieval understand."""
    assert surface.roots
    assert surface.symbols
    for scope, names in surface.scopes.items():
        assert scope in surface.symbols, f"{scope} has names, and is nothing itself"
        for label, name in names.items():
            assert name.target in surface.symbols, f"{scope} has {label}, which leads nowhere"
    for symbol_id, symbol in surface.symbols.items():
        assert symbol.id == symbol_id
    paths = dict(surface.walk())
    assert len(paths) > len(surface.roots)
    for path, name in paths.items():
        found = surface.resolve(path)
        assert found is not None, f"{path} is not found again"
        assert found.id == name.target
    assert compare(surface, surface) == []
    with stored(surface) as store:
        assert store.surface(surface.release.package, surface.release.version) == surface
