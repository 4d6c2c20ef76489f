"""What can forge nothing, and what may share a crate or a sandbox with others."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.plainness import is_plain, reads_as_items, sets_own_version, sharing

PLAIN = "use std::collections::HashMap;\n#[derive(Debug)]\nstruct A;\nfn f() -> A { A }"
UNSAFE = "fn f() -> i32 { unsafe { 3 } }"
TESTS = "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn t() { f(); }\n}"


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        (PLAIN, True),
        ('fn f() { println!("std::process::exit"); /* unsafe */ }', True),
        ("impl From<i32> for A { fn from(_: i32) -> A { A } }", True),
        ("fn f() { std::process::exit(0) }", False),
        ("fn f() { ::std::process::exit(0) }", False),
        ("use std::{collections::HashMap, process};", False),
        ("use std::{collections::{self, HashMap}, fmt};", True),
        ("use std as s;", False),
        ("use std::*;", False),
        ("extern crate core as c;", False),
        (UNSAFE, False),
        ("macro_rules! assert_eq { () => {} }", False),
        ("impl PartialEq for A { fn eq(&self, _: &A) -> bool { true } }", False),
        ("impl<T> std::cmp::PartialEq<T> for A { fn eq(&self, _: &T) -> bool { true } }", False),
        ("struct String;", False),
        ("mod std {}", False),
        ("use fake::Fake as Option;", False),
        ("#[no_mangle] pub fn exit() {}", False),
        ("#[derive(Serialize)] struct A;", False),
        ("#![feature(x)]", False),
        ("const T: &str = include_str!(file!());", False),
        ("fn f() { std::io::stdout(); }", False),
    ],
)
def test_plain_answers(answer: str, *, plain: bool) -> None:
    assert is_plain(answer, "fn f() -> i32 { 3 }") is plain


def test_what_the_reference_names_is_plain() -> None:
    assert is_plain(UNSAFE, "unsafe fn g() {}")
    assert is_plain("use std::fs; fn f() {}", 'fn f() { std::fs::read("a"); }')


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("use libc::{c_int, getpid};", True),
        ("fn f() { libc::getpid(); libc::exit(0) }", False),
        ("fn f() { alias::exit(0) }", False),
        ("mod own { pub fn g() {} } fn f() { own::g(); u8::from(true); Vec::<i32>::new(); }", True),
    ],
)
def test_of_crates_only_what_the_reference_takes(answer: str, *, plain: bool) -> None:
    reference = "use libc::{c_int, getpid};"
    assert is_plain(answer, reference, frozenset({"libc"})) is plain


@pytest.mark.parametrize(
    ("answer", "tests", "crate", "sandbox"),
    [
        (PLAIN, TESTS, True, True),
        (UNSAFE, TESTS, True, False),
        ("trait T {} impl T for u32 {}", TESTS, True, True),
        ("struct A; impl PartialEq<A> for u32 {}", TESTS, False, False),
        ("fn f() { crate::g() }", TESTS, False, False),
        ("#[macro_export] macro_rules! m { () => {} }", TESTS, False, False),
        ("#![allow(unused)] fn f() {}", TESTS, False, False),
        ('extern "C" { fn exit(s: i32); }', TESTS, False, False),
        ("fn f() -> &'static str { std::any::type_name::<u8>() }", TESTS, False, False),
        ('fn f() { std::fs::read("x"); }', TESTS, True, False),
        (PLAIN, TESTS.replace("f();", 'std::env::set_var("a", "b");'), True, False),
        (PLAIN, TESTS.replace("super::*", "super::super::*"), False, False),
    ],
)
def test_sharing(answer: str, tests: str, *, crate: bool, sandbox: bool) -> None:
    shared = sharing(answer, tests, "", frozenset())
    assert (shared.crate, shared.sandbox) == (crate, sandbox)


def test_crates_of_others_need_a_sandbox_of_their_own() -> None:
    assert not sharing(PLAIN, TESTS, PLAIN, frozenset({"rustix"})).sandbox


@pytest.mark.parametrize(
    ("text", "may_be"),
    [("fn f() {}", True), ("INCORRECT CODE", False), ("fn f() {", False), ("m!{}", True)],
)
def test_prose_is_no_crate(text: str, *, may_be: bool) -> None:
    assert reads_as_items(text) is may_be


def test_versions_are_the_tasks_to_say() -> None:
    assert sets_own_version('#[clippy :: msrv = "1.99"] fn f() {}')
    assert not sets_own_version("fn msrv() {}")
