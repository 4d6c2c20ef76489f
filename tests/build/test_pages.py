from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.build import pages
from libdrift.build.filters import Rejection
from libdrift.build.pages import Page


def page(text: str) -> Page:
    found = pages.read(text)
    assert isinstance(found, Page)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1  # one\ny = 2\n", "x = 1\ny = 2\n"),
        ("# top\n\nx = '# no comment'\n", "x = '# no comment'\n"),
        ("def f():\n    # inside\n    '''# doc'''\n\n    return 1\n", "def f():\n    '''# doc'''\n\n    return 1\n"),
        ("f(\n    1,  # a\n    # b\n    2,\n)\n", "f(\n    1,\n    2,\n)\n"),
        ("x = 1 \\\n# end\ny = 2\n", "x = 1 \\\n\ny = 2\n"),
        ("s = '''\n# text\n'''\n", "s = '''\n# text\n'''\n"),
        ("x = 1", "x = 1"),
    ],
)  # fmt: skip
def test_comments_go_and_the_rest_stays(text: str, expected: str) -> None:
    assert page(text).text == expected


def test_lines_and_comments_keep_their_numbers() -> None:
    found = page("# a\n# b\nx = 1  # c\n\ny = 2\n")
    assert found.numbers == (3, 4, 5, 6)
    assert found.comments == {1: "# a", 2: "# b", 3: "# c"}


@pytest.mark.parametrize("text", ["return 1\n", "x = (\n", "print 1\n"])
def test_what_does_not_compile_is_no_page(text: str) -> None:
    assert pages.read(text) is Rejection.SYNTAX


PIECES = st.sampled_from(
    [
        "x = 1",
        "# c",
        "  # d",
        "s = '''",
        "'''",
        "\\",
        "if x:",
        "    y = '#'",
        "",
        "f(",
        ")",
        "    # é",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=8))
def test_without_comments_it_is_the_same_program(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = pages.read(text)
    if isinstance(found, Page):
        assert ast.dump(found.tree) == ast.dump(ast.parse(text))


CODE = """\
from __future__ import annotations

import os, sys; import json
try:
    from numpy import (
        ones,
        zeros,
    )
except ImportError:
    import other as ones
é = 'é'; import numpy as np

x = 3

@json.deco
class C(sys.base):
    def f(self):
        return ones(3)
"""


def test_statements_alone_have_the_imports_they_need() -> None:
    found = page(CODE)
    statement = found.statement(19)
    excerpt = found.alone([statement], ["np"])
    assert excerpt.code == (
        "from __future__ import annotations\nimport os, sys\nimport json\n"
        "from numpy import (\n        ones,\n        zeros,\n    )\nimport other as ones\n"
        "import numpy as np\n\n\n@json.deco\nclass C(sys.base):\n    def f(self):\n"
        "        return ones(3)\n"
    )
    lines = excerpt.code.split("\n")
    assert lines[19 + excerpt.offset - 1] == found.lines[19 - 1]
    assert pages.compiles(excerpt.code)


def test_a_statement_begins_with_its_decorators() -> None:
    found = page(CODE)
    assert found.statement(15) is found.statement(19)
    assert isinstance(found.statement(13), ast.Assign)
    assert found.until(found.statement(13)).code.endswith("\nx = 3\n")
