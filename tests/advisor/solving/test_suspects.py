"""Names that changed between two small releases, forwards and back."""

from __future__ import annotations

import pytest

from libdrift.advisor.solving import MovedLibrary, suspects
from tests.advisor.small import Sources, surface

WARNS = (
    "import warnings\n"
    "def row(a):\n    warnings.warn('`row` is deprecated. Use `pkg.column` instead.', DeprecationWarning)\n"
    "def column(a): ...\ndef same(a): ...\n"
)
OLD = "def row(a): ...\ndef column(a): ...\ndef same(a): ...\ndef gone(a): ...\n"
MATHS: Sources = {
    "pkg/__init__.py": "from pkg.math import tangent\n",
    "pkg/math.py": "def tangent(a): ...\n",
}
SPLIT: Sources = {
    "pkg/__init__.py": "from pkg import sparse\n",
    "pkg/sparse/__init__.py": "def add(a): ...\n",
}
KEPT: Sources = {
    "pkg/__init__.py": "from pkg import compat\ndef same(a): ...\n",
    "pkg/compat/__init__.py": "from pkg.compat import v1\n",
    "pkg/compat/v1.py": "def session(a): ...\n",
}
METHODS = "class Frame:\n    def fill(self): ...\n    def pad(self): ...\n"
METHODS_NEW = (
    "import warnings\nclass Frame:\n    def fill(self): ...\n"
    "    def pad(self):\n"
    "        warnings.warn('Frame.pad is deprecated. Use Frame.fill instead', FutureWarning)\n"
)
HEIRS = METHODS + "class Wide(Frame): ...\n"
NAMESAKES: Sources = {
    "pkg/__init__.py": "from pkg import deep, other\n",
    "pkg/deep.py": "def tangent(a):\n    'Of an angle.'\n",
    "pkg/other.py": "def tangent(graph, a): ...\n",
}
# what, the release of the code, the target's, the code, its suspects with what replaces them
ROWS: list[tuple[str, tuple[Sources, str], tuple[Sources, str], str, dict[str, str]]] = [
    ("gone", (OLD, "1.0"), (WARNS, "2.0"), "import pkg\npkg.gone(1)\npkg.same(1)\n", {"pkg.gone": ""}),
    ("deprecated", (OLD, "1.0"), (WARNS, "2.0"), "import pkg as p\np.row(1)\n", {"pkg.row": "pkg.column"}),
    ("both", (OLD, "1.0"), (WARNS, "2.0"), "from pkg import row, gone\nrow(gone(1))\n", {"pkg.row": "pkg.column", "pkg.gone": ""}),
    ("nothing", (OLD, "1.0"), (WARNS, "2.0"), "import pkg\npkg.same(1)\n", {}),
    ("advised, on the way back", (WARNS, "2.0"), (OLD, "1.0"), "import pkg\npkg.column(1)\npkg.same(1)\n", {"pkg.column": "pkg.row"}),
    ("not there yet", ("def new(a): ...", "2.0"), ("", "1.0"), "import pkg\npkg.new(1)\n", {"pkg.new": ""}),
    ("another path", (MATHS, "1.0"), (MATHS, "2.0"), "import pkg\npkg.tangent(1)\n", {"pkg.tangent": "pkg.math.tangent"}),
    ("another path, on the way back", (MATHS, "2.0"), (MATHS, "1.0"), "import pkg\npkg.math.tangent(1)\npkg.tangent(1)\n", {"pkg.math.tangent": "pkg.tangent"}),
    ("the same words", ("def sparse_add(a): ...", "1.0"), (SPLIT, "2.0"), "import pkg\npkg.sparse_add(1)\n", {"pkg.sparse_add": "pkg.sparse.add"}),
    ("kept for old code only", ("def session(a): ...\ndef same(a): ...", "1.0"), (KEPT, "2.0"), "import pkg\npkg.session(1)\n", {"pkg.session": ""}),
    ("a method of some value", (METHODS, "1.0"), (METHODS_NEW, "2.0"), "import pkg\ndef f(x):\n    return x.pad()\n", {"pad": "fill"}),
    ("a method, on the way back", (METHODS_NEW, "2.0"), (METHODS, "1.0"), "import pkg\ndef f(x):\n    return x.fill()\n", {"fill": "pad"}),
    ("a method of some value, and one of its classes is gone", (HEIRS, "1.0"), (METHODS_NEW, "2.0"), "import pkg\ndef f(x):\n    return x.pad()\n", {"pad": "fill"}),
    ("a namesake that begins alike", ("def tangent(a): ...", "2.0"), (NAMESAKES, "1.0"), "import pkg\npkg.tangent(1)\n", {"pkg.tangent": "pkg.deep.tangent"}),
    ("no import", (OLD, "1.0"), (WARNS, "2.0"), "def f(x):\n    return pk.gone(x)\n", {"pkg.gone": ""}),
    ("does not parse", (OLD, "1.0"), (WARNS, "2.0"), "print pkg.gone(1)\n", {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("origin", "target", "code", "expected"),
    [row[1:] for row in ROWS],
    ids=[row[0] for row in ROWS],
)
def test_suspects(
    origin: tuple[Sources, str], target: tuple[Sources, str], code: str, expected: dict[str, str]
) -> None:
    library = MovedLibrary(surface(*origin), surface(*target))
    assert {one.path: one.replacement for one in suspects(code, library)} == expected
