from __future__ import annotations

import pytest

from libdrift.records import Deprecation, Symbol, SymbolKind
from libdrift.retrieval.documents import Document, described, shortened
from tests.history.small import function, signature

CONSTANT = Symbol("pkg:N", SymbolKind.CONSTANT, value="3")
LONG = Symbol("pkg:N", SymbolKind.CONSTANT, value="x" * 100)
TYPED = Symbol("pkg:C.a", SymbolKind.ATTRIBUTE, annotation="int")
PARAMETER = Symbol(
    "pkg:f",
    SymbolKind.FUNCTION,
    signature("a"),
    "Do.",
    (Deprecation("warning", "Gone\n soon.", since="1.2", parameter="a", replacement="b"),),
)


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        (
            function("pkg:f", "y", "x=None", doc="  Sum.\n\n    More."),
            "p 1: pkg.f(y, x=None)\nSum.\n\nMore.",
        ),
        (function("pkg:f", doc="\ud800"), "p 1: pkg.f()\n?"),
        (function("pkg:f", gone="Old; use g.", use="g"), "p 1: pkg.f()\nDeprecated: Old; use g."),
        (PARAMETER, "p 1: pkg.f(a)\nParameter a is deprecated since 1.2: Gone soon. Use b.\nDo."),
        (CONSTANT, "p 1: pkg.f = 3"),
        (LONG, "p 1: pkg.f (constant)"),
        (TYPED, "p 1: pkg.f: int"),
    ],
)
def test_what_a_document_says(symbol: Symbol, expected: str) -> None:
    text = described("p", "1", "pkg.f", symbol)
    assert text == expected
    assert Document("pkg.f", "p", "1", text).header == expected.partition("\n")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("short", "short"),
        ("one two\n\nthree four", "one two …"),
        ("one two\nthree four", "one two …"),
        ("a one. two three", "a one. …"),
        ("x" * 30, "x" * 10 + " …"),
    ],
)
def test_long_ones_end_where_a_reader_would_pause(text: str, expected: str) -> None:
    assert shortened(text, 10) == expected


def test_what_is_held_to_its_types_is_shown_as_it_is_declared() -> None:
    push = Symbol(
        "std.vec:Vec.push",
        SymbolKind.METHOD,
        signature("value"),
        "Append.",
        annotation="fn push(&mut self, value: T)",
    )
    text = described("rust", "1.70.0", "std.vec.Vec.push", push)
    assert text == "rust 1.70.0: std::vec::Vec::push: fn push(&mut self, value: T)\nAppend."
