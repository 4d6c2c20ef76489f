from __future__ import annotations

import pytest

from libdrift.build import excerpts, pages, uses
from libdrift.build.excerpts import Cut, Cutter, Level
from libdrift.build.pages import Page
from libdrift.build.pins import Libraries

PINNED = {"numpy": "1.26.4"}


def cuts(code: str, level: Level) -> list[Cut | str]:
    page = pages.read(code)
    assert isinstance(page, Page)
    found = uses.find(page.tree, Libraries(PINNED), lambda _: None)
    cutter = Cutter(page)
    return [cutter.cut(use, found.aliases["numpy"], level) for use in found.uses]


def cut(code: str, level: Level) -> Cut:
    found = cuts(code, level)[0]
    assert isinstance(found, Cut), found
    return found


CLASS = '''\
"""A module."""
import os  # for nobody
import json
import numpy as np

LIMIT = 3


class Box:
    """A box of things."""

    size = 3  # its size

    def load(self, path):
        """Read all of it."""
        # As one list.
        rows = json.load(path)
        self.rows = np.asarray(
            rows,  # as they are
            dtype=float,
        )
        return self.rows

    def other(self):
        return LIMIT


def after():
    pass
'''
BOX = CLASS[CLASS.index("class Box") : CLASS.index("\n\ndef after")]
SHOWN = "import json\nimport numpy as np\n\n\n" + (
    BOX.replace("  # its size", "")
    .replace("        # As one list.\n", "")
    .replace("  # as they are", "")
)


def test_the_middle_of_a_class() -> None:
    found = cut(CLASS, Level.MIDDLE)
    left, right = found.starter.split(found.mask)
    assert found.reference == (
        "np.asarray(\n            rows,\n            dtype=float,\n        )"
    )
    assert left + found.reference + right == SHOWN
    assert left.endswith("\n        self.rows = ")
    assert found.line == "np.asarray("
    assert found.near == "\n        return self.rows\n\n    def other(self):\n        return LIMIT"
    assert found.description == "Read all of it."


def test_the_middle_without_a_class_is_of_the_whole_file() -> None:
    code = "import numpy as np\n\n\ndef f(é):\n    return 'é', np.ones(é), 3\n\n\nx = 2\n"
    found = cut(code, Level.MIDDLE)
    assert found.starter == code.replace("np.ones(é)", excerpts.FILL)
    assert found.reference == "np.ones(é)"
    assert found.near == ", 3\n\n\nx = 2\n"


def test_tokens_and_lines_stand_in_what_was_before() -> None:
    code = "import numpy as np\nfrom numpy import ones\n\n\ndef f(x):\n    y = np.ones(x)  # that\n    return y\n\n\nz = 2\n"
    shown = code.replace("  # that", "").replace("\n\n\nz = 2", "")
    token = cut(code, Level.TOKEN)
    assert token.starter == shown.replace("ones", "<token_mask>")
    assert (token.reference, token.mask, token.line) == ("ones", "<token_mask>", "y = np.ones(x)")
    line = cut(code, Level.LINE)
    assert line.starter == shown.replace("y = np.ones(x)", "<line_mask>")
    assert (line.reference, line.line) == ("y = np.ones(x)", "y = np.ones(x)")


def test_the_block_of_a_method() -> None:
    found = cut(CLASS, Level.BLOCK)
    body = SHOWN[SHOWN.index("        rows = ") : SHOWN.index("\n\n    def other")]
    start = "import json\nimport numpy as np\n\n\nclass Box:\n    def load(self, path):\n"
    start += '        """Read all of it."""\n'
    assert found.reference == f"{start}{body}\n"
    assert found.starter == f"{start}        <block_mask>\n"
    assert found.mask == ""  # the answer is the whole code
    assert found.line == "self.rows = np.asarray("
    assert found.description == "Write `def load(self, path)` of class Box. Read all of it."


@pytest.mark.parametrize(
    ("code", "reference", "description"),
    [
        (
            "import numpy as np\nimport os\n\n\n@np.deco\nasync def f(a, *, b=1):\n    '''Do it all.\n\n    More.'''\n    return np.ones(a)\n",
            "import numpy as np\n\n\n@np.deco\nasync def f(a, *, b=1):\n    '''Do it all.\n\n    More.'''\n    return np.ones(a)\n",
            "Write `async def f(a, *, b=1)`. Do it all.",
        ),
        (
            "import numpy as np\nx = 1\n\n# Make some numbers of this kind.\na = 3\nb = np.ones(a)  # noqa: all of these words\nprint(b)\n\ny = 2\n",
            "import numpy as np\n\n\na = 3\nb = np.ones(a)\nprint(b)\n",
            "Make some numbers of this kind.",
        ),
        (
            "import numpy as np\n\nmade = np.made()\n\n\ndef f(a):\n    '''Call it.'''\n    return made.ones(a)\n",
            "import numpy as np\n\n\ndef f(a):\n    '''Call it.'''\n    return made.ones(a)\n",
            "Write `def f(a)`. Call it.",
        ),
        (
            "import numpy as np\n\n# Make as many numbers\n# as were asked for.\ndef f(a):\n    # not of these words\n    return np.ones(a)\n",
            "import numpy as np\n\n\ndef f(a):\n    return np.ones(a)\n",
            "Write `def f(a)`. Make as many numbers as were asked for.",
        ),
        (
            "import numpy as np\n\nclass C:\n    '''A box.'''\n    def __init__(self):\n        self.x = np.ones(3)\n",
            "import numpy as np\n\n\nclass C:\n    def __init__(self):\n        self.x = np.ones(3)\n",
            "Write `def __init__(self)` of class C. A box.",
        ),
    ],
)
def test_other_blocks(code: str, reference: str, description: str) -> None:
    found = [item for item in cuts(code, Level.BLOCK) if isinstance(item, Cut)]
    assert [(item.reference, item.description) for item in found] == [(reference, description)]


@pytest.mark.parametrize(
    ("code", "level", "reason"),
    [
        ("x = np.ones(1)\n", Level.BLOCK, excerpts.UNDESCRIBED),
        ("def f():\n    return np.ones(1)\n", Level.BLOCK, excerpts.UNDESCRIBED),
        ("def f():\n    'Make ones.'\n    return np.ones(1)\n", Level.BLOCK, excerpts.UNDESCRIBED),
        ("class C:\n    'A box.'\n    def f(self):\n        np.ones(1)\n", Level.BLOCK, excerpts.UNDESCRIBED),
        ("# TODO: make this faster\n# for all of those numbers\nx = np.ones(1)\n", Level.BLOCK, excerpts.UNDESCRIBED),
        ("def ones():\n    'Make numbers.'\n    return np.ones(1)\n", Level.BLOCK, excerpts.NAMED),
        ("def f(): return np.ones(1)\n", Level.BLOCK, excerpts.OUTSIDE),
        ("def f(x=np.ones(1)):\n    return x\n", Level.BLOCK, excerpts.OUTSIDE),
        ("class C: x = np.ones(1)\n", Level.BLOCK, excerpts.OUTSIDE),
        ("class C(np.ones(1)):\n    x = 1\n", Level.BLOCK, excerpts.OUTSIDE),
        ("x = (np.ones(1)).sum(2)\n", Level.MIDDLE, excerpts.ROOTLESS),
        ("x = '<line_mask>', np.ones(1)\n", Level.LINE, excerpts.MASKED),
        ("x = '<fill>', np.ones(1)\n", Level.MIDDLE, excerpts.MASKED),
        ("def f():\n    'Go on.'\n    return np.ones('```')\n", Level.BLOCK, excerpts.MARKED),
        ("x = f(np.ones(1),\n    2); y = f(\n    3)\n", Level.TOKEN, excerpts.BROKEN),
        ("s = '''\n" + "a line of text\n" * 5000 + "'''\nx = np.ones(1)\n", Level.LINE, excerpts.LONG),
    ],
)  # fmt: skip
def test_why_there_is_no_gap(code: str, level: Level, reason: str) -> None:
    assert cuts(f"import numpy as np\n\n{code}", level) == [reason]


def test_a_block_is_cut_once() -> None:
    code = (
        "import numpy as np\n\n\ndef f(a):\n    'Make ones.'\n    x = np.ones(a)\n"
        "    y = np.zeros(a)\n    return np.dot(x, y)\n\n\n"
        "def g(a):\n    'Make some.'\n    return np.full(a)\n"
    )
    # The first use that the docstring does not tell.
    first, second, third, other = cuts(code, Level.BLOCK)
    assert (first, third) == (excerpts.UNDESCRIBED, excerpts.ASKED)
    assert isinstance(second, Cut)
    assert second.line == "y = np.zeros(a)"
    assert isinstance(other, Cut)
    assert [type(item) for item in cuts(code, Level.LINE)] == [Cut] * 4


@pytest.mark.parametrize("level", Level)
def test_filled_in_it_is_the_excerpt_and_compiles(level: Level) -> None:
    code = (
        CLASS
        + "\n\ndef g(x):\n    '''Go on.'''\n    if x:\n        return [\n            np.ones(x)]\n"
    )
    for found in cuts(code, level):
        assert isinstance(found, Cut)
        filled = (
            found.starter.replace(found.mask, found.reference) if found.mask else found.reference
        )
        compile(filled, "filled", "exec")
        assert found.line in filled
