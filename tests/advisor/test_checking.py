"""What code meets when its package changes: old code, new code, user code, findings."""

from __future__ import annotations

import pytest

from libdrift.advisor.checking import CodeChecker, advised
from libdrift.advisor.releases import ReleasePair
from libdrift.languages.python.static import of_sources
from tests.advisor.small import Sources, findings, surface, told

F = "def f(a, b=1): ...\n"
ERROR = "new = 1\n__former_attrs__ = {'old': 'Use `pkg.new` instead.', 'int': 'It was an alias for the builtin `int`.'}\ndef __getattr__(name):\n    if name in __former_attrs__:\n        raise AttributeError(__former_attrs__[name])\n    raise AttributeError(name)\n"
CLASS = "class A:\n    def __init__(self, x=1): ...\n    def m(self, n=1): ...\n    @property\n    def p(self): ...\n"
SAID = "import warnings\ndef f(a):\n    {old}\n"
KWARG = "@deprecate_kwarg(old_arg_name='old', new_arg_name='new')\n"
WARNS = "import warnings\ndef f(a):\n    warnings.warn('f is deprecated, use `g` instead', DeprecationWarning)\ndef g(a): ...\n"
STEP = "class A:\n    def m(self, n=1) -> 'A': ...\n"
OWN_WARNING = "def f(a, old=None):\n    import warnings\n    if old is not None:\n        warnings.warn('The old argument is deprecated', DeprecationWarning)\n"

NAMES: list[tuple[str, Sources, Sources, str, list[str]]] = [
    ("nothing changed", F, F, "import pkg\npkg.f(1)", []),
    ("a function went", F, "", "import pkg\npkg.f(1)", ["2 error gone pkg.f"]),
    ("a function went, imported", F, "", "from pkg import f\nf(1)", ["1 error gone pkg.f"]),
    ("a function went, under an alias", F, "", "import pkg as p\np.f(1)", ["2 error gone pkg.f"]),
    ("a function went, only read", F, "", "import pkg\nmap(pkg.f, [])", ["2 error gone pkg.f"]),
    ("used twice, told twice", F, "", "import pkg\npkg.f(1)\npkg.f(2)", ["2 error gone pkg.f", "3 error gone pkg.f"]),
    ("imported from where it is gone, told at the import alone", F, "", "from pkg import f\nf(1)\nf(2)", ["1 error gone pkg.f"]),
    ("wrong before", "", "", "import pkg\npkg.f(1)", []),
    ("wrong before, right now", "", F, "import pkg\npkg.f(1)", []),
    ("another package's", F, "", "import other\nother.f(1)", []),
    ("the code's own", F, "", "import pkg\nclass pkg2: ...\ndef f(a): ...\nf(1)", []),
    ("a private name, of a release whose private names are not known", "def _f(): ...\n", "", "import pkg\npkg._f()", []),
    ("a private name went", "def _f(): ...\n", "def _g(): ...\n", "from pkg import _f\n_f()", ["1 error gone pkg._f"]),
    ("a private name stayed", "def _f(): ...\n", "from pkg2 import _f\n", "import pkg\npkg._f()", []),
    ("a private name went, where names may be made at import", "def _f(): ...\n", "def _g(): ...\ndef __getattr__(name): return name\n", "import pkg\npkg._f()", []),
    ("another package's module, by accident", "import math\n", "def _g(): ...\n", "import pkg\npkg.math.sin(1)", ["2 error gone pkg.math"]),
    ("another package's module, by accident still", "import math\n", "import math\n", "import pkg\npkg.math.sin(1)", []),
    ("a constant went", "A = 1", "", "import pkg\nprint(pkg.A)", ["2 error gone pkg.A"]),
    ("a class went", CLASS, "", "import pkg\npkg.A()", ["2 error gone pkg.A"]),
    ("a method went", CLASS, "class A: ...", "import pkg\na = pkg.A()\na.m()", ["3 error gone pkg.A.m"]),
    ("a method went, by chain", CLASS, "class A: ...", "import pkg\npkg.A().m()", ["2 error gone pkg.A.m"]),
    ("a method went to the base", CLASS, "class B:\n    def m(self, n=1): ...\nclass A(B): ...", "import pkg\npkg.A().m(2)", []),
    ("a member of an annotated parameter", CLASS, "class A: ...", "import pkg\ndef run(a: pkg.A):\n    a.m()", ["3 error gone pkg.A.m"]),
    ("a member of what is returned", CLASS + "def make() -> A: ...\n", "class A: ...\ndef make() -> A: ...\n", "import pkg\npkg.make().m()", ["2 error gone pkg.A.m"]),
    ("a member of what is asserted to be of a class", CLASS, "class A: ...", "import pkg\ndef run(a):\n    assert isinstance(a, pkg.A)\n    a.m()", ["4 error gone pkg.A.m"]),
    ("an attribute that is given a value went", CLASS, "class A: ...", "import pkg\na = pkg.A()\na.p = 1", ["3 error gone pkg.A.p"]),
    ("an attribute that is given a value stayed", CLASS, CLASS, "import pkg\na = pkg.A()\na.p = 1", []),
    ("an attribute of the code's own on a value", CLASS, "class A: ...", "import pkg\na = pkg.A()\na.own = 1\na.own += 1", []),
    ("an attribute that is given a value, by an annotated parameter", CLASS, "class A: ...", "import pkg\ndef run(a: pkg.A):\n    a.p = 1", ["3 error gone pkg.A.p"]),
    ("an attribute that is given a value where it is there", CLASS, "class A: ...", "import pkg\na = pkg.A()\nif hasattr(a, 'p'):\n    a.p = 1", []),
    ("a method that the code replaces went", CLASS, "class A: ...", "import pkg\na = pkg.A()\na.m = print", []),
    ("a name that the code gives back to a module", F, "", "import pkg\npkg.f = print", []),
    ("a member of self", CLASS, "class A: ...", "import pkg\nclass X:\n    def __init__(self):\n        self.a = pkg.A()\n    def run(self):\n        self.a.m()", ["6 error gone pkg.A.m"]),
    ("inherited by the code's own class", CLASS, "class A: ...", "import pkg\nclass X(pkg.A):\n    def run(self):\n        self.m()", ["4 error gone pkg.A.m"]),
    ("a parameter of a method that the code overrides", "class B:\n    def m(self): ...\nclass Base:\n    def on(self, a: 'A'): ...\n" + CLASS, "class B:\n    def m(self): ...\nclass A: ...\nclass Base:\n    def on(self, a: 'A'): ...\n", "import pkg\nclass X(pkg.Base):\n    def on(self, a):\n        a.m()", ["4 error gone pkg.A.m"]),
    ("a parameter of a method that the code overrides, of which only the new release tells", "class B:\n    def m(self): ...\nclass Base:\n    def on(self, a): ...\n" + CLASS, "class B:\n    def m(self): ...\nclass A: ...\nclass Base:\n    def on(self, a: 'A'): ...\n", "import pkg\nclass X(pkg.Base):\n    def on(self, a):\n        a.m()", ["4 error gone pkg.A.m"]),
    ("a parameter of a method that the code overrides, annotated otherwise", "class B:\n    def m(self): ...\nclass Base:\n    def on(self, a: 'A'): ...\n" + CLASS, "class B:\n    def m(self): ...\nclass A: ...\nclass Base:\n    def on(self, a: 'A'): ...\n", "import pkg\nclass X(pkg.Base):\n    def on(self, a: pkg.B):\n        a.m()", []),
    ("a parameter of a method of the code's own", "class B:\n    def m(self): ...\nclass Base:\n    def on(self, a: 'A'): ...\n" + CLASS, "class B:\n    def m(self): ...\nclass A: ...\nclass Base:\n    def on(self, a: 'A'): ...\n", "import pkg\nclass X(pkg.Base):\n    def at(self, a):\n        a.m()", []),
    ("a value of unknown class, one class alone has it", "def make(): ...\n" + CLASS, "def make(): ...\nclass A: ...", "import pkg\npkg.make().m()", ["2 error gone pkg.A.m"]),
    ("a value of unknown class, another class keeps it", "def make(): ...\nclass B:\n    def m(self): ...\n" + CLASS, "def make(): ...\nclass B:\n    def m(self): ...\nclass A: ...", "import pkg\npkg.make().m()", []),
    ("a value of unknown class, a class that went whole has it, too", {"pkg/__init__.py": "def make(): ...\nfrom .a import A\n", "pkg/a.py": CLASS, "pkg/aa.py": "class Z:\n    def m(self): ..."}, {"pkg/__init__.py": "def make(): ...\nfrom .a import A\n", "pkg/a.py": "class A: ..."}, "import pkg\nfrom pkg.aa import Z\npkg.make().m()", ["2 error gone pkg.aa", "3 error gone pkg.A.m"]),
    ("a value of unknown class, the class of an imported module is told", {"pkg/__init__.py": "", "pkg/a.py": CLASS, "pkg/b.py": "def make(): ...\n" + CLASS}, {"pkg/__init__.py": "", "pkg/a.py": "class A: ...", "pkg/b.py": "def make(): ...\nclass A: ..."}, "from pkg import b\nb.make().m()", ["2 error gone pkg.b.A.m"]),
    ("a member of what only the new release says is returned", "def make(): ...\nclass B:\n    def m(self): ...\n" + CLASS, "def make() -> A: ...\nclass B:\n    def m(self): ...\nclass A: ...", "import pkg\npkg.make().m()", ["2 error gone pkg.A.m"]),
    ("a member of what only the new release says is returned, by another path", {"pkg/__init__.py": "def make(): ...\n", "pkg/a.py": CLASS, "pkg/b.py": CLASS}, {"pkg/__init__.py": "from pkg.a import A\ndef make() -> A: ...\n", "pkg/a.py": "class A: ...", "pkg/b.py": CLASS}, "import pkg\npkg.make().m()", ["2 error gone pkg.a.A.m"]),
    ("a member of a value whose class is elsewhere now", {"pkg/__init__.py": "import pkg.a as _m\ndef make() -> _m.A: ...\n", "pkg/a.py": CLASS}, {"pkg/__init__.py": "import pkg.b as _m\ndef make() -> _m.A: ...\n", "pkg/b.py": CLASS}, "import pkg\npkg.make().m()", []),
    ("a member of what only the new release has and says is returned", "def make(): ...\nclass A:\n    def m(self): ...", "def make() -> C: ...\nclass C: ...\nclass A: ...", "import pkg\npkg.make().m()", ["2 error gone pkg.A.m"]),
    ("a value of unknown class, a name as builtins have", "def make(): ...\nclass A:\n    def append(self): ...", "def make(): ...\nclass A: ...", "import pkg\npkg.make().append()", []),
    ("a module went", {"pkg/__init__.py": "", "pkg/sub.py": F}, {"pkg/__init__.py": ""}, "import pkg.sub\npkg.sub.f(1)", ["1 error gone pkg.sub"]),
    ("a top module went", {"pkg/__init__.py": "", "extra/__init__.py": F}, {"pkg/__init__.py": ""}, "import extra\nimport pkg\nextra.f(1)", ["1 error gone extra"]),
    ("renamed, as a deprecation told", WARNS, "def g(a): ...\n", "import pkg\npkg.f(1)", ["2 error gone pkg.f -> pkg.g"]),
    ("moved", {"pkg/__init__.py": "", "pkg/a.py": F, "pkg/b.py": ""}, {"pkg/__init__.py": "", "pkg/a.py": "", "pkg/b.py": F}, "from pkg.a import f", ["1 error moved pkg.a.f -> pkg.b.f"]),
    ("in a loop, from its last round", STEP, "class A: ...", "import pkg\na = pkg.A()\nfor x in y:\n    a = a.m(x)\na.m(1)", ["4 error gone pkg.A.m", "5 error gone pkg.A.m"]),
    ("in a loop, something else in its last round", STEP, "class A: ...", "import pkg\na = pkg.A()\nfor x in y:\n    a.m(x)\n    a = other(x)", []),
    ("in a loop, from its last round alone", STEP, "class A: ...", "import pkg\na = None\nwhile y:\n    if a is not None:\n        a.m(1)\n    a = pkg.A()", ["5 error gone pkg.A.m"]),
    ("a parameter, by its only call", STEP, "class A: ...", "import pkg\ndef run(a):\n    a.m(1)\nrun(pkg.A())", ["3 error gone pkg.A.m"]),
    ("a parameter of a method, by its calls", STEP, "class A: ...", "import pkg\nclass X:\n    def run(self, n, a):\n        a.m(n)\n    def go(self):\n        self.run(1, pkg.A())\n        self.run(1, a=pkg.A())", ["4 error gone pkg.A.m"]),
    ("a parameter, calls that differ", STEP, "class A: ...", "import pkg\ndef run(a):\n    a.m(1)\nrun(pkg.A())\nrun(3)", []),
    ("one of several in a table is called", "def f(a): ...\n", "def f(a, b): ...\n", "import json, pkg\nLOADERS = {'a': json.load, 'b': pkg.f}\nLOADERS[k](1)", ["3 error too-few-arguments pkg.f(b)"]),
    ("a member that builtins have, with a keyword that they have not", "def make(): ...\nclass A:\n    def append(self, other, sort=False): ...\nclass B:\n    def append(self, x): ...\n", "def make(): ...\nclass A: ...\nclass B:\n    def append(self, x): ...\n", "import pkg\npkg.make().append(1, sort=True)\npkg.make().append(1)", ["2 error gone pkg.A.append"]),
    ("what is returned now has no such member", "def f(): ...\n", "def f() -> str: ...\n", "import pkg\npkg.f().decode('utf-8')", ["2 error return-changed pkg.f"]),
    ("what is returned now has no such member, through the code's own", "def f() -> bytes: ...\n", "def f() -> str: ...\n", "import pkg\ndef g():\n    return pkg.f()\ng().decode()", ["4 error return-changed pkg.f"]),
    ("what is returned had no such member before", "def f() -> str: ...\n", "def f() -> 'str': ...\n", "import pkg\npkg.f().decode('utf-8')", []),
    ("what a class gives is not what its constructor returns", {"pkg/__init__.py": "from ._c import A\n"}, {"pkg/__init__.py": "from ._c import A\n", "pkg/_c.py": "class A:\n    def __init__(self) -> None: ...\n    def m(self): ...\n"}, "import pkg\npkg.A().m()", []),
    ("what is returned is nothing now", "def f(): ...\n", "def f() -> None: ...\n", "import pkg\npkg.f().m()", []),
    ("what is returned has such a member, too", "def f() -> list: ...\n", "def f() -> tuple: ...\n", "import pkg\npkg.f().index(1)", []),
    ("still there, and says so", WARNS, WARNS, "import pkg\npkg.f(1)", []),
    ("deprecated", "def f(a): ...\ndef g(a): ...\n", WARNS, "import pkg\npkg.f(1)", ["2 warning deprecated pkg.f -> pkg.g"]),
    ("deprecated to call in one way", "def f(a): ...\n", 'def f(a):\n    """Do.\n\n    .. deprecated:: 2.0\n       It is now deprecated to pass *a* by name.\n    """\n', "import pkg\npkg.f(1)", []),
    ("deprecated for some values", "def f(a): ...\n", "import warnings\ndef f(a):\n    warnings.warn('For some dtypes, the behavior of f is deprecated', FutureWarning)\n", "import pkg\npkg.f(1)", []),
    ("another name is deprecated in its words", "def f(a): ...\n", "def f(a):\n    '''Do.\n\n    .. deprecated:: 2.0\n       The :class:`~pkg.Other` helper is deprecated.\n    '''\n", "import pkg\npkg.f(1)", []),
    ("deprecated in its own words", "def f(a): ...\n", "def f(a):\n    '''Do.\n\n    .. deprecated:: 2.0\n       `pkg.f` is deprecated.\n    '''\n", "import pkg\npkg.f(1)", ["2 info deprecated pkg.f"]),
    ("not recommended, though it warns", "class A: ...\n", "import warnings\nclass A:\n    def __init__(self):\n        warnings.warn('A is not the recommended way', PendingDeprecationWarning)\n", "import pkg\npkg.A()", ["2 info deprecated pkg.A"]),
    ("where something unknown is missing", F, "", "try:\n    from strange import f\nexcept ImportError:\n    from pkg import f\nf(1)", ["4 error gone pkg.f"]),
    ("where something of Python's own is missing", F, "", "try:\n    from json import f\nexcept ImportError:\n    from pkg import f\nf(1)", []),
    ("where something of the code's own is missing", F, "", "import pkg\nclass X:\n    def run(self):\n        try:\n            self.x\n        except AttributeError:\n            pkg.f(1)", ["7 error gone pkg.f"]),
    ("whatever name is asked for, it says", "def f(a): ...\n", "import warnings\ndef f(a):\n    warnings.warn(f'Importing {x} is deprecated', DeprecationWarning)\n", "import pkg\npkg.f(1)", []),
    ("deprecated before, too", WARNS, WARNS + "A = 1\n", "import pkg\npkg.f(1)", []),
    ("a method is an attribute now", CLASS, "class A:\n    @property\n    def m(self): ...", "import pkg\npkg.A().m()", ["2 error behaviour pkg.A.m"]),
    ("an attribute is a method now", CLASS, "class A:\n    def p(self): ...", "import pkg\nprint(pkg.A().p)", ["2 error behaviour pkg.A.p"]),
    ("a coroutine now", F, "async def f(a, b=1): ...\n", "import pkg\npkg.f(1)", ["2 error return-changed pkg.f"]),
    ("by getattr", F, "", "import pkg\ngetattr(pkg, 'f')(1)", ["2 error gone pkg.f"]),
    ("star", F, "", "from pkg import *\nf(1)", ["2 error gone pkg.f"]),
    ("a module that answers to any name", F, "def __getattr__(name): return name\n", "import pkg\npkg.f(1)", []),
    ("another name of Python's own, of which an error speaks now", "from builtins import int, str\n", ERROR, "import pkg\npkg.int(1)\npkg.str(1)", ["2 error gone pkg.int -> int", "3 error gone pkg.str -> str"]),
    ("made at import, of which an error speaks now", "globals()['old'] = 1\n", ERROR, "import pkg\npkg.old", ["2 error gone pkg.old -> pkg.new"]),
    ("the same error as before", ERROR, ERROR, "import pkg\npkg.old", []),
    ("gone, where names are made at import", F + "def g(): ...\n", "def g(): ...\nfor n in 'ab':\n    globals()[n] = 1\n", "import pkg\npkg.f(1)", ["2 error gone pkg.f"]),
    ("one of those that a function may give it, which gets them from another", CLASS, "def _made(cls):\n    return {'m': 1}\ndef add(cls):\n    for name, method in _made(cls).items():\n        setattr(cls, name, method)\nclass A: ...\nadd(A)\n", "import pkg\npkg.A().m()", []),
    ("none of those that a function may give it", CLASS, "def add(cls):\n    for name, method in {'n': 1}.items():\n        setattr(cls, name, method)\nclass A: ...\nadd(A)\n", "import pkg\npkg.A().m()", ["2 error gone pkg.A.m"]),
    ("a module whose import is tried", {"pkg/__init__.py": "", "pkg/sub.py": F}, {"pkg/__init__.py": ""}, "try:\n    from pkg import sub\nexcept ImportError:\n    sub = None\nclass X:\n    def run(self):\n        sub.f(1)", []),
    ("what a module whose import is tried has no more", {"pkg/__init__.py": "", "pkg/sub.py": F}, {"pkg/__init__.py": "", "pkg/sub.py": ""}, "try:\n    from pkg import sub\nexcept ImportError:\n    sub = None\nclass X:\n    def run(self):\n        sub.f(1)", ["7 error gone pkg.sub.f"]),
    ("a class that answers to any name", CLASS, "class A:\n    def __getattr__(self, name):\n        return make(name)\n", "import pkg\npkg.A().m()", []),
    ("a class that asks its base for names", CLASS, "class A:\n    def __getattr__(self, name):\n        return object.__getattribute__(self, name)\n", "import pkg\npkg.A().m()", ["2 error gone pkg.A.m"]),
    ("a value of one of two classes, by what can be imported", "def make(): ...\n" + CLASS, "def make(): ...\nclass B:\n    def __init__(self, x=1): ...", "try:\n    from pkg import B as C\nexcept ImportError:\n    from pkg import A as C\nc = C()\nc.m()", []),
    ("given by what makes the class's instances", CLASS, "class M(type):\n    def __call__(cls):\n        made = super().__call__()\n        made.m = 1\n        return made\nclass A(metaclass=M): ...\n", "import pkg\npkg.A().m()", []),
    ("taken with all of a module that makes names", {"pkg/__init__.py": "from pkg.a import *", "pkg/a.py": F}, {"pkg/__init__.py": "from pkg.a import *", "pkg/a.py": "globals().update(load())\n__all__ = ['f']"}, "import pkg\npkg.f(1)", []),
    ("a base of another package may have it", CLASS, "from other import B\nclass A(B): ...", "import pkg\npkg.A().m()", []),
]  # fmt: skip

GUARDS: list[tuple[str, str]] = [
    ("hasattr", "import pkg\nif hasattr(pkg, 'f'):\n    pkg.f(1)"),
    ("try, attribute", "import pkg\ntry:\n    pkg.f(1)\nexcept AttributeError:\n    pass"),
    ("try, import", "try:\n    from pkg import f\nexcept ImportError:\n    f = None"),
    ("getattr with a default", "import pkg\ng = getattr(pkg, 'f', None)"),
    ("version", "import pkg\nif pkg.__version__ < '2':\n    pkg.f(1)"),
    ("version, by a constant", "import pkg\nfrom compat import PKG_V1\nif PKG_V1:\n    pkg.f(1)"),
    ("try, imported by name, used later", "try:\n    from pkg import f\nexcept ImportError:\n    from pkg2 import f\nf(1)"),
    ("version, imported by name, used later", "import pkg\nif pkg.__version__ < '2':\n    from pkg import f\nelse:\n    from pkg import g as f\nf(1)"),
    ("version, by else", "import pkg\nif pkg.__version__ >= '2':\n    pass\nelse:\n    pkg.f(1)"),
    ("after an attribute of what is not known", "import pkg\ndef run(a):\n    try:\n        a.g()\n    except AttributeError:\n        pkg.f(1)"),
    ("asserted", "import pkg\ndef run(a):\n    assert hasattr(pkg, 'f')\n    pkg.f(1)"),
    ("version, by numbers in a name", "import pkg\nfrom other import lib_2_1\nif lib_2_1:\n    pkg.f(1)"),
    ("version, compared before", "import pkg\nold = parse(pkg.__version__) < (2, 1)\ndef run():\n    if old:\n        pkg.f(1)"),
    ("hasattr, asked before", "import pkg\nHAS_IT = hasattr(pkg, 'f') and bool(pkg)\nif not HAS_IT:\n    pass\nelse:\n    pkg.f(1)"),
    ("issubclass, asked before", "import pkg\nis_late = issubclass(pkg.A, pkg.B)\nif not is_late:\n    pkg.f(1)"),
    ("an import that failed, noted before", "import pkg\ntry:\n    import pkg.g\n    IS_LATE = True\nexcept ImportError:\n    IS_LATE = False\ndef run():\n    if IS_LATE:\n        pkg.f(1)"),
    ("suppressed", "import contextlib, pkg\nwith contextlib.suppress(AttributeError):\n    pkg.f(1)"),
    ("suppressed, imported", "import contextlib\nwith contextlib.suppress(ImportError):\n    from pkg import f"),
    ("asked of its names", "import pkg\nif 'f' in dir(pkg):\n    pkg.f(1)"),
    ("asked of all that it offers", "import pkg\nif 'f' in pkg.__all__:\n    pkg.f(1)"),
    ("asked of a signature", "import inspect, pkg\nif 'a' in inspect.signature(pkg.g).parameters:\n    pkg.f(1)"),
    ("version, by a decorator", "import pkg\n@pytest.mark.skipif(pkg.__version__ > '2', reason='')\ndef test():\n    pkg.f(1)"),
    ("version, of who calls", "import pkg\ndef _old():\n    pkg.f(1)\ndef run():\n    if pkg.__version__ < '2':\n        _old()"),
    ("version, of who calls a method", "import pkg\nclass A:\n    def _old(self):\n        pkg.f(1)\n    def run(self):\n        if pkg.__version__ < '2':\n            self._old()"),
    ("version, by leaving", "import pkg\ndef run():\n    if pkg.__version__ >= '2':\n        return\n    pkg.f(1)"),
]  # fmt: skip

NO_GUARDS: list[tuple[str, str]] = [
    ("another comparison", "import pkg\nis_long = len(x) > 3\nif is_long:\n    pkg.f(1)"),
    ("what is compared, and no truth", "import pkg\nname = text(pkg.__version__)\nif name:\n    pkg.f(1)"),
    ("another truth", "import pkg\nIS_LATE = True\nif IS_LATE:\n    pkg.f(1)"),
    ("who calls, and others", "import pkg\ndef _old():\n    pkg.f(1)\ndef run():\n    if pkg.__version__ < '2':\n        _old()\nclass B:\n    do = _old"),
    ("who calls what others may call", "import pkg\ndef old():\n    pkg.f(1)\ndef run():\n    if pkg.__version__ < '2':\n        old()"),
    ("no one calls", "import pkg\ndef _old():\n    pkg.f(1)"),
    ("suppressed, another error", "import contextlib, pkg\nwith contextlib.suppress(OSError):\n    pkg.f(1)"),
    ("another assertion", "import pkg\nassert pkg\npkg.f(1)"),
]  # fmt: skip

CALLS: list[tuple[str, str, str, str, list[str]]] = [
    ("a keyword went", "a, b=1", "a", "1, b=2", ["parameter-gone(b)"]),
    ("a keyword went, not given", "a, b=1", "a", "1", []),
    ("a keyword was renamed", "a, n_jobs=1", "a, n_workers=1", "1, n_jobs=2", ["parameter-renamed(n_jobs) -> n_workers"]),
    ("renamed, given by position", "a, n_jobs=1", "a, n_workers=1", "1, 2", []),
    ("renamed at its place, and must be given", "arg, warn=True, force=1", "backend, *, force=1", "1", []),
    ("renamed at its place, and kept by name to warn", "a, newshape=1", "a, shape=None, *, newshape=_NoValue", "1, 2", ["parameter-renamed(newshape) -> shape"]),
    ("moved behind a new one, and still meant", "a, b=1", "a, c=None, *, b=1", "1, 2", ["reordered(b) -> b"]),
    ("renamed at its place, which is the first, and need not be given any more", "package", "anchor=None", "1", []),
    ("renamed so, given by name", "package", "anchor=None", "package=1", ["parameter-gone(package)"]),
    ("renamed at a later place, and need not be given any more", "a, package", "a, anchor=None", "1, 2", ["parameter-gone(package)"]),
    ("renamed at its place, and need not be given", "arg=1, warn=True, force=1", "backend=2, *, force=1", "1", ["parameter-gone(arg)"]),
    ("the first renamed, one of any number now", "filter, **kwargs", "predicate=U, *more, **constraints", "1", []),
    ("the first renamed, and must be given now", "predicate=U, *more", "filter, b=1", "1", []),
    ("another than the first, renamed and with a default", "a, b", "a, c=1", "1, 2", ["parameter-gone(b)"]),
    ("keyword-only now", "a, b=1", "a, *, b=1", "1, 2", ["keyword-only(b) -> b"]),
    ("keyword-only now, given by name", "a, b=1", "a, *, b=1", "1, b=2", []),
    ("reordered", "a, b=1, c=2", "a, c=2, b=1", "1, 2", ["reordered(b) -> b"]),
    ("reordered, given by name", "a, b=1, c=2", "a, c=2, b=1", "1, b=2", []),
    ("reordered, all before it", "a, b=1, c=2", "a, c=2, b=1", "1", []),
    ("inserted in the middle", "a, b=1, c=2", "a, x=0, b=1, c=2", "1, 2", ["reordered(b) -> b"]),
    ("inserted behind what is given", "a, b=1, c=2", "a, b=1, x=0, c=2", "1, 2", []),
    ("one gone from the middle", "a, b=1, c=2", "a, c=2", "1, 2, 3", ["parameter-gone(b)"]),
    ("one gone, and another came behind", "a, b=1, c=2", "a, c=2, d=3", "1, 2, 3", ["parameter-gone(b)"]),
    ("a list that is given one by one now", "columns=None, where=None, **kw", "*entities, **kw", "[1, 2]", ["behaviour(columns)"]),
    ("a list that is given one by one now, in a name", "columns=None, where=None", "*entities", "x", []),
    ("a list that a wrapper takes now", "columns=None, where=None", "*args, **kw", "[1, 2]", []),
    ("one of several lists", "*columns", "*entities", "[1, 2]", []),
    ("too many", "a, b=1, c=2", "a", "1, 2", ["parameter-gone(b)"]),
    ("too few", "a, b=1", "a, b", "1", ["too-few-arguments(b)"]),
    ("a new one that is needed", "a", "a, b", "1", ["too-few-arguments(b)"]),
    ("a new one that is needed, behind stars", "a", "a, b", "*x", []),
    ("a new one with a default", "a", "a, b=1", "1", []),
    ("keywords swallow it", "a, b=1", "a, **kwargs", "1, b=2", ["parameter-gone(b)"]),
    ("keywords swallowed it all along", "a, **kwargs", "a, **options", "1, b=2", []),
    ("keywords are taken no more", "a, **kwargs", "a", "1, b=2", ["parameter-gone(b)"]),
    ("any number by position no more", "*a", "a", "1, 2", []),
    ("any number by position no more, one named", "x, *a", "x", "1, 2", ["too-many-arguments"]),
    ("a default changed", "a, b=1", "a, b=2", "1", ["default-changed(b) -> 1"]),
    ("a default changed, given", "a, b=1", "a, b=2", "1, b=3", []),
    ("a default was decided inside", "a, b=_Default", "a, b=2", "1", []),
    ("a default is called default", "a, b='default'", "a, b=2", "1", ["default-changed(b) -> 'default'"]),
    ("a default that was None is written down", "a, b=None", "a, b='[]'", "1", []),
    ("a default is decided inside now", "a, b=False", "a, b=None", "1", []),
    ("defaults that were None are written down", "a, b=None, c=None", "a, b=1, c='x'", "1", []),
    ("two defaults changed", "a, b=None, c=1", "a, b=1, c='x'", "1", ["default-changed(c) -> 1"]),
    ("a default is written otherwise", "a, b='x'", 'a, b="x"', "1", []),
    ("positional-only now", "a, b=1", "a, b=1, /", "1, b=2", ["parameter-gone(b)"]),
    ("positional-only, renamed", "a, /", "x, /", "1", []),
    ("wrong before: too many", "a", "a, *, b=1", "1, 2, 3", []),
    ("wrong before: unknown keyword", "a, b=1", "a", "1, c=2", []),
    ("stars hide how many", "a, b=1", "a", "*x", []),
    ("stars, and a keyword that went", "a, b=1", "a", "*x, b=2", ["parameter-gone(b)"]),
    ("double stars hide names", "a, b=1", "a", "1, **x", []),
    ("given twice after a change of order", "a, b=1, c=2", "b=1, a=0, c=2", "1, b=2", ["reordered(b)", "reordered(a) -> a"]),
    ("a wrapper now, which takes anything", "a, b=1", "*args, **kwargs", "1, b=2", []),
    ("a wrapper before", "*args, **kwargs", "a", "1, b=2", []),
]  # fmt: skip


LATE = "__all__ = ['g']\ndef g(): ...\ndef f(a, b=1): ...\ndef _add():\n    for name in list(globals()):\n        __all__.append(name)\n_add()\n"
NAMES += [
    ("offered by what is listed at import", {"pkg/__init__.py": "from .m import f", "pkg/m.py": F}, {"pkg/__init__.py": "from .m import *", "pkg/m.py": LATE}, "from pkg import f", []),
    ("offered by what is listed in a way that cannot be read", {"pkg/__init__.py": "from .m import f", "pkg/m.py": F}, {"pkg/__init__.py": "from .m import *", "pkg/m.py": "__all__ = ['g']\ndef g(): ...\n" + F + "__all__ += made()\n"}, "from pkg import f", []),
    ("offered by what is listed, without it", {"pkg/__init__.py": "from .m import f", "pkg/m.py": F}, {"pkg/__init__.py": "from .m import *", "pkg/m.py": "__all__ = ['g']\ndef g(): ...\n" + F}, "from pkg import f", ["1 error gone pkg.f"]),
    ("handed on to what is overridden", "class A:\n    def m(self, a, b): ...", "class A:\n    def m(self, b, a): ...", "import pkg\nclass X(pkg.A):\n    def m(self, a, b):\n        return super().m(a, b)", []),
    ("handed on in another order", "class A:\n    def m(self, a, b): ...", "class A:\n    def m(self, b, a): ...", "import pkg\nclass X(pkg.A):\n    def m(self, a, b):\n        return super().m(b, a)", ["4 error reordered pkg.A.m(a) -> a", "4 error reordered pkg.A.m(b) -> b"]),
    ("handed on to what is made", "class A:\n    def __init__(self, a, b=1): ...", "class A:\n    def __init__(self, a): ...", "import pkg\nclass X(pkg.A):\n    def __init__(self, a, b):\n        super().__init__(a, b)", ["4 error parameter-gone pkg.A(b)"]),
    ("in an annotation that nothing runs", CLASS, "", "from __future__ import annotations\nimport pkg\ndef run(a: pkg.A): ...", ["3 info gone pkg.A"]),
    ("in an annotation in quotes", CLASS, "", "import pkg\ndef run(a: 'pkg.A'): ...", ["2 info gone pkg.A"]),
    ("a member of what documentation says is returned", "def make():\n    ':rtype: A'\nclass B:\n    def m(self): ...\n" + CLASS, "def make():\n    ':rtype: A'\nclass B:\n    def m(self): ...\nclass A: ...", "import pkg\npkg.make().m()", ["2 error gone pkg.A.m"]),
    ("the version that a package told", "__version_info__ = (1, 0)\n__version__ = '1.0'", "", "import pkg\npkg.__version_info__[0]\npkg.__version__\npkg.__name__", ["2 error gone pkg.__version_info__", "3 error gone pkg.__version__"]),
    ("the version that a package takes from elsewhere", "__version__ = '1.0'", {"pkg/__init__.py": "from .about import *", "pkg/about.py": "__all__ = ['__version__']\n__version__ = '2.0'"}, "import pkg\npkg.__version__", []),
    ("the version that a package takes from a file that is made", "__version__ = '1.0'", "from ._version import __version__", "import pkg\npkg.__version__", []),
    ("a function that is a method of an object, and gives a text now", "class A:\n    def e(self) -> bytes: ...\n_a = A()\ne = _a.e\n", "class A:\n    def e(self) -> str: ...\n_a = A()\ne = _a.e\n", "import pkg\npkg.e().decode()", ["2 error return-changed pkg.e"]),
    ("a member of a value that went", "import sys\ndef __getattr__(name):\n    if name == 'np':\n        import numpy as np\n        return np\n    raise AttributeError(name)\n", "import sys\n", "import pkg\npkg.np.array([1])", ["2 error gone pkg.np"]),
    ("a member of a value that stayed", "A = made()\n", "A = made()\n", "import pkg\npkg.A.real", []),
    ("a method went, of a class with a base of Python's", "from abc import ABC\nclass A(ABC):\n    def m(self): ...\n", "from abc import ABC\nclass A(ABC): ...\n", "import pkg\npkg.A().m()", ["2 error gone pkg.A.m"]),
    ("a method went, which a base of Python's has", "class A(dict):\n    def copy(self): ...\n", "class A(dict): ...\n", "import pkg\nx = pkg.A().copy()", []),
    ("a method went, which a base of another package may have", "from other import B\nclass A(B):\n    def m(self): ...\n", "from other import B\nclass A(B): ...\n", "import pkg\npkg.A().m()", []),
    ("its place is in a file of the release that is called otherwise", F, {"pkg/__init__.py": "from _other import f\n", "_other.py": "import warnings\ndef f(a, b=1):\n    warnings.warn('f is deprecated', DeprecationWarning)\n"}, "import pkg\npkg.f(1)", ["2 warning deprecated pkg.f"]),
    ("it warned of something else before", SAID.format(old="warnings.warn('`x` should be a text', DeprecationWarning)"), SAID.format(old="warnings.warn('f is deprecated, use g', DeprecationWarning)"), "import pkg\npkg.f(1)", ["2 warning deprecated pkg.f"]),
    ("it warned in some uses before", SAID.format(old="if LATE: warnings.warn('some are deprecated', DeprecationWarning)"), SAID.format(old="warnings.warn('f is deprecated, use g', DeprecationWarning)"), "import pkg\npkg.f(1)", ["2 warning deprecated pkg.f"]),
    ("it warned in some uses before, of the same", SAID.format(old="if LATE: warnings.warn('f is deprecated, use g', DeprecationWarning)"), SAID.format(old="warnings.warn('f is deprecated, use g', DeprecationWarning)"), "import pkg\npkg.f(1)", []),
    ("a spelling that a decorator took", KWARG + "def f(a, new=1): ...\n", "def f(a, new=1): ...\n", "import pkg\npkg.f(1, old=2)", ["2 error parameter-renamed pkg.f(old) -> new"]),
    ("a spelling that a decorator takes still", KWARG + "def f(a, new=1): ...\n", KWARG + "def f(a, new=1, c=2): ...\n", "import pkg\npkg.f(1, old=2)", []),
    ("in an annotation", CLASS, "", "import pkg\ndef run(a: pkg.A): ...", ["2 error gone pkg.A"]),
    ("in an annotation of a variable of a function", CLASS, "", "import pkg\ndef run(a):\n    b: pkg.A = a", ["3 info gone pkg.A"]),
    ("for type checkers alone", CLASS, "", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg import A", ["3 info gone pkg.A"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "code", "expected"), [row[1:] for row in NAMES], ids=[row[0] for row in NAMES])  # fmt: skip
def test_names(old: Sources, new: Sources, code: str, expected: list[str]) -> None:
    assert [told(item) for item in findings(old, new, code)] == expected


@pytest.mark.parametrize("code", [row[1] for row in GUARDS], ids=[row[0] for row in GUARDS])
def test_what_is_meant_for_some_versions_is_no_finding(code: str) -> None:
    assert findings(F, "", code) == []


def call_findings(old: str, new: str, arguments: str) -> list[str]:
    found = findings(f"def f({old}): ...", f"def f({new}): ...", f"import pkg\npkg.f({arguments})")
    return [told(item).partition(" ")[2].replace(" pkg.f", "").partition(" ")[2] for item in found]


@pytest.mark.parametrize("code", [row[1] for row in NO_GUARDS], ids=[row[0] for row in NO_GUARDS])
def test_what_is_meant_for_all_versions_is_a_finding(code: str) -> None:
    assert [item.symbol for item in findings(F, "", code)] == ["pkg.f"]


@pytest.mark.parametrize(("old", "new", "arguments", "expected"), [row[1:] for row in CALLS], ids=[row[0] for row in CALLS])  # fmt: skip
def test_calls(old: str, new: str, arguments: str, expected: list[str]) -> None:
    assert call_findings(old, new, arguments) == expected


GUESSES: list[tuple[str, str, list[str]]] = [
    ("a name that no class keeps", "def run(x):\n    x.plot_it()", ["3 warning gone pkg.A.plot_it"]),
    ("a name that another class keeps", "def run(x):\n    x.stay()", []),
    ("a keyword that went", "def run(x):\n    x.save(encoding=1, mangled=2)", ["3 warning parameter-gone pkg.A.save(mangled)"]),
    ("a keyword that another has", "def run(x):\n    x.save(1, other=2)", []),
    ("what is too many is not told by names", "def run(x):\n    x.save(1, 2)", []),
    ("a name as builtins have", "def run(x):\n    x.append(1)", []),
    ("a name as builtins have, and a keyword", "def run(x):\n    x.append(1, sort=2)", ["3 warning gone pkg.A.append"]),
    ("of what another package gave", "import json\nx = json.load(1)\nx.plot_it()", []),
    ("under a guard", "def run(x):\n    try:\n        x.plot_it()\n    except AttributeError: ...", []),
    ("only read", "def run(x):\n    x.plot_it", []),
    ("of a value of Python's own", "open(1).plot_it()", []),
    ("a name as a list has, whose value gets a name: another class may be meant", "def run(x):\n    x = x.append(1)", []),
    ("so, and the variable is asked for what one class has", "def run(x):\n    x.save()\n    x.plot_it()\n    x = x.append(1)", ["4 warning gone pkg.A.plot_it", "5 warning gone pkg.A.append"]),
    ("so, in another function", "def run(x):\n    x = x.append(1)\ndef other(x):\n    x.save()\n    x.save(1)", []),
    ("so, of an attribute, elsewhere in the class", "class X:\n    def a(self):\n        self.x.save()\n        self.x.plain()\n    def b(self):\n        return self.x.append(1).y", ["7 warning gone pkg.A.append"]),
    ("as the documentation calls values of one class", "def run(tab):\n    tab = tab.append(1)", ["3 warning gone pkg.A.append"]),
    ("so, and nobody asks for what it gives", "def run(tab):\n    tab.append(1)", []),
    ("so, in a longer name", "def run(new_tab2):\n    return run(new_tab2.append(1))", ["3 warning gone pkg.A.append"]),
    ("so, and only read", "def run(tab):\n    print(tab.plot_it)", ["3 warning gone pkg.A.plot_it"]),
    ("so, and it is asked for what another class has", "def run(tab):\n    tab.other()\n    tab = tab.append(1)", []),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in GUESSES], ids=[row[0] for row in GUESSES])  # fmt: skip
def test_guesses_on_values_of_which_nothing_is_known(code: str, expected: list[str]) -> None:
    stays = "class B:\n    def stay(self): ...\n    def other(self): ...\n    def append(self, x): ...\n"
    examples = "\n".join(["    >>> tab = pkg.A(1)"] * 10)
    old = f"class A:\n    '''Rows.\n\n{examples}\n    '''\n    def plot_it(self): ...\n    def stay(self): ...\n    def append(self, x, sort=1): ...\n    def plain(self): ...\n    def save(self, encoding=0, mangled=0): ...\n"
    new = "class A:\n    def plain(self): ...\n    def save(self, encoding=0): ...\n"
    checker = CodeChecker([ReleasePair(surface(old + stays, "1.0"), surface(new + stays, "2.0"))])
    done = checker.check(f"import pkg\n{code}")
    assert [told(item) for item in done.guesses] == expected
    assert done.findings == ()


NPZ = "class Npz:\n    def each(self): ...\n"
BOTH = [("class Npz: ...\n", ["4 warning gone pkg.A.each"]), (NPZ, [])]


@pytest.mark.parametrize(("left", "expected"), BOTH, ids=["both lack it", "one has it still"])
def test_a_member_that_classes_of_two_packages_have(left: str, expected: list[str]) -> None:
    """Whichever is meant: it is told if it is gone from both."""
    own = ReleasePair(
        surface("class A:\n    def each(self): ...\n", "1.0"), surface("class A: ...", "2.0")
    )
    older = {"lib/__init__.py": "import lib.io\n", "lib/io.py": NPZ}
    newer = {"lib/__init__.py": "import lib.io\n", "lib/io.py": left}
    other = ReleasePair(of_sources(older, "1", "lib"), of_sources(newer, "2", "lib"))
    code = "import lib\nimport pkg\ndef run(x):\n    x.each()"
    assert [told(item) for item in CodeChecker([own, other]).check(code).guesses] == expected


HAZY = "import pkg.table\nglobals().update(pkg.table.NAMES)\n"
UNREAD = [
    ("moved to a module that stays", "pkg.Bad", ["2 error gone pkg.Bad -> pkg.errors.Bad"]),
    ("gone with its definition", "pkg.area(1)", ["2 error gone pkg.area"]),
    ("still there", "pkg.errors.Bad", []),
]


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in UNREAD], ids=[row[0] for row in UNREAD])  # fmt: skip
def test_what_is_written_down_is_missed_in_a_module_that_makes_names_at_import(
    code: str, expected: list[str]
) -> None:
    """As numpy's, which makes the names of its types."""
    table = {"pkg/table.py": "NAMES = {}\n", "pkg/errors.py": "class Bad(Exception): ...\n"}
    written = "from pkg.errors import Bad\ndef area(x): ...\n"
    old = {"pkg/__init__.py": f"from pkg import errors\n{written}{HAZY}", **table}
    new = {"pkg/__init__.py": f"from pkg import errors\n{HAZY}", **table}
    assert [told(item) for item in findings(old, new, f"import pkg\n{code}")] == expected


def test_a_replacement_is_told_of_the_class_at_hand() -> None:
    old = (
        "import warnings\nclass Base:\n    def fresh(self): ...\n    def old(self):\n"
        "        warnings.warn('old is deprecated, use fresh', DeprecationWarning)\n"
        "        return self.fresh()\nclass Group(Base): ...\n"
    )
    new = "class All:\n    def fresh(self): ...\nclass Group(All): ...\n"
    found = findings(old, new, "import pkg\npkg.Group().old()")
    assert [told(item) for item in found] == ["2 error gone pkg.Group.old -> pkg.Group.fresh"]


def test_a_replacement_is_of_the_class_at_hand_though_another_class_has_its_own() -> None:
    base = "class Base:\n    def fresh(self): ...\n"
    warns = (
        "    def old(self):\n"
        "        warnings.warn('old is deprecated, use fresh', DeprecationWarning)\n"
    )
    classes = "class First(Base):\n    def fresh(self): ...\nclass Second(Base): ...\n"
    top = {"pkg/__init__.py": "from pkg._core import First, Second\n"}
    old = {**top, "pkg/_core.py": f"import warnings\n{base}{warns}{classes}"}
    new = {**top, "pkg/_core.py": base + classes}
    found = findings(old, new, "import pkg\npkg.Second().old()\npkg.First().old()")
    assert [told(item) for item in found] == [
        "2 error gone pkg.Second.old -> pkg.Second.fresh",
        "3 error gone pkg.First.old -> pkg.First.fresh",
    ]


def test_what_a_module_below_has_of_another_package_is_no_replacement() -> None:
    shim = "def __getattr__(name):\n    if name == 'np':\n        import numpy as np\n        return np\n    raise AttributeError(name)\n"
    low = {"pkg/low.py": "import numpy as np\n__all__ = ['np']\n"}
    old, new = {"pkg/__init__.py": shim, **low}, {"pkg/__init__.py": "", **low}
    found = findings(old, new, "import pkg\npkg.np.array([1])")
    assert [told(item) for item in found] == ["2 error gone pkg.np"]


def test_messages_have_the_name_of_the_class() -> None:
    old = "import warnings\nclass A:\n    def f(self): ...\n"
    new = old.replace(
        "...",
        "\n        warnings.warn(f'{type(self).__name__}.f is deprecated', DeprecationWarning)",
    )
    (found,) = findings(old, new, "import pkg\npkg.A().f()")
    assert found.message == "pkg.A.f is deprecated: A.f is deprecated"


def test_names_of_another_package_that_a_module_took_whole() -> None:
    """As scipy had all names of numpy."""
    other = [of_sources({"lib/__init__.py": "def seterr(): ...\n"}, v, "lib") for v in ("1", "2")]
    pairs = [
        ReleasePair(surface("from lib import *\n", "1.0"), surface("", "2.0")),
        ReleasePair(other[0], other[1]),
    ]
    found = CodeChecker(pairs).check("import pkg\nimport lib\npkg.seterr()\npkg.nothing()").findings
    assert [told(item) for item in found] == ["3 error gone pkg.seterr -> lib.seterr"]


def test_releases_between_tell_what_to_give_instead() -> None:
    """Neither signature says that ``other`` took the place of ``old``."""
    middle = "@deprecate_kwarg('old', 'other')\ndef f(a, old=1, other=2): ...\n"
    pair = ReleasePair(
        surface("def f(a, old=1, other=2): ...", "1.0"),
        surface("def f(a, other=2): ...", "2.0"),
        lambda: [surface(middle, "1.5")],
    )
    checker = CodeChecker([pair])
    found = checker.check("import pkg\npkg.f(1, old=2)").findings
    assert [told(item) for item in found] == ["2 error parameter-gone pkg.f(old)"]
    (item,) = advised(found, checker.pairs)
    assert told(item) == "2 error parameter-gone pkg.f(old) -> other"
    assert item.message == "pkg.f: parameter old is gone; use other"


WARNED = "def f(a, b=None):\n    import warnings\n    if b is not None:\n        warnings.warn({!r}, DeprecationWarning)\n"
MESSAGES = [
    ("The b argument is deprecated", ["2 info deprecated pkg.f(b)"]),
    ("Sorting is deprecated. Specify `b=True` to keep it", []),
    ("Using short names for 'b' is deprecated", []),
    ("The 'old' b is deprecated", []),
    ("The 'old' b was removed", []),
    ("Passing 'b' is deprecated", ["2 info deprecated pkg.f(b)"]),
]


@pytest.mark.parametrize(("message", "expected"), MESSAGES)
def test_a_deprecation_of_a_parameter_is_told_to_who_gives_it(
    message: str, expected: list[str]
) -> None:
    plain = "def f(a, b=None): ...\n"
    found = findings(plain, WARNED.format(message), "import pkg\npkg.f(1, b=2)")
    assert [told(item) for item in found] == expected


def test_documentation_tells_of_a_default_that_was_none() -> None:
    new = "def f(a, b=False):\n    '''Do.\n\n    .. versionchanged:: 2.0\n       The default of ``b`` is now False.\n    '''\n"
    found = findings("def f(a, b=None): ...\n", new, "import pkg\npkg.f(1)\n")
    assert [told(item) for item in found] == ["2 info default-changed pkg.f(b) -> None"]


SAYING = [
    ("Use g instead", "pkg.f is deprecated: Use g instead"),
    ("A future release will return a list", "pkg.f warns: A future release will return a list"),
]


@pytest.mark.parametrize(("message", "expected"), SAYING)
def test_a_warning_of_what_will_be_is_no_deprecation(message: str, expected: str) -> None:
    new = f"def f(a):\n    import warnings\n    warnings.warn({message!r}, DeprecationWarning)\n"
    (found,) = findings("def f(a): ...\n", new, "import pkg\npkg.f(1)\n")
    assert found.message == expected


OF_ITSELF = [
    ("f is deprecated", 1),
    ("tracking is deprecated", 1),
    ("Importing f from pkg is deprecated", 1),
    ("Creating f with odd things is deprecated", 0),
    ("f needs an argument now; creating it with none is deprecated", 0),
    ("Calls of f without arguments are fine. f without arguments is deprecated", 0),
]


@pytest.mark.parametrize(("message", "count"), OF_ITSELF)
def test_a_deprecation_of_something_that_is_done_with_a_name_is_none_of_it(
    message: str, count: int
) -> None:
    new = f"def f(a):\n    import warnings\n    warnings.warn({message!r}, DeprecationWarning)\n"
    assert len(findings("def f(a): ...\n", new, "import pkg\npkg.f(1)\n")) == count


SAID = [
    (".. versionchanged:: 2.0\n       Another thing has a default.", ""),
    (".. versionchanged:: 2.0\n       ``b`` takes texts.", ""),
    (".. versionchanged:: 1.0\n       The default of ``b`` is now False.", "f"),
]


@pytest.mark.parametrize(("note", "old"), SAID, ids=["another", "no default", "before"])
def test_documentation_tells_nothing_of_a_default_that_is_none_now(note: str, old: str) -> None:
    doc = f"    '''Do.\n\n    {note}\n    '''\n"
    before = "def f(a, b=True):\n" + (doc if old else "    ...\n")
    assert not findings(before, "def f(a, b=None):\n" + doc, "import pkg\npkg.f(1)\n")


def test_an_older_release_that_answers_to_an_unknown_many_is_no_finding() -> None:
    old = "def __getattr__(name):\n    if name == 'B':\n        return 2\n    for kind in KINDS:\n        if name in kind.__members__:\n            return kind[name]\n    raise AttributeError(name)\n"
    code = "import pkg\nprint(pkg.A)"
    assert not findings("A = 1", old, code, versions=("2.0", "1.0"))
    read = old.replace("kind.__members__", "('C', 'D')")
    assert len(findings("A = 1", read, code, versions=("2.0", "1.0"))) == 1


RETURNING = [("x = pkg.f(1)", 1), ("pkg.f(1)", 0)]


@pytest.mark.parametrize(("call", "count"), RETURNING)
def test_that_none_may_be_returned_matters_to_who_takes_it(call: str, count: int) -> None:
    old = "def f(a) -> int:\n    'Return the size.'\n"
    new = "def f(a) -> int | None:\n    'Return the size, or None.'\n"
    assert len(findings(old, new, f"import pkg\n{call}\n")) == count


def test_an_old_name_that_a_decorator_takes_is_deprecated_for_who_writes_it() -> None:
    maker = "def moved(old):\n    def outer(f):\n        def inner(*args, **kwargs):\n            if old in kwargs:\n                kwargs['rng'] = kwargs.pop(old)\n            return f(*args, **kwargs)\n        return inner\n    return outer\n"
    new = maker + "@moved('seed')\ndef f(a, rng=None): ...\n"
    found = findings(
        "def f(a, seed=None): ...\n", new, "import pkg\npkg.f(1, seed=2)\npkg.f(1, 2)\n"
    )
    assert [told(item) for item in found] == ["2 info deprecated pkg.f(seed) -> rng"]


WRITTEN = [
    ("another number", "def f(a=1): ...", "def f(a=2): ...", True),
    ("the same number", "def f(a=2**16): ...", "def f(a=65536): ...", False),
    ("a name for the same", "def f(a=2**16): ...", "N = 2 ** 16\ndef f(a=N): ...", False),
    ("a name for a name for the same", "def f(a=3): ...", "M = 3\nN = M\ndef f(a=N): ...", False),
    ("a name for another number", "def f(a=2**16): ...", "N = 2 ** 18\ndef f(a=N): ...", True),
    ("a name whose value changed", "N = 1\ndef f(a=N): ...", "N = 2\ndef f(a=2): ...", True),
    ("an unknown name", "def f(a=1): ...", "N = read()\ndef f(a=N): ...", False),
    ("a private name", "def f(a=1): ...", "_N = 1\ndef f(a=_N): ...", False),
    ("unknown names", "def f(a=_m): ...", "def f(a=_n): ...", False),
    ("no", "def f(a=0): ...", "def f(a=False): ...", False),
    ("a number of another kind", "def f(a=1): ...", "def f(a=1.0): ...", False),
    ("one of a new name", "def f(na_sentinel=-1): ...", "def f(use_na_sentinel=True): ...", False),
    ("an item of a table", "def f(a=1): ...", "def f(a=_t['a']): ...", False),
    ("nothing of another type", "def f(a=False): ...", "def f(a='x, y'): ...", False),
    ("something of another type", "def f(a=10): ...", "def f(a='auto'): ...", True),
    ("nothing of the same type", "def f(a=False): ...", "def f(a=True): ...", True),
    ("another member", "def f(a=C.x): ...", "def f(a=C.y): ...", True),
    ("another argument", "def f(a=C(1)): ...", "def f(a=C(2)): ...", True),
    ("a call", "def f(a=1): ...", "def f(a=C(2)): ...", False),
]


@pytest.mark.parametrize(("old", "new", "told"), [row[1:] for row in WRITTEN], ids=[row[0] for row in WRITTEN])  # fmt: skip
def test_a_default_that_is_written_in_another_way(old: str, new: str, told: bool) -> None:  # noqa: FBT001
    found = findings(old, new, "import pkg\npkg.f()")
    assert [item.kind for item in found] == ["default-changed"] * told


def test_a_deprecated_parameter_that_need_not_be_given_has_no_new_default() -> None:
    plain = "def f(a, b=False): ...\n"
    new = WARNED.format("The b argument is deprecated")
    assert findings(plain, new, "import pkg\npkg.f(1)") == []


def test_an_older_release_that_warns_or_takes_any_keyword_is_no_finding() -> None:
    code = "import pkg\npkg.f(1, b=2)"
    plain = "def f(a, b=None): ...\n"
    back = ("2.0", "1.0")
    assert findings(plain, WARNED.format("The b argument is deprecated"), code, versions=back) == []
    assert findings(plain, "def f(a, **keywords): ...\n", code, versions=back) == []
    assert [told(item) for item in findings(plain, "def f(a): ...\n", code, versions=back)] == [
        "2 error not-yet-there pkg.f(b)"
    ]
