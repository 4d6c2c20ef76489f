"""Replacements by templates: methods, functions, and what stands around them."""

from __future__ import annotations

import pytest

from libdrift.advisor.editing import edit
from tests.advisor.editing.small import Known, finding, template

JOIN = "lib.join([{self}, {other}], {...})"
HEAD = "import lib as l\n"
SIGNATURE = "other, how=None, sort=False"
ROWS = [
    (HEAD + "d.a(e)\n", "d.a", JOIN, HEAD + "l.join([d, e])\n"),
    (HEAD + "d.a(e, sort=True)\n", "d.a", JOIN, HEAD + "l.join([d, e], sort=True)\n"),
    (HEAD + "d.a(e, None, True)\n", "d.a", JOIN, HEAD + "l.join([d, e], how=None, sort=True)\n"),
    (HEAD + "d.a(other=e, **k)\n", "d.a", JOIN, HEAD + "l.join([d, e], **k)\n"),
    (HEAD + "x = d.a(e).c\n", "d.a", JOIN, HEAD + "x = l.join([d, e]).c\n"),
    (HEAD + "d.x[0].a(lambda: 1)\n", "d.x[0].a", JOIN, HEAD + "l.join([d.x[0], lambda: 1])\n"),
    (HEAD + "d.a(y for y in e)\n", "d.a", JOIN, HEAD + "l.join([d, (y for y in e)])\n"),
    ("from lib import join\nd.a(e)\n", "d.a", JOIN, "from lib import join\njoin([d, e])\n"),
    ("d.a(e)\n", "d.a", JOIN, "import lib\nlib.join([d, e])\n"),
    ("lib = 1\nd.a(e)\n", "d.a", JOIN, "from lib import join\nlib = 1\njoin([d, e])\n"),
    ("lib = join = 1\nd.a(e)\n", "d.a", JOIN, None),
    (HEAD + "d.a(*e)\n", "d.a", JOIN, None),
    (HEAD + "d.a()\n", "d.a", JOIN, None),
    (HEAD + "f(d.a)\n", "d.a", JOIN, None),
    (HEAD + "d.a(e,  # why\n    sort=1)\n", "d.a", JOIN, None),
    (HEAD + "l.D.a(d, e)\n", "l.D.a", JOIN, None),
    # without a place for all arguments
    ("d.a(e, sort=True)\n", "d.a", "{self} + {other}", None),
    ("d.a(e)\n", "d.a", "{self} + {other}", "d + e\n"),
    # precedence
    ("x * d.a(e)\n", "d.a", "{self} + {other}", "x * (d + e)\n"),
    ("d.a(e).c\n", "d.a", "{self} + {other}", "(d + e).c\n"),
    ("f(d.a(e))\n", "d.a", "{self} + {other}", "f(d + e)\n"),
    ("(x if y else z).a(e)\n", "(x if y else z).a", "{self}.b({other})", "(x if y else z).b(e)\n"),
    ("d.a(x or y)\n", "d.a", "{other}.b({self})", "(x or y).b(d)\n"),
    ("d.a(-x)\n", "d.a", "{self} ** {other}", "d ** (-x)\n"),
    ("(d.a(e))\n", "d.a", "{self} + {other}", "(d + e)\n"),
    # an argument that is not given
    ("d.a(e)\n", "d.a", "{self}.b({other}, key={how})", "d.b(e)\n"),
    ("d.a(e, 3)\n", "d.a", "{self}.b({other}, key={how})", "d.b(e, key=3)\n"),
    # what it is called on
    ("d.a(e)\n", "d.a", "{self}.b({...})", "d.b(e)\n"),
    ("d.a(e)\n", "d.a", "{self}.b({self}, {other})", "d.b(d, e)\n"),
    ("f().a(e)\n", "f().a", "{self}.b({self}, {other})", None),
    ("a(e)\n", "a", "{self}.b({other})", None),
    ("d.a(e)\n", "d.a", "{self}.b(", None),
    # functions
    ("import lib\nlib.a(e, 1)\n", "lib.a", "{other}.b({...})", "e.b(how=1)\n"),
    ("from lib import a\na(e)\n", "a(e)", "{other}.b()", "e.b()\n"),
    ("from lib import a\na(e)\n", "a(e)", "len({other})", "len(e)\n"),
    ("from lib import a\na(e)\n", "a(e)", "[x for x in {other}]", "[x for x in e]\n"),
]


@pytest.mark.parametrize(("code", "written", "text", "expected"), ROWS)
def test_templates(code: str, written: str, text: str, expected: str | None) -> None:
    symbol = "lib.a" if written in {"a", "a(e)", "lib.a"} else "lib.D.a"
    result = edit(code, [finding(code, written, "gone", symbol, template(text))], Known(SIGNATURE))
    assert result.source == (code if expected is None else expected)
    assert bool(result.left) == (expected is None)


@pytest.mark.parametrize(
    ("code", "written", "text", "expected"),
    [
        ("import lib\nx = lib.a\n", "lib.a", "float", "x = float\n"),
        ("import lib\nx = lib.a(1)\n", "lib.a", "float", "x = float(1)\n"),
        ("d.a[0]\n", "d.a", "{self}.b()", "d.b()[0]\n"),
        ("d.a[0]\n", "d.a", "-{self}.b", "(-d.b)[0]\n"),
        ("d.a.c\n", "d.a", "lib.b({self})", "import lib\nlib.b(d).c\n"),
    ],
)
def test_templates_of_what_is_not_called(code: str, written: str, text: str, expected: str) -> None:
    symbol = "lib.a" if written == "lib.a" else "lib.D.a"
    found = finding(code, written, "gone", symbol, template(text))
    assert edit(code, [found], Known(is_callable=False)).source == expected


def test_an_import_goes_with_its_last_use() -> None:
    code = "from lib import a\na(e)\n"
    how = template("len({other})")
    found = [finding(code, "a", "gone", "lib.a", how), finding(code, "a(e)", "gone", "lib.a", how)]
    result = edit(code, found, Known(SIGNATURE))
    assert (result.source, len(result.applied), result.left) == ("len(e)\n", 2, ())
    alone = edit(code, found[:1], Known(SIGNATURE))  # the import alone is told
    assert (alone.source, len(alone.applied)) == ("len(e)\n", 1)


def test_an_import_stays_while_a_use_does() -> None:
    code = "from lib import a\na(e)\nf(a)\n"
    found = finding(code, "a", "gone", "lib.a", template("len({other})"))
    result = edit(code, [found], Known(SIGNATURE))
    assert len(result.left) == 1
    assert "from lib import a\n" in result.source


def test_one_template_inside_of_another() -> None:
    code = HEAD + "d.a(c.a(e))\n"
    found = [finding(code, name, "gone", "lib.D.a", template(JOIN)) for name in ("d.a", "c.a")]
    assert edit(code, found, Known(SIGNATURE)).source == HEAD + "l.join([d, l.join([c, e])])\n"
