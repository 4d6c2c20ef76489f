"""Whole programs between two releases made of source text: edited, or left with a reason."""

from __future__ import annotations

import pytest

from libdrift.advisor.migrating import CodeMigrator, group_of
from tests.advisor.small import Sources, pair

WARNS = "import warnings\ndef f(a):\n    warnings.warn('f is deprecated, use `g` instead', DeprecationWarning)\ndef g(a): ...\n"
OLD_METHOD = "import warnings\nclass A:\n    def old(self, a, b):\n        warnings.warn('A.old is deprecated, use A.new instead', DeprecationWarning)\n"
LINK = "    def new(self, a, b):\n        'Note that the order of arguments is the reverse of what old takes.'\n"
A = "class A:\n    def m(self, n=1): ...\n"
NAMED = WARNS.replace("DeprecationWarning)", "DeprecationWarning)\n    return g(a)")
RENAMED = "def g(a): ...\n"
# A value whose place another takes, by what its own warning says, and what the two give.
VALUES = "class A:\n    @property\n    def old(self){old}:\n        warnings.warn('A.old is deprecated, use A.new instead', DeprecationWarning)\n    @property\n    def new(self){new}: ...\n"
IN_ITS_PLACE = [
    ("of one type", " -> bool", " -> bool", True),
    ("of another type", " -> str", " -> bool", False),
    ("of an unknown type, where the other's is known", "", " -> bool", False),
    ("both of unknown types", "", "", True),
]
# Code that names an import otherwise than by using it: the name must stay.
NAMED_IN = [
    ("an annotation names it", "x: 'f' = 0\n"),
    ("a comment's type names it", "x = []  # type: list[f]\n"),
    ("the file's own names are asked", "globals()['f']\n"),
    ("listed", "__all__ = ['f']\n"),
    ("listed, annotated", "__all__: list[str] = ['f']\n"),
    ("listed later", "__all__ = []\n__all__ += ['f']\n"),
    ("listed by a call", "__all__ = []\n__all__.append('f')\n"),
    ("a test puts something else there", "patch('code.f')\n"),
    ("a doctest uses it", "def h():\n    '>>> f(1)'\n"),
    ("another function sets it", "def h():\n    global f\n    f = print\n"),
    ("another function has the new name", "def h():\n    global g\n"),
]
# what, old release, new release, the program, the edited program (None: it stays)
ROWS: list[tuple[str, Sources, Sources, str, str | None]] = [
    ("nothing changed", A, A, "import pkg\npkg.A().m(2)\n", None),
    ("a parameter went", "def f(a, b=1): ...", "def f(a): ...", "import pkg\npkg.f(0, b=1)\n", "import pkg\npkg.f(0)\n"),
    ("a parameter went, and was used", "def f(a, b=1): ...", "def f(a): ...", "import pkg\npkg.f(0, b=2)\n", None),
    ("by name alone now", "def f(a, b=1): ...", "def f(a, *, b=1): ...", "import pkg\npkg.f(0, 2)\n", "import pkg\npkg.f(0, b=2)\n"),
    ("one came in between", "def f(a, b=1): ...", "def f(a, c=1, b=1): ...", "import pkg\npkg.f(0, 2)\n", "import pkg\npkg.f(0, b=2)\n"),
    ("several at once", "def f(a, b=1, c=2, d=3): ...", "def f(a, *, c=2, e=0): ...", "import pkg\npkg.f(0, 1, 5, 3)\n", "import pkg\npkg.f(0, c=5)\n"),
    ("of a class", "class A:\n    def __init__(self, x=1, y=2): ...", "class A:\n    def __init__(self, *, y=2): ...", "import pkg\npkg.A(1, 3)\n", "import pkg\npkg.A(y=3)\n"),
    ("of a method", A.replace("n=1", "n=1, k=2"), A.replace("n=1", "*, k=2"), "import pkg\npkg.A().m(1, 3)\n", "import pkg\npkg.A().m(k=3)\n"),
    ("twice in a line", "def f(a, b=1): ...", "def f(a, *, b=1): ...", "import pkg\nx = pkg.f(pkg.f(0, 2), 3)\n", "import pkg\nx = pkg.f(pkg.f(0, b=2), b=3)\n"),
    ("moved", {"pkg/__init__.py": "", "pkg/a.py": "def f(a): ...", "pkg/b.py": ""}, {"pkg/__init__.py": "", "pkg/a.py": "", "pkg/b.py": "def f(a): ..."}, "from pkg.a import f\nf(1)\n", "from pkg.b import f\nf(1)\n"),
    ("a method is an attribute now", A, "class A:\n    @property\n    def m(self): ...\n", "import pkg\nx = pkg.A().m() + 1\n", "import pkg\nx = pkg.A().m + 1\n"),
    ("an attribute is a method now", "class A:\n    @property\n    def m(self): ...\n", A, "import pkg\nx = pkg.A().m + 1\n", "import pkg\nx = pkg.A().m() + 1\n"),
    ("a method that took arguments is an attribute now", A, "class A:\n    @property\n    def m(self): ...\n", "import pkg\npkg.A().m(3)\n", None),
    ("taken from another package, and gone", "from os.path import join, split\n__all__ = ['join', 'split']\n", "", "from pkg import join\njoin('a')\n", "from os.path import join\njoin('a')\n"),
    ("its new name is a parameter here", NAMED, RENAMED, "from pkg import *\ndef h(g):\n    return f(g)\n", None),
    ("a list that was filled is no default", "def f(a, b=[]): ...", "def f(a): ...", "import pkg\nx = []\nx.append(1)\npkg.f(0, b=x)\n", None),
    ("a name that a star import may bring is no default", "def f(a, b=1): ...", "def f(a): ...", "import pkg\nx = 1\nfrom other import *\npkg.f(0, b=x)\n", None),
    *((what, NAMED, RENAMED, f"from pkg import f\n{code}f(1)\n", f"from pkg import g as f\n{code}f(1)\n") for what, code in NAMED_IN),
    ("by position alone now", "def f(a, b): ...", "def f(a, b, /): ...", "import pkg\npkg.f(b=1, a=2)\n", "import pkg\npkg.f(2, 1)\n"),
    ("by position alone now, evaluated in another order", "def f(a, b): ...", "def f(a, b, /): ...", "import pkg\npkg.f(b=x(), a=y())\n", None),
    *(
        (f"a value in another's place, {what}", "import warnings\n" + VALUES.format(old=old, new=new), f"class A:\n    @property\n    def new(self){new}: ...\n", "import pkg\nx = pkg.A().old\n", "import pkg\nx = pkg.A().new\n" if edited else None)
        for what, old, new, edited in IN_ITS_PLACE
    ),
    ("its place is taken by what may refuse its arguments", OLD_METHOD + "    def new(self, *args, copy=False): ...\n", "class A:\n    def new(self, *args, copy=False): ...\n", "import pkg\npkg.A().old(1, 2)\n", None),
    ("its place is taken by a wrapper", OLD_METHOD + "    def new(self, *args, **kwargs): ...\n", "class A:\n    def new(self, *args, **kwargs): ...\n", "import pkg\npkg.A().old(1, 2)\n", "import pkg\npkg.A().new(1, 2)\n"),
    ("its arguments go the other way round there", OLD_METHOD + LINK, "class A:\n" + LINK, "import pkg\npkg.A().old(1, 2)\n", None),
    ("its arguments go the same way there", OLD_METHOD + LINK.replace("reverse", "same"), "class A:\n" + LINK.replace("reverse", "same"), "import pkg\npkg.A().old(1, 2)\n", "import pkg\npkg.A().new(1, 2)\n"),
    ("Python 2", "def f(a): ...", "", "import pkg\nprint pkg.f(1)\n", None),
    ("no such package", "def f(a): ...", "", "import other\nother.f(1)\n", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "code", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_programs(old: Sources, new: Sources, code: str, expected: str | None) -> None:
    done = CodeMigrator([pair(old, new)]).migrated(code, "code.py")
    assert done.after == (code if expected is None else expected)
    assert done.is_changed == bool(done.applied) == (expected is not None)


@pytest.mark.parametrize("row", [row for row in ROWS if row[4]], ids=lambda row: row[0])
def test_an_edited_program_needs_no_edit(row: tuple[str, Sources, Sources, str, str]) -> None:
    again = CodeMigrator([pair(row[1], row[2])]).migrated(row[4])
    assert not again.is_changed
    assert not again.left


def test_what_needs_a_person_is_left_with_a_reason() -> None:
    migrator = CodeMigrator([pair("def f(a, b=1): ...\ndef h(): ...", "def f(a): ...")])
    done = migrator.migrated("import pkg\npkg.f(0, b=2)\npkg.h()\n")
    assert not done.is_changed
    assert [(one.finding.symbol, one.is_risky) for one in done.left] == [
        ("pkg.f", True),
        ("pkg.h", False),
    ]
    assert all(one.reason for one in done.left)


def test_risky_edits_are_made_when_asked_for() -> None:
    migrator = CodeMigrator([pair("def f(a, b=1): ...", "def f(a): ...")], is_risky=True)
    assert migrator.migrated("import pkg\npkg.f(0, b=2)\n").after == "import pkg\npkg.f(0)\n"


def test_groups_can_be_left_out() -> None:
    old, new = "def f(a, b=1): ...\ndef g(a, b=1): ...", "def f(a): ...\ndef g(a): ..."
    code = "import pkg\npkg.f(0, 1)\npkg.g(0, 1)\npkg.f(2, 1)\n"
    migrator = CodeMigrator([pair(old, new)])
    groups = [group_of(item) for item in migrator.migrated(code).applied]
    assert len(set(groups)) == 2
    without = migrator.migrated(code, without={groups[0]})
    assert without.after == "import pkg\npkg.f(0, 1)\npkg.g(0)\npkg.f(2, 1)\n"


def test_an_edit_that_the_target_refuses_leaves_the_file() -> None:
    """A replacement that is not there: the file stays whole."""
    from dataclasses import replace

    from libdrift.records import Replacement, ReplacementShape

    between = pair("def f(a): ...\ndef g(a): ...", "def g(a): ...")
    wrong = Replacement(ReplacementShape.RENAME, "pkg.nothing")

    def misled(code, findings):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        return [replace(item, how=wrong) for item in findings]

    code = "import pkg\npkg.f(1)\n"
    done = CodeMigrator([between], wanted=misled).migrated(code)
    assert done.after == code
    (left,) = done.left
    assert "pkg.nothing is not in pkg 2.0" in left.reason


def test_edits_that_the_target_refuses_are_left_out_and_the_others_made() -> None:
    from dataclasses import replace

    from libdrift.records import Replacement, ReplacementShape

    between = pair(
        "def f(a): ...\ndef h(a, b=1): ...\ndef g(a): ...", "def g(a): ...\ndef h(a): ..."
    )
    wrong = Replacement(ReplacementShape.RENAME, "pkg.nothing")

    def misled(code, findings):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        return [replace(item, how=wrong) if item.symbol == "pkg.f" else item for item in findings]

    code = "import pkg\npkg.f(1)\npkg.h(1, b=1)\npkg.f(2)\n"
    done = CodeMigrator([between], wanted=misled).migrated(code)
    assert done.after == "import pkg\npkg.f(1)\npkg.h(1)\npkg.f(2)\n"
    assert [item.symbol for item in done.applied] == ["pkg.h"]
    assert [(one.finding.symbol, one.finding.line) for one in done.left] == [
        ("pkg.f", 2),
        ("pkg.f", 4),
    ]
    assert all("pkg.nothing is not in pkg 2.0" in one.reason for one in done.left)


def test_line_endings_and_positions() -> None:
    migrator = CodeMigrator([pair("def f(a, b=1): ...", "def f(a): ...")])
    code = "import pkg\r\nx = 'ü'; pkg.f('ä', b=1)\r\n"
    assert migrator.migrated(code).after == "import pkg\r\nx = 'ü'; pkg.f('ä')\r\n"


def test_what_is_left_is_told_by_the_lines_of_the_users_file() -> None:
    """The edit adds a line above: an import."""
    old = {"pkg/__init__.py": "def h(): ...\n", "pkg/a.py": "def f(a): ...\ndef k(a): ...", "pkg/b.py": ""}  # fmt: skip
    new = {"pkg/__init__.py": "", "pkg/a.py": "def k(a): ...", "pkg/b.py": "def f(a): ..."}
    code = "import pkg\nfrom pkg.a import f, k\nf(1)\npkg.h()\n"
    done = CodeMigrator([pair(old, new)]).migrated(code)
    assert done.after.count("\n") > code.count("\n")
    assert [(one.finding.symbol, one.finding.line) for one in done.left] == [("pkg.h", 4)]
    assert {item.line for item in done.applied} == {2}
