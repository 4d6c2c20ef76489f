from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from libdrift.build import uses
from libdrift.build.pins import Libraries
from libdrift.build.releases import MinedReleases
from libdrift.build.uses import FileUses
from libdrift.languages.python.usage import imports_any
from tests.build.repos import history

PINNED = {"pkg": "2.0", "numpy": "1.26.4"}
START = "import numpy as np\nfrom pkg import plots\n"


def find(code: str, releases: MinedReleases | None = None) -> FileUses:
    known = releases or MinedReleases()
    return uses.find(ast.parse(code), Libraries(PINNED), lambda name: known.get(name, PINNED[name]))


@pytest.fixture(scope="module")
def mined() -> Iterator[MinedReleases]:
    with history() as store:
        yield MinedReleases(store)


def direct(code: str) -> list[str]:
    return [use.symbol for use in find(code).uses if use.access is uses.Access.DIRECT]


def indirect(code: str, releases: MinedReleases | None = None) -> list[str]:
    found = find(START + code, releases).uses
    return [use.symbol for use in found if use.access is uses.Access.INDIRECT]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import numpy\nnumpy.zeros(3)", ["numpy.zeros"]),
        ("import numpy as np\nnp.linalg.norm(3)", ["numpy.linalg.norm"]),
        ("import numpy.linalg\nnumpy.linalg.norm(3)", ["numpy.linalg.norm"]),
        ("import numpy.linalg as la\nla.norm(3)", ["numpy.linalg.norm"]),
        (
            "from numpy import linalg as la, zeros\nla.norm(zeros(3))",
            ["numpy.linalg.norm", "numpy.zeros"],
        ),
        ("def f():\n    import numpy as np\n    return np.ones(2)\nnp.zeros(2)", ["numpy.ones"]),
        ("def f():\n    return np.ones(2)\nimport numpy as np", ["numpy.ones"]),
        (
            "try:\n    import numpy as np\nexcept ImportError:\n    np = None\nnp.ones(1)",
            ["numpy.ones"],
        ),
        (
            "try:\n    import numpy as np\nexcept ImportError:\n    np = None\ndef f():\n    np.ones(1)",
            ["numpy.ones"],
        ),
        ("import numpy as np\n@np.vectorize\ndef f(): ...\nclass C(np.generic): ...", []),
        (
            "import numpy as np\n@np.vectorize()\ndef f(x=np.ones(1)): ...",
            ["numpy.vectorize", "numpy.ones"],
        ),
        ("import numpy as np\nf = lambda np: np.ones(1)\n[np.ones(2) for np in f]", []),
        (
            "import numpy as np\n[np.ones(n) for n in f]\nf = lambda x: np.zeros(x)",
            ["numpy.ones", "numpy.zeros"],
        ),
        ("import numpy as np\nif (n := np.ones(1)): pass", ["numpy.ones"]),
        (
            "import numpy as np\nasync def f():\n    async with np.a() as x, y:\n        await np.b()",
            ["numpy.a", "numpy.b"],
        ),
        ("import numpy as np\nmatch np.a():\n    case [np]:\n        np.b()", ["numpy.a"]),
        # Names that stand for something else.
        ("import numpy as np\nnp = other()\nnp.ones(1)", []),
        ("import numpy as np\ndef f(np):\n    np.ones(1)", []),
        ("import numpy as np\ndef f():\n    np.ones(1)\n    np = 3", []),
        ("import numpy as np\ndef f():\n    global np\n    np = 3\ndef g():\n    np.ones(1)", []),
        ("import numpy as np\nif x:\n    np = y\nnp.ones(1)", []),
        ("import numpy as np\nif x:\n    np = y\n    raise E\nnp.ones(1)", ["numpy.ones"]),
        ("import numpy as np\nfor i in x:\n    np.ones(1)\n    np = i", []),
        ("import numpy as np\nfor np in x:\n    np.ones(1)", []),
        ("import numpy as np\ndel np\nnp.ones(1)", []),
        (
            "import numpy as np\nclass C:\n    np = 3\n    def f(self):\n        np.ones(1)",
            ["numpy.ones"],
        ),
        ("from . import numpy\nnumpy.ones(1)\nfrom .numpy import ones\nones(1)", []),
        ("import os\nos.getcwd()\nfrom numpy import *\nones(1)", []),
        ("import numpy\nnumpy()", []),
    ],
)
def test_direct_uses(code: str, expected: list[str]) -> None:
    assert direct(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("ax = plots.figure()\nax.paint()", ["ax.paint"]),
        ("a = b = plots.figure()\na.paint(); b.draw()", ["a.paint", "b.draw"]),
        ("a, b = plots.pair()\nb.draw()", ["b.draw"]),
        ("a, b = plots.figure(), 3\na.draw()\nb.draw()", ["a.draw"]),
        ("with plots.figure() as f:\n    f.draw()", ["f.draw"]),
        ("for f in plots.all():\n    f.draw()", []),
        ("plots.figure().draw()", ["plots.figure().draw"]),
        ("plots.figure().a.b['k'].draw()", ["plots.figure().a.b[].draw"]),
        ("x = plots.figure()\ny = x\ny.grid().draw()", ["y.grid().draw"]),
        ("x: object = plots.figure()\nx.draw()", ["x.draw"]),
        ("x = plots.figure()\nx = 3\nx.draw()", []),
        ("x = plots.figure()\nx += 1\nx.draw()", []),
        ("x = plots.figure() if c else None\nx.draw()", ["x.draw"]),
        ("x = plots.figure() if c else 3\nx.draw()", []),
        ("def f(x=None):\n    if x is None:\n        x = plots.figure()\n    x.draw()", ["x.draw"]),
        ("def f(x):\n    if x is None:\n        x = plots.figure()\n    x.draw()", []),
        ("x = plots.figure()\ndef f():\n    x.draw()", ["x.draw"]),
        ("x = plots.figure()\ndef f():\n    x.draw()\nx = 3", []),
        ("def f():\n    x = plots.figure()\n    def g():\n        x.draw()", ["x.draw"]),
        ("class C:\n    def __init__(self):\n        self.x = plots.figure()\n    def f(self):\n        self.x.draw()", ["self.x.draw"]),
        ("class C:\n    def f(self):\n        self.x.draw()\n    def g(self):\n        self.x = plots.figure()", ["self.x.draw"]),
        ("class C:\n    x = None\n    def g(me):\n        me.x = plots.figure()\n        me.y = me.x.grid()\n        me.y.draw()", ["me.x.grid", "me.y.draw"]),
        ("class C:\n    def f(self):\n        self.x.draw()\n        self.x = 3\n    def g(self):\n        self.x = plots.figure()", []),
        ("class C:\n    @staticmethod\n    def f(a):\n        a.x = plots.figure()\n    def g(self):\n        self.x.draw()", []),
        ("class C:\n    def f(self):\n        self.x = plots.figure()\n        return [self.x.draw(i) for i in y]", ["self.x.draw"]),
        ("async def f():\n    r = await plots.get()\n    r.draw()", ["r.draw"]),
        ("m = plots.Model()\nm(3).draw()", ["m().draw"]),
        # Values of unknown classes may be plain ones.
        ("d = plots.get().json()\nd.items()\nd['x'].append(3)", ["plots.get().json"]),
        ("plots.get().text.strip()", []),
    ],
)  # fmt: skip
def test_indirect_uses(code: str, expected: list[str]) -> None:
    assert indirect(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("f = plots.figure()\nf.grid()", ["pkg.Figure.grid"]),
        ("plots.figure().grid().plot()", ["pkg.core.Axes.plot"]),
        ("import pkg\npkg.Figure().copy()", ["pkg.Figure.copy"]),
        ("a, b = plots.pair()\na.grid(); b.plot()", ["pkg.Figure.grid", "b.plot"]),
        ("line, = plots.figure().grid().plot()\nline.paint()", ["pkg.core.Axes.plot", "pkg.core.Line.paint"]),
        ("plots.figure().axes[0].plot()", ["pkg.core.Axes.plot"]),
        ("plots.plain().plot()\nplots.figure().grid().count().plot()", ["pkg.core.Axes.count"]),
        ("plots.secret().plot()", ["plots.secret().plot"]),
        ("plots.secret().unheard()", []),
    ],
)  # fmt: skip
def test_what_the_history_tells_of_values(
    code: str, expected: list[str], mined: MinedReleases
) -> None:
    assert indirect(code, mined) == expected


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("np._private()", uses.PRIVATE),
        ("np._core.zeros()", uses.PRIVATE),
        ("x = np.a()\nx.keys()", uses.PLAIN),
        ("print(f'{np.ones(3)}')", uses.QUOTED),
        ("plots.gone()", uses.LACKING),
        ("plots.secret().unheard()", uses.NOBODYS),
        ("plots.settings.update()", uses.PLAIN),
    ],
)
def test_what_is_left_out_is_counted(code: str, reason: str, mined: MinedReleases) -> None:
    assert find(START + code, mined).left_out == {reason: 1}


def test_where_a_use_is_and_what_it_begins_with() -> None:
    code = (
        START
        + "class C:\n    def f(self):\n        self.x = np.a(\n            1)\n        y = (self.x\n             .draw(2))\n"
    )
    first, second = find(code).uses
    assert (first.line, first.column, first.end_line, first.end_column) == (5, 17, 6, 14)
    assert (first.root, first.token, first.name_line) == ("np", "a", 5)
    assert (second.line, second.name_line, second.end_line) == (7, 8, 8)
    assert (second.root, second.token, second.library) == ("self.x", "draw", "numpy")


def test_a_bare_name_has_no_root_and_aliases_are_known() -> None:
    found = find("from numpy import ones as one, zeros\nimport numpy as np\none(3)")
    assert [(use.root, use.token, use.symbol) for use in found.uses] == [("", "one", "numpy.ones")]
    assert found.aliases == {"numpy": ("one", "zeros", "np")}


def test_whether_code_imports_a_library() -> None:
    inside = "def f():\n    try:\n        from numpy.linalg import norm\n    finally: ..."
    assert imports_any(ast.parse(inside), Libraries(PINNED))
    other = "import os\nfrom . import numpy"
    assert not imports_any(ast.parse(other), Libraries(PINNED))


def test_nesting_beyond_reason_is_an_error_to_catch() -> None:
    with pytest.raises(RecursionError):
        find(START + "x = np" + ".a()" * 900)
