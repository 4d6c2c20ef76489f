from __future__ import annotations

import pytest

from libdrift.languages.python.grammar import parse
from libdrift.languages.python.static import of_sources


@pytest.mark.parametrize(
    "line",
    [
        "print 'x'",
        "print >>f, 'x'",
        "exec code in ns",
        "raise ValueError, 'x'",
        "x = 0777 + 10L",
        "x = ur'a'",
        "x = 1 <> 2",
        "x = `y`",
        "run(async=True)",
        "try:\n        pass\n    except ValueError, e:\n        pass",
    ],
)
def test_older_grammars_are_read(line: str) -> None:
    symbol = of_sources({"p.py": f"def f(a, b):\n    {line}\ndef g(): ...\n"}).resolve("p.f")
    assert symbol is not None
    assert str(symbol.signature) == "(a, b)"


def test_what_had_to_be_left_out_is_counted() -> None:
    surface = of_sources({"p.py": "def f(a):\n    x = `y`\n"})
    assert surface.origin.gaps == ("p: 1 lines of an older grammar left out",)


def test_a_definition_is_never_left_out() -> None:
    surface = of_sources({"p.py": "def f((a, b), c):\n    return a\n"})
    assert surface.origin.unread
    assert surface.resolve("p.f") is None


@pytest.mark.parametrize(
    "source", [b"x = '\xe9'\n", b"# coding: latin-1\nx = '\xe9'\n", b"\xef\xbb\xbfx = 1\r\n"]
)
def test_encodings(source: bytes) -> None:
    tree, _, lost = parse(source)
    assert len(tree.body) == 1
    assert lost == 0
