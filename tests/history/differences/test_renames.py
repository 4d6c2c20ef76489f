"""Where things went: the evidence for each, and what must not be taken for it."""

from __future__ import annotations

import pytest

from libdrift.history.differences.diff import compare
from libdrift.languages.python.static import of_sources
from libdrift.records import Change

Sources = str | dict[str, str]
BODY = "    total = 0\n    for item in items:\n        total += weigh(item)\n        check(total)\n    log(total)\n    return total\n"
LIKE = BODY.replace("log(total)", "note(total)")


def changes(old: Sources, new: Sources, *between: Sources) -> list[Change]:
    releases = [
        of_sources({"pkg/__init__.py": text} if isinstance(text, str) else text, f"1.{at}", "pkg")
        for at, text in enumerate((old, *between, new))
    ]
    return compare(releases[0], releases[-1], releases[1:-1])


def deprecated(name: str, message: str, parameters: str = "items, axis") -> str:
    return f"def {name}({parameters}):\n    warnings.warn({message!r}, DeprecationWarning)\n"


@pytest.mark.parametrize(
    ("old", "new", "kind", "path", "replacement", "least"),
    [
        # The same definition elsewhere.
        (
            {"pkg/__init__.py": "from pkg._p import f", "pkg/sub.py": "", "pkg/_p.py": f"def f(items):\n{BODY}"},
            {"pkg/__init__.py": "", "pkg/sub.py": "from pkg._p import f as f", "pkg/_p.py": f"def f(items):\n{BODY}"},
            "moved", "pkg.f", "pkg.sub.f", 1.0,
        ),
        # One of two names of a thing goes: no name is new.
        (
            {"pkg/__init__.py": "from pkg.sub import f", "pkg/sub.py": f"def f(items):\n{BODY}"},
            {"pkg/__init__.py": "", "pkg/sub.py": f"def f(items):\n{BODY}"},
            "removed", "pkg.f", "pkg.sub.f", 1.0,
        ),
        ("def f(items): ...\nold_f = f", "def f(items): ...", "removed", "pkg.old_f", "pkg.f", 1.0),
        # The same code.
        (f"def weigh_all(items):\n{BODY}", f"def total(items):\n{BODY}", "renamed", "pkg.weigh_all", "pkg.total", 0.9),
        (
            {"pkg/__init__.py": "", "pkg/a.py": f"def f(items):\n{BODY}", "pkg/b.py": ""},
            {"pkg/__init__.py": "", "pkg/a.py": "", "pkg/b.py": f"def f(items):\n{BODY}"},
            "moved", "pkg.a.f", "pkg.b.f", 0.9,
        ),
        # The same name, parameters and documentation.
        (
            {"pkg/__init__.py": "", "pkg/a.py": "def f(x, y):\n    'Do it.'\n    return 1", "pkg/b.py": ""},
            {"pkg/__init__.py": "", "pkg/a.py": "", "pkg/b.py": "def f(x, y):\n    'Do it.'\n    return 2"},
            "moved", "pkg.a.f", "pkg.b.f", 0.9,
        ),
        # Similar code beside it.
        (f"def weigh_all(items):\n{BODY}", f"def weigh_items(items):\n{LIKE}", "renamed", "pkg.weigh_all", "pkg.weigh_items", 0.6),
        (f"class A:\n    def weigh_all(self, items):\n{BODY}".replace("\n    ", "\n        ").replace("    def", "def", 1),
         f"class A:\n    def weigh_items(self, items):\n{LIKE}".replace("\n    ", "\n        ").replace("    def", "def", 1),
         "renamed", "pkg.A.weigh_all", "pkg.A.weigh_items", 0.6),
        # The spelling of a name without code.
        ("isFinite = make()", "is_finite = make()", "renamed", "pkg.isFinite", "pkg.is_finite", 0.6),
        # Words: a rename, where the other is new and can take its place as it stands.
        (deprecated("trapz", "use `trapezoid`"), "def trapezoid(items, axis): ...",
         "renamed", "pkg.trapz", "pkg.trapezoid", 0.9),
        (deprecated("trapz", "use `trapezoid`") + "def trapezoid(items, axis): ...",
         "def trapezoid(items, axis): ...", "removed", "pkg.trapz", "pkg.trapezoid", 1.0),
        # Words: another thing, that does the job too.
        (deprecated("append", "Use pkg.concat instead") + "def concat(objs, join): ...",
         "def concat(objs, join): ...", "removed", "pkg.append", "pkg.concat", 1.0),
        (deprecated("sort_first", "use `sort(items, axis=0)`") + "def sort(items, axis): ...",
         "def sort(items, axis): ...", "removed", "pkg.sort_first", "pkg.sort", 1.0),
        # Words that no name of the release answers to.
        (deprecated("spell", "use `speller.spell` of another package"), "", "removed", "pkg.spell", "speller.spell", 1.0),
        (deprecated("spell", "use whatever you like instead"), "", "removed", "pkg.spell", "", 1.0),
        # Documentation.
        ("def simps(y, dx):\n    'An alias of `simpson`.'\n    return simpson(y, dx)\ndef simpson(y, dx): ...",
         "def simpson(y, dx): ...", "removed", "pkg.simps", "pkg.simpson", 1.0),
        # Code and roles in words.
        (deprecated("fail", "Use ``raise self.make_error(...)`` instead") + "def make_error(items): ...",
         "def make_error(items): ...", "removed", "pkg.fail", "pkg.make_error", 1.0),
        (deprecated("relation", "legacy; use :func:`_orm.relationship`") + "def relationship(items): ...",
         "def relationship(items): ...", "removed", "pkg.relation", "pkg.relationship", 1.0),
        # The only such name further in.
        ({"pkg/__init__.py": "hann = make()", "pkg/windows.py": "def hann(m, sym): ..."},
         {"pkg/__init__.py": "", "pkg/windows.py": "def hann(m, sym): ..."},
         "removed", "pkg.hann", "pkg.windows.hann", 1.0),
        # No: other code, another number, something that was there all along.
        (f"def f(items):\n{BODY}", "", "removed", "pkg.f", "", 1.0),
        ("PY38 = make()", "", "removed", "pkg.PY38", "", 1.0),
    ],
)  # fmt: skip
def test_successors(
    old: Sources, new: Sources, kind: str, path: str, replacement: str, least: float
) -> None:
    (change,) = changes(old, new)
    assert (change.kind, change.path, change.replacement) == (kind, path, replacement)
    assert change.confidence >= least
    assert change.evidence or kind == "removed"
    assert change.breaking


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        (f"def f(items):\n{BODY}", "def g(x):\n    return x + 1\n", {"removed", "introduced"}),
        ("PY38 = make()", "PY39 = make()", {"removed", "introduced"}),
        ("def close(): ...", "def open(): ...", {"removed", "introduced"}),
        # As many classes have such a method, it is not one that moved.
        (
            f"class A:\n    def close(self):\n        {BODY.strip()[:9]}\nclass B: ...",
            f"class A: ...\nclass B:\n    def shut(self):\n        {BODY.strip()[:9]}",
            {"removed", "introduced"},
        ),
    ],
)
def test_absurd_ones(old: str, new: str, kinds: set[str]) -> None:
    assert {change.kind.value for change in changes(old, new)} == kinds


def test_what_is_told_to_use_instead_is_still_introduced() -> None:
    old = deprecated("append", "Use pkg.concat instead")
    found = changes(old, "def concat(objs, join): ...")
    rows = [(c.kind.value, c.path, c.replacement) for c in found]
    assert rows == [("removed", "pkg.append", "pkg.concat"), ("introduced", "pkg.concat", "")]


def test_one_successor_each() -> None:
    """What only looks alike is the successor of one."""
    found = changes(f"def one(items):\n{BODY}def two(items):\n{BODY}", f"def three(items):\n{BODY}")
    assert sorted(c.kind.value for c in found) == ["removed", "renamed"]


def test_agreeing_evidence_raises_confidence() -> None:
    old = deprecated("trapz", "use `trapezoid`")
    (alone,) = changes(old, "def trapezoid(items, axis): ...")
    assert alone.confidence == 0.9
    body = "    a = 1\n    b = 2\n    c = 3\n    warnings.warn('use `trapezoid`', DeprecationWarning)\n    return a\n"
    (both,) = changes(f"def trapz(items, axis):\n{body}", f"def trapezoid(items, axis):\n{body}")
    assert both.confidence > 0.95
    assert len(both.evidence) >= 2


def test_hints_of_releases_between() -> None:
    old, new = "def trapz(items, axis): ...", "def trapezoid(items, axis): ..."
    middle = deprecated("trapz", "use `trapezoid`") + new
    (change,) = changes(old, new, middle)
    assert (change.kind, change.replacement) == ("renamed", "pkg.trapezoid")
    assert change.evidence == ("deprecation (warning) in 1.1",)


def test_chain_of_hints() -> None:
    """first -> second in one release, second -> third in a later one."""
    old = "def first(items, axis): ..."
    middle = deprecated("first", "use `second`") + "def second(items, axis): ..."
    later = deprecated("second", "use `third`") + "def third(items, axis): ..."
    (change,) = changes(old, "def third(items, axis): ...", middle, later)
    assert (change.path, change.replacement) == ("pkg.first", "pkg.third")


def test_a_module_of_the_same_names() -> None:
    names = "def one(): ...\ndef two(): ...\ndef three(): ..."
    (change,) = changes(
        {"pkg/__init__.py": "", "pkg/old.py": names}, {"pkg/__init__.py": "", "pkg/new.py": names}
    )
    assert (change.kind, change.path, change.replacement) == ("renamed", "pkg.old", "pkg.new")


def test_names_of_a_lost_module_that_live_on() -> None:
    """The module is gone; of its names only those are told apart that moved."""
    found = changes(
        {"pkg/__init__.py": "", "pkg/old.py": f"def f(items):\n{BODY}def g(): ...\ndef h(): ..."},
        {"pkg/__init__.py": f"def f(items):\n{BODY}"},
    )
    assert [(c.kind, c.path, c.replacement) for c in found] == [
        ("removed", "pkg.old", ""),
        ("moved", "pkg.old.f", "pkg.f"),
    ]


def test_members_of_a_class_that_moved() -> None:
    text = "class A:\n    'A thing.'\n    def __init__(self, x, y): ...\n    def m(self{}): ...\n"
    found = changes(
        {"pkg/__init__.py": "", "pkg/a.py": text.format(", z"), "pkg/b.py": ""},
        {"pkg/__init__.py": "", "pkg/a.py": "", "pkg/b.py": text.format("")},
    )
    assert {(c.kind, c.path) for c in found} == {("moved", "pkg.a.A"), ("signature", "pkg.b.A.m")}
