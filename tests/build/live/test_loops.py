from __future__ import annotations

import pytest

from libdrift.build.live.loops import as_value
from libdrift.mining.examples.extracting import DocExample, DocStatement


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for x in xs:\n    print(f(x))", "[f(x) for x in xs]"),
        ("for a, b in xs: print(a, b)", "[(a, b) for a, b in xs]"),
        ("for x in xs:\n  for y in x:\n    print(y)", "[y for x in xs for y in x]"),
        ("for x in xs:\n    print(x, end='')", None),
        ("for x in xs:\n    print()", None),
        ("for x in xs:\n    print(*x)", None),
        ("for x in xs:\n    y = x\n    print(y)", None),
        ("for x in xs:\n    print(x)\nelse:\n    print(1)", None),
        ("f(x)", None),
        ("for x in", None),
    ],
)
def test_what_is_printed_is_a_list(code: str, expected: str | None) -> None:
    example = DocExample("pkg.f", (DocStatement("import pkg"), DocStatement(code, "1\n2")))
    made, at = as_value(example, 1)
    assert at == 1
    assert made.statements[1] == DocStatement(expected or code, "1\n2")
    assert made.statements[0] == example.statements[0]


def test_other_loops_that_print_are_left_out() -> None:
    codes = ["import pkg", "for x in pkg.f(): print(x)", "a = 1", "for x in pkg.g(): print(x)"]
    made, at = as_value(DocExample("pkg.f", tuple(map(DocStatement, codes))), 3)
    assert made.key == ("import pkg", "a = 1", "[x for x in pkg.g()]")
    assert at == 2
