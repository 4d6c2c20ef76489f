"""Names that were renamed or moved, in expressions and in imports."""

from __future__ import annotations

import pytest

from libdrift.advisor.editing import edit
from libdrift.records import Replacement, ReplacementShape
from tests.advisor.editing.small import Known, finding, moved, renamed

CALL = Replacement(ReplacementShape.CALL)
ATTRIBUTE = Replacement(ReplacementShape.ATTRIBUTE)
# the code, what of it is found, the symbol, how, the code as it must be (None: it stays)
ROWS = [
    # attributes
    ("import lib as l\nl.a(1)\n", "l.a", "lib.a", renamed("lib.b"), "import lib as l\nl.b(1)\n"),
    (
        "import lib\nx = lib . a\n",
        "lib . a",
        "lib.a",
        renamed("lib.b"),
        "import lib\nx = lib . b\n",
    ),
    ("d.a().c", "d.a", "lib.D.a", renamed("lib.D.b"), "d.b().c"),
    ("(d\n .a()\n .c)", "d\n .a", "lib.D.a", renamed("lib.D.b"), "(d\n .b()\n .c)"),
    ("f()['a'].a('a')", "f()['a'].a", "lib.D.a", renamed("lib.D.b"), "f()['a'].b('a')"),
    ("f'{d.a()} a'", "d.a", "lib.D.a", renamed("lib.D.b"), "f'{d.b()} a'"),
    ("d.a = 1", "d.a", "lib.D.a", renamed("lib.D.b"), "d.b = 1"),
    ("import lib\nlib.a.c\n", "lib.a.c", "lib.a", renamed("lib.b"), "import lib\nlib.b.c\n"),
    # a member of a class, which no import can bring
    ("from lib.m import A\nA()\n", "A", "lib.m.A", moved("lib.B.a"), None),
    # imported names
    ("from lib import a\na(a)\n", "a", "lib.a", renamed("lib.b"), "from lib import b\nb(b)\n"),
    (
        "from lib import a as x\nx()\n",
        "a as x",
        "lib.a",
        renamed("lib.b"),
        "from lib import b as x\nx()\n",
    ),
    (
        "from lib import a as x\nx()\n",
        "x",
        "lib.a",
        renamed("lib.b"),
        "from lib import b as x\nx()\n",
    ),
    (
        "from lib import a, c\na(c)\n",
        "a",
        "lib.a",
        renamed("lib.b"),
        "from lib import b, c\nb(c)\n",
    ),
    (
        "from lib import (\n    a,  # one\n    c,\n)\na\n",
        "a",
        "lib.a",
        renamed("lib.b"),
        "from lib import (\n    b,  # one\n    c,\n)\nb\n",
    ),
    (
        "from lib import a\nb = 1\na\n",
        "a",
        "lib.a",
        renamed("lib.b"),
        "from lib import b as a\nb = 1\na\n",
    ),
    ("from lib import a\n", "a", "lib.a", renamed("lib.b"), "from lib import b as a\n"),
    (
        "from lib import a\n__all__ = ['a']\na\n",
        "a",
        "lib.a",
        renamed("lib.b"),
        "from lib import b as a\n__all__ = ['a']\na\n",
    ),
    (
        "from lib import a\ndef f(a):\n    return a\na\n",
        "a",
        "lib.a",
        renamed("lib.b"),
        "from lib import b\ndef f(a):\n    return a\nb\n",
    ),
    (
        "from lib import a\nx.a = 'a'\nf(a=a)\n",
        "a",
        "lib.a",
        renamed("lib.b"),
        "from lib import b\nx.a = 'a'\nf(a=b)\n",
    ),
    (
        "def f():\n    from lib import a\n    return lambda: a\n",
        "a",
        "lib.a",
        renamed("lib.b"),
        "def f():\n    from lib import b\n    return lambda: b\n",
    ),
    ("from lib import *\na()\n", "a", "lib.a", renamed("lib.b"), "from lib import *\nb()\n"),
    (
        "from lib import a\na = a or 1\na\n",
        "a",
        "lib.a",
        renamed("lib.b"),
        "from lib import b as a\na = a or 1\na\n",
    ),
    # moved names
    (
        "from lib.old import a\na()\n",
        "a",
        "lib.old.a",
        moved("lib.new.a"),
        "from lib.new import a\na()\n",
    ),
    (
        "from lib.old import a, c\na(c)\n",
        "a",
        "lib.old.a",
        moved("lib.new.a"),
        "from lib.old import c\nfrom lib.new import a\na(c)\n",
    ),
    (
        "from lib.old import a, c\na(c)\n",
        "c",
        "lib.old.c",
        moved("lib.new.c"),
        "from lib.old import a\nfrom lib.new import c\na(c)\n",
    ),
    (
        "from lib.old import (a,\n                     c)\na(c)\n",
        "a",
        "lib.old.a",
        moved("lib.new.a"),
        "from lib.old import (c)\nfrom lib.new import a\na(c)\n",
    ),
    (
        "from lib.old import a as x\nx\n",
        "a as x",
        "lib.old.a",
        moved("lib.new.b"),
        "from lib.new import b as x\nx\n",
    ),
    (
        "from lib.old import a\na()\n",
        "a",
        "lib.old",
        moved("lib.new"),
        "from lib.new import a\na()\n",
    ),
    (
        "from lib.old.sub import a\na()\n",
        "a",
        "lib.old",
        moved("lib.new"),
        "from lib.new.sub import a\na()\n",
    ),
    (
        "import os; from lib.old import a; a()\n",
        "a",
        "lib.old.a",
        moved("lib.new.a"),
        "import os; from lib.new import a; a()\n",
    ),
    (
        "import os; from lib.old import a, c; a(c)\n",
        "a",
        "lib.old.a",
        moved("lib.new.a"),
        "import os; from lib.old import c; from lib.new import a; a(c)\n",
    ),
    (
        "if x: from lib.old import a, c\n",
        "a",
        "lib.old.a",
        moved("lib.new.a"),
        "if x: from lib.old import c; from lib.new import a\n",
    ),
    ("from lib import six\nsix.x\n", "six", "lib.six", moved("six"), "import six\nsix.x\n"),
    (
        "from lib.old import a\na()\n",
        "a()",
        "lib.old.a",
        moved("lib.new.a"),
        "from lib.new import a\na()\n",
    ),
    # moved modules
    (
        "import lib.old as o\no.a\n",
        "lib.old as o",
        "lib.old",
        moved("lib.new"),
        "import lib.new as o\no.a\n",
    ),
    (
        "import lib.old as o\no.a\n",
        "o.a",
        "lib.old",
        moved("lib.new"),
        "import lib.new as o\no.a\n",
    ),
    (
        "import lib.old\nlib.old.a(lib.old.c)\n",
        "lib.old",
        "lib.old",
        moved("lib.new"),
        "import lib.new\nlib.new.a(lib.new.c)\n",
    ),
    (
        "import os, lib.old\nlib.old.a()\n",
        "lib.old",
        "lib.old",
        moved("lib.new"),
        "import os, lib.new\nlib.new.a()\n",
    ),
    (
        "import lib.old\nlib.old.a()\nlib.c\n",
        "lib.old.a",
        "lib.old.a",
        moved("lib.new.a"),
        "import lib.new\nlib.new.a()\nlib.c\n",
    ),
    (
        "import lib.old\nlib.old.a()\nlib.old.c\n",
        "lib.old.a",
        "lib.old.a",
        moved("lib.new.a"),
        "import lib.old\nimport lib.new\nlib.new.a()\nlib.old.c\n",
    ),
    (
        "import lib as l\nl.a()\n",
        "l.a",
        "lib.a",
        moved("lib.sub.a"),
        "import lib as l\nl.sub.a()\n",
    ),
    (
        "import lib as l\nl.a()\nl.c\n",
        "l.a",
        "lib.a",
        moved("lib.deep.a"),
        "import lib as l\nfrom lib.deep import a\na()\nl.c\n",
    ),
    (
        "import lib as l\nl.a()\na = l.c\n",
        "l.a",
        "lib.a",
        moved("lib.deep.a"),
        "import lib as l\nimport lib.deep\nlib.deep.a()\na = l.c\n",
    ),
    ("import lib as l\nl.a()\n", "l.a", "lib.a", moved("six.a"), "import six\nsix.a()\n"),
    (
        "import lib as l\nl.a()\nsix = 1\n",
        "l.a",
        "lib.a",
        moved("six.a"),
        "from six import a\na()\nsix = 1\n",
    ),
    (
        "'''Doc.'''\nfrom __future__ import annotations\ndef f():\n    import lib\n    lib.a()\n",
        "lib.a",
        "lib.a",
        moved("six.a"),
        "'''Doc.'''\nfrom __future__ import annotations\nimport six\ndef f():\n    six.a()\n",
    ),
    ("def f(d):\n    return d.a()\n", "d.a", "lib.D.a", moved("six.a"), None),
    # methods and attributes
    ("d.a + 1", "d.a", "lib.D.a", CALL, "d.a() + 1"),
    ("d.a()", "d.a", "lib.D.a", CALL, None),
    ("d.a = 1", "d.a", "lib.D.a", CALL, None),
    ("d.a() + 1", "d.a", "lib.D.a", ATTRIBUTE, "d.a + 1"),
    ("(d.a()) + 1", "d.a", "lib.D.a", ATTRIBUTE, "(d.a) + 1"),
    ("d.a(1)", "d.a", "lib.D.a", ATTRIBUTE, None),
    ("f(d.a)", "d.a", "lib.D.a", ATTRIBUTE, None),
    # what is not written as a name
    ("getattr(lib, 'a')", "'a'", "lib.a", renamed("lib.b"), None),
    ("d.x()", "d.x", "lib.D.a", renamed("lib.D.b"), None),
]


@pytest.mark.parametrize(("code", "written", "symbol", "how", "expected"), ROWS)
def test_names(
    code: str, written: str, symbol: str, how: Replacement, expected: str | None
) -> None:
    result = edit(code, [finding(code, written, "gone", symbol, how)], Known())
    assert result.source == (code if expected is None else expected)
    assert bool(result.left) == (expected is None)
    assert all(item.reason for item in result.left)


def test_what_was_taken_from_another_package_is_imported_from_there() -> None:
    code = "from lib import taken\ntaken()\n"
    found = finding(code, "taken", "gone", "lib.taken")
    assert edit(code, [found], Known()).source == "from six import taken\ntaken()\n"
    told = finding(code, "taken", "gone", "lib.x.taken", replacement="six.moves.taken")
    assert edit(code, [told], Known()).source == "from six.moves import taken\ntaken()\n"


def test_a_packages_face_keeps_its_names() -> None:
    code = "from lib import a\na()\n"
    found = finding(code, "a", "renamed", "lib.a", renamed("lib.b"))
    result = edit(code, [found], Known(), is_package_face=True)
    assert result.source == "from lib import b as a\na()\n"


def test_a_kind_and_a_path_are_enough() -> None:
    code = "import lib\nlib.a()\n"
    found = finding(code, "lib.a", "renamed", "lib.a", replacement="lib.b")
    assert edit(code, [found], Known()).source == "import lib\nlib.b()\n"
    gone = finding(code, "lib.a", "gone", "lib.a", replacement="use lib.b(…) instead")
    (left,) = edit(code, [gone], Known()).left
    assert left.reason == "no replacement is known"


@pytest.mark.parametrize(
    ("sure", "how"),
    [(0.5, renamed("lib.D.b")), (1.0, renamed("lib.D.b", confidence=0.6))],
)
def test_what_is_only_likely_is_edited_at_risk(sure: float, how: Replacement) -> None:
    code = "d.a()\n"
    found = finding(code, "d.a", "gone", "lib.D.a", how, confidence=sure)
    result = edit(code, [found], Known())
    assert result.source == code
    assert [item.is_risky for item in result.left] == [True]
    assert edit(code, [found], Known(), risky=True).source == "d.b()\n"


def test_what_is_proven_is_sure() -> None:
    code = "d.a()\n"
    how = renamed("lib.D.b", confidence=0.6, is_proven=True)
    assert edit(code, [finding(code, "d.a", "gone", "lib.D.a", how)], Known()).source == "d.b()\n"


def test_uses_and_their_import_are_edited_together() -> None:
    code = "from lib import a\na()\n"
    how = renamed("lib.b")
    found = [finding(code, "a", "gone", "lib.a", how), finding(code, "a()", "gone", "lib.a", how)]
    result = edit(code, found, Known())
    assert result.source == "from lib import b\nb()\n"
    assert len(result.applied) == 2


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_endings_stay(newline: str) -> None:
    code = newline.join(["import lib as l", "if 1:", "\tl.a()", ""])
    found = finding(
        "import lib as l\nif 1:\n\tl.a()\n", "l.a", "gone", "lib.a", moved("lib.deep.a")
    )
    expected = ["from lib.deep import a", "if 1:", "\ta()", ""]
    assert edit(code, [found], Known()).source == newline.join(expected)


def test_line_endings_that_cannot_be_kept_leave_the_file() -> None:
    code = "import lib\rlib.a()\r"
    found = finding(code, "lib.a", "gone", "lib.a", renamed("lib.b"))
    result = edit(code, [found], Known())
    assert (result.source, len(result.left)) == (code, 1)


def test_code_that_does_not_parse_is_left() -> None:
    found = finding("d.a", "d.a", "gone", "lib.D.a", renamed("lib.D.b"))
    (left,) = edit("print 'd.a'", [found], Known()).left
    assert "cannot be parsed" in left.reason
