"""What can forge nothing, and what may share a crate or a sandbox with others."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.plainness import (
    is_plain,
    reaches,
    reads_as_items,
    sets_own_version,
    sharing,
)

PLAIN = "use std::collections::HashMap;\n#[inline]\nfn f() -> i32 { 3u8 as i32 }"
TYPE = "#[derive(Debug, PartialEq)]\npub struct A { x: i32 }\n"
UNSAFE = "fn f() -> i32 { unsafe { 3 } }"
TESTS = "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn t() { f(); }\n}"


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        (PLAIN, True),
        ('fn f() { println!("std::process::exit"); /* unsafe */ }', True),
        ("use std::fmt::Write as _; use std::collections::*;", True),
        ("fn f() -> impl Iterator<Item = i32> { [1].into_iter() }", True),
        (TYPE, False),
        ("trait Same { fn is_ok(self) -> bool; }", False),
        ("type Id = i64;", False),
        ("impl From<i32> for A { fn from(_: i32) -> A { A } }", False),
        ("use std::cmp::PartialEq as Same;", False),
        ("use std::prelude::v1::stringify as assert;", False),
        ("use own::*;", False),
        ("static N: u8 = 3;", False),
        ("const value: i32 = 3;", False),
        ("const VALUE: i32 = 3; const fn f() {}", True),
        ("thread_local! { static N: u8 = 3; }", False),
        ("#\u200e[no_mangle] fn f() {}", False),
        ("fn f() { let \u00fc = 3; }", False),
        ('fn f() { stringify!(cr"\\"); }', False),
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
        # What cannot be parsed may be anything.
        ("fn f() { 1 +; }", False),
        ("fn f() {} /*", False),
    ],
)
def test_plain_answers(answer: str, *, plain: bool) -> None:
    assert is_plain(answer, "fn f() -> i32 { 3 }") is plain


@pytest.mark.parametrize(
    ("answer", "reference", "plain"),
    [
        ("use std::io::Read; fn f() {}", "use std::io::{self, Read};", True),
        ("fn f() { std::ptr::null::<u8>(); }", "fn f() { std::ptr::dangling::<u8>(); }", True),
        # By these an answer reaches its judge, whatever its reference does with them.
        (UNSAFE, "unsafe fn g() {}", False),
        ("use std::fs; fn f() {}", 'fn f() { std::fs::read("a"); }', False),
        ("fn f() { std::process::exit(0) }", "fn f() { std::process::exit(1) }", False),
        ("fn f() { std::io::stdout(); }", "fn g() { std::io::stdout(); }", False),
        ("#[no_mangle] fn memcmp() {}", "#[no_mangle] fn f() {}", False),
        ('fn f() { env!("A"); }', 'fn g() { env!("A"); }', False),
        ("fn f() { std::env::vars(); }", "fn g() { std::env::args(); }", False),
        ("use std::net::TcpStream;", "use std::net::Ipv4Addr;", False),
    ],
)
def test_what_the_reference_names_is_plain_if_it_computes(
    answer: str, reference: str, *, plain: bool
) -> None:
    assert is_plain(answer, reference) is plain
    assert is_plain(reference, reference)


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("#[derive(PartialEq)]\nstruct A { pub x: i32, }\nimpl A { fn other() {} }", True),
        ("#[derive(PartialEq)]\nstruct A;", False),
        ("#[derive(PartialEq, PartialOrd)]\nstruct A { x: i32 }", False),
        ("impl Sub for A { fn sub(self, o: A) -> A { A { x: 3 } } }", True),
        ("impl Sub for A { fn sub(self, o: A) -> A { o } }", False),
        ("impl From<u8> for A { fn from(_: u8) -> A { A { x: 9 } } }", True),
        ("impl From<u16> for A { fn from(_: u16) -> A { A { x: 9 } } }", False),
        ("impl Own for A { fn own(&self) -> u8 { 4 } }", False),
        ("macro_rules! own { () => { 4 } }", False),
        ("macro_rules! own { () => { 3 } }", True),
        ("trait Own { fn own(&self); } impl Own for A { fn own(&self) { todo!() } }", True),
    ],
)
def test_items_are_those_of_the_reference(answer: str, *, plain: bool) -> None:
    reference = (
        TYPE + "impl A {}\nimpl Sub for A { fn sub(self, o: A) -> A { A { x: 3 } } }\n"
        "impl From<u8> for A { fn from(_: u8) -> A { A { x: 0 } } }\n"
        "trait Own { fn own(&self); }\nimpl Own for A { fn own(&self) {} }\n"
        "macro_rules! own { () => { 3 } }\n"
    )
    assert is_plain(answer, reference) is plain


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (TYPE, ""),
        ("macro_rules! own { () => {} } thread_local! { static N: u8 = 3; }", ""),
        ("fn f() { std::process::exit(0) }", "exit, std::process"),
        (UNSAFE, "unsafe"),
        ("macro_rules! assert { () => {} }", "assert!"),
        ("#[no_mangle] fn f() {}", "#[no_mangle]"),
        ('fn f() { c"a"; }', "signs that are read in several ways"),
    ],
)
def test_what_acts_on_more_than_values(answer: str, named: str) -> None:
    assert reaches(answer, "fn f() { assert!(true) }") == named


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
        (UNSAFE, TESTS, False, False),
        (TYPE, TESTS, False, False),
        ("struct A; impl PartialEq<A> for u32 {}", TESTS, False, False),
        ("fn f() { crate::g() }", TESTS, False, False),
        ("#[macro_export] macro_rules! m { () => {} }", TESTS, False, False),
        ("#![allow(unused)] fn f() {}", TESTS, False, False),
        ('extern "C" { fn exit(s: i32); }', TESTS, False, False),
        ("fn f() -> &'static str { std::any::type_name::<u8>() }", TESTS, False, False),
        ('fn f() { std::fs::read("x"); }', TESTS, False, False),
        (PLAIN, TESTS.replace("f();", 'std::env::set_var("a", "b");'), True, False),
        (PLAIN, TESTS.replace("super::*", "super::super::*"), False, False),
        (PLAIN, "INCORRECT CODE", False, False),
    ],
)
def test_sharing(answer: str, tests: str, *, crate: bool, sandbox: bool) -> None:
    shared = sharing(answer, tests, "", frozenset())
    assert (shared.crate, shared.sandbox) == (crate, sandbox)


@pytest.mark.parametrize(
    ("answer", "crate", "sandbox"),
    [
        ("trait T {} impl T for u32 {}", True, True),
        ("type Id = u32; struct A; impl PartialEq<A> for Id {}", False, False),
        (UNSAFE, True, False),
    ],
)
def test_references_share_what_cannot_touch_others(
    answer: str, *, crate: bool, sandbox: bool
) -> None:
    shared = sharing(answer, TESTS, answer, frozenset())
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
