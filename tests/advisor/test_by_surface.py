"""Java and Rust code between two surfaces: names that went, are deprecated, or are not there yet."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from libdrift.advisor.by_surface import SurfaceChecker, SurfacePair, reader_of
from libdrift.records import Deprecation, Name, Release, Surface, Symbol, SymbolKind
from tests.advisor.small import told

# Paths with a colon before the part that a module defines; a text is a deprecation's.
JAVA_OLD: Mapping[str, str] = {
    "java.lang:Thread": "",
    "java.lang:Thread.run": "",
    "java.lang:Thread.stop": "",
    "java.lang:Integer": "",
    "java.lang:Integer.Integer": "",
    "java.xml:Parser": "",
    "java.xml:Parser.parse": "",
    "java.util:List": "",
}
JAVA_NEW: Mapping[str, str] = {
    "java.lang:Thread": "",
    "java.lang:Thread.run": "",
    "java.lang:Integer": "",
    "java.lang:Integer.Integer": "for removal",
    "java.util:List": "",
    "java.util:List.of": "",
}
RUST_OLD: Mapping[str, str] = {"std.mem:uninitialized": "", "std.mem:swap": "", "std.sync:Once": ""}
RUST_NEW: Mapping[str, str] = {
    "std.mem:uninitialized": "use `MaybeUninit`",
    "std.mem:swap": "",
    "std.iter:repeat_n": "",
}


def surface(package: str, version: str, known: Mapping[str, str]) -> Surface:
    symbols: dict[str, Symbol] = {}
    scopes: dict[str, dict[str, Name]] = {}
    for identity, message in known.items():
        module, _, inner = identity.partition(":")
        owner, _, label = inner.rpartition(".")
        above = f"{module}:{owner}" if owner else module
        symbols.setdefault(module, Symbol(module, SymbolKind.MODULE))
        scopes.setdefault(module, {})
        scopes.setdefault(above, {})[label] = Name(identity)
        kind = SymbolKind.METHOD if owner else SymbolKind.CLASS
        told_of = (Deprecation("annotation", message),) if message else ()
        symbols[identity] = Symbol(identity, kind, deprecations=told_of)
    modules = [one for one in symbols if ":" not in one]
    roots = tuple(modules)
    if package == "rust":  # of Java, each package is a root
        roots = ("std",)
        scopes["std"] = {one.rpartition(".")[2]: Name(one) for one in modules}
    return Surface(Release(package, package, version), roots, symbols, scopes)


JAVA: list[tuple[str, str, list[str]]] = [
    ("nothing changed", "class A { void f(Thread t) { t.run(); } }", []),
    ("a method went", "class A { void f(Thread t) {\n t.stop(); } }", ["2 error gone java.lang.Thread.stop"]),
    ("a package went, told at the import alone", "import java.xml.Parser;\nclass A { void f(Parser p) { p.parse(); } }", ["1 error gone java.xml"]),
    ("by its full name", "class A { java.xml.Parser p; }", ["1 error gone java.xml"]),
    ("a constructor is deprecated", "class A { Object o = new Integer(1); }", ["1 warning deprecated java.lang.Integer.Integer"]),
    ("the class of it is not", "class A { Integer i; }", []),
    ("wrong before", "import java.util.List;\nclass A { Object o = List.of(1); }", []),
    ("the code's own class", "class Thread { void stop() {} void f(Thread t) { t.stop(); } }", []),
    ("it does not compile", "class A { void f(Thread t) { t.stop(; } }", ["1 error gone java.lang.Thread.stop"]),
]  # fmt: skip
RUST: list[tuple[str, str, list[str]]] = [
    ("nothing changed", "use std::mem;\nfn f() { mem::swap(a, b); }", []),
    ("deprecated", "use std::mem;\nfn f() { mem::uninitialized(); }", ["2 warning deprecated std.mem.uninitialized"]),
    ("deprecated, by its name, told where it is used", "use std::mem::uninitialized as u;\nfn f() { u(); }", ["2 warning deprecated std.mem.uninitialized"]),
    ("gone, told at the import alone", "use std::sync::{Once};\nfn f() { Once::new(); }", ["1 error gone std.sync"]),
    ("gone, by its path", "fn f() { std::sync::Once::new(); std::sync::Once; }", ["1 error gone std.sync"]),
    ("wrong before", "fn f() { std::iter::repeat_n(1, 2); }", []),
    ("the code's own", "mod std2; use crate::mem; fn f() { mem::uninitialized(); }", []),
]  # fmt: skip


def check(language: str, pair: SurfacePair, code: str) -> list[str]:
    return [told(item) for item in SurfaceChecker([pair], reader_of(language)).check(code).findings]


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in JAVA], ids=[row[0] for row in JAVA])  # fmt: skip
def test_java(code: str, expected: list[str]) -> None:
    pair = SurfacePair(surface("jdk", "8", JAVA_OLD), surface("jdk", "21", JAVA_NEW))
    assert check("java", pair, code) == expected


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in RUST], ids=[row[0] for row in RUST])  # fmt: skip
def test_rust(code: str, expected: list[str]) -> None:
    pair = SurfacePair(surface("rust", "1.30.0", RUST_OLD), surface("rust", "1.84.0", RUST_NEW))
    assert check("rust", pair, code) == expected


def test_not_there_yet_in_an_older_release() -> None:
    pair = SurfacePair(surface("jdk", "21", JAVA_NEW), surface("jdk", "8", JAVA_OLD))
    code = "import java.util.List;\nclass A { Object o = List.of(1); }"
    assert check("java", pair, code) == ["2 error not-yet-there java.util.List.of"]
