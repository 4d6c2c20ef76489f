"""Values that come from another file of the project: its files, and what a check says of them."""

from __future__ import annotations

import pytest

from libdrift.advisor.checking import CodeChecker
from tests.advisor.small import pair, told

OLD = "class A:\n    def m(self, n=1): ...\ndef make() -> A: ...\ndef f(): ...\n"
NEW = "class A:\n    def other(self): ...\ndef make() -> A: ...\n"
MAKES = "import pkg\na = pkg.A()\n"
GONE = "error gone pkg.A.m"

PROJECTS: list[tuple[str, dict[str, str], list[str]]] = [
    ("imported by name", {"one.py": MAKES, "two.py": "from one import a\na.m()"}, [f"two.py 2 {GONE}"]),
    ("read before what it imports", {"a_first.py": "from one import a\na.m()", "one.py": MAKES}, [f"a_first.py 2 {GONE}"]),
    ("of the module", {"one.py": MAKES, "two.py": "import one\none.a.m()"}, [f"two.py 2 {GONE}"]),
    ("relative", {"p/__init__.py": "", "p/one.py": MAKES, "p/two.py": "from .one import a\na.m()"}, [f"p/two.py 2 {GONE}"]),
    ("relative, of the folder above", {"p/__init__.py": "", "p/one.py": MAKES, "p/q/__init__.py": "", "p/q/two.py": "from ..one import a\na.m()"}, [f"p/q/two.py 2 {GONE}"]),
    ("a module of a folder", {"p/__init__.py": "", "p/one.py": MAKES, "two.py": "from p import one\none.a.m()"}, [f"two.py 2 {GONE}"]),
    ("offered by a package", {"p/__init__.py": "from .one import a", "p/one.py": MAKES, "two.py": "import p\np.a.m()"}, [f"two.py 2 {GONE}"]),
    ("in a folder for sources", {"src/p/__init__.py": "", "src/p/one.py": MAKES, "tests/two.py": "from p.one import a\na.m()"}, [f"tests/two.py 2 {GONE}"]),
    ("all of a module", {"one.py": MAKES, "two.py": "from one import *\na.m()"}, [f"two.py 2 {GONE}"]),
    ("what a function returns", {"one.py": "import pkg\ndef get():\n    return pkg.make()", "two.py": "from one import get\nget().m()"}, [f"two.py 2 {GONE}"]),
    ("what an instance holds", {"one.py": "import pkg\nclass X:\n    def __init__(self):\n        self.a = pkg.A()", "two.py": "from one import X\nX().a.m()"}, [f"two.py 2 {GONE}"]),
    ("inherited", {"one.py": "import pkg\nclass X(pkg.A): ...", "two.py": "from one import X\nclass Y(X):\n    def run(self):\n        self.m()"}, [f"two.py 4 {GONE}"]),
    ("given to a function elsewhere", {"one.py": "import pkg\nfrom two import run\nrun(pkg.A())", "two.py": "def run(a):\n    a.m()\nimport pkg"}, [f"two.py 2 {GONE}"]),
    ("given something else, too", {"one.py": "import pkg\nfrom two import run\nrun(pkg.A())\nrun(1)", "two.py": "def run(a):\n    a.m()\nimport pkg"}, []),
    ("set by another module", {"one.py": "import pkg\nimport state\nstate.a = pkg.A()", "state.py": "a = None", "two.py": "import state\nstate.a.m()"}, [f"two.py 2 {GONE}"]),
    ("set to something else, too", {"one.py": "import pkg\nimport state\nstate.a = pkg.A()\nstate.a = 2", "state.py": "a = None", "two.py": "import state\nstate.a.m()"}, []),
    ("a name that went is told where it is imported alone", {"one.py": "from pkg import f", "two.py": "from one import f\nf()"}, ["one.py 1 error gone pkg.f"]),
    ("of a module that another one imported", {"one.py": "import pkg", "two.py": "from one import pkg\npkg.f()"}, ["two.py 2 error gone pkg.f"]),
    ("files that import each other", {"one.py": "import pkg\nimport two\na = pkg.A()", "two.py": "import one\none.a.m()"}, [f"two.py 2 {GONE}"]),
    ("Python's own module of that name", {"types.py": MAKES, "two.py": "import types\ntypes.a.m()"}, []),
    ("a file that does not parse", {"one.py": "import pkg\nprint 1", "two.py": "from one import a\na.m()"}, []),
    ("bound to something else", {"one.py": MAKES + "a = 1", "two.py": "from one import a\na.m()"}, []),
]  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), [row[1:] for row in PROJECTS], ids=[row[0] for row in PROJECTS])  # fmt: skip
def test_values_are_followed_between_files(files: dict[str, str], expected: list[str]) -> None:
    checker = CodeChecker([pair(OLD, NEW)])
    checker.learn([(f"/x/{name}", code) for name, code in files.items()], ["/x"])
    found = [
        f"{name} {told(item)}"
        for name, code in files.items()
        for item in checker.check(code, f"/x/{name}").findings
    ]
    assert found == expected
