from __future__ import annotations

import pytest

from libdrift.languages.python.static import of_sources
from libdrift.records import Parameter, ParameterKind, Signature

P = ParameterKind


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ([], "()"),
        ([("a", P.POSITIONAL_ONLY)], "(a, /)"),
        ([("a", P.POSITIONAL_ONLY), ("b", P.POSITIONAL)], "(a, /, b)"),
        ([("a", P.POSITIONAL), ("b", P.KEYWORD_ONLY), ("c", P.KEYWORD_ONLY)], "(a, *, b, c)"),
        ([("a", P.VARIADIC), ("b", P.KEYWORD_ONLY), ("k", P.KEYWORDS)], "(*a, b, **k)"),
        ([("a", P.POSITIONAL, "1"), ("b", P.POSITIONAL, "2", "int")], "(a=1, b: int = 2)"),
    ],
)
def test_a_signature_is_written_as_code(
    parameters: list[tuple[str, P, str | None, str]], expected: str
) -> None:
    assert str(Signature(tuple(Parameter(*item) for item in parameters))) == expected


@pytest.mark.parametrize(
    "source",
    [
        "class X:\n    def m(self): ...\nclass A(X): ...\nclass B:\n    def m(self): ...\nclass C(A, B): ...",
        "class X:\n    def m(self): ...\nclass A(X): ...\nclass B(X):\n    def m(self): ...\nclass C(A, B): ...",
        "class W: ...\nclass X(W): ...\nclass Y(W):\n    def m(self): ...\nclass A(X, Y): ...\nclass B(Y): ...\nclass C(A, B): ...",
        "class X: ...\nclass C(X): ...",
    ],
)
def test_bases_are_asked_in_pythons_own_order(source: str) -> None:
    names: dict[str, type] = {}
    exec(source, names)
    real = [base.__name__ for base in names["C"].__mro__ if base is not object]
    surface = of_sources({"p.py": source})
    assert [base.partition(":")[2] for base in surface.lineage("p:C")] == real
    method = getattr(names["C"], "m", None)
    found = surface.resolve("p.C.m")
    assert (found and found.id) == (method and f"p:{method.__qualname__}")


def test_a_circle_of_bases_ends() -> None:
    surface = of_sources({"p.py": "class A(B): ...\nclass B(A): ..."})
    assert surface.lineage("p:A")[0] == "p:A"
    assert surface.members("p:A") == {}
