"""Which uses a program has: sources, and what is expected of them.

A use is written ``line kind path certainty``; behind it what it is guarded by. Certainties are
``!`` (certain), ``~`` (likely) and ``?`` (guessed).
"""

from __future__ import annotations

import ast
from functools import cache

import pytest

from libdrift.history.views import View
from libdrift.languages.python.static import of_sources
from libdrift.languages.python.usage import (
    Arguments,
    Certainty,
    Reading,
    Reason,
    ReleaseTypes,
    Span,
    Use,
    UseKind,
    imported,
    imported_by_lines,
    imported_by_text,
    read,
)

SIGNS = {Certainty.CERTAIN: "!", Certainty.LIKELY: "~", Certainty.GUESSED: "?"}
SOURCES = {
    "tab/__init__.py": "from tab.core import Frame, Row, Reader, options\nfrom tab import io\nfrom tab.io import read_csv, read_any, concat\n__all__ = ['Frame', 'Row', 'read_csv', 'concat', 'io']\n",
    "tab/core.py": """
class Base:
    def close(self) -> None: ...
class Row:
    label: str
    def cut(self) -> 'Row': ...
class Frame(Base):
    rows: list[Row]
    first: Row
    def head(self, n: int = 5) -> 'Frame': ...
    def append(self, other) -> 'Frame': ...
    def count(self) -> int: ...
    def pair(self) -> 'tuple[Frame, Row]': ...
    def plain(self): ...
    @property
    def last(self) -> Row: ...
    def __enter__(self) -> 'Frame': ...
class Reader:
    def chunk(self) -> Frame: ...
options: Row = Row()
""",
    "tab/io.py": """
from tab.core import Frame, Reader
def read_csv(path, sep=',') -> Frame: ...
def read_any(path) -> Frame | Reader: ...
def untold(path): ...
def concat(frames) -> Frame: ...
def framed(name=None) -> 'Callable[[F], Frame]': ...
def either(name=None) -> 'Frame | Callable[[F], Row]': ...
def bare(function) -> 'Callable[[F], F]': ...
""",
}


class Packages:
    """``tab``, which is mined; ``np`` and ``other``, which are not."""

    def of(self, module: str) -> str | None:
        top = module.partition(".")[0]
        return {"tab": "tab", "numpy": "numpy", "own": "own"}.get(top)


@cache
def tab() -> ReleaseTypes:
    return ReleaseTypes(View(of_sources(SOURCES)))


def reading(code: str, home: str = "") -> Reading:
    return read(
        ast.parse(code), Packages(), lambda name: tab() if name == "tab" else None, home=home
    )


def told(use: Use) -> str:
    path = use.path or f"<{use.written}>"
    name = f"({use.name}=)" if use.kind is UseKind.KEYWORD else ""
    guard = f" {use.guard}" if use.guard else ""
    gone = " gone" if use.is_missing else ""
    return f"{use.span.line} {use.kind} {path}{name} {SIGNS[use.certainty]}{guard}{gone}"


IMPORTS = [
    ("import numpy", ["1 import numpy !"]),
    ("import numpy.linalg as la\nla.norm", ["1 import numpy.linalg !", "2 read numpy.linalg.norm !"]),
    ("import numpy.linalg\nnumpy.linalg.norm", ["1 import numpy.linalg !", "2 read numpy.linalg.norm !"]),
    ("from numpy import linalg as la, zeros\nla.norm(zeros)", ["1 import numpy.linalg !", "1 import numpy.zeros !", "2 call numpy.linalg.norm !", "2 read numpy.zeros !"]),
    ("import os, sys\nos.getcwd()", []),
    ("from . import numpy\nnumpy.ones", []),
    ("from .numpy import ones\nones()", []),
    ("from tab import *\nread_csv(Frame)", ["1 import tab !", "2 call tab.read_csv !", "2 read tab.Frame !"]),
    ("from tab import *\nReader", ["1 import tab !"]),
    ("from tab.core import *\nReader", ["1 import tab.core !", "2 read tab.core.Reader !"]),
    ("from numpy import *\nones(3)", ["1 import numpy !"]),
    ("import tab.gone", ["1 import tab.gone ! gone"]),
    ("from tab import gone", ["1 import tab.gone ! gone"]),
    ("def f():\n    import numpy as np\n    np.a\nnp.b", ["2 import numpy !", "3 read numpy.a !"]),
    ("def f():\n    np.a\nimport numpy as np", ["2 read numpy.a !", "3 import numpy !"]),
    ("from __future__ import annotations", []),
]  # fmt: skip
NAMES = [
    ("f = np.sum; f(x)", ["1 read numpy.sum !", "1 call numpy.sum !"]),
    ("a = b = np.sum\nb(1)", ["1 read numpy.sum !", "2 call numpy.sum !"]),
    ("a, b = np.sum, np.mean\nb(1)", ["1 read numpy.sum !", "1 read numpy.mean !", "2 call numpy.mean !"]),
    ("linalg = np.linalg\nlinalg.norm(x)", ["1 read numpy.linalg !", "2 call numpy.linalg.norm !"]),
    ("f(np)", ["1 read numpy !"]),
    ("np = 3; np.sum", []),
    ("def f(np): np.sum", []),
    ("def f():\n    np.sum\n    np = 3", []),
    ("del np; np.sum", []),
    ("for np in x: np.sum", []),
    ("[np.sum for np in x]", []),
    ("[np.sum(i) for i in np.x]", ["1 call numpy.sum !", "1 read numpy.x !"]),
    ("lambda np: np.sum", []),
    ("lambda x=np.a: np.b", ["1 read numpy.a !", "1 read numpy.b !"]),
    ("if x:\n    np = y\nnp.sum", []),
    ("if x:\n    np = y\n    raise E\nnp.sum", ["4 read numpy.sum !"]),
    ("class C:\n    np = 3\n    def f(self): np.sum", ["3 read numpy.sum !"]),
    ("global np; np.sum", ["1 read numpy.sum !"]),
    ("def f():\n    global np\n    np = 3\ndef g(): np.sum", []),
    ("@np.vectorize\ndef f(): ...", ["1 read numpy.vectorize !"]),
    ("class C(np.generic): ...", ["1 read numpy.generic !"]),
    ("x: np.ndarray = 3", ["1 read numpy.ndarray !"]),
    ("def f(x: 'np.ndarray') -> np.dtype: ...", ["1 read numpy.ndarray !", "1 read numpy.dtype !"]),
    ("f'{np.pi}'", ["1 read numpy.pi !"]),
    ("np.a.b = 3", ["1 read numpy.a !"]),
    ("if (n := np.sum): n(1)", ["1 read numpy.sum !", "1 call numpy.sum !"]),
    ("match np.a:\n    case np.b: ...", ["1 read numpy.a !", "2 read numpy.b !"]),
    ("np.Thing().run()", ["1 call numpy.Thing !", "1 call numpy.Thing.run ?"]),
    ("x = np.make(); x.run()", ["1 call numpy.make !", "1 call <x.run> ?"]),
    ("getattr(np, 'sum')(1)", ["1 read numpy.sum !", "1 read numpy !"]),
    ("x or np.sum", ["1 read numpy.sum !"]),
    ("async def f():\n    await np.get()", ["2 call numpy.get !"]),
]  # fmt: skip
VALUES = [
    ("df.append(1)", ["1 call tab.Frame.append ~"]),
    ("df.head().append(1)", ["1 call tab.Frame.head ~", "1 call tab.Frame.append ~"]),
    ("df.close()", ["1 call tab.Frame.close ~"]),
    ("df.gone()", ["1 call tab.Frame.gone ~ gone"]),
    ("df.count().real", ["1 call tab.Frame.count ~"]),
    ("df.first.cut()", ["1 read tab.Frame.first ~", "1 call tab.Row.cut ~"]),
    ("df.last.cut()", ["1 read tab.Frame.last ~", "1 call tab.Row.cut ~"]),
    ("df.rows[0].cut()", ["1 read tab.Frame.rows ~", "1 call tab.Row.cut ~"]),
    ("for row in df.rows: row.cut()", ["1 read tab.Frame.rows ~", "1 call tab.Row.cut ~"]),
    ("[r.cut for r in df.rows]", ["1 read tab.Row.cut ~", "1 read tab.Frame.rows ~"]),
    ("for row in list(df.rows): row.cut()", ["1 read tab.Frame.rows ~", "1 call tab.Row.cut ~"]),
    ("a, b = df.pair()\nb.cut()", ["1 call tab.Frame.pair ~", "2 call tab.Row.cut ~"]),
    ("df.pair()[1].cut()", ["1 call tab.Frame.pair ~", "1 call tab.Row.cut ~"]),
    ("x = df.append\nx(1)", ["1 read tab.Frame.append ~", "2 call tab.Frame.append ~"]),
    ("y = df\ny.append", ["2 read tab.Frame.append ~"]),
    ("df = 3\ndf.append", []),
    ("df += 1\ndf.append", []),
    ("with df as f: f.append", ["1 read tab.Frame.append ~"]),
    ("with tab.io.read_csv('x') as f: f.append", ["1 call tab.io.read_csv !", "1 read tab.Frame.append ~"]),
    ("x = [df, df]\nx[0].append; x[1].head", ["2 read tab.Frame.append ~", "2 read tab.Frame.head ~"]),
    ("for f in (df, df): f.append", ["1 read tab.Frame.append ~"]),
    ("for f in (df, 3): f.append", []),
    ("x = {'a': df, 'b': 3}\nx['a'].append; x['b'].append", ["2 read tab.Frame.append ~"]),
    ("x = df if c else None\nx.append", ["2 read tab.Frame.append ~"]),
    ("x = df if c else 3\nx.append", []),
    ("tab.Frame().append(1)", ["1 call tab.Frame !", "1 call tab.Frame.append !"]),
    ("tab.Frame.append(df, 1)", ["1 call tab.Frame.append !"]),
    ("tab.core.Frame().append", ["1 call tab.core.Frame !", "1 read tab.Frame.append !"]),
    ("tab.options.cut()", ["1 read tab.options !", "1 call tab.Row.cut ~"]),
    ("tab.read_any('x').append", ["1 call tab.read_any !", "1 read tab.Frame.append ?"]),
    ("tab.io.untold('x').cut()", ["1 call tab.io.untold !", "1 call tab.Row.cut ?"]),
    ("tab.io.untold('x').nobody()", ["1 call tab.io.untold !", "1 call <tab.io.untold().nobody> ?"]),
    ("df.plain().chunk()", ["1 call tab.Frame.plain ~", "1 call tab.Reader.chunk ?"]),
    ("def f(x: tab.Row): x.cut()", ["1 read tab.Row !", "1 call tab.Row.cut ~"]),
    ("def f(x: 'tab.Row | None' = None): x.cut()", ["1 read tab.Row !", "1 call tab.Row.cut ~"]),
    ("def f(x: Optional[tab.Row]): x.cut()", ["1 read tab.Row !", "1 call tab.Row.cut ~"]),
    ("def f(x: list[tab.Row]): x[0].cut()", ["1 read tab.Row !", "1 call tab.Row.cut ~"]),
    ("def f(x: tab.Row | int): x.cut()", ["1 read tab.Row !", "1 call tab.Row.cut ?"]),
    ("def f(x: tab.Row | tab.Frame): x.cut()", ["1 read tab.Row !", "1 read tab.Frame !"]),
    ("try: ...\nexcept tab.Row as e: e.cut()", ["2 read tab.Row !", "2 call tab.Row.cut ~"]),
    ("tab.__version__.split('.')", ["1 read tab.__version__ !"]),
    ("x: tab.Row\nx.cut()", ["1 read tab.Row !", "2 call tab.Row.cut ~"]),
    ("x: tab.Row = load()\nx.cut()", ["1 read tab.Row !", "2 call tab.Row.cut ~"]),
    ("def f() -> tab.Row: ...\nf().cut()", ["1 read tab.Row !", "2 call tab.Row.cut ~"]),
    ("def f():\n    return tab.Row()\nf().cut()", ["2 call tab.Row !", "3 call tab.Row.cut !"]),
    ("def f(x):\n    if isinstance(x, tab.Row):\n        x.cut()\n    x.cut()", ["2 read tab.Row !", "3 call tab.Row.cut ~"]),
    ("import tab\ndef run(x=tab.Frame()): x.head()", ["1 import tab !", "2 call tab.Frame !", "2 call tab.Frame.head ?"]),
    ("import tab\ndef run(x):\n    x = x if x is not None else tab.Frame()\n    x.head()", ["1 import tab !", "3 call tab.Frame !", "4 call tab.Frame.head ?"]),
    ("import tab\ndef run(x, y):\n    x = y if x is None else tab.Frame()\n    x.head()", ["1 import tab !", "3 call tab.Frame !"]),
    ("import tab\ndef run(x):\n    x = x or tab.Frame()\n    x.head()", ["1 import tab !", "3 call tab.Frame !", "4 call tab.Frame.head ?"]),
    ("import tab\ndef run(x):\n    if not isinstance(x, tab.Frame):\n        x = tab.Frame(x)\n    x.head()", ["1 import tab !", "3 read tab.Frame !", "4 call tab.Frame !", "5 call tab.Frame.head ?"]),
    ("import tab\ndef run(x, y):\n    if y:\n        x = tab.Frame(x)\n    x.head()", ["1 import tab !", "4 call tab.Frame !"]),
    ("import tab\ndef run(x):\n    a = tab.Frame() if x else tab.Row()\n    a.cut()", ["1 import tab !", "3 call tab.Frame !", "3 call tab.Row !", "4 call tab.Row.cut ?"]),
]  # fmt: skip
CLASSES = [
    ("class C:\n    def __init__(self): self.x = df\n    def f(self): self.x.append", ["3 read tab.Frame.append ~"]),
    ("class C:\n    def f(self): self.x.append\n    def g(self): self.x = df", ["2 read tab.Frame.append ~"]),
    ("class C:\n    x = df\n    def f(self): self.x.append", ["3 read tab.Frame.append ~"]),
    ("class C:\n    def f(self): self.x = df\n    def g(self): self.x = 3; self.x.append", []),
    ("class C:\n    def make(self): return df\n    def f(self): self.make().append", ["3 read tab.Frame.append ~"]),
    ("class C:\n    @property\n    def x(self): return df\n    def f(self): self.x.append", ["4 read tab.Frame.append ~"]),
    ("class C:\n    def __init__(self): self.x = df\nC().x.append", ["3 read tab.Frame.append ~"]),
    ("class C:\n    def __init__(self): self.f = tab.concat\n    def g(self): self.f(1)", ["2 read tab.concat !", "3 call tab.concat ~"]),
    ("class C(tab.Frame):\n    def f(self): self.append(1); self.close(); self.own()", ["1 read tab.Frame !", "2 call tab.Frame.append ~", "2 call tab.Frame.close ~"]),
    ("class C(tab.Frame):\n    def __init__(self): self.append = 3\n    def f(self): self.append", ["1 read tab.Frame !"]),
    ("class C(tab.Frame):\n    def __init__(self): super().__init__()", ["1 read tab.Frame !", "2 call tab.Frame.__init__ ~"]),
    ("class C:\n    rows: list[tab.Row] | None\n    def f(self): [r.cut for r in self.rows]", ["2 read tab.Row !", "3 read tab.Row.cut ~"]),
    ("@tab.io.framed()\ndef x(): ...\nx.append(1)", ["1 call tab.io.framed !", "3 call tab.Frame.append ~"]),
    ("@tab.io.either()\n@tab.io.framed()\ndef x(): ...\nx.cut", ["1 call tab.io.either !", "2 call tab.io.framed !", "4 read tab.Row.cut ~"]),
    ("@tab.io.bare()\ndef x(): ...\nx.append(1)", ["1 call tab.io.bare !"]),
    ("class C(tab.Frame):\n    def f(self): self._made", ["1 read tab.Frame !", "2 read tab.Frame._made ~"]),
    ("class C(tab.Frame):\n    def append(self): super().append(1)", ["1 read tab.Frame !", "2 call tab.Frame.append ~"]),
    ("class B(tab.Frame): ...\nclass C(B):\n    def f(self): self.head()", ["1 read tab.Frame !", "3 call tab.Frame.head ~"]),
    ("class C(tab.Frame): ...\nC.append(1)\nC.own()", ["1 read tab.Frame !", "2 call tab.Frame.append ~"]),
    ("class C(tab.Frame):\n    def append(self): ...\nC.append(1)", ["1 read tab.Frame !"]),
    ("class C:\n    @staticmethod\n    def f(a): a.x = df\n    def g(self): self.x.append", []),
]  # fmt: skip
GUARDS = [
    ("try:\n    import numpy\nexcept ImportError:\n    import tab", ["2 import numpy ! try", "4 import tab ! try"]),
    ("try:\n    from tab.io import concat\nexcept ImportError:\n    from tab import concat\nconcat()", ["2 import tab.io.concat ! try", "4 import tab.concat ! try", "5 call tab.io.concat ~ version"]),
    ("try:\n    import numpy as np\nexcept ImportError:\n    import jax as np\nnp.sum()", ["2 import numpy ! try", "5 call numpy.sum ~"]),
    ("try:\n    import numpy\nexcept Exception: ...", ["2 import numpy ! try"]),
    ("try:\n    import numpy\nfinally: ...", ["2 import numpy !"]),
    ("try:\n    import numpy\nexcept ValueError: ...", ["2 import numpy !"]),
    ("import tab\ntry:\n    f = tab.gone\nexcept AttributeError:\n    f = tab.concat\nelse:\n    tab.io", ["1 import tab !", "3 read tab.gone ! try gone", "5 read tab.concat ! try", "7 read tab.io !"]),
    ("import tab\ntry:\n    tab.concat(x=1)\nexcept TypeError:\n    tab.concat(1)", ["1 import tab !", "3 call tab.concat ! try", "3 keyword tab.concat(x=) ! try", "5 call tab.concat ! try"]),
    ("import tab\nif hasattr(tab, 'gone'):\n    tab.gone\nelse:\n    tab.io\ntab.io", ["1 import tab !", "2 read tab !", "3 read tab.gone ! hasattr gone", "5 read tab.io ! hasattr", "6 read tab.io !"]),
    ("import tab\nx = tab.gone if hasattr(tab, 'gone') else 1", ["1 import tab !", "2 read tab.gone ! hasattr gone", "2 read tab !"]),
    ("import tab\nhasattr(tab, 'gone') and tab.gone()", ["1 import tab !", "2 read tab !", "2 call tab.gone ! hasattr gone"]),
    ("import tab\nif hasattr(x, 'gone'):\n    tab.gone", ["1 import tab !", "3 read tab.gone ! gone"]),
    ("import tab\nx = getattr(tab, 'gone', None)", ["1 import tab !", "2 read tab.gone ! getattr gone", "2 read tab !"]),
    ("import tab\nif Version(tab.__version__) < Version('2'):\n    tab.gone()", ["1 import tab !", "2 read tab.__version__ !", "3 call tab.gone ! version gone"]),
    ("import sys, numpy\nif sys.version_info > (3, 8):\n    numpy.a", ["1 import numpy !", "3 read numpy.a ! version"]),
    ("import numpy\nif NP_GE_2:\n    numpy.a", ["1 import numpy !", "3 read numpy.a ! version"]),
    ("import numpy\ndef f():\n    if NP_LT_2:\n        return numpy.a\n    return numpy.b", ["1 import numpy !", "4 read numpy.a ! version", "5 read numpy.b ! version"]),
    ("import numpy\ntry:\n    def f(): numpy.a\nexcept AttributeError: ...", ["1 import numpy !", "3 read numpy.a !"]),
    ("import numpy\nif NP_GE_2:\n    def f(): numpy.a", ["1 import numpy !", "3 read numpy.a ! version"]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), IMPORTS + GUARDS)
def test_imports_and_what_guards_them(code: str, expected: list[str]) -> None:
    assert [told(use) for use in reading(code).uses] == expected


@pytest.mark.parametrize(("code", "expected"), NAMES)
def test_names_and_what_they_are_bound_to(code: str, expected: list[str]) -> None:
    assert [told(use) for use in reading(f"import numpy as np\n{code}").uses][1:] == _later(
        expected
    )


@pytest.mark.parametrize(("code", "expected"), VALUES + CLASSES)
def test_values_and_their_members(code: str, expected: list[str]) -> None:
    found = reading(f"import tab; df = tab.read_csv('x')\n{code}").uses
    assert [told(use) for use in found][2:] == _later(expected)


def _later(expected: list[str]) -> list[str]:
    """A line down: under the import."""
    parts = (line.partition(" ") for line in expected)
    return [f"{int(number) + 1} {rest}" for number, _, rest in parts]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("()", Arguments()),
        ("(1, 2)", Arguments(2)),
        ("(1, b=2, a=3)", Arguments(1, ("b", "a"))),
        ("(*x, **y)", Arguments(0, (), stars=True)),
        ("(1, *x, c=1, **y)", Arguments(1, ("c",), stars=True)),
    ],
)
def test_how_calls_are_made(call: str, expected: Arguments) -> None:
    (use,) = [u for u in reading(f"import numpy\nnumpy.f{call}").uses if u.kind is UseKind.CALL]
    assert use.arguments == expected


def test_where_uses_stand_and_what_they_begin_with() -> None:
    code = "import numpy as np\nx = (np.linalg\n  .norm(1,\n    ord=2))"
    _, call, keyword = reading(code).uses
    assert (call.span, call.call) == (Span(2, 5, 3, 7), Span(2, 5, 4, 10))
    assert (call.name, call.root, call.written) == ("norm", "np", "np.linalg.norm")
    assert (keyword.kind, keyword.name, keyword.span) == (UseKind.KEYWORD, "ord", Span(4, 4, 4, 9))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("tab.concat", Reason.IMPORTED),
        ("f = tab.concat; f()", Reason.ASSIGNED),
        ("tab.Row().cut", Reason.CONSTRUCTED),
        ("tab.concat(1).append", Reason.RETURNED),
        ("x: tab.Row; x.cut", Reason.ANNOTATED),
        ("tab.io.untold(1).chunk", Reason.MEMBER_NAME),
        ("tab.io.untold(1).nobody", Reason.UNKNOWN),
        ("class C(tab.Row):\n    def f(self): self.cut", Reason.INHERITED),
        ("from tab import *; concat", Reason.STAR),
        ("import numpy; numpy.C().run", Reason.CLASS_NAME),
    ],
)
def test_why_it_is_known(code: str, why: Reason) -> None:
    assert reading(f"import tab\n{code}").uses[-1].why is why


def test_the_public_path_of_what_is_written() -> None:
    code = "from tab.core import Frame\nimport tab.io\ntab.io.read_csv('x').close()\nFrame.append"
    found = [use.canonical for use in reading(code).uses]
    assert found == [
        "tab.Frame",
        "tab.io",
        "tab.read_csv",
        "tab.core.Base.close",
        "tab.Frame.append",
    ]


def test_relative_imports_start_from_home() -> None:
    code = "from . import a\nfrom ..b import c\nfrom ...d import e\na.x; c.y; e.z"
    found = [told(use) for use in reading(code, home="own.sub").uses]
    assert found == [
        "1 import own.sub.a !",
        "2 import own.b.c !",
        "4 read own.sub.a.x !",
        "4 read own.b.c.y !",
    ]


def test_aliases_of_packages() -> None:
    code = "from numpy import ones as one, zeros\nimport numpy as np, tab, os"
    assert reading(code).aliases == {"numpy": ("one", "zeros", "np"), "tab": ("tab",)}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import a.b", [("a", "a", "a.b")]),
        ("import a.b as c", [("c", "a.b", "a.b")]),
        ("from a.b import c as d, e", [("d", "a.b.c", "a.b.c"), ("e", "a.b.e", "a.b.e")]),
        ("from . import a", [("a", ".a", "..a")]),
        ("from a import *", [("*", "a.*", "a.*")]),
    ],
)
def test_what_an_import_binds(code: str, expected: list[tuple[str, str, str]]) -> None:
    node = ast.parse(code).body[0]
    assert [(item.name, item.path, item.full) for item in imported(node)] == expected


def test_imports_of_code_that_does_not_parse() -> None:
    code = "import a.b, c as d\nfrom e import (f as g,\n  h)\nprint 3 (((\nfrom i import j"
    names = {item.name: item.path for item in imported_by_text(code)}
    assert names == {"a": "a", "d": "c", "g": "e.f", "h": "e.h", "j": "i.j"}
    assert [item.name for item in imported_by_lines(code)] == ["a", "d", "j"]
