from __future__ import annotations

import pytest

from libdrift.languages.python.usage import mentions


@pytest.mark.parametrize(
    ("code", "used"),
    [
        ("import numpy as np\nnp.linalg.solve(a)", ("numpy.linalg.solve",)),
        ("import a.b\na.b.c()", ("a.b.c",)),
        ("import a.b as ab, c\nab.d(c.e)", ("a.b.d", "c.e")),
        ("from a import (b as x,\n  c)\nx.y(c)", ("a.b.y", "a.c")),
        ("from .a import b\nb()", ()),
        ("from . import b\nb()", ()),
        ("import a\n'a.b'  # a.c\nf'{a.d}'", ("a.d",)),
        ("import a\ndef f(x: a.B, y=1) -> a.C:\n    return x.d", ("a.B.d",)),
        ("import a\nx = a.B(1)\nx.c()\nx = 2", ("a.B", "a.B.c")),
        ("import a\ndef f(: (((\n  a.b<mask>", ("a.b",)),
        ("x.y()", ()),
    ],
)
def test_uses_go_by_imports_and_types(code: str, used: tuple[str, ...]) -> None:
    assert mentions(code).used == used


def test_what_is_given_and_what_is_to_be_made_are_told_apart() -> None:
    found = mentions("import a\ndef f(x: a.B) -> a.C: ...\ndef g(y: a.B) -> a.B: ...\nf(1).z\nq.r")
    assert found.types == ("a.B",)
    assert found.returned == ("a.C",)
    assert found.members == ("r", "z")
    assert found.aliases == {"a": "a"}
