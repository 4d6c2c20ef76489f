"""Which public paths a release has, and what they reach: sources, and what is expected of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.languages.python import static
from libdrift.languages.python.static import of_sources
from libdrift.mining.parse_cache import ParseCache
from libdrift.records import Binding, Name, Provenance, Surface, SymbolKind
from tests.languages import conformance


def paths(surface: Surface) -> dict[str, str]:
    return {path: name.target for path, name in surface.walk() if path not in surface.roots}


def names(surface: Surface) -> set[str]:
    """What is offered, without the modules on the way."""
    return {
        path
        for path, name in surface.walk()
        if ":" in name.target and name.binding is not Binding.UNLISTED
    }


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        # Public is what has no underscore, or what __all__ says.
        ({"p.py": "def f(): ...\ndef _g(): ...\nX = 1\nclass C: ..."}, {"p.f", "p.X", "p.C"}),
        ({"p.py": "__all__ = ['f']\ndef f(): ...\ndef g(): ..."}, {"p.f"}),
        ({"p.py": "__all__ = ['f'] + ['g']\n__all__ += ('h',)\n__all__.append('i')\n__all__.remove('g')\ndef f(): ...\ng = h = i = f"}, {"p.f", "p.h", "p.i"}),
        ({"p.py": "__all__ = 'f g'.split()\ndef f(): ...\ndef g(): ...\ndef h(): ..."}, {"p.f", "p.g"}),
        ({"p.py": "__all__ = [n for n in dir() if n[0] != '_']\ndef f(): ..."}, {"p.f"}),
        ({"p/__init__.py": "from . import a\nfrom .a import *\n__all__ = [*a.__all__]", "p/a.py": "__all__ = ['f']\ndef f(): ...\ndef g(): ..."}, {"p.f", "p.a.f"}),
        ({"p/__init__.py": "from .a import *\nfrom . import a\n__all__ = []\ndef add(m):\n    __all__.extend(m.__all__)\nadd(a)", "p/a.py": "__all__ = ['f']\ndef f(): ..."}, {"p.f", "p.a.f"}),
        # Imports: of the package's own things in __init__ they are offers, foreign modules never.
        ({"p/__init__.py": "import os\nimport numpy as np\nfrom .a import f", "p/a.py": "import sys\nfrom os import getcwd\ndef f(): ..."}, {"p.f", "p.a.f"}),
        ({"p/__init__.py": "from markupsafe import Markup"}, {"p.Markup"}),
        ({"p/__init__.py": "", "p/a.py": "from .b import g\ndef f(): g()", "p/b.py": "def g(): ..."}, {"p.a.f", "p.a.g", "p.b.g"}),
        # Private modules are read through what takes from them.
        ({"p/__init__.py": "from ._a import f, _g as g", "p/_a.py": "def f(): ...\ndef _g(): ..."}, {"p.f", "p.g"}),
        ({"p/__init__.py": "from .a import *", "p/a.py": "from .b import *", "p/b.py": "from .a import *\ndef f(): ..."}, {"p.f", "p.a.f", "p.b.f"}),
        # Only a type checker sees these, unless the module gives its names lazily.
        ({"p.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    def f(): ...\nelse:\n    def g(): ..."}, {"p.g"}),
        ({"p/__init__.py": "import typing as t\nif t.TYPE_CHECKING:\n    from .a import f\ndef __getattr__(name): return load(name)", "p/a.py": "def f(): ..."}, {"p.f", "p.a.f"}),
        # Conditions that can be told, and those that cannot.
        ({"p.py": "import sys\nif sys.version_info >= (3, 8):\n    def f(): ...\nelse:\n    def g(): ..."}, {"p.f"}),
        ({"p.py": "import sys\nif sys.version_info[0] == 2:\n    def f(): ...\nelif sys.platform == 'win32':\n    def g(): ...\nelse:\n    def h(): ..."}, {"p.h"}),
        ({"p.py": "try:\n    import fast\n    def f(): ...\nexcept ImportError:\n    def f(): ...\n    def g(): ..."}, {"p.f", "p.g"}),
        ({"p.py": "def f(): ...\nfor name in (1,): pass\ndel name\nwith open('x'):\n    def g(): ..."}, {"p.f", "p.g"}),
        # Lazy loaders.
        ({"p/__init__.py": "import lazy_loader as lazy\n__getattr__, __dir__, __all__ = lazy.attach(__name__, {'a'}, {'a': ['f']})", "p/a.py": "def f(): ..."}, {"p.f", "p.a.f"}),
        ({"p/__init__.py": "__all__, __getattr__, __dir__ = own(__name__, ['.a'], ['._b.g', '.a.f'])", "p/a.py": "def f(): ...", "p/_b.py": "def g(): ..."}, {"p.f", "p.a.f", "p.g"}),
        ({"p/__init__.py": "import lazy_loader as lazy\n__getattr__, __dir__, _ = lazy.attach_stub(__name__, __file__)", "p/__init__.pyi": "from .a import f as f", "p/a.py": "def f(): ..."}, {"p.f", "p.a.f"}),
        ({"p/__init__.py": "from . import a\ndef __getattr__(name): return getattr(a, name)", "p/a.py": "def f(): ..."}, {"p.f", "p.a.f"}),
        ({"p/__init__.py": "from . import a\ndef __getattr__(name):\n    if name in a._OLD: return getattr(a, name)", "p/a.py": "def f(): ...\n_OLD = {'g': f}\ndef __getattr__(name):\n    if name in _OLD: return _OLD[name]"}, {"p.g", "p.a.f", "p.a.g"}),
        ({"p/__init__.py": "from . import a\ndef __getattr__(name):\n    if name in a.__all__: return getattr(a, name)", "p/a.py": "__all__ = ['f']\ndef f(): ..."}, {"p.f", "p.a.f"}),
        ({"p/__init__.py": "_T = {'a': ['f'], 'p.b': ['g']}\n_where = {name: place for place, names in _T.items() for name in names}\ndef __getattr__(name):\n    if place := _where.get(name): return load(place)", "p/a.py": "def f(): ...", "p/b.py": "def g(): ..."}, {"p.f", "p.g", "p.a.f", "p.b.g"}),
        ({"p/__init__.py": "_where = {'f': 'p.a', 'g': ('p.a', 'f')}\ndef __getattr__(name):\n    if name in _where: return load(_where[name])", "p/a.py": "def f(): ..."}, {"p.f", "p.g", "p.a.f"}),
        ({"p/__init__.py": "_where = {'f': (__spec__.parent, '.a'), 'g': ('p', '.a')}\ndef __getattr__(name):\n    place = _where.get(name)\n    return load(*place)", "p/a.py": "def f(): ...\ndef g(): ..."}, {"p.f", "p.g", "p.a.f", "p.a.g"}),
        ({"p/__init__.py": "def __getattr__(name):\n    if name == 'a':\n        import p.a as a\n        return a\n    if name == 'g':\n        from .a import a as b\n        return b", "p/a.py": "def a(): ..."}, {"p.g", "p.a.a"}),
        # Stubs stand for what is compiled; they do not invent names that the code lacks.
        ({"p/__init__.py": "from ._c import f, g", "p/_c.so": "", "p/_c.pyi": "import os\nfrom typing import Any\ndef f() -> int: ...\ndef g() -> Any: ..."}, {"p.f", "p.g"}),
        ({"p.py": "def f(): ...", "p.pyi": "def f() -> int: ...\ndef g(): ..."}, {"p.f"}),
        # Tests are no interface, nor is the script that starts a package.
        ({"p/__init__.py": "", "p/tests/__init__.py": "def f(): ...", "p/conftest.py": "def f(): ...", "p/__main__.py": "def f(): ..."}, set()),
        ({"p/__init__.py": "", "p/test/__init__.py": "", "p/test/test_a.py": "def f(): ..."}, set()),
        ({"p/__init__.py": "", "p/test/__init__.py": "def client(): ..."}, {"p.test.client"}),
        # A folder without __init__ offers nothing, unless something imports from it.
        ({"p/__init__.py": "from .n.a import f", "p/n/a.py": "def f(): ...\ndef g(): ..."}, {"p.f", "p.n.a.f", "p.n.a.g"}),
        ({"p/__init__.py": "def f(): ...", "p/examples/a.py": "def g(): ..."}, {"p.f"}),
        # Importing a package imports submodules: `*` brings them along, as names of modules.
        ({"p/__init__.py": "from .q import *", "p/q/__init__.py": "from .a import f", "p/q/a.py": "from . import b\ndef f(): ...", "p/q/b.py": "def g(): ..."}, {"p.f", "p.q.f", "p.q.a.f", "p.q.b.g"}),
        # A namespace has no file of its own.
        ({"g/cloud/__init__.py": "def f(): ..."}, {"g.cloud.f"}),
        # A function that has its module's name hides the module.
        ({"p/__init__.py": "from .f import f", "p/f.py": "def f(): ...\ndef g(): ..."}, {"p.f"}),
        # Lists that are made in part at import: what can be told, and what is defined beside it.
        ({"p/__init__.py": "from .a import *", "p/a.py": "__all__ = ['f'] + made_up()\ndef f(): ...\ndef g(): ...\nimport os"}, {"p.f", "p.g", "p.a.f", "p.a.g"}),
        ({"p/__init__.py": "from .a import *", "p/a.py": "from . import b\nfrom .b import *\n__all__ = ['f']\n__all__ += b._names\ndef f(): ...", "p/b.py": "__all__ = _names + ['Gen']\nclass Gen: ...\none = Gen(1)"}, {"p.f", "p.one", "p.a.f", "p.a.one", "p.b.Gen", "p.b.one"}),
        ({"p.py": "__all__ = [n for n in dir() if n[0] != '_']\n__all__ += ['g']\ndef f(): ...\ndef g(): ..."}, {"p.f", "p.g"}),
        ({"p/__init__.py": "import p.q as q\n__all__ = q.__all__[:]\nfrom .q import *", "p/q.py": "__all__ = ['f']\ndef f(): ..."}, {"p.f", "p.q.f"}),
        ({"p.py": "_old = {'a': 'b'}\n__all__ = list(_old.keys())\nfor new, old in _old.items():\n    globals()[old] = globals()[new]\n    __all__.append(old)\ndef a(): ..."}, {"p.a", "p.b"}),
        ({"p.py": "class E(Enum):\n    A = 1\n    B = 2\nfor e in (E, F):\n    for item in e:\n        setattr(module, item.name, item.value)\ndel e, item"}, {"p.E", "p.A", "p.B"}),
        ({"p.py": "names = ('A B '\n    'C').split()\nfor name in names:\n    globals()[name] = make(name)"}, {"p.A", "p.B", "p.C", "p.names"}),
        ({"p.py": "def f(): ...\nif __name__ == '__main__':\n    args = 1"}, {"p.f"}),
        ({"p.py": "class A1: ...\nclass B1: ...\nfor a, b in [('A1', 'X'), ('B1', 'Y')]:\n    globals()['Old' + b] = globals()[a]\n    globals()[f'the_{b}'] = 1"}, {"p.A1", "p.B1", "p.OldX", "p.OldY", "p.the_X", "p.the_Y"}),
        # A branch that may not run does not replace what is there; loops leave no interface.
        ({"p.py": "def f(): ...\nif not found():\n    f = g = None\nfor key in table: pass"}, {"p.f", "p.g"}),
        # Tables of lazy names that a helper is given.
        ({"p/__init__.py": "lazy_import(globals(), aliases={'A': '.m'}, deprecated_aliases={'B': '.m'})", "p/m.py": "class A: ...\nclass B: ..."}, {"p.A", "p.B", "p.m.A", "p.m.B"}),
        ({"p/__init__.py": "from ._m import A as _A, install\ninstall(__name__)\n__deprecated_names__ = {'A': Old(value=_A, instead='B'), 'C': Old(instead='D')}", "p/_m.py": "class A: ...\ndef install(name): ..."}, {"p.install", "p.A", "p.C"}),
        ({"p.py": "__deprecated_names__ = {'A': 1}"}, set()),
        # A wrapper leaves the name where it is.
        ({"p.py": "def f(a): ...\nf = wrap(f)\nglobals()['g'] = 1\nglobals().update(h=2)"}, {"p.f", "p.g", "p.h"}),
    ],
)  # fmt: skip
def test_public_paths(sources: dict[str, str], expected: set[str]) -> None:
    assert names(of_sources(sources)) == expected


@pytest.mark.parametrize(
    ("source", "path", "signature"),
    [
        ("def f(a, /, b: int, *args, c=1, d: str = 'x', **kw) -> None: ...", "p.f", "(a, /, b: int, *args, c=1, d: str = 'x', **kw) -> None"),
        ('def f(a="x", *, b=( 1,2 )): ...', "p.f", "(a='x', *, b=(1, 2))"),
        ('def f(a: "int" = None, b: list[int|None] = ...): ...', "p.f", "(a: 'int' = None, b: list[int | None] = ...)"),
        ("class C:\n    def m(self, a): ...", "p.C.m", "(a)"),
        ("class C:\n    @classmethod\n    def m(cls, a): ...", "p.C.m", "(a)"),
        ("class C:\n    @staticmethod\n    def m(a, b): ...", "p.C.m", "(a, b)"),
        ("class C:\n    def __init__(self, a, b=2): ...", "p.C", "(a, b=2)"),
        ("class A:\n    def __init__(self, a): ...\nclass C(A): ...", "p.C", "(a)"),
        ("class C: ...", "p.C", "()"),
        ("class C(Exception): ...", "p.C", None),
        ("class C:\n    def __new__(cls, a): ...", "p.C", "(a)"),
        ("from dataclasses import dataclass, field\n@dataclass\nclass A:\n    a: int\n@dataclass\nclass C(A):\n    b: list = field(default_factory=list)\n    c: int = field(init=False)", "p.C", "(a: int, b: list = list())"),
        ("from typing import NamedTuple\nclass C(NamedTuple):\n    a: int\n    b: str = 'x'", "p.C", "(a: int, b: str = 'x')"),
        ("from collections import namedtuple\nC = namedtuple('C', 'a b')", "p.C", "(a, b)"),
        ("from collections import namedtuple\nclass C(namedtuple('C', 'a b')):\n    x = 1", "p.C", "(a, b)"),
        ("import attr\n@attr.s\nclass C:\n    a = attr.ib()\n    _b = attr.ib(default=1)\n    c = attr.ib(init=False)", "p.C", "(a, b=1)"),
        ("class C:\n    def m(name): ...", "p.C.m", "(name)"),
        ("f = lambda a, b=1: a", "p.f", "(a, b=1)"),
        ("from typing import overload\n@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\ndef f(a, b=None): ...", "p.f", "(a, b=None)"),
        ("@deprecated('x')\ndef f(a): ...\ng = f", "p.g", "(a)"),
        ("def f(a): ...\ng = deprecated('old', 'new')(f)", "p.g", "(a)"),
        ("X = 1", "p.X", None),
    ],
)  # fmt: skip
def test_signatures(source: str, path: str, signature: str | None) -> None:
    symbol = of_sources({"p.py": source}).resolve(path)
    assert symbol is not None
    assert (symbol.signature and str(symbol.signature)) == signature


def test_overloads_of_a_stub_are_one_signature() -> None:
    stub = "from typing import overload\n@overload\ndef f(a: int, b: int = ...) -> int: ...\n@overload\ndef f(a: str, *, c: int) -> str: ...\n"
    symbol = of_sources({"p/__init__.py": "", "p/c.so": "", "p/c.pyi": stub}).resolve("p.c.f")
    assert symbol is not None
    assert str(symbol.signature) == "(a, b: int = ..., *, c: int = ...)"
    assert symbol.provenance == (Provenance.STUB,)


def test_annotations_of_a_stub_complete_the_code() -> None:
    surface = of_sources(
        {"p.py": "def f(a, b=1): ...", "p.pyi": "def f(a: int, b: int = ...) -> str: ..."}
    )
    symbol = surface.resolve("p.f")
    assert symbol is not None
    assert str(symbol.signature) == "(a: int, b: int = 1) -> str"
    assert symbol.provenance == (Provenance.STATIC, Provenance.STUB)


CLASSES = """
from enum import Enum
from typing import TYPE_CHECKING
class _Hidden:
    if TYPE_CHECKING:
        def sometimes(self): ...
    def inherited(self): ...
class A(_Hidden):
    x = 1
    y: int
    __slots__ = ("slot", "_no")
    def __init__(self):
        self.made = 1
    def _private(self): ...
    @property
    def prop(self): ...
    @prop.setter
    def prop(self, value): ...
    def old(self): ...
    new = old
    made_by = property(lambda self: 1, doc="Said.")
    class Inner:
        def deep(self): ...
class B(A, dict):
    def prop(self): ...
class Colour(Enum):
    RED = 1
A.later = A.old
"""


@pytest.mark.parametrize(
    ("path", "target", "kind"),
    [
        ("p.A.inherited", "p:_Hidden.inherited", SymbolKind.METHOD),
        ("p.B.inherited", "p:_Hidden.inherited", SymbolKind.METHOD),
        ("p.A.x", "p:A.x", SymbolKind.ATTRIBUTE),
        ("p.A.y", "p:A.y", SymbolKind.ATTRIBUTE),
        ("p.A.slot", "p:A.slot", SymbolKind.ATTRIBUTE),
        ("p.A.made", "p:A.made", SymbolKind.ATTRIBUTE),
        ("p.A.prop", "p:A.prop", SymbolKind.PROPERTY),
        ("p.B.prop", "p:B.prop", SymbolKind.METHOD),
        ("p.A.new", "p:A.old", SymbolKind.METHOD),
        ("p.A.made_by", "p:A.made_by", SymbolKind.PROPERTY),
        ("p.A.Inner.deep", "p:A.Inner.deep", SymbolKind.METHOD),
        ("p.Colour.RED", "p:Colour.RED", SymbolKind.ATTRIBUTE),
    ],
)
def test_members(path: str, target: str, kind: SymbolKind) -> None:
    symbol = of_sources({"p.py": CLASSES}).resolve(path)
    assert symbol is not None
    assert (symbol.id, symbol.kind) == (target, kind)


def test_what_classes_do_not_have() -> None:
    surface = of_sources({"p.py": CLASSES})
    for path in ("p.A.sometimes", "p.A._private", "p.A._no", "p._Hidden", "p.A.nothing", "q.A"):
        assert surface.resolve(path) is None
    assert "instance" in surface.symbols["p:A.made"].traits
    assert "later" in surface.scopes["p:A"]


def test_members_of_pythons_own_bases_are_told_apart() -> None:
    surface = of_sources({"p.py": CLASSES})
    assert surface.inherited_from_outside("p:B")["items"] == "builtins.dict"
    assert surface.inherited_from_outside("p:Colour") == {"name": "enum.Enum", "value": "enum.Enum"}
    assert not surface.inherited_from_outside("p:A")


def test_accessors_that_a_decorator_adds() -> None:
    source = "@define_aliases({'width': ['w']})\nclass A(B): ...\nclass B:\n    def set_width(self): ...\n"
    surface = of_sources({"p.py": source})
    assert surface.lookup("p:A", "set_w") == Name("p:B.set_width")
    assert surface.lookup("p:A", "get_w") is None


def test_members_that_are_given_in_bulk() -> None:
    source = """
class Other:
    _fields = ["year", "_hidden"]
    _all = _fields + ["month"]
    def year(self): ...
@inherit_names(["day"] + Other._all, Other)
class A: ...
class B: ...
for name in ("one", "two"):
    setattr(B, name, make(name))
for function in frozenset([np.sin, np.cos]):
    label = function.__name__
    setattr(B, label, function)
"""
    surface = of_sources({"p.py": source})
    assert set(surface.scopes["p:A"]) == {"day", "year", "month"}
    assert surface.scopes["p:A"]["year"].target == "p:Other.year"
    assert set(surface.scopes["p:B"]) == {"one", "two", "sin", "cos"}


NEWDOCS = '''
add_newdoc("p._c", "f", """f(a, b=1)

Text.""")
add_newdoc("p._c", "A", ("more", """a.more(x)

More."""))
add_newdoc("p._c", "A", refer_to("least"))
add_newdoc("p._c", "nothing", "x")
add_newdoc("p._c", "g", "g(a=None)")
'''


def test_documentation_that_is_given_to_what_is_compiled() -> None:
    source = '''
from p._c import add_docstr, _f, _g
f = add_docstr(_f, r"""
f(input) -> Tensor
Computes {what}.
""".format(**common))
g = other(_g, "no text on it")
'''
    surface = of_sources({"p/__init__.py": source, "p/_c.so": ""})
    function, other = surface.resolve("p.f"), surface.resolve("p.g")
    assert function is not None
    assert other is not None
    assert "Computes {what}." in function.doc
    assert other.doc == ""


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("__version__ = '1'", []),
        ("__all__ = ['f']\n__version__ = '1'\ndef f(): ...", []),
        ("from p._v import __version__", []),
        (
            "def __getattr__(name):\n"
            "    if name == '__version__':\n"
            "        warnings.warn('Use importlib.metadata.', DeprecationWarning)\n"
            "        return 1\n"
            "    raise AttributeError(name)",
            ["Use importlib.metadata."],
        ),
        ("__author__ = 'me'", None),
    ],
)
def test_the_version_of_a_package_is_a_name_of_it(source: str, told: list[str] | None) -> None:
    surface = of_sources({"p/__init__.py": source, "p/_v.py": "__version__ = '1'"})
    found = surface.resolve("p.__version__")
    assert (found is None) == (told is None)
    if found is not None:
        assert [item.message for item in found.deprecations] == told
        assert found.value == "", "it is another one in each release, and no change"


def test_documentation_that_is_kept_apart_from_compiled_code() -> None:
    surface = of_sources(
        {
            "p/__init__.py": "from ._c import f, g, A",
            "p/_c.so": "",
            "p/_c.pyi": "class A:\n    def known(self) -> int: ...\ndef g(a: int = ...) -> int: ...",
            "p/_add_newdocs.py": NEWDOCS,
        }
    )
    function, method = surface.resolve("p.f"), surface.resolve("p.A.more")
    assert function is not None
    assert method is not None
    assert (str(function.signature), function.kind) == ("(a, b=1)", SymbolKind.FUNCTION)
    assert (str(method.signature), method.doc) == ("(x)", "a.more(x)\n\nMore.")
    assert set(surface.members("p._c:A")) == {"known", "more", "least"}
    typed = surface.resolve("p.g")
    assert typed is not None
    assert str(typed.signature) == "(a: int = None) -> int", (
        "types of the stub, default of the text"
    )


def test_a_stub_says_what_code_makes_by_a_call() -> None:
    surface = of_sources(
        {
            "p.py": "Norm = make('norm')\nkind = table['kind']\nclass C:\n    def m(self): ...",
            "p.pyi": "class Norm:\n    def scale(self) -> int: ...\nclass Wide: ...\nkind = Wide[int]\nclass C:\n    only: int\n    def m(self) -> int: ...",
        }
    )
    assert surface.resolve("p.Norm.scale") is not None
    kind = surface.resolve("p.kind")
    assert kind is not None
    assert (kind.kind, kind.bases) == (SymbolKind.CLASS, ("p:Wide",))
    assert "instance" in surface.symbols["p:C.only"].traits


def test_how_names_are_bound() -> None:
    surface = of_sources(
        {
            "p/__init__.py": "from .a import f, g as g\ndef own(): ...",
            "p/a.py": "from .b import h\nfrom .b import k as k\ndef f(): ...\ndef g(): ...",
            "p/b.py": "__all__ = ['h', 'k']\ndef h(): ...\ndef k(): ...",
        }
    )
    found = {path: name.binding for path, name in surface.walk()}
    assert found["p.f"] is found["p.g"] is found["p.a.k"] is Binding.REEXPORTED
    assert found["p.own"] is found["p.a.f"] is Binding.DEFINED
    assert found["p.a.h"] is Binding.IMPORTED
    assert found["p.b.h"] is Binding.LISTED
    assert found["p.a"] is Binding.SUBMODULE


def test_a_module_under_two_names_is_one_scope() -> None:
    surface = of_sources(
        {"p/__init__.py": "from . import a as b\nfrom ._c import d", "p/a.py": "def f(): ...", "p/_c/__init__.py": "", "p/_c/d.py": "def g(): ..."}
    )  # fmt: skip
    found = paths(surface)
    assert found["p.b"] == found["p.a"] == "p.a"
    assert "p.a.f" in found
    assert "p.b.f" not in found, "its names are given once, under its own path"
    assert found["p.d.g"] == "p._c.d:g", "a private module's names, under the name that reaches it"
    reached = surface.resolve("p.b.f")
    assert reached is not None
    assert reached.id == "p.a:f"


def test_names_beside_all_that_users_reach() -> None:
    surface = of_sources(
        {
            "p/__init__.py": "from builtins import float\nfrom typing import Any\nfrom .a import f, g\nfrom .b import *\n__all__ = ['f']\ndef own(): ...\ndef __getattr__(name):\n    if name == 'lazy':\n        return g",
            "p/a.py": "def f(): ...\ndef g(): ...",
            "p/b.py": "__all__ = ['h']\ndef h(): ...",
        }
    )
    found = {name: bound.binding for name, bound in surface.scopes["p"].items()}
    assert found.pop("f") is Binding.LISTED
    assert found.pop("lazy") is Binding.LAZY
    assert found.pop("a") is found.pop("b") is Binding.SUBMODULE
    assert found.pop("own") is Binding.UNLISTED
    assert found == dict.fromkeys(["float", "g", "h"], Binding.IMPORTED)


def test_what_is_listed_and_not_there_is_a_slip() -> None:
    surface = of_sources({"p.py": "__all__ = ['f', 'gone']\ndef f(): ..."})
    assert names(surface) == {"p.f"}


def test_a_compiled_function_is_told_by_its_twin_in_python() -> None:
    surface = of_sources(
        {
            "p/__init__.py": "try:\n    from ._fast import f\nexcept ImportError:\n    from ._slow import f",
            "p/_fast.so": "",
            "p/_fast.pyi": "def f(a: int) -> int: ...",
            "p/_slow.py": "import warnings\ndef f(a):\n    'Doc.'\n    warnings.warn('use g', DeprecationWarning)",
        }
    )
    symbol = surface.resolve("p.f")
    assert symbol is not None
    assert symbol.doc == "Doc."
    assert symbol.deprecation is not None


def test_tombstones_are_no_names() -> None:
    source = "__expired_attributes__ = {'gone': 'Use `here` instead'}\ndef here(): ...\ndef __getattr__(name):\n    if name in __expired_attributes__:\n        raise AttributeError(__expired_attributes__[name])\n"
    surface = of_sources({"p.py": source})
    assert names(surface) == {"p.here"}
    assert surface.tombstones == {"p.gone": "Use `here` instead"}
    apart = of_sources({"p/__init__.py": "from ._old import __expired_attributes__", "p/_old.py": source})  # fmt: skip
    assert apart.tombstones == surface.tombstones, "the table may be kept in a module of its own"


def test_a_table_of_tombstones_may_be_made_from_another() -> None:
    source = """
_said = "`p.{n}` was an alias for the builtin `{n}`. {more}"
_types = [("int", "Use `p.int64` or `p.int32`"), ("float", "")]
__former_attrs__ = {n: _said.format(n=n, more=more) for n, more in _types}
class int64: ...
def __getattr__(name):
    if name in __former_attrs__:
        raise AttributeError(__former_attrs__[name])
"""
    surface = of_sources({"p.py": source})
    assert names(surface) == {"p.int64"}
    assert surface.tombstones == {
        "p.int": "`p.int` was an alias for the builtin `int`. Use `p.int64` or `p.int32`",
        "p.float": "`p.float` was an alias for the builtin `float`. ",
    }


def test_a_surface_says_what_it_could_not_read_or_see() -> None:
    surface = of_sources(
        {
            "p/__init__.py": "from ._c import *\nfor n in 'ab':\n    setattr(x, n, 1)",
            "p/_c.so": "",
            "p/_d.pyx": "",
            "p/broken.py": "def f(:\n",
            "p/made.py": "class A(other.Base): ...",
        }
    )
    assert surface.origin.unread == ("p/broken.py: line 1: invalid syntax",)
    gaps = " ".join(surface.origin.gaps)
    for expected in ("names made at import", "p._c, which is compiled", "inherits from other.Base"):
        assert expected in gaps
    assert not surface.origin.complete
    assert of_sources({"p.py": "def f(): ..."}).origin.complete


def test_a_file_is_parsed_once_for_all_releases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ParseCache(tmp_path / "parsed.sqlite", static.VERSION)
    source = (
        b"@deprecated('1.0', alternative='g')\ndef f(a, b: int = 1): 'Doc.'\nclass C:\n    x = 1\n"
    )
    members = {"p.py": static.ArchiveMember("p.py", len(source), 7)}
    release = static.Release("pypi", "p", "1.0")
    first = static.extract(
        release, members, lambda paths: dict.fromkeys(paths, source), cache=cache
    )

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr(static, "parse", refuse)
    fetched: list[str] = []

    def read(asked: object) -> dict[str, bytes]:
        fetched.extend(asked)  # type: ignore[call-overload]
        return {}

    again = static.extract(release, members, read, cache=cache)
    assert again == first
    # Two files of the same content, as empty ones are.
    twins = {"p/__init__.py": members["p.py"], "p/a.py": members["p.py"]}
    assert not static.extract(release, twins, read, cache=cache).origin.unread
    assert fetched == [], "nothing is fetched either"


def test_it_conforms() -> None:
    files = {
        "p/__init__.py": "from .a import f\nfrom ._b import C\nLIMIT = 3\n",
        "p/a.py": "def f(x, y=1): ...\n",
        "p/_b.py": "class C:\n    def m(self): ...\n",
    }
    assert not list(conformance.faults(of_sources(files)))


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        # What an import that always runs names must be there, however it is made.
        ({"p/__init__.py": "from .a import bold", "p/a.py": "for name in codes:\n    make(name)"}, {"p.bold"}),
        ({"p/__init__.py": "try:\n    from .a import bold\nexcept ImportError: ...", "p/a.py": ""}, set()),
        # A function that binds the name which it is given.
        ({"p.py": "def make(name):\n    globals()[name] = 1\nfor n in ('f', 'g'):\n    make(n)"}, {"p.make", "p.f", "p.g"}),
        # A name that a condition binds.
        ({"p.py": "if (day := f()) is None: ..."}, {"p.day"}),
        # A module that is loaded later; a value that only has a module's name.
        ({"p/__init__.py": "plots = later('p.plots')", "p/plots.py": "def f(): ..."}, {"p.plots.f"}),
        ({"p/__init__.py": "plots = make()", "p/plots.py": "def f(): ..."}, {"p.plots"}),
        # Overloads that only type checkers see, and the function itself.
        ({"p.py": "if TYPE_CHECKING:\n    @overload\n    def f(a): ...\ndef f(a, b=1): ..."}, {"p.f"}),
        # A folder without __init__ whose modules know it by its place.
        ({"p/__init__.py": "", "p/d/a.py": "from p.d.b import f", "p/d/b.py": "def f(): ..."}, {"p.d.a.f", "p.d.b.f"}),
        ({"p/__init__.py": "", "p/d/a.py": "from b import f", "p/d/b.py": "def f(): ..."}, set()),
    ],
)  # fmt: skip
def test_names_that_no_statement_shows(sources: dict[str, str], expected: set[str]) -> None:
    assert names(of_sources(sources)) == expected


def test_a_table_of_things_that_are_warned_of_says_what_they_take() -> None:
    table = "from .b import new\n_OLD = {'old': (new, 'p.b.new')}\ndef __getattr__(name):\n"
    table += "    if name not in _OLD:\n        raise AttributeError(name)\n"
    table += (
        "    thing, better = _OLD[name]\n    _deprecation_warning(name, better)\n    return thing"
    )
    surface = of_sources({"p/__init__.py": "", "p/a.py": table, "p/b.py": "def new(a, b): ..."})
    symbol = surface.symbols["p.a:old"]
    assert str(symbol.signature) == "(a, b)"
    assert [told.replacement for told in symbol.deprecations] == ["p.b.new"]


def test_all_names_of_another_package_are_a_gap() -> None:
    surface = of_sources({"p.py": "from numcodecs import *"})
    assert surface.origin.gaps == ("p: takes all names of numcodecs, of another package",)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("@attrs.define\nclass C:\n    _a: int = attrs.field(alias='b')\n    _c: int = 3", "(b: int, c: int = 3)"),
        ("@dataclass\nclass C:\n    _c: int = 3", "(_c: int = 3)"),
    ],
)  # fmt: skip
def test_fields_are_taken_under_their_public_names(source: str, expected: str) -> None:
    assert str(of_sources({"p.py": source}).symbols["p:C"].signature) == expected


def test_a_function_gives_a_class_the_names_of_another() -> None:
    source = "class User:\n    def name(self): ...\n    def _id(self): ...\n"
    source += "def flat(cls):\n    for attr, value in User.__dict__.items():\n"
    source += "        setattr(cls, attr, value)\n    return cls\n@flat\nclass Member: ..."
    assert set(of_sources({"p.py": source}).scopes["p:Member"]) == {"name"}


def test_an_alias_of_a_generic_is_no_base_of_its_own() -> None:
    source = "from typing import List\nTexts = List[str]\nclass A(Texts): ..."
    assert of_sources({"p.py": source}).symbols["p:A"].bases == ("typing.List",)


HELD = "class Base:\n    def decode(self, s, key=None) -> str: ...\nclass Coder(Base):\n    x = 1\n    def encode(self, data, *, strict=False) -> bytes:\n        'Codes.'\n"
HOLDING = [
    ("_one = Coder()\nencode = _one.encode\n", "encode", "function", "(data, *, strict=False) -> bytes"),
    ("_one = Coder(1, 2)\ndecode = _one.decode\n", "decode", "function", "(s, key=None) -> str"),
    ("_one = Coder()\nx = _one.x\n", "x", "constant", "None"),
    ("_one = make()\nencode = _one.encode\n", "encode", "constant", "None"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "name", "kind", "signature"), HOLDING)
def test_functions_that_are_methods_of_an_object_of_the_module(
    source: str, name: str, kind: str, signature: str
) -> None:
    """As ``random.shuffle`` and ``jwt.encode`` are."""
    found = of_sources({"p/__init__.py": HELD + source}).symbols[f"p:{name}"]
    assert (found.kind, str(found.signature)) == (kind, signature)


def test_members_that_documentation_gives_to_a_compiled_class_that_a_stub_describes() -> None:
    """As ``numpy.ndarray.tostring``, of which the stub does not tell."""
    sources = {
        "p/__init__.py": "from p.core import *",
        "p/__init__.pyi": "class A:\n    def stay(self) -> int: ...\n",
        "p/core/__init__.py": "from p.core.many import A\n__all__ = ['A']",
        "p/core/many.py": "from p.core._c import *\n__all__ = ['A']",
        "p/core/_c.so": "",
        "p/core/_newdocs.py": "add_newdoc('p.core.many', 'A', ('gone', 'a.gone(x)'))\nadd_newdoc('p.core.many', 'A', ('stay', 'a.stay()'))\n",
    }
    found = of_sources(sources)
    assert sorted(found.scopes["p:A"]) == ["gone", "stay"]
    assert str(found.symbols["p:A.stay"].signature) == "() -> int"


def test_the_versions_that_a_package_tells() -> None:
    found = of_sources(
        {"p/__init__.py": "__version_info__ = (1, 2)\n__version__ = '1.2'\n__other__ = 1"}
    )
    assert sorted(name for name in found.scopes["p"] if name[0] == "_") == [
        "__version__",
        "__version_info__",
    ]


def test_keys_below_a_typed_dict_are_no_attributes() -> None:
    source = "from typing import TypedDict\nclass _A(TypedDict):\n    a: int\nclass C(_A, total=False):\n    b: str\n"
    surface = of_sources({"p.py": source})
    symbol = surface.resolve("p.C")
    assert symbol is not None
    assert [p.name for p in (symbol.signature.parameters if symbol.signature else ())] == [
        "mapping",
        "a",
        "b",
    ]
    assert surface.members("p:C") == {}
    assert symbol.bases == ("typing.TypedDict",)
