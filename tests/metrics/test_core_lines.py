from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.metrics.core_lines import candidates, core_line
from libdrift.metrics.names import occurs


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from m import foo\nbar = foo\n  x = foo(1)\nfoo(2)", "x = foo(1)"),
        ("bar = foo\nfrom m import foo", "from m import foo"),
        ("def foo(): pass\nx.foo", "def foo(): pass"),
        ("class A(foo): pass\ndef foo(x): pass\ny.foo (1)", "y.foo (1)"),
        ("# foo(1)\n'foo(2)'\n'''\nfoo(3)\n'''\nx = foo", "x = foo"),
        ("# use foo", "# use foo"),
        ("f(foo=1)\nfoo == 1", "foo == 1"),
        ("f(foo=1)", "f(foo=1)"),
        ("print(f'{foo(x)}')\nfoo()", "print(f'{foo(x)}')"),
        ("food(foo2)", ""),
        ("", ""),
    ],
)
def test_core_line(code: str, expected: str) -> None:
    assert core_line(code, "foo") == expected


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("java", "import a.foo;\n// foo(1)\nT x = foo(1);", "T x = foo(1);"),
        ("java", "List<T> x = a.foo<T, U>(1);\nfoo();", "List<T> x = a.foo<T, U>(1);"),
        ("csharp", "using foo;\nvar x = foo;", "using foo;"),
        ("javascript", "const foo = require('foo');\nfoo.x\nfunction foo() {}", "const foo = require('foo');"),
    ],
)  # fmt: skip
def test_core_line_of_other_languages(language: str, code: str, expected: str) -> None:
    assert core_line(code, "foo", language) == expected


def test_a_line_of_blanks_takes_no_time() -> None:
    assert core_line("foo" + " " * 90_000, "foo") == "foo"
    assert core_line("foo<" * 20_000, "foo").startswith("foo<")


@given(st.lists(st.sampled_from(["foo", "food", "(", " = ", "\n", "#", "'", "'''", "x ", "import "]), max_size=9))  # fmt: skip
def test_every_text_with_the_token_has_a_core_line(parts: list[str]) -> None:
    code = "".join(parts)
    found = core_line(code, "foo")
    assert bool(found) is occurs("foo", code)
    assert not found or found in [line.strip() for line in code.split("\n")]
    assert all(occurs("foo", line) or line == "N/A" for line in candidates(code, "foo"))
