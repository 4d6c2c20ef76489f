"""Small surfaces for the tests of the store and of its readers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date

from libdrift.history.store import Store, schema
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Parameter,
    ParameterKind,
    Release,
    Signature,
    Surface,
    Symbol,
    SymbolKind,
)


def signature(*names: str) -> Signature:
    """``signature("a", "b=1")``: plain parameters, with a default where there is one."""
    parts = [name.partition("=") for name in names]
    return Signature(
        tuple(
            Parameter(name, ParameterKind.POSITIONAL, default if equals else None)
            for name, equals, default in parts
        )
    )


def function(where: str, *names: str, doc: str = "", gone: str = "", use: str = "") -> Symbol:
    kind = SymbolKind.METHOD if "." in where.partition(":")[2] else SymbolKind.FUNCTION
    evidence = (Deprecation("warning", gone, replacement=use),) if gone else ()
    return Symbol(where, kind, signature(*names), doc, evidence)


def klass(where: str, *bases: str, doc: str = "") -> Symbol:
    return Symbol(where, SymbolKind.CLASS, None, doc, bases=bases)


def surface(
    version: str,
    *symbols: Symbol,
    names: Mapping[str, str] | None = None,
    day: date | None = None,
    outside: Mapping[str, tuple[str, ...]] | None = None,
    tombstones: Mapping[str, str] | None = None,
) -> Surface:
    """A release of ``pkg``: each symbol has its name where it is defined.

    ``names`` are further ones: ``{"pkg.frame": "pkg.core:frame"}``.
    """
    found = {symbol.id: symbol for symbol in symbols}
    scopes: dict[str, dict[str, Name]] = {}
    waiting = ["pkg", *found]
    for item in waiting:
        scope, colon, rest = item.partition(":")
        if not colon:
            found.setdefault(item, Symbol(item, SymbolKind.MODULE))
            scopes.setdefault(item, {})
            above, _, last = item.rpartition(".")
            if above:
                waiting.append(above)
                scopes.setdefault(above, {})[last] = Name(item, Binding.SUBMODULE)
            continue
        waiting.append(scope)
        holder, _, last = rest.rpartition(".")
        scopes.setdefault(f"{scope}:{holder}" if holder else scope, {})[last] = Name(item)
        if found[item].kind is SymbolKind.CLASS:
            scopes.setdefault(item, {})
    for path, target in (names or {}).items():
        above, _, last = path.rpartition(".")
        scopes.setdefault(above, {})[last] = Name(target, Binding.REEXPORTED)
    return Surface(
        Release("pypi", "pkg", version, day),
        ("pkg",),
        found,
        scopes,
        outside or {},
        tombstones or {},
    )


@contextmanager
def stored(*surfaces: Surface) -> Iterator[Store]:
    """A store in memory with some releases."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    schema.upgrade(db, "memory")
    with Store(db, "memory") as store:
        for item in surfaces:
            store.add(item)
        yield store
