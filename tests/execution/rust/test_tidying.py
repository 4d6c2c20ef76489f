"""What of an answer's text is judged."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.tidying import brings_tests, tidied, without_inner

OWN = "fn f() {}\n"


@pytest.mark.parametrize(
    "extra",
    [
        "#[cfg(test)]\nmod tests { use super::*; #[test] fn a() { f() } }",
        "#[allow(unused)] #[cfg(test)] pub(crate) mod mine { fn helper() {} }",
        "mod tests { #[test] fn a() {} }",
        "#[test]\n#[should_panic]\nfn a() -> Result<[u8; 2], ()> { panic!() }",
        "#[should_panic] #[test] fn a() {}",
        '#[tokio::test(flavor = "x")] async fn a() {}',
        "\n",
    ],
)
def test_own_tests_are_left_out(extra: str) -> None:
    assert tidied(f"{OWN}{extra}\nfn g() {{}}").split() == [*OWN.split(), "fn", "g()", "{}"]
    assert tidied(f"{extra}\n{OWN}").count("\n") == f"{extra}\n{OWN}".count("\n")
    assert not brings_tests(tidied(OWN + extra))


@pytest.mark.parametrize(
    "answer",
    [
        "mod tests { pub fn g() {} }",
        "#[cfg(test)] fn f() {}",
        "#[cfg(not(test))] mod a {}",
        "#[cfg_attr(test, derive(Debug))] struct A;",
        '#[doc = "test"] fn f() {} // #[test]',
        "#![allow(unused)]\nfn f() {}",
        "#! // what follows is one\n[allow(unused)]\nfn f() {}",
        "#[test",
        "#[cfg(test)] mod tests;",
        "mod",
        "",
    ],
)
def test_the_rest_stays(answer: str) -> None:
    assert tidied(answer) == answer
    assert not brings_tests(answer) or answer == "#[test"


@pytest.mark.parametrize(
    "answer", ["#[cfg_attr(all(), test)] fn a() {}", "#[core::prelude::v1::test] fn a() {}"]
)
def test_tests_that_are_hidden(answer: str) -> None:
    assert brings_tests(tidied(answer))


@pytest.mark.parametrize("first", ["\ufeff", '#!/usr/bin/env "run\n', "\ufeff#!/bin/x\n"])
def test_what_is_before_the_text(first: str) -> None:
    assert tidied(first + OWN).lstrip("\n") == OWN


@pytest.mark.parametrize(
    ("answer", "inner", "rest"),
    [
        (OWN, "", OWN),
        ("// a\n//! b\n/*! c */ //! d\nfn f() {}", "", "// a\n// b\n/* c */ // d\nfn f() {}"),
        ("#![allow(\n  a, // why\n  b)]\n//! c\nx", "# ! [ allow ( a , b ) ]", "\n\n\n// c\nx"),
        ("#![no_std]\n#![deny(a)]\nx", "# ! [ deny ( a ) ]", "\n\nx"),
        ("fn f() {\n    //! of a function\n}", "", "fn f() {\n    //! of a function\n}"),
        ("#![never closed", "", "#![never closed"),
    ],
)
def test_what_holds_for_the_whole(answer: str, inner: str, rest: str) -> None:
    assert without_inner(answer) == (inner, rest)
