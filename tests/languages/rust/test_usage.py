from __future__ import annotations

import pytest

from libdrift.languages.rust.usage import Used, used


@pytest.mark.parametrize(
    ("code", "paths"),
    [
        ("fn f() { std::mem::swap(a, b); }", {"std::mem::swap"}),
        ("use std::mem; fn f() { mem::swap(a, b); }", {"std::mem::swap"}),
        ("use std::mem::swap as s; fn f() { s(a, b); }", {"std::mem::swap"}),
        (
            "use std::collections::{self, hash_map::{Entry, HashMap as M}};"
            "fn f() { M::<u8, u8>::new(); collections::BTreeMap::new(); Entry::Vacant(1); }",
            {
                "std::collections::hash_map::HashMap::new",
                "std::collections::BTreeMap::new",
                "std::collections::hash_map::Entry::Vacant",
            },
        ),
        ("use std::io; fn f() -> io::Result<()> { Ok(()) }", {"std::io::Result"}),
        ("use std::fmt::Debug; fn f<T: Debug>(x: T) {}", {"std::fmt::Debug"}),
        ("use a::b; fn f() {}", set()),
        ("use a::b; fn b() {}", set()),
        ('use a::b; fn f() { println!("{}", b::c()); }', {"a::b::c"}),
        ('// std::mem::swap\nfn f() { let s = "std::mem::swap"; }', set()),
        ("extern crate time as t; fn f() { t::now(); }", {"time::now"}),
    ],
)  # fmt: skip
def test_paths_through_use_lines(code: str, paths: set[str]) -> None:
    found = used(code)
    assert {path for path in found.paths if "::" in path} == paths
    assert not found.broken


@pytest.mark.parametrize(
    ("code", "methods"),
    [
        ("fn f() { x.is_some_and(|y| y.len() > 1); }", {"is_some_and", "len"}),
        ("fn f() { x.iter().collect::<Vec<_>>(); }", {"iter", "collect"}),
        ("fn f() { <[u8]>::first_chunk::<2>(&x); }", {"first_chunk"}),
        ("fn f() { <u8 as Default>::default(); }", {"default"}),
        ("fn f() { Vec::with_capacity(1); }", {"with_capacity"}),
        ("fn f() { assert!(x.is_none_or(g)); }", {"is_none_or"}),
        ("fn f() { x.field; }", set()),
        ("fn is_some_and() {} // x.len()", set()),
    ],
)
def test_methods_by_their_bare_names(code: str, methods: set[str]) -> None:
    assert used(code).methods == methods


def test_macros_crates_and_fields() -> None:
    found = used(
        "use bitflags::bitflags; use own::thing; mod own { pub fn thing() {} }"
        "bitflags! { struct F: u8 { const A = 1; } }"
        'fn f() { log::info!("x"); println!("{:?}", vec![1]); self.width; }'
    )
    assert found.macros == {"bitflags::bitflags", "log::info", "println", "vec"}
    assert found.crates == {"bitflags", "log"}
    assert found.fields == {"width"}
    assert found.calls("bitflags")
    assert not found.calls("width")


@pytest.mark.parametrize("code", ["fn ( {{ x.y(", "use ::;", "\x00", "fn f() { " + "(" * 3000])
def test_code_that_does_not_parse_is_said_so(code: str) -> None:
    assert used(code).broken


def test_no_code_uses_nothing() -> None:
    assert used("") == Used()
