"""Paths of crates in Rust code."""

from __future__ import annotations

import pytest

from libdrift.languages.rust.usage import occurrences

CASES: list[tuple[str, str, list[str]]] = [
    ("a tree of imports", "use std::sync::{Once, atomic::{self, AtomicU8}};", ["std.sync.Once", "std.sync.atomic", "std.sync.atomic.AtomicU8"]),
    ("by another name", "use std::mem as m;\nfn f() { m::swap(); }", ["std.mem", "std.mem.swap"]),
    ("by its whole path", "fn f() { std::mem::swap(); }", ["std.mem.swap"]),
    ("a type with parameters", "use std::vec::Vec;\nfn f() { Vec::<u8>::new(); }", ["std.vec.Vec", "std.vec.Vec.new"]),
    ("in a type", "fn f(p: std::path::PathBuf) {}", ["std.path.PathBuf"]),
    ("the code's own", "use crate::a;\nuse self::b;\nfn f() { a::x(); Self::y(); <u8 as D>::z(); }", []),
    ("hidden by what the code declares", "use std::mem::swap;\nfn swap() {}\nfn f() { swap(); }", ["std.mem.swap"]),
    ("a method of a value", "fn f(x: u8) { x.swap(); }", []),
    ("it does not parse", "use std::mem;\nfn f( { mem::swap(; }", ["std.mem", "std.mem.swap"]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "paths"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])  # fmt: skip
def test_paths(code: str, paths: list[str]) -> None:
    assert [item.path for item in occurrences(code)] == paths


def test_places_count_lines_from_one_and_bytes_from_zero() -> None:
    (found,) = occurrences("// ä\nfn f() { /* ä */ std::mem::swap(); }")
    assert (found.line, found.column, found.end_column, found.written) == (
        2,
        18,
        32,
        "std::mem::swap",
    )
