"""Names that reading seems to lose and that are there: told neither as gone nor as changed."""

from __future__ import annotations

import pytest

from libdrift.history.differences import compare
from libdrift.languages.python.static import of_sources

Files = dict[str, str]
METHOD = "class A:\n    def __init__(self): self.x = 1\n    def m(self): return 1\n"
STUB = "import lazy_loader as lazy\n__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)\n"


def told(old: Files, new: Files) -> list[tuple[str, str]]:
    surfaces = (of_sources(old, "1", "pkg"), of_sources(new, "2", "pkg"))
    return [(c.kind.value, c.path) for c in compare(*surfaces) if c.breaking]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # A member may be called as inner modules are.
        ({"pkg/__init__.py": "class A:\n    impl = 1\n    def setup(self): ..."}, {"pkg/__init__.py": "class A: ..."}, [("removed", "pkg.A.impl"), ("removed", "pkg.A.setup")]),
        # A function that is a plain import now.
        ({"pkg/__init__.py": "", "pkg/web.py": "def guess(a): ..."}, {"pkg/__init__.py": "", "pkg/web.py": "from mimetypes import guess"}, []),
        ({"pkg/__init__.py": "", "pkg/web.py": "def guess(a): ..."}, {"pkg/__init__.py": "", "pkg/web.py": "import mimetypes"}, [("removed", "pkg.web.guess")]),
        # An attribute that another method sets, or declares, or a loop's line.
        ({"pkg/__init__.py": METHOD}, {"pkg/__init__.py": "class A:\n    def __init__(self): self.reset()\n    def reset(self): self.x = 2\n    def m(self): return 1\n"}, []),
        ({"pkg/__init__.py": METHOD}, {"pkg/__init__.py": "class A:\n    def load(self):\n        self.x, self.y = 1, 2\n    def m(self): return 1\n"}, []),
        ({"pkg/__init__.py": METHOD}, {"pkg/__init__.py": "class A:\n    def load(self):\n        setattr(self, 'x', 1)\n    def m(self): return 1\n"}, []),
        ({"pkg/__init__.py": METHOD}, {"pkg/__init__.py": "class A:\n    def load(self): return self.x == 1\n    def m(self): return 1\n"}, [("removed", "pkg.A.x")]),
        # A base that is another package's class under a name of its own.
        ({"pkg/__init__.py": "class Base(list):\n    def m(self): ...\nclass A(Base): ..."}, {"pkg/__init__.py": "from other import Base as _Base\n_Own = _Base\nclass A(_Own): ..."}, [("removed", "pkg.Base")]),
        # A base that another one of the standard library has above it.
        ({"pkg/__init__.py": "import unittest\nclass A(unittest.TestCase): ..."}, {"pkg/__init__.py": "import unittest\nclass A(unittest.IsolatedAsyncioTestCase): ..."}, []),
        ({"pkg/__init__.py": "from collections.abc import Container, Iterable\nclass A(Container, Iterable): ..."}, {"pkg/__init__.py": "import collections.abc as cabc\nclass A(cabc.Collection): ..."}, []),
        # What another module gives to an old place.
        ({"pkg/__init__.py": "", "pkg/old.py": "class A: ..."}, {"pkg/__init__.py": "", "pkg/old.py": "", "pkg/new.py": "from pkg import old\nclass A: ...\nold.A = A"}, []),
        # What a lazy loader takes from a stub: whatever that imports, compiled things too.
        ({"pkg/__init__.py": "from .a import f, g", "pkg/a.py": "def f(): ...\ndef g(): ..."}, {"pkg/__init__.py": STUB, "pkg/__init__.pyi": "__all__ = ['f']\nfrom .a import f, g", "pkg/a.so": ""}, []),
        ({"pkg/__init__.py": "", "pkg/old.py": "class A: ..."}, {"pkg/__init__.py": "def _go():\n    from . import new, old\n    old.A = new.A\n_go()", "pkg/old.py": "", "pkg/new.py": "class A: ..."}, []),
        ({"pkg/__init__.py": "", "pkg/old.py": "class A: ..."}, {"pkg/__init__.py": "def go():\n    from . import new, old\n    old.A = new.A", "pkg/old.py": "", "pkg/new.py": "class A: ..."}, [("removed", "pkg.old.A")]),
        # A place that is kept for what another module will give.
        ({"pkg/__init__.py": "", "pkg/old.py": "A = None", "pkg/new.py": "from pkg import old\nclass A: ...\nold.A = A"}, {"pkg/__init__.py": "", "pkg/old.py": "from .new import A", "pkg/new.py": "class A: ..."}, []),
        # What a function of the module imports for it.
        ({"pkg/__init__.py": "def f(): ..."}, {"pkg/__init__.py": "def _go():\n    global f\n    from .inner import f\n_go()", "pkg/inner.py": "def f(): ..."}, []),
        ({"pkg/__init__.py": "def f(): ..."}, {"pkg/__init__.py": "def go():\n    global f\n    from ._inner import f\n", "pkg/_inner.py": "def f(): ..."}, [("removed", "pkg.f")]),
        # The members of an enumeration, given to a class.
        ({"pkg/__init__.py": "class A:\n    X = 1\n    Y = 2"}, {"pkg/__init__.py": "from enum import Enum\nclass _E(Enum):\n    X = 1\nclass A: ...\nfor e in _E:\n    setattr(A, e.name, e)"}, [("removed", "pkg.A.Y")]),
        # What only Python 2 had.
        ({"pkg/__init__.py": "from .compat import py2k\nclass A:\n    if py2k:\n        def next(self): ...\n    else:\n        def last(self): ...", "pkg/compat.py": ""}, {"pkg/__init__.py": "class A: ...", "pkg/compat.py": ""}, [("removed", "pkg.A.last"), ("removed", "pkg.py2k")]),
        # A property that is made of the method before it.
        ({"pkg/__init__.py": "class A:\n    def m(self): ...\n    m = property(m)"}, {"pkg/__init__.py": "class A:\n    @property\n    def m(self): ..."}, []),
        ({"pkg/__init__.py": "class A:\n    def m(self): ...\n    m = staticmethod(m)"}, {"pkg/__init__.py": "class A:\n    @property\n    def m(self): ..."}, [("behaviour", "pkg.A.m")]),
        # A base under a name that older Pythons needed.
        ({"pkg/__init__.py": "from .compat import text_type\nclass A(text_type): ...", "pkg/compat.py": "import sys\nif sys.version_info >= (3, 0):\n    text_type = str\nelse:\n    text_type = unicode"}, {"pkg/__init__.py": "from .compat import text_type\nclass A(str): ...", "pkg/compat.py": "text_type = str"}, []),
        ({"pkg/__init__.py": "from six import text_type as _t\nclass A(_t): ..."}, {"pkg/__init__.py": "class A(str): ..."}, []),
        # A class that is a form for type checkers now, and one that some call makes.
        ({"pkg/__init__.py": "class A(int):\n    x = 1"}, {"pkg/__init__.py": "from typing import Annotated\nA = Annotated[int, 1]"}, [("behaviour", "pkg.A")]),
        ({"pkg/__init__.py": "class A(int):\n    x = 1"}, {"pkg/__init__.py": "A = _make(int)"}, []),
        # A base of another package may have what the class has no more: what the class had of an
        # earlier one, what the method called of it, all of a class that went there.
        ({"pkg/__init__.py": "from http.client import HTTPConnection as _H\nclass A(_H):\n    def putheader(self): ..."}, {"pkg/__init__.py": "from urllib3.connection import HTTPConnection as _H\nclass A(_H): ..."}, []),
        ({"pkg/__init__.py": "from six.moves import http_client as _h\nclass A(_h.HTTPConnection):\n    def putheader(self): ...\n    def mine(self): ..."}, {"pkg/__init__.py": "from urllib3.connection import HTTPConnection as _H\nclass A(_H): ..."}, [("removed", "pkg.A.mine")]),
        ({"pkg/__init__.py": "from lib import B as _B\nclass A(_B):\n    def m(self):\n        super().m()\n    def n(self): ..."}, {"pkg/__init__.py": "from lib import B as _B\nclass A(_B): ..."}, [("removed", "pkg.A.n")]),
        ({"pkg/__init__.py": "class JSONWriter:\n    def dump(self): ..."}, {"pkg/__init__.py": "from lib import JsonWriter as _J\nclass JSONWriter(_J): ..."}, []),
        ({"pkg/__init__.py": "class A(Warning): ..."}, {"pkg/__init__.py": "from lib import LibWarning as _L\nclass A(_L): ..."}, []),
        ({"pkg/__init__.py": "from .a import V", "pkg/a.py": "V = 1"}, {"pkg/__init__.py": "from .a import V as V\n__all__ = []", "pkg/a.py": "from ._v import __version__\nV: str = __version__", "pkg/_v.py": "__version__ = '1'"}, []),
        ({"pkg/__init__.py": "class A(Warning): ..."}, {"pkg/__init__.py": "try:\n    from ._c import B\nexcept ImportError:\n    class B(Exception): ...\nclass A(B): ...", "pkg/_c.so": ""}, []),
        # A list of names leaves nothing out that is there.
        ({"pkg/__init__.py": "", "pkg/a.py": "from .b import *", "pkg/b.py": "def f(): ..."}, {"pkg/__init__.py": "", "pkg/a.py": "from .b import *\n__all__ = []", "pkg/b.py": "def f(): ..."}, []),
        ({"pkg/__init__.py": "", "pkg/a/__init__.py": "from pkg import b", "pkg/b.py": ""}, {"pkg/__init__.py": "", "pkg/a/__init__.py": "from pkg import b\n__all__ = []", "pkg/b.py": ""}, []),
        # A thing of another package, by a private module.
        ({"pkg/__init__.py": "", "pkg/a.py": "import lib\nA = lib.A"}, {"pkg/__init__.py": "", "pkg/a.py": "from ._b import A", "pkg/_b.py": "try:\n    from lib import A\nexcept ImportError:\n    from gzip import A"}, []),
        # What a metaclass has, and what it takes from a class that is named in the body.
        ({"pkg/__init__.py": "class A:\n    known = {}"}, {"pkg/__init__.py": "class _M(type):\n    @property\n    def known(cls): ...\nclass _B(metaclass=_M): ...\nclass A(_B): ..."}, []),
        ({"pkg/__init__.py": "class A:\n    color = 1\n    rim_color = 1\n    gone = 1"}, {"pkg/__init__.py": "class _M(type): ...\nclass _B(metaclass=_M): ...\nclass _Line:\n    color = 2\nclass A(_B):\n    own = Include(_Line)\n    rim = Include(_Line, prefix='rim')"}, [("removed", "pkg.A.gone")]),
        # An attribute that a class of the standard library gives to its objects.
        ({"pkg/__init__.py": "class A:\n    def __init__(self): self.name = 1"}, {"pkg/__init__.py": "import tempfile\nclass A(tempfile.TemporaryDirectory): ..."}, []),
        # It could only raise all along.
        ({"pkg/__init__.py": "def f():\n    raise EOFError"}, {"pkg/__init__.py": "def f():\n    raise EOFError('the end of it')"}, []),
        # A parameter that others move around stays where it is.
        ({"pkg/__init__.py": "def f(a, b, c, d=1): ..."}, {"pkg/__init__.py": "def f(d, b, c, a=1): ..."}, [("signature", "pkg.f"), ("signature", "pkg.f"), ("signature", "pkg.f")]),
        # Names of the future are Python's.
        ({"pkg/__init__.py": "from __future__ import division, print_function"}, {"pkg/__init__.py": ""}, []),
    ],
)  # fmt: skip
def test_alarms(old: Files, new: Files, expected: list[tuple[str, str]]) -> None:
    assert told(old, new) == expected


def test_a_module_that_may_answer_to_more_names() -> None:
    """A call makes its ``__getattr__``: what is absent is told, and not for certain."""
    answers = "from ._m import moved\n__getattr__ = moved(__name__)"
    old = {"pkg/__init__.py": "", "pkg/old.py": "def f(): ..."}
    for text, sure in ((answers, False), ("from ._m import moved", True)):
        new = {"pkg/__init__.py": "", "pkg/_m.py": "def moved(name): ...", "pkg/old.py": text}
        found = compare(of_sources(old, "1", "pkg"), of_sources(new, "2", "pkg"))
        lost = [change for change in found if change.path == "pkg.old.f"]
        assert [(c.kind.value, c.confidence == 1.0) for c in lost] == [("removed", sure)]


def test_what_a_module_asks_another_package_for_is_not_gone() -> None:
    old = {"pkg/__init__.py": "def linear(a): ..."}
    new = {
        "pkg/__init__.py": "import other.utils\ndef __getattr__(name):\n    if hasattr(other.utils, name):\n        return getattr(other.utils, name)\n    raise AttributeError(name)"
    }
    changes = compare(of_sources(old, "1", "pkg"), of_sources(new, "2", "pkg"))
    assert [c.path for c in changes if c.breaking] == []


def test_members_of_a_base_that_went_to_another_package_are_not_gone() -> None:
    old = {"pkg/__init__.py": "class Base:\n    def prod(self): ...\nclass C(Base):\n    def own(self): ..."}  # fmt: skip
    new = {"pkg/__init__.py": "from other import Operator\nclass C(Operator):\n    def kept(self): ..."}  # fmt: skip
    changes = compare(of_sources(old, "1", "pkg"), of_sources(new, "2", "pkg"))
    assert [c.path for c in changes if c.breaking and c.path.startswith("pkg.C.")] == ["pkg.C.own"]
