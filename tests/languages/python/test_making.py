"""Signatures and members that calls make at import."""

from __future__ import annotations

import pytest

from libdrift.history.differences import compare
from libdrift.languages.python.static import of_sources

WRAPPED = "from functools import wraps\ndef public(f):\n    @wraps(f)\n    def inner(*a, **k): return f(*a, **k)\n    return inner\n"
UPDATED = "import functools\ndef public(f):\n    def inner(*a): ...\n    return functools.update_wrapper(inner, f)\n"
WRITTEN = "import inspect\ndef public(target, place):\n    if isinstance(target, type):\n        fn = target.__init__\n    else:\n        fn = target\n    spec = inspect.getfullargspec(fn)\n    space = {}\n    exec(write(spec), space)\n    return space[place]\n"
SIGNED = "import inspect\ndef public(f):\n    def inner(*a): ...\n    inner.__signature__ = inspect.signature(f)\n    return inner\n"
ASKED = "import inspect\ndef public(f):\n    return inspect.signature(f)\n"
OTHER = "from functools import wraps\ndef public(name):\n    def outer(f):\n        @wraps(f)\n        def inner(): ...\n        return inner\n    return outer\n"
BASE = "class _Base:\n    def __init__(self, a, b=1): ...\nclass _A(_Base): ...\n"


@pytest.mark.parametrize(
    ("maker", "rest", "expected"),
    [
        (WRAPPED, "def _f(a, b=1): ...\nf = public(_f)", ["a", "b"]),
        (UPDATED, "def _f(a, b=1): ...\nf = public(_f)", ["a", "b"]),
        (SIGNED, "def _f(a, b=1): ...\nf = public(_f)", ["a", "b"]),
        # Of a class: what its constructor takes, wherever that stands.
        (WRITTEN, BASE + "f = public(_A, '.f')", ["a", "b"]),
        (WRITTEN, BASE + "f = public(_Base, '.f')", ["a", "b"]),
        # What gives something else, or is no wrapper of its first argument, tells nothing.
        (ASKED, "def _f(a): ...\nf = public(_f)", None),
        (OTHER, "def _f(a): ...\nf = public(_f)", None),
        (WRAPPED, "_f = 1\nf = public(_f)", None),
    ],
)  # fmt: skip
def test_wrappers(maker: str, rest: str, expected: list[str] | None) -> None:
    surface = of_sources(
        {"pkg/__init__.py": f"from ._make import public\n{rest}", "pkg/_make.py": maker}
    )
    found = surface.resolve("pkg.f")
    assert found is not None
    taken = [p.name for p in found.signature.parameters] if found.signature else None
    assert taken == expected


def test_lost_parameters_of_a_wrapped_class() -> None:
    old = of_sources({"pkg/__init__.py": f"{WRITTEN}{BASE}f = public(_A, 'f')"}, "1", "pkg")
    new = of_sources({"pkg/__init__.py": "def f(a): ..."}, "2", "pkg")
    lost = [(c.path, c.aspect, c.parameter) for c in compare(old, new) if c.parameter]
    assert lost == [("pkg.f", "removed", "b")]


LOOP = "_N = ['one', 'two', '_own']\ndef fill(cls):\n    for name in _N:\n        setattr(cls, name, 1)\n"
JOINED = "_N = ['one']\ndef fill(cls):\n    rows = [(n, 1) for n in _N] + [('two', 2)]\n    for name, value in rows:\n        setattr(cls, name, value)\n"
PLAIN = "def fill(cls):\n    setattr(cls, 'one', 1)\n    if cls.x:\n        setattr(cls, 'two', 2)\n    setattr(other, 'three', 3)\n"
ASSIGNED = "def fill(cls):\n    if cls:\n        cls.one = cls.__repr__\n    cls._own = other.two = 1\n    return cls\n"
UNKNOWN = "def fill(cls, names):\n    for name in names:\n        setattr(cls, name, 1)\n"
BELOW = "class _Base:\n    def __init_subclass__(cls, **kwargs):\n        super().__init_subclass__(**kwargs)\n        if getattr(cls, '_x', None):\n            fill(cls)\n"


@pytest.mark.parametrize(
    ("function", "rest", "expected"),
    [
        (LOOP, "@fill\nclass A: ...", ["one", "two"]),
        (JOINED, "class A:\n    def m(self): ...\nfill(A)", ["m", "one", "two"]),
        (PLAIN, "class A: ...\nfill(A)", ["one", "two"]),
        (LOOP, f"{BELOW}class A(_Base): ...", ["one", "two"]),
        (ASSIGNED, "@fill\nclass A: ...", ["one"]),
        (UNKNOWN, "class A: ...\nfill(A, names)", []),
        (LOOP, "class A: ...\nclass B: ...\nfill(B)", []),
    ],
)  # fmt: skip
def test_members(function: str, rest: str, expected: list[str]) -> None:
    surface = of_sources(
        {"pkg/__init__.py": f"from ._make import fill\n{rest}", "pkg/_make.py": function}
    )
    assert sorted(surface.scopes["pkg:A"]) == expected


def test_members_that_are_lost() -> None:
    old = of_sources({"pkg/__init__.py": f"{LOOP}@fill\nclass A: ..."}, "1", "pkg")
    new = of_sources({"pkg/__init__.py": "class A:\n    one = 1"}, "2", "pkg")
    lost = [(c.kind.value, c.path) for c in compare(old, new) if c.breaking and "A." in c.path]
    assert lost == [("removed", "pkg.A.two")]


def test_a_private_method_under_a_public_name() -> None:
    text = "class A:\n    def __contains__(self, key): ...\n    has_key = __contains__"
    found = of_sources({"pkg/__init__.py": text}).resolve("pkg.A.has_key")
    assert found is not None
    assert found.kind.value == "method"
    assert found.signature is not None
    assert [p.name for p in found.signature.parameters] == ["key"]
