from __future__ import annotations

import pytest

from libdrift.history.store import packing
from libdrift.records import (
    Deprecation,
    Parameter,
    ParameterKind,
    Provenance,
    Signature,
    Symbol,
    SymbolKind,
    VersionNote,
)

FULL = Symbol(
    "pkg:f",
    SymbolKind.FUNCTION,
    Signature((Parameter("a", ParameterKind.KEYWORD_ONLY, "1", "int"),), "None"),
    "Doc.",
    (Deprecation("warning", "m", "1.0", "g", "a", conditional=True),),
    (VersionNote("versionadded", "1.0", "text"),),
    ("pkg:C", "builtins.dict"),
    ("async",),
    "1",
    "int",
    "ab",
    (1, 2**64 - 1),
    (Provenance.STUB, Provenance.RUNTIME),
)


@pytest.mark.parametrize("symbol", [FULL, Symbol("pkg", SymbolKind.MODULE)], ids=["full", "bare"])
def test_both_ways_to_read_a_shape_agree(symbol: Symbol) -> None:
    data = packing.shape_of(symbol)
    assert packing.one_shape(data) == packing.shape(data)
    doc, code = packing.text(packing.doc_of(symbol)), packing.code_of(symbol)
    read = packing.code(code) if code else ("", ())
    assert packing.symbol(symbol.id, packing.shape(data), doc, read) == symbol


@pytest.mark.parametrize("data", [b"", b"a", b"a" * 10_000, bytes(range(256)) * 3])
def test_bytes_come_back_and_never_grow_by_more_than_the_mark(data: bytes) -> None:
    blob = packing.deflate(data)
    assert packing.inflate(blob) == data
    assert len(blob) <= len(data) + 1


def test_a_usual_shape_is_small() -> None:
    shape = packing.shape_of(Symbol("pkg:x", SymbolKind.ATTRIBUTE, annotation="int"))
    assert len(packing.deflate(shape)) < 25


def test_a_message_that_is_no_text_is_kept_as_far_as_it_is_one() -> None:
    symbol = Symbol(
        "pkg:f", SymbolKind.FUNCTION, deprecations=(Deprecation("warning", "a\ud800b"),)
    )
    (told,) = packing.shape(packing.shape_of(symbol))[2]
    assert told.message == "a?b"
