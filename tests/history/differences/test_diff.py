"""Pairs of sources and the changes between them: each once, under its most public path."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from libdrift.history.differences.diff import compare
from libdrift.languages.python.static import of_sources
from libdrift.records import (
    Binding,
    Change,
    ChangeKind,
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

Sources = str | dict[str, str]
Row = tuple[str, str, str, str, str, bool]


def surface(sources: Sources, version: str) -> Surface:
    files = {"pkg/__init__.py": sources} if isinstance(sources, str) else sources
    return of_sources(files, version, "pkg")


def rows(changes: list[Change]) -> list[Row]:
    return sorted(
        (c.kind.value, c.path, c.aspect, c.parameter, c.replacement, c.breaking) for c in changes
    )


def changes(old: Sources, new: Sources, *between: Sources) -> list[Change]:
    middle = [surface(text, f"1.{at + 1}") for at, text in enumerate(between)]
    return compare(surface(old, "1.0"), surface(new, "2.0"), middle)


WARNS = "import warnings\ndef f(a):\n    warnings.warn('f is deprecated, use `g` instead', DeprecationWarning)\n"
SUBMODULE = "from pkg.sub import f\n"
BODY = "    total = 0\n    for item in items:\n        total += weigh(item)\n        check(total)\n    log(total)\n    return total\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("def f(): ...", "def f(): ...", []),
        ("", "def f(): ...", [("introduced", "pkg.f", "", "", "", False)]),
        ("def f(): ...", "", [("removed", "pkg.f", "", "", "", True)]),
        ("def _f(): ...", "", []),
        ("A = 1", "A = 2", [("behaviour", "pkg.A", "value", "", "", False)]),
        ("A = 'x'", 'A = "x"', []),
        ("A = [1,2]", "A = [1, 2]", []),
        ("A = make(1)", "A = make(2)", []),
        ("A = 1", "class A: ...", [("behaviour", "pkg.A", "type", "", "", True)]),
        ("A = make()", "class A: ...", []),
        ("class A: ...", "def A(): ...", [("behaviour", "pkg.A", "type", "", "", True)]),
        ("def a(): ...", "class a: ...", [("behaviour", "pkg.a", "type", "", "", False)]),
        ("def f(): ...", "async def f(): ...", [("behaviour", "pkg.f", "type", "", "", True)]),
        # A class goes or comes with its members, a module with its names.
        ("class A:\n    def m(self): ...", "", [("removed", "pkg.A", "", "", "", True)]),
        ("", "class A:\n    def m(self): ...", [("introduced", "pkg.A", "", "", "", False)]),
        (
            {"pkg/__init__.py": "", "pkg/sub.py": "def f(): ...\ndef g(): ..."},
            {"pkg/__init__.py": ""},
            [("removed", "pkg.sub", "", "", "", True)],
        ),
        (
            {"pkg/__init__.py": ""},
            {"pkg/__init__.py": "", "pkg/sub.py": "def f(): ...\ndef g(): ..."},
            [("introduced", "pkg.sub", "", "", "", False)],
        ),
        # Members.
        (
            "class A:\n    def m(self): ...",
            "class A: ...",
            [("removed", "pkg.A.m", "", "", "", True)],
        ),
        (
            "class A: ...",
            "class A:\n    def m(self): ...",
            [("introduced", "pkg.A.m", "", "", "", False)],
        ),
        (
            "class A:\n    def m(self): ...",
            "class A:\n    @property\n    def m(self): ...",
            [("behaviour", "pkg.A.m", "type", "", "", True)],
        ),
        (
            "class A:\n    @classmethod\n    def m(cls): ...",
            "class A:\n    def m(self): ...",
            [("behaviour", "pkg.A.m", "type", "", "", True)],
        ),
        (
            "class A:\n    def m(self): ...",
            "class A:\n    @staticmethod\n    def m(): ...",
            [("behaviour", "pkg.A.m", "type", "", "", False)],
        ),
        (
            "class A:\n    def m(self, x): ...",
            "class A:\n    def m(self): ...",
            [("signature", "pkg.A.m", "removed", "x", "", True)],
        ),
        # Once, however many classes inherit.
        (
            "class A:\n    def m(self): ...\nclass B(A): ...\nclass C(B): ...",
            "class A: ...\nclass B(A): ...\nclass C(B): ...",
            [("removed", "pkg.A.m", "", "", "", True)],
        ),
        (
            "class A:\n    def m(self, x): ...\nclass B(A): ...",
            "class A:\n    def m(self): ...\nclass B(A): ...",
            [("signature", "pkg.A.m", "removed", "x", "", True)],
        ),
        # Overrides of one method, changed alike.
        (
            "class A:\n    def m(self, x): ...\nclass B(A):\n    def m(self, x): ...",
            "class A:\n    def m(self): ...\nclass B(A):\n    def m(self): ...",
            [("signature", "pkg.A.m", "removed", "x", "", True)],
        ),
        (
            "class A:\n    def m(self): ...\nclass B(A):\n    def m(self): ...",
            "class A: ...\nclass B(A): ...",
            [("removed", "pkg.A.m", "", "", "", True)],
        ),
        # A constructor that a class has from its base.
        (
            "class A:\n    def __init__(self, x): ...\nclass B(A): ...",
            "class A:\n    def __init__(self): ...\nclass B(A): ...",
            [("signature", "pkg.A", "removed", "x", "", True)],
        ),
        # A private definer: told at the most public class below it.
        (
            "class _A:\n    def m(self): ...\nclass C(_A): ...\nclass B(_A): ...\nclass D(B): ...",
            "class _A: ...\nclass C(_A): ...\nclass B(_A): ...\nclass D(B): ...",
            [("removed", "pkg.B.m", "", "", "", True)],
        ),
        # What stays reachable through a base is not removed; what moves up is no change.
        (
            "class A:\n    def m(self): ...\nclass B(A):\n    def m(self): ...",
            "class A:\n    def m(self): ...\nclass B(A): ...",
            [],
        ),
        (
            "class A: ...\nclass B(A):\n    def m(self): ...",
            "class A:\n    def m(self): ...\nclass B(A): ...",
            [("introduced", "pkg.A.m", "", "", "", False)],
        ),
        # Bases.
        (
            "class A: ...\nclass B(A): ...",
            "class A: ...\nclass B: ...",
            [("behaviour", "pkg.B", "bases", "", "", True)],
        ),
        (
            "class A: ...\nclass B: ...",
            "class A: ...\nclass B(A): ...",
            [("behaviour", "pkg.B", "bases", "", "", False)],
        ),
        ("class A: ...", "import x\nclass A(x.A): ...", []),  # of itself, in a way
        (
            "class A: ...\nclass B(A): ...\nclass C(B): ...",
            "class A: ...\nclass B: ...\nclass C(B): ...",
            [("behaviour", "pkg.B", "bases", "", "", True)],
        ),
        (
            "class A: ...\nclass B(A): ...\nclass C(B): ...",
            "class A: ...\nclass B(A): ...\nclass C(B, A): ...",
            [],
        ),
        (
            "class A:\n    def m(self): ...\nclass B(A): ...",
            "class A:\n    def m(self): ...\nclass B: ...",
            [("behaviour", "pkg.B", "bases", "", "", True)],
        ),
        # An outside base may give an attribute; a method of that name is less likely.
        ("class A:\n    m = 1", "import x\nclass A(x.Y): ...",
         [("behaviour", "pkg.A", "bases", "", "", False)]),
        ("class A:\n    def m(self): ...", "import x\nclass A(x.Y): ...",
         [("behaviour", "pkg.A", "bases", "", "", False), ("removed", "pkg.A.m", "", "", "", True)]),
        ("class Y:\n    def m(self): ...\nclass A(Y): ...", "import x\nclass A(x.Y): ...",
         [("removed", "pkg.Y", "", "", "", True)]),
        # Deprecations.
        (
            "def f(a): ...\ndef g(a): ...",
            f"{WARNS}def g(a): ...",
            [("deprecated", "pkg.f", "", "", "pkg.g", False)],
        ),
        (
            f"{WARNS}def g(a): ...",
            "def f(a): ...\ndef g(a): ...",
            [("undeprecated", "pkg.f", "", "", "", False)],
        ),
        (
            "def f(a): ...",
            "def f(a):\n    '''.. deprecated:: 2.0\n       Use something better.'''\n",
            [("deprecated", "pkg.f", "", "", "", False)],
        ),
    ],
)  # fmt: skip
def test_compare(old: Sources, new: Sources, expected: list[Row]) -> None:
    assert rows(changes(old, new)) == sorted(expected)


@pytest.mark.parametrize(
    ("old", "new", "path", "aliases"),
    [
        # Every name of one function, the shortest first.
        (
            {"pkg/__init__.py": SUBMODULE, "pkg/sub.py": "def f(a): ..."},
            {"pkg/__init__.py": SUBMODULE, "pkg/sub.py": "def f(): ..."},
            "pkg.f",
            ("pkg.sub.f",),
        ),
        (
            {"pkg/__init__.py": SUBMODULE, "pkg/sub.py": "def f(a): ..."},
            {"pkg/__init__.py": "", "pkg/sub.py": ""},
            "pkg.f",
            ("pkg.sub.f",),
        ),
        # An accident of imports is no alias.
        (
            {"pkg/__init__.py": SUBMODULE, "pkg/sub.py": "def f(a): ...", "pkg/b.py": SUBMODULE},
            {"pkg/__init__.py": SUBMODULE, "pkg/sub.py": "def f(): ...", "pkg/b.py": SUBMODULE},
            "pkg.f",
            ("pkg.sub.f",),
        ),
        (
            "class _A:\n    def m(self): ...\nclass C(_A): ...\nclass B(_A): ...\nclass D(B): ...",
            "class _A: ...\nclass C(_A): ...\nclass B(_A): ...\nclass D(B): ...",
            "pkg.B.m",
            ("pkg.C.m",),
        ),
        # Told of a base that is not for users, and of a class that had a definition of its own:
        # the class is what people know.
        (
            {
                "pkg/__init__.py": "from pkg.internal import A",
                "pkg/internal.py": "class Base:\n    def f(self, a): ...\nclass A(Base):\n    def f(self, a): ...",
            },
            {
                "pkg/__init__.py": "from pkg.internal import A",
                "pkg/internal.py": "class Base:\n    def f(self): ...\nclass A(Base):\n    def f(self): ...",
            },
            "pkg.A.f",
            ("pkg.internal.Base.f",),
        ),
    ],
)
def test_aliases(old: Sources, new: Sources, path: str, aliases: tuple[str, ...]) -> None:
    (change,) = changes(old, new)
    assert (change.path, change.aliases) == (path, aliases)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # A definition moves between private modules.
        (
            {"pkg/__init__.py": "from pkg._a import f", "pkg/_a.py": "def f(x): ..."},
            {"pkg/__init__.py": "from pkg._b import f", "pkg/_b.py": "def f(x): ..."},
        ),
        # Names that plain modules import for themselves.
        (
            {"pkg/__init__.py": SUBMODULE, "pkg/sub.py": "def f(): ...", "pkg/b.py": SUBMODULE},
            {"pkg/__init__.py": SUBMODULE, "pkg/sub.py": "def f(): ...", "pkg/b.py": ""},
        ),
        (
            {"pkg/__init__.py": "", "pkg/_p.py": "def f(): ...", "pkg/b.py": "from pkg._p import f"},
            {"pkg/__init__.py": "", "pkg/b.py": ""},
        ),
        ({"pkg/__init__.py": "from os import getcwd"}, {"pkg/__init__.py": ""}),
        ("from typing import TypeVar\nT = TypeVar('T')", ""),
        # pkg.core, whose names the package offers itself: only those count.
        (
            {"pkg/__init__.py": "from pkg.core.a import *", "pkg/core/__init__.py": "", "pkg/core/a.py": "from pkg.core.b import *",
             "pkg/core/b.py": "".join(f"def f{n}(): ...\n" for n in range(6))},
            {"pkg/__init__.py": "from pkg.core.b import *", "pkg/core/__init__.py": "", "pkg/core/a.py": "",
             "pkg/core/b.py": "".join(f"def f{n}(): ...\n" for n in range(6))},
        ),
    ],
)  # fmt: skip
def test_no_change(old: Sources, new: Sources) -> None:
    found = [c for c in changes(old, new) if not c.path.startswith("pkg.core.b")]
    assert found == []


def test_a_definition_that_leaves_an_inner_module_is_told() -> None:
    """`from pkg.core.a import f0` fails now, whatever the package itself offers."""
    many = "".join(f"def f{n}(): ...\n" for n in range(6))
    inner = {"pkg/core/__init__.py": "", "pkg/core/a.py": ""}
    old = {**inner, "pkg/__init__.py": "from pkg.core.a import *", "pkg/core/a.py": many}
    new = {**inner, "pkg/__init__.py": "from pkg.core.b import *", "pkg/core/b.py": many}
    told = {c.path: c.replacement for c in changes(old, new) if c.kind is ChangeKind.REMOVED}
    assert told == {f"pkg.core.a.f{n}": f"pkg.f{n}" for n in range(6)}


def test_a_definition_is_missed_where_a_module_makes_other_names() -> None:
    """`AxisError` is written down wherever it is offered; `made` is not."""
    made = "globals().update(make())\n"
    files = {"pkg/errors.py": "class AxisError(Exception): ..."}
    old = {**files, "pkg/__init__.py": f"from pkg.errors import AxisError\n{made}"}
    (change,) = changes(old, {**files, "pkg/__init__.py": made})
    assert (change.kind, change.path) == (ChangeKind.REMOVED, "pkg.AxisError")
    assert change.replacement == "pkg.errors.AxisError"
    assert change.confidence < 1


def test_a_package_keeps_its_module_beside_a_star() -> None:
    """A star brings `pkg.fields.form` too, and the package's own `form` is what is meant."""
    files = {
        "pkg/__init__.py": "from pkg.fields import *\nfrom pkg.form import Form",
        "pkg/form.py": "class Form: ...",
        "pkg/fields/form.py": "class FormField: ...",
    }
    old = {**files, "pkg/fields/__init__.py": "class FormField: ..."}
    new = {**files, "pkg/fields/__init__.py": "from pkg.fields.form import *"}
    assert "pkg.form.Form" not in {c.path for c in changes(old, new)}


def test_inner_paths_come_last() -> None:
    files = {
        "pkg/__init__.py": "from pkg.core.a import *\ndef z(): ...",
        "pkg/core/__init__.py": "",
    }
    many = "".join(f"def f{n}(): ...\n" for n in range(6))
    old = {**files, "pkg/core/a.py": many, "pkg/core/b.py": "def hidden(): ..."}
    new = {
        **files,
        "pkg/__init__.py": "from pkg.core.a import *",
        "pkg/core/a.py": many,
        "pkg/core/b.py": "",
    }
    assert [c.path for c in changes(old, new)] == ["pkg.z", "pkg.core.b.hidden"]


# --- what is not known


def by_hand(version: str, *names: str, seen: bool = False, **origin: object) -> Surface:
    """Functions of `pkg`, read or seen by import."""
    how = (Provenance.RUNTIME,) if seen else (Provenance.STATIC,)
    symbols = {"pkg": Symbol("pkg", SymbolKind.MODULE)}
    symbols |= {f"pkg:{n}": Symbol(f"pkg:{n}", SymbolKind.FUNCTION, provenance=how) for n in names}
    scope = {n: Name(f"pkg:{n}", Binding.DEFINED, how) for n in names}
    release = Release("pypi", "pkg", version)
    return Surface(release, ("pkg",), symbols, {"pkg": scope}, origin=Origin(**origin))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        (by_hand("1", "f", seen=True, runtime="1"), by_hand("2", gaps=("pkg: compiled",)), []),
        (by_hand("1", gaps=("pkg: compiled",)), by_hand("2", "f", seen=True, runtime="2"), []),
        (by_hand("1", "f", seen=True, runtime="1"), by_hand("2", runtime="2"), ["removed"]),
        (by_hand("1", "f", seen=True, runtime="1"), by_hand("2"), ["removed"]),
        (by_hand("1", "f"), by_hand("2", "g", unread=("pkg/__init__.py: line 3",)), ["introduced"]),
        (by_hand("1", "f"), by_hand("2", gaps=("pkg: compiled",)), []),
    ],
)
def test_unknown_is_not_removed(old: Surface, new: Surface, kinds: list[str]) -> None:
    assert [change.kind.value for change in compare(old, new)] == kinds


def test_what_import_shows_is_not_set_against_what_is_read() -> None:
    """Of a method known by import only, neither the kind nor deprecations are comparable."""
    old, new = by_hand("1", "f"), by_hand("2", "f", seen=True, runtime="2")
    was = replace(old.symbols["pkg:f"], deprecations=(Deprecation("warning", "gone soon"),))
    now = replace(new.symbols["pkg:f"], kind=SymbolKind.CONSTANT, value="1")
    old = replace(old, symbols={**old.symbols, "pkg:f": was})
    new = replace(new, symbols={**new.symbols, "pkg:f": now})
    assert compare(old, new) == []


def test_a_name_that_only_raises_is_gone() -> None:
    old, new = by_hand("1", "who", "look"), by_hand("2", "who", "look")
    new = replace(new, tombstones={"pkg.who": "`who` was removed, use `look`."})
    (change,) = compare(old, new)
    assert (change.kind, change.path, change.replacement) == ("removed", "pkg.who", "pkg.look")


# --- deprecations


def test_hints_that_do_not_resolve() -> None:
    text = "import warnings\ndef f():\n    warnings.warn('f is deprecated, use {} instead', DeprecationWarning)\n"
    (change,) = changes("def f(): ...", text.format("`other.thing`"))
    assert (change.replacement, change.confidence) == ("other.thing", 0.5)
    (change,) = changes("def f(): ...", text.format("it wisely"))
    assert (change.replacement, change.confidence) == ("", 1.0)


def test_deprecated_with_its_module() -> None:
    """A deprecated class is one change, though its methods warn too."""
    warn = "warnings.warn('gone soon', DeprecationWarning)"
    new = f"import warnings\nclass A:\n    def __init__(self):\n        {warn}\n    def m(self):\n        {warn}\n"
    found = changes("class A:\n    def __init__(self): ...\n    def m(self): ...", new)
    assert [(c.kind, c.path) for c in found] == [("deprecated", "pkg.A")]


def test_parameter_deprecation() -> None:
    (change,) = changes(
        "def f(a, old=None): ...",
        "def f(a, old=None):\n    if old is not None:\n        warnings.warn('old is deprecated', DeprecationWarning)\n",
    )
    assert (change.kind, change.parameter, change.breaking) == ("deprecated", "old", False)


# --- over several releases


def test_parameter_told_by_a_release_between() -> None:
    """As with to_csv(line_terminator): only the decorator of a middle release says so."""
    old = "def f(a, *, sep=None, line_terminator=None): ..."
    middle = "@deprecate_kwarg(old_arg_name='line_terminator', new_arg_name='ending')\ndef f(a, *, sep=None, ending=None): ..."
    new = "def f(a, *, sep=None, ending=None): ..."
    expected = ("signature", "pkg.f", "renamed", "line_terminator", "ending", True)
    assert rows(changes(old, new, middle)) == [expected]
    assert expected not in rows(changes(old, new))
    # To the middle one it is renamed too, but the old name still works.
    kinds = {(c.kind, c.aspect, c.breaking) for c in changes(old, middle)}
    assert kinds == {("signature", "renamed", False), ("deprecated", "", False)}
    # From it, the signature is the same: what goes is what the decorator took.
    gone = ("signature", "pkg.f", "removed", "line_terminator", "ending", True)
    assert rows(changes(middle, new)) == [gone]


def test_speed() -> None:
    """Pairs are found by index: a pandas-sized surface takes well under two seconds."""
    parameters = tuple(Parameter(f"p{n}", ParameterKind.POSITIONAL, "None") for n in range(8))

    def large(version: str, shift: int) -> Surface:
        symbols = {"pkg": Symbol("pkg", SymbolKind.MODULE)}
        scopes: dict[str, dict[str, Name]] = {"pkg": {}}
        for c in range(500):
            own = f"pkg:C{c}"
            base = (f"pkg:C{c - 1}",) if c % 5 else ()
            symbols[own] = Symbol(own, SymbolKind.CLASS, bases=base)
            scopes["pkg"][f"C{c}"] = Name(own)
            scopes[own] = {}
            for m in range(20):
                label = f"m{c % 5}_{m + shift}"
                inner = f"{own}.{label}"
                sketch = tuple(hash((c, m, line)) & 0xFFFF for line in range(12))
                symbols[inner] = Symbol(
                    inner, SymbolKind.METHOD, Signature(parameters), body=f"{c}{m}", sketch=sketch
                )
                scopes[own][label] = Name(inner)
        return Surface(Release("pypi", "pkg", version), ("pkg",), symbols, scopes)

    old, new = large("1", 0), large("2", 5)
    assert len(old.symbols) > 10_000
    start = time.process_time()
    found = compare(old, new)
    assert time.process_time() - start < 2
    assert len(found) > 500


def test_what_a_core_only_imports_is_lost_there() -> None:
    things = "".join(f"class C{n}: ...\n" for n in range(6))
    imports = f"from pkg.things import {', '.join(f'C{n}' for n in range(6))}\n"
    old = {"pkg/__init__.py": "", "pkg/core/__init__.py": imports, "pkg/things.py": things}
    (change, *_) = found = changes(old, {**old, "pkg/core/__init__.py": ""})
    assert {c.kind.value for c in found} == {"removed"}
    assert (change.path, change.replacement) == ("pkg.core.C0", "pkg.things.C0")


def test_all_names_of_another_package_are_gone() -> None:
    old = {"pkg/__init__.py": "from pkg.a import *", "pkg/a.py": "from other import *"}
    new = {"pkg/__init__.py": "", "pkg/a.py": "x = 1"}
    (change,) = [c for c in changes(old, new) if c.aspect == "names"]
    assert (change.path, change.aliases, change.before) == ("pkg", ("pkg.a",), "other")
    assert change.breaking
    assert changes(old, old) == []
    asks = "def __getattr__(name):\n    if name in ('a', 'b'):\n        return load(name)\nx = 1"
    kept = {"pkg/__init__.py": "from pkg.a import *", "pkg/a.py": asks}
    assert "pkg.a" not in {c.path for c in changes(old, kept) if c.aspect == "names"}


def test_a_class_that_is_another_package_s_again() -> None:
    before = "from other import A as _A\nclass Own:\n    def m(self): ...\nclass A(_A, Own): ..."
    old = {"pkg/__init__.py": "", "pkg/a.py": before}
    new = {"pkg/__init__.py": "", "pkg/a.py": "from other import A\nclass Own: ..."}
    (change,) = [c for c in changes(old, new) if c.aspect == "bases"]
    assert (change.path, change.before) == ("pkg.a.A", "Own")
