"""Small surfaces of the JDK, with what some releases really have."""

from __future__ import annotations

from datetime import date

from libdrift.build.live.java_changes import JdkStep
from libdrift.records import (
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


def klass(identity: str) -> Symbol:
    return Symbol(identity, SymbolKind.CLASS)


def method(
    identity: str, *taken: str, returns: str = "void", deprecated: str = "", static: bool = False
) -> Symbol:
    names = (
        Parameter(f"p{at}", ParameterKind.POSITIONAL_ONLY, annotation=kind)
        for at, kind in enumerate(taken)
    )
    return Symbol(
        identity,
        SymbolKind.METHOD,
        Signature(tuple(names), returns),
        deprecations=(Deprecation("annotation", since=deprecated),) if deprecated else (),
        traits=("staticmethod",) if static else (),
    )


def surface(version: str, day: date, *symbols: Symbol) -> Surface:
    scopes: dict[str, dict[str, Name]] = {}
    for symbol in symbols:
        package, _, label = symbol.id.partition(":")
        owner, _, name = label.partition("(")[0].rpartition(".")
        bracket = label[len(label.partition("(")[0]) :]
        scope = f"{package}:{owner}" if owner else package
        scopes.setdefault(scope, {})[name + bracket] = Name(symbol.id)
    roots = tuple(sorted({symbol.id.partition(":")[0] for symbol in symbols}))
    known = {symbol.id: symbol for symbol in symbols}
    return Surface(Release("jdk", "jdk", version, day), roots, known, scopes)


def thread_step() -> JdkStep:
    """Java 19 deprecates ``Thread.getId``, and brings ``threadId`` in its place."""
    shared = [
        klass("java.lang:Thread"),
        klass("java.lang:String"),
        method("java.lang:Thread.getPriority", returns="int"),
        method("java.lang:Thread.isAlive", returns="boolean"),
        method("java.lang:Thread.getName", returns="String"),
        method("java.lang:Thread.isDaemon", returns="boolean"),
    ]
    old = surface(
        "18", date(2022, 3, 22), *shared, method("java.lang:Thread.getId", returns="long")
    )
    new = surface(
        "19",
        date(2022, 9, 20),
        *shared,
        method("java.lang:Thread.getId", returns="long", deprecated="19"),
        method("java.lang:Thread.threadId", returns="long"),
    )
    return JdkStep(old, new)
