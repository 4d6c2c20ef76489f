from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from libdrift.languages.python import merging
from libdrift.languages.python.runtime import SEEN
from libdrift.languages.python.static import of_sources
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Parameter,
    ParameterKind,
    Provenance,
    Release,
    Signature,
    Surface,
    Symbol,
    SymbolKind,
)

STATIC, RUNTIME, CARRIED = Provenance.STATIC, Provenance.RUNTIME, Provenance.CARRIED
FUNCTION, CLASS, CONSTANT = SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.CONSTANT
ANY = Signature((Parameter("a", ParameterKind.POSITIONAL),))


def seen(
    scopes: Mapping[str, Mapping[str, str | Name]], *symbols: Symbol, failed: tuple[str, ...] = ()
) -> Surface:
    """A surface by import: what is not told of is a module, or a function without signature."""
    known = {symbol.id: replace(symbol, provenance=SEEN) for symbol in symbols}
    made: dict[str, dict[str, Name]] = {}
    for scope, names in scopes.items():
        made[scope] = {}
        known.setdefault(scope, Symbol(scope, SymbolKind.MODULE, provenance=SEEN))
        for label, target in names.items():
            name = target if isinstance(target, Name) else Name(target, Binding.DEFINED, SEEN)
            made[scope][label] = name
            kind = FUNCTION if ":" in name.target else SymbolKind.MODULE
            known.setdefault(name.target, Symbol(name.target, kind, provenance=SEEN))
    origin = Origin(runtime="1.0", python="3.11.7", unread=failed)
    return Surface(Release("pypi", "pkg", "1.0"), ("pkg",), known, made, origin=origin)


def paths(surface: Surface) -> set[str]:
    return {path for path, _ in surface.walk()} - {"pkg"}


def test_both_agree() -> None:
    static = of_sources({"pkg.py": "def f(a, b=LIMIT):\n    'Does.'\nLIMIT = 3"})
    shown = Signature((*ANY.parameters, Parameter("b", ParameterKind.POSITIONAL, "3")))
    runtime = seen(
        {"pkg": {"f": "pkg:f", "LIMIT": "pkg:LIMIT"}},
        Symbol("pkg:f", FUNCTION, shown, "Does."),
        Symbol("pkg:LIMIT", CONSTANT, value="3"),
    )
    merged = merging.merge(static, runtime)
    found = merged.symbols["pkg:f"]
    assert str(found.signature) == "(a, b=LIMIT)"  # as the source writes it
    assert found.body == static.symbols["pkg:f"].body
    assert found.provenance == (STATIC, RUNTIME)
    assert merged.scopes["pkg"]["f"] == Name("pkg:f", Binding.DEFINED, (STATIC, RUNTIME))
    assert (merged.origin.runtime, merged.origin.python) == ("1.0", static.origin.python)


@pytest.mark.parametrize(
    ("source", "names", "expected"),
    [
        # Of a module that was imported, only what is there.
        ("def f(): ...\ndef g(): ...", {"f": "pkg:f"}, {"f"}),
        ("x = 1\ndel x", {}, set()),
        # What only import shows: functions and classes always, values where sources have gaps.
        ("def f(): ...", {"f": "pkg:f", "g": "pkg:g"}, {"f", "g"}),
        ("def f(): ...", {"f": "pkg:f", "i": "pkg:VALUE"}, {"f"}),
        ("globals().update(make())", {"i": "pkg:VALUE"}, {"i"}),
        ("def f(): ...", {"f": "pkg:f", "i": Name("pkg:VALUE", Binding.LISTED, SEEN)}, {"f", "i"}),
        ("def f(): ...", {"f": "pkg:f", "g": Name("pkg:g", Binding.IMPORTED, SEEN)}, {"f"}),
    ],
)
def test_names_of_a_module(source: str, names: dict[str, str | Name], expected: set[str]) -> None:
    runtime = seen({"pkg": names}, Symbol("pkg:VALUE", CONSTANT))
    merged = merging.merge(of_sources({"pkg.py": source}), runtime)
    assert paths(merged) == {f"pkg.{label}" for label in expected}
    assert {key for key in merged.symbols if ":" in key} == {
        name.target for name in merged.scopes["pkg"].values()
    }


def test_a_module_that_failed_keeps_its_names() -> None:
    static = of_sources({"pkg/__init__.py": "", "pkg/a.py": "def f(): ...", "pkg/b.py": "import c"})
    static = replace(static, origin=replace(static.origin, gaps=("pkg.b: __getattr__", "pkg: x")))
    runtime = seen({"pkg": {}}, failed=("pkg.a: ImportError: x", "pkg.b: y", "pkg.c: z"))
    merged = merging.merge(static, runtime)
    assert paths(merged) == {"pkg.a", "pkg.a.f", "pkg.b"}
    # Sources know all of pkg.a; of the others nobody does.
    assert merged.origin.unread == ("pkg.b: y", "pkg.c: z")
    assert merged.origin.gaps == ("pkg.b: __getattr__",)


MEMBERS = """
class A:
    here = 1
    gone = 2
    def __init__(self):
        self.instance = 1
    def method(self, x): ...
"""


def test_members_of_a_class() -> None:
    scope = {"here": "pkg:A.here", "method": "pkg:A.method", "added": "pkg:A.added"}
    runtime = seen({"pkg": {"A": "pkg:A"}, "pkg:A": scope}, Symbol("pkg:A", CLASS))
    merged = merging.merge(of_sources({"pkg.py": MEMBERS}), runtime)
    assert set(merged.members("pkg:A")) == {"here", "method", "added", "instance"}
    assert str(merged.symbols["pkg:A.method"].signature) == "(x)"
    assert "pkg:A.gone" not in merged.symbols


def test_what_a_class_inherits_from_outside_is_not_gone() -> None:
    static = of_sources({"pkg.py": "from other import B\nclass A(B):\n    def get(self): ..."})
    runtime = replace(
        seen({"pkg": {"A": "pkg:A"}, "pkg:A": {}}, Symbol("pkg:A", CLASS, bases=("other.x.B",))),
        outside={"other.x.B": ("get", "put")},
    )
    merged = merging.merge(static, runtime)
    assert merged.symbols["pkg:A"].bases == ("other.B",)  # as the source writes it
    assert merged.inherited_from_outside("pkg:A") == {"put": "other.B"}


def test_a_base_that_only_a_stub_has() -> None:
    stub = """
        class _Common:
            def all(self, axis: int = ...) -> bool: ...
            def typed(self) -> int: ...
        class A(_Common): ...
    """
    code = {"pkg/__init__.py": "from ._c import *", "pkg/_c.so": ""}
    static = of_sources({**code, "pkg/__init__.pyi": _text(stub)})
    assert set(static.members("pkg:A")) == {"all", "typed"}
    runtime = seen(
        {"pkg": {"A": "pkg:A"}, "pkg:A": {"all": "pkg:A.all"}},
        Symbol("pkg:A", CLASS),
        Symbol("pkg:A.all", SymbolKind.METHOD, doc="a.all(axis)"),
    )
    merged = merging.merge(static, runtime)
    assert set(merged.members("pkg:A")) == {"all"}
    found = merged.symbols["pkg:A.all"]
    assert (str(found.signature), found.doc) == ("(axis: int = ...) -> bool", "a.all(axis)")


def _text(source: str) -> str:
    return "\n".join(line[8:] for line in source.splitlines())


def test_ids_are_those_of_the_sources() -> None:
    sources = {
        "pkg/__init__.py": "from .core.impl import A, f",
        "pkg/core/__init__.py": "",
        "pkg/core/impl.py": "def f(a): ...\nclass A:\n    def m(self): ...",
    }
    # As numpy does: everything is labelled with the name of the root.
    runtime = seen(
        {
            "pkg": {"A": "pkg:A", "f": "pkg:f", "core": "pkg.core"},
            "pkg.core": {"impl": "pkg.core.impl"},
            "pkg.core.impl": {"A": "pkg:A", "f": "pkg:f", "g": "pkg:f"},
            "pkg:A": {"m": "pkg:A.m", "n": "pkg:A.n"},
        },
        Symbol("pkg:A", CLASS),
        Symbol("pkg:f", FUNCTION, doc="Filled in."),
    )
    merged = merging.merge(of_sources(sources), runtime)
    assert merged.scopes["pkg"]["f"].target == "pkg.core.impl:f"
    assert merged.scopes["pkg.core.impl"]["g"].target == "pkg.core.impl:f"
    assert merged.symbols["pkg.core.impl:f"].doc == "Filled in."
    assert set(merged.scopes["pkg.core.impl:A"]) == {"m", "n"}
    assert merged.scopes["pkg.core.impl:A"]["n"].target == "pkg.core.impl:A.n"
    assert merged.symbols["pkg.core.impl:A.n"].id == "pkg.core.impl:A.n"
    assert not {"pkg:A", "pkg:f", "pkg:A.m"} & merged.symbols.keys()


def test_a_name_that_reaches_something_else_at_import() -> None:
    static = of_sources({"pkg.py": "class A: ...\nB = A"})
    assert static.scopes["pkg"]["B"].target == "pkg:A"
    runtime = seen(
        {"pkg": {"A": "pkg:A", "B": "ctypes:c_long"}, "pkg:A": {}},
        Symbol("pkg:A", CLASS),
        Symbol("ctypes:c_long", CLASS, traits=("external",)),
    )
    merged = merging.merge(static, runtime)
    assert merged.scopes["pkg"]["A"].target == "pkg:A"
    assert merged.scopes["pkg"]["B"].target == "ctypes:c_long"


def test_a_function_hides_the_module_of_its_name() -> None:
    static = of_sources({"pkg/__init__.py": "", "pkg/run.py": "def run(): ..."})
    runtime = seen({"pkg": {"run": "pkg.run:run"}, "pkg.run": {"run": "pkg.run:run"}})
    assert merging.merge(static, runtime).scopes["pkg"]["run"].target == "pkg.run:run"


@pytest.mark.parametrize(
    ("source", "shown", "expected"),
    [
        ("", "", ""),
        ("'''Written.'''", "", "Written."),
        ("", "Shown.", "Shown."),
        ("'''Of %(klass)s.'''", "Of frames.", "Of frames."),
    ],
)
def test_documentation(source: str, shown: str, expected: str) -> None:
    static = of_sources({"pkg.py": f"def f():\n    {source or 'pass'}"})
    runtime = seen({"pkg": {"f": "pkg:f"}}, Symbol("pkg:f", FUNCTION, doc=shown))
    assert merging.merge(static, runtime).symbols["pkg:f"].doc == expected


def _parameters(text: str) -> Signature:
    return of_sources({"pkg.py": f"def f({text}): ..."}).symbols["pkg:f"].signature or Signature()


@pytest.mark.parametrize(
    ("written", "shown", "expected"),
    [
        ("a, b=X", "a, b=1, *, c=2", "(a, b=X, *, c=2)"),  # a decorator adds one
        ("a, b=X", "a, *, b=1", "(a, b=X)"),  # a decorator announces another
        ("a", "*args, **kwargs", "(a)"),
        ("*args, **kwargs", "*args, **kwargs", "(*args, **kwargs)"),
    ],
)
def test_signatures(written: str, shown: str, expected: str) -> None:
    static = of_sources({"pkg.py": f"def f({written}): ..."})
    runtime = seen({"pkg": {"f": "pkg:f"}}, Symbol("pkg:f", FUNCTION, _parameters(shown)))
    assert str(merging.merge(static, runtime).symbols["pkg:f"].signature) == expected


def test_what_a_value_turns_out_to_be() -> None:
    static = of_sources({"pkg.py": "f = make()\nx = make()\nfrom other import y"})
    runtime = seen(
        {"pkg": {"f": "pkg:f", "x": "pkg:x"}},
        Symbol("pkg:f", FUNCTION, ANY, deprecations=(Deprecation("decorator", "use g"),)),
        Symbol("pkg:x", CONSTANT, value="3"),
    )
    merged = merging.merge(static, runtime)
    found = merged.symbols["pkg:f"]
    assert (found.kind, found.signature, found.value) == (FUNCTION, ANY, "")
    assert [item.message for item in found.deprecations] == ["use g"]
    assert merged.symbols["pkg:x"].value == static.symbols["pkg:x"].value


def test_compiled_parts_are_carried_to_other_patches() -> None:
    source = "from ._c import *\ndef f(a): ...\nfrom ._c import known\ndef gone(): ...\n"
    reference = of_sources({"pkg/__init__.py": source, "pkg/_c.so": ""}, "1.0.1")
    runtime = seen(
        {"pkg": {"f": "pkg:f", "known": "pkg._c:known", "fast": "pkg._c:fast", "K": "pkg._c:K"},
         "pkg._c:K": {"m": "pkg._c:K.m"}},
        Symbol("pkg._c:known", FUNCTION, ANY),
        Symbol("pkg._c:fast", FUNCTION, ANY, "Fast."),
        Symbol("pkg._c:K", CLASS),
        Symbol("pkg:f", FUNCTION, ANY, "Shown."),
    )  # fmt: skip
    other = source.replace("def f(a)", "def f(a, b)") + "def fast_too(): ...\n"
    static = of_sources({"pkg/__init__.py": other, "pkg/_c.so": ""}, "1.0.0")
    carried = merging.carry(static, runtime, reference)
    names = carried.scopes["pkg"]
    assert {"f", "known", "fast", "K", "fast_too"} == {label for label in names if label != "gone"}
    assert names["fast"].provenance == (CARRIED,)
    assert carried.symbols["pkg._c:fast"].provenance == (CARRIED,)
    assert carried.symbols["pkg._c:known"].kind is FUNCTION
    assert set(carried.members("pkg._c:K")) == {"m"}
    # Its source differs, so the other release's import tells nothing about it.
    assert carried.symbols["pkg:f"] == static.symbols["pkg:f"]
    # Denied there, and written the same here: else the two would seem to differ.
    assert "gone" not in names
    assert carried.origin.runtime == "1.0"
    assert carried.release.version == "1.0.0"


def test_what_only_the_other_release_has_is_not_carried() -> None:
    reference = of_sources({"pkg/__init__.py": "", "pkg/new.py": "def f(): ..."}, "1.0.1")
    runtime = seen(
        {"pkg": {"new": "pkg.new"}, "pkg.new": {"f": "pkg.new:f", "g": "pkg.new:g"}},
    )
    static = of_sources({"pkg/__init__.py": ""}, "1.0.0")
    assert paths(merging.carry(static, runtime, reference)) == set()
