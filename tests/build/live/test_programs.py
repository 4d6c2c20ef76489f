from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.build.live.programs import ExampleProgram, called_with, needed_by, program_of
from libdrift.mining.examples.extracting import DocExample, DocStatement, statements


def example(text: str) -> DocExample:
    return DocExample("pkg.f", tuple(statements(text)))


def last(text: str) -> ExampleProgram | str:
    found = example(text)
    names = {"f": ("size",)}
    return program_of(found, len(found.statements) - 1, lambda label: names.get(label, ()))


def test_literals_are_arguments_and_the_last_value_is_returned() -> None:
    made = last(
        """
        >>> import pkg
        >>> items = [1, 2]
        >>> table = pkg.f(4, depth=3)
        >>> table.add(items)
        >>> print(table.total("x"))
        9
        """
    )
    assert isinstance(made, ExampleProgram)
    assert made.code == (
        "import pkg\n\n\n"
        "def solution(items, size, depth, text):\n"
        "    table = pkg.f(size, depth=depth)\n"
        "    table.add(items)\n"
        "    return table.total(text)\n"
    )
    assert called_with(made.own) == 'solution([1, 2], 4, 3, "x")'
    only = made.lifted(["text"])
    assert "def solution(text):\n    items = [1, 2]\n    table = pkg.f(4, depth=3)" in only.code


def test_texts_side_by_side_on_several_lines_are_one_argument() -> None:
    made = last(
        """
        >>> import pkg
        >>> pkg.f(
        ...     "ab"
        ...     "cd"
        ... )
        4
        """
    )
    assert isinstance(made, ExampleProgram)
    assert [one.source for one in made.inputs] == ["'abcd'"]
    assert called_with(made.own) == "solution('abcd')"


def test_a_text_that_stands_twice_is_one_argument() -> None:
    made = last(
        """
        >>> import pkg
        >>> g = pkg.G()
        >>> g.add("a", "b")
        >>> g.find("a")
        1
        """
    )
    assert isinstance(made, ExampleProgram)
    assert [one.source for one in made.inputs] == ['"a"', '"b"']
    assert made.code.count("text_2") == 2
    assert "g.find(text)" in made.code


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (">>> for x in (1, 2): print(x)\n1", "it shows no value"),
        (">>> print(1, 2)\n1 2", "it shows no value"),
        (">>> 1 +\n2", "it is not plain Python"),
        (">>> f(_)\n2", "it needs a session"),
        (">>> open('x')\n2", "it needs a session"),
        (">>> 3\n3", "it calls nothing"),
        (">>> import pkg\n>>> help(pkg.f)\n2", "it shows no value"),
    ],
)
def test_what_is_no_function(text: str, why: str) -> None:
    assert last(text) == why


def test_options_and_indexes_stay() -> None:
    made = last(">>> import pkg\n>>> pkg.f([3, 1], mode='fast')[0]\n1\n")
    assert isinstance(made, ExampleProgram)
    assert "return pkg.f(size, mode='fast')[0]" in made.code


@pytest.mark.parametrize(
    ("codes", "at", "needed"),
    [
        (["import a", "x = a.f()", "y = a.g()", "x"], 3, [0, 1, 3]),
        (["from a import *", "x = f()", "x"], 2, [0, 1, 2]),
        (["x = f()", "x = g()", "x"], 2, [1, 2]),  # bound anew
        (["x = f()", "x = g(x)", "x"], 2, [0, 1, 2]),
        (["x = f()", "x.add(1)", "x"], 2, [0, 1, 2]),  # changed
        (["import a", "a.draw(z)", "x = a.f()", "x"], 3, [0, 2, 3]),
        (["import a", "a.set_option(1)", "x = a.f()", "x"], 3, [0, 1, 2, 3]),
    ],
)
def test_only_what_is_needed(codes: list[str], at: int, needed: list[int]) -> None:
    assert needed_by(DocExample("", tuple(map(DocStatement, codes))), at) == needed


def test_forms() -> None:
    made = last(">>> import pkg\n>>> pkg.f(3) + 1\n4\n")
    assert isinstance(made, ExampleProgram)
    assert "return (pkg.f(size) + number).tolist()" in replace(made, form="tolist").code
    assert "return str(pkg.f(size) + number)" in replace(made, form="text").code


def test_names_that_nothing_uses_are_not_imported() -> None:
    made = last(">>> from pkg import f, g as h, i\n>>> import pkg.sub, os\n>>> h(f(3))\n4\n")
    assert isinstance(made, ExampleProgram)
    assert made.imports == ("from pkg import f, g as h",)
