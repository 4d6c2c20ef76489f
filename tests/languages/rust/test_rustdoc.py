"""rustdoc's own output for a crate of every kind of item, where there is a toolchain."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from libdrift.history.differences.diff import compare
from libdrift.languages.rust import rustdoc, toolchains
from libdrift.records import Binding, Release, Surface, SymbolKind
from tests.languages import conformance

SOURCE = """
//! A crate.
/// A macro.
#[macro_export] macro_rules! mac { ($a:expr) => { $a }; }
pub mod inner {
    pub struct S<T: Clone = u8> where T: Send { pub width: T, hidden: u8 }
    impl<T: Clone + Send> S<T> {
        #[deprecated(since = "1.2", note = "use `g` instead")]
        pub fn f<'a, U: Default>(&'a self, x: impl Fn(u8) -> U + 'a, _y: &mut [u8; 4])
            -> Result<U, Box<dyn std::error::Error + Send>> { todo!() }
        pub const C: u8 = 3;
        pub const unsafe fn k(n: *const u8, (a, b): (u8, u8)) {}
        pub fn width(self) -> T { self.width }
        fn private(&self) {}
    }
    impl<T: Clone + Send> Tr for S<T> { type Item = u8; const N: usize = 1; fn req(&self) -> u8 { 1 } }
    #[non_exhaustive] pub enum E { A, B(u8), C { x: u8 } }
    pub trait Tr { type Item: Copy; const N: usize; fn req(&self) -> Self::Item; fn given(&self) {} }
    pub union Un { pub a: u8 }
    pub static ST: u8 = 3;
    pub type Al<T> = S<T>;
}
mod hidden {
    pub struct H;
    impl H { pub fn m(&self) {} }
    pub fn q<const N: usize>(a: [u8; N]) {}
    pub fn inner() {}
}
pub use hidden::*;
pub use hidden::H as Renamed;
pub use inner as other;
pub use inner::E::*;
pub use std::vec::Vec as V;
pub const K: &str = "a";
pub mod cycle { pub use super::*; }
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    found = toolchains.discover()
    if not found or found[0].rustdoc is None:
        pytest.skip("no Rust toolchain is on this machine")
    folder = tmp_path_factory.mktemp("crate")
    (folder / "lib.rs").write_text(SOURCE, "utf-8")
    arguments = "--crate-name krate --edition 2021 --cap-lints allow -o . -Z unstable-options"
    subprocess.run(
        [str(found[0].rustdoc), *arguments.split(), "--output-format", "json", "lib.rs"],
        cwd=folder,
        check=True,
        capture_output=True,
        env={**os.environ, "RUSTC_BOOTSTRAP": "1"},
    )
    return (folder / "krate.json").read_text("utf-8")


@pytest.fixture(scope="module")
def surface(written: str) -> Surface:
    return rustdoc.read(written, Release("crates", "crate:krate", "1.0.0"))


@pytest.mark.parametrize(
    ("path", "kind", "traits", "head"),
    [
        ("krate", SymbolKind.MODULE, (), ""),
        ("krate.mac", SymbolKind.FUNCTION, ("macro",), "macro_rules! mac"),
        ("krate.inner.S", SymbolKind.CLASS, ("struct",), "struct S<T = u8> where T: Send + Clone"),
        ("krate.inner.S.width", SymbolKind.ATTRIBUTE, ("field",), "T"),
        ("krate.inner.S.width()", SymbolKind.METHOD, ("self",), "fn width(self) -> T"),
        ("krate.inner.S.C", SymbolKind.ATTRIBUTE, ("const",), "u8"),
        ("krate.inner.E", SymbolKind.CLASS, ("enum", "non_exhaustive"), "enum E"),
        ("krate.inner.E.C", SymbolKind.ATTRIBUTE, ("variant",), "C { x: u8 }"),
        ("krate.B", SymbolKind.ATTRIBUTE, ("variant",), "B(u8)"),
        ("krate.inner.Tr", SymbolKind.CLASS, ("trait",), "trait Tr"),
        ("krate.inner.Tr.Item", SymbolKind.ATTRIBUTE, ("type",), "type Item: Copy"),
        ("krate.inner.Un", SymbolKind.CLASS, ("union",), "union Un"),
        ("krate.inner.ST", SymbolKind.CONSTANT, ("static",), "u8"),
        ("krate.inner.Al", SymbolKind.CLASS, ("type",), "type Al<T> = S<T>"),
        ("krate.K", SymbolKind.CONSTANT, (), "&str"),
        ("krate.q", SymbolKind.FUNCTION, (), "fn q<const N: usize>(a: [u8; N])"),
        ("krate.H.m", SymbolKind.METHOD, ("&self",), "fn m(&self)"),
        ("krate.Renamed.m", SymbolKind.METHOD, ("&self",), "fn m(&self)"),
        ("krate.other.S.C", SymbolKind.ATTRIBUTE, ("const",), "u8"),
        ("krate.V", SymbolKind.CLASS, ("external", "struct"), ""),
        # A function beside a module of its name; methods through a trait, or another name.
        ("krate.inner()", SymbolKind.FUNCTION, (), "fn inner()"),
        ("krate.inner.S.given", SymbolKind.METHOD, ("&self",), "fn given(&self)"),
        ("krate.inner.Al.width", SymbolKind.ATTRIBUTE, ("field",), "T"),
        ("krate.cycle.mac", SymbolKind.FUNCTION, ("macro",), "macro_rules! mac"),
    ],
)
def test_every_kind_of_item_at_the_paths_that_users_write(
    surface: Surface, path: str, kind: SymbolKind, traits: tuple[str, ...], head: str
) -> None:
    found = surface.resolve(path)
    assert found is not None
    assert (found.kind, found.traits) == (kind, traits)
    assert found.annotation.startswith(head)
    assert bool(found.annotation) == bool(head)


@pytest.mark.parametrize(
    "path", ["krate.hidden", "krate.inner.S.hidden", "krate.inner.S.private", "krate.nothing"]
)
def test_what_is_private_is_not_there(surface: Surface, path: str) -> None:
    assert surface.resolve(path) is None


def test_a_signature_has_all_that_a_caller_must_meet(surface: Surface) -> None:
    found = surface.resolve("krate.inner.S.f")
    assert found is not None
    assert str(found.signature) == (
        "(x: impl Fn(u8) -> U + 'a, y: &mut [u8; 4], /) -> Result<U, Box<dyn Error + Send>>"
        " where T: Clone + Send, U: Default"
    )
    assert found.deprecation is not None
    assert (found.deprecation.since, found.deprecation.replacement) == ("1.2", "g")
    unsafe = surface.symbols["krate.inner:S.k"]
    assert unsafe.traits == ("const", "unsafe", "staticmethod")
    assert str(unsafe.signature) == "(n: *const u8, arg1: (u8, u8), /) -> () where T: Clone + Send"


def test_ids_are_where_a_thing_is_defined(surface: Surface) -> None:
    assert surface.scopes["krate"]["Renamed"].target == "krate.hidden:H"
    assert surface.scopes["krate"]["other"].target == "krate.inner"
    assert surface.scopes["krate"]["H"].binding is Binding.REEXPORTED
    assert surface.symbols["krate.inner:S"].bases == ("krate.inner:Tr",)


def test_releases_can_be_compared(written: str, surface: Surface) -> None:
    told = json.loads(written)
    named = {item["name"]: item for item in told["index"].values() if item["name"]}
    named["q"]["inner"]["function"]["sig"]["inputs"].append(["b", {"primitive": "u8"}])
    named["ST"]["name"] = "FRESH"
    named["Un"]["deprecation"] = {"since": "2.0.0", "note": "use `S`"}
    newer = rustdoc.read(json.dumps(told), Release("crates", "crate:krate", "2.0.0"))
    found = {(change.kind.value, change.path) for change in compare(surface, newer)}
    assert ("signature", "krate.q") in found
    assert ("deprecated", "krate.inner.Un") in found
    assert {kind for kind, _ in found} >= {"signature", "deprecated"}
    assert not [path for kind, path in found if kind == "removed" and "ST" not in path]


def _crate(**changes: Any) -> str:
    item = {
        "id": 0, "crate_id": 0, "name": "k", "visibility": "public", "docs": None, "attrs": [],
        "deprecation": None, "inner": {"module": {"is_crate": True, "items": []}},
    }  # fmt: skip
    whole = {"format_version": 57, "root": 0, "index": {"0": item}, "paths": {}}
    return json.dumps({**whole, **changes})


def test_an_empty_crate_has_its_root_alone() -> None:
    found = rustdoc.read(_crate(), Release("crates", "crate:k", "1.0.0"))
    assert (found.roots, list(found.symbols)) == (("k",), ["k"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON of a crate"),
        ("[]", "no JSON of a crate"),
        (_crate(format_version=12), "of format 12"),
        (_crate(format_version="x"), "of format x"),
        (_crate(format_version=99, index={}), "format 99 has another layout"),
    ],
)
def test_an_unknown_layout_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(rustdoc.UnknownLayoutError, match=message) as raised:
        rustdoc.read(text, Release("crates", "crate:k", "1.0.0"))
    assert "\n" not in str(raised.value)


def test_stability_of_std_is_a_note() -> None:
    attrs = [{"other": '#[stable(feature = "rust1", since = "1.2.0")]'}]
    index = json.loads(_crate())["index"]
    index["0"]["attrs"] = attrs
    found = rustdoc.read(_crate(index=index), Release("rust", "rust", "1.2.0"))
    assert [(note.kind, note.version) for note in found.symbols["k"].notes] == [("added", "1.2.0")]


def test_it_conforms(surface: Surface) -> None:
    assert not list(conformance.faults(surface))
