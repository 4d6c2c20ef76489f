from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.build.fitting import CallShape, fits, shapes
from libdrift.languages.python.usage import Arguments
from libdrift.records import Deprecation, Parameter, ParameterKind, Signature, Symbol, SymbolKind

KINDS = {
    "/": ParameterKind.POSITIONAL_ONLY,
    "*": ParameterKind.VARIADIC,
    "=": ParameterKind.KEYWORD_ONLY,
    "**": ParameterKind.KEYWORDS,
}


def symbol(*parameters: str, **others: object) -> Symbol:
    """Parameters as ``[kind ]name[=default]``."""
    made = []
    for text in parameters:
        kind, _, rest = text.rpartition(" ")
        name, equals, default = rest.partition("=")
        made.append(
            Parameter(name, KINDS.get(kind, ParameterKind.POSITIONAL), default if equals else None)
        )
    return replace(Symbol("pkg:f", SymbolKind.FUNCTION, Signature(tuple(made))), **others)  # type: ignore[arg-type]


def call(code: str) -> CallShape:
    (shape,) = shapes(code, "f")
    return shape


def test_how_a_name_is_used_place_by_place() -> None:
    code = "from pkg import f\nx = g(f(1, *a), b=f)\ndf.f(k=2, **o)\nf_g(1)\n"
    assert shapes(code, "f") == [
        CallShape(),
        CallShape(Arguments(1, stars=True)),
        CallShape(),
        CallShape(Arguments(0, ("k",), stars=True)),
    ]
    assert shapes(code, "f")[-1].receiver == "df"
    assert shapes("f(", "f") == []


@pytest.mark.parametrize(
    ("parameters", "code", "expected"),
    [
        (["a", "b=1"], "f(1)", True),
        (["a", "b=1"], "f(1, b=2)", True),
        (["a", "b=1"], "f()", False),  # missing
        (["a", "b=1"], "f(1, 2, 3)", False),  # too many
        (["a", "b=1"], "f(1, c=2)", False),  # unknown
        (["a", "b=1"], "f(1, a=2)", False),  # twice
        (["a", "b=1"], "f(*x, b=2)", True),
        (["a", "b=1"], "f(**x)", True),
        (["a", "b=1"], "f(**x, c=2)", False),
        (["a", "b=1"], "g(f)", True),  # not called
        (["/ a"], "f(a=1)", False),
        (["a", "= b=1"], "f(1, 2)", False),
        (["a", "* more", "= b"], "f(1, 2, 3, b=4)", True),
        (["a", "* more", "= b"], "f(1, 2, 3)", False),
        (["a", "** more"], "f(1, c=2)", True),
        (["** more", "a"], "f(1, 2)", True),  # no signature
        (["a=1", "b"], "f()", True),  # nor this
    ],
)
def test_what_a_signature_takes(parameters: list[str], code: str, *, expected: bool) -> None:
    assert fits(call(code), symbol(*parameters), "") is expected


@pytest.mark.parametrize(
    ("changes", "code", "expected"),
    [
        ({}, "f(1, old=1)", False),
        ({"signature": None}, "f(1, old=1)", True),
        ({"traits": ("overloaded",)}, "f(1, old=1)", True),
        ({"deprecations": (Deprecation("decorator", parameter="old"),)}, "f(old=1)", True),
        ({"deprecations": (Deprecation("decorator", parameter="a"),)}, "f(old=1)", False),
        ({"deprecations": (Deprecation("decorator", parameter="*"),)}, "f(1, 2)", True),
        ({"kind": SymbolKind.METHOD}, "x.f(x, 1)", False),
        ({"kind": SymbolKind.METHOD}, "pkg.Box.f(x, 1)", True),
        ({"kind": SymbolKind.METHOD, "traits": ("classmethod",)}, "Box.f(x, 1)", False),
    ],
)
def test_what_else_is_known_of_a_symbol(
    changes: dict[str, object], code: str, *, expected: bool
) -> None:
    assert fits(call(code), symbol("a", **changes), "Box") is expected
