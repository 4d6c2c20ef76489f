from __future__ import annotations

import pytest

from libdrift.languages.java import types


@pytest.mark.parametrize(
    ("text", "parameters", "returns"),
    [
        ("()V", (), "void"),
        ("(IJ[[C)Z", ("int", "long", "char[][]"), "boolean"),
        ("(Ljava/util/Map$Entry;)Ljava/lang/String;", ("Entry",), "String"),
        (
            "<T:Ljava/lang/Object;U::Ljava/lang/Comparable<-TU;>;>(Ljava/util/function/Function<-TT;+TU;>;TT;)TU;",
            ("Function<? super T, ? extends U>", "T"),
            "U",
        ),
        (
            "(Ljava/lang/Class<*>;)Ljava/util/Map<TK;TV;>.Entry<TK;>;",
            ("Class<?>",),
            "Map<K, V>.Entry<K>",
        ),
    ],
)
def test_methods(text: str, parameters: tuple[str, ...], returns: str) -> None:
    assert types.of_method(text) == types.MethodType(parameters, returns)


@pytest.mark.parametrize(("name", "simple"), [("a/B$C", "C"), ("a/B", "B"), ("a/B$", "B$")])
def test_simple_names(name: str, simple: str) -> None:
    assert types.simple(name) == simple
