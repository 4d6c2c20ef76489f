"""Whether answers call a trait's method for one type, as the compiler has it."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

from libdrift.config import Settings
from libdrift.execution import Job, Options
from libdrift.execution.judges import judge_for
from libdrift.execution.rust.calls import middle_form
from libdrift.languages.rust.calls import Implementation, calls
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox import Backend, Program

AND = "<core::num::saturating::Saturating as BitAnd>::bitand"
NEXT = "<core::slice::iter::Iter as Iterator>::next"
DRAIN = "<std::collections::hash::map::Drain as Iterator>::next"
DEBUG = "<std::io::buffered::bufreader::BufReader as Debug>::fmt"
HEX = "<core::num::saturating::Saturating as UpperHex>::fmt"
SHOWN = "<core::num::saturating::Saturating as Display>::fmt"
POINTS = "<alloc::boxed::Box as Pointer>::fmt"
EQUAL = "<core::ptr::mut_ptr::*mut as PartialEq>::eq"
LESS = "<core::pin::Pin as PartialOrd>::lt"
INTO = "<alloc::vec::Vec as IntoIterator>::into_iter"

# Of which only the module is known:
READS = "<std::io::buffered::bufreader::_ as _>::capacity"
ZEROS = "<core::num::saturating::_ as _>::count_zeros"
UPPER = "<core::char::methods::_ as _>::to_uppercase"

USE = "use std::num::Saturating as S;\n"
OWN = "pub struct Saturating(pub u8);\nimpl std::ops::BitAnd for Saturating { type Output = u8; "
OWN += "fn bitand(self, o: Self) -> u8 { self.0 & o.0 } }\n"


PLACE = Environment("rust", "1.81.0", ())


@pytest.mark.parametrize(
    ("api", "code", "expected"),
    [
        (AND, USE + "pub fn f(a: S<u8>, b: S<u8>) -> S<u8> { a & b }", True),
        (AND, USE + "pub fn f(a: &S<u8>, b: &S<u8>) -> S<u8> { a & b }", True),
        (
            AND,
            USE + "use std::ops::BitAnd; fn f(a: S<u8>, b: S<u8>) -> S<u8> { a.bitand(b) }",
            True,
        ),
        (
            AND,
            USE + "pub fn f(v: Vec<S<u8>>) -> S<u8> { v.into_iter().fold(S(9), |a, b| a & b) }",
            True,
        ),
        (
            AND,
            USE + "use std::ops::BitAnd;\n"
            "pub fn f(v: Vec<S<u8>>) -> S<u8> { v.into_iter().fold(S(9), BitAnd::bitand) }",
            True,
        ),
        (AND, USE + "pub fn f(a: S<u8>, b: S<u8>) -> S<u8> { S(a.0 & b.0) }", False),
        (AND, "pub fn f(a: u8, b: u8) -> u8 { a & b }", False),
        (AND, OWN + "pub fn f(a: Saturating, b: Saturating) -> u8 { a & b }", False),
        (AND, "// a & b of Saturating\npub fn f() {}", False),
        # What others do with a value, nobody can tell.
        (AND, "pub fn f<T: std::ops::BitAnd>(a: T, b: T) -> T::Output { a & b }", None),
        (AND, USE + 'extern "C" { fn g(a: u8); }\npub fn f(a: S<u8>) -> S<u8> { a.pow(2) }', None),
        (NEXT, "pub fn f(v: &[u8]) -> u8 { let mut s = 0; for x in v { s += *x; } s }", True),
        (NEXT, "pub fn f(v: &[u8]) -> Option<&u8> { v.iter().next() }", True),
        (
            NEXT,
            "pub fn f(v: &[u8]) -> Option<&u8> { let mut i = v.iter(); i.by_ref().next() }",
            True,
        ),
        (NEXT, "pub fn f(v: Vec<u8>) -> Option<u8> { v.into_iter().next() }", False),
        (NEXT, "pub fn f(v: &mut [u8]) { for x in v { *x = 1; } }", False),
        (NEXT, "pub fn f(v: &[u8]) -> u8 { v.iter().sum() }", None),
        (NEXT, "pub fn f(v: &[u8]) -> Vec<u8> { v.iter().map(|x| x + 1).collect() }", None),
        (
            DRAIN,
            "pub fn f(m: &mut std::collections::HashMap<u8, u8>) { for _ in m.drain() {} }",
            True,
        ),
        (DRAIN, "pub fn f(v: &mut Vec<u8>) { for _ in v.drain(..) {} }", False),
        (
            DEBUG,
            "pub fn f<R: std::fmt::Debug>(r: &std::io::BufReader<R>) -> String "
            '{ format!("{r:?}") }',
            True,
        ),
        (DEBUG, "#[derive(Debug)] pub struct W { r: std::io::BufReader<std::fs::File> }", None),
        (
            DEBUG,
            'pub fn f(v: &Vec<std::io::BufReader<std::fs::File>>) -> String { format!("{v:?}") }',
            None,
        ),
        (DEBUG, 'pub fn f(v: &str) -> String { format!("{v:?} BufReader") }', False),
        (HEX, USE + 'pub fn f(v: S<u64>) -> String { format!("{:X}", v) }', True),
        (HEX, USE + 'pub fn f(v: S<u64>) -> String { format!("{:x}", v) }', None),
        (HEX, USE + 'pub fn f(v: S<u64>) -> String { format!("{:X}", v.0) }', False),
        (SHOWN, USE + "pub fn f(v: S<u64>) -> String { v.to_string() }", True),
        (POINTS, 'pub fn f(b: Box<u8>) -> String { format!("{b:p}") }', True),
        (POINTS, 'pub fn f(b: Box<u8>) -> String { format!("{:p}", &*b) }', False),
        (EQUAL, "pub fn f<T>(a: *mut T, b: *mut T) -> bool { a == b }", True),
        (EQUAL, "pub fn f<T>(a: *mut T, b: *mut T) -> bool { a.eq(&b) }", True),
        (EQUAL, "pub fn f<T>(a: *const T, b: *const T) -> bool { a == b }", False),
        (
            LESS,
            "use std::pin::Pin; pub fn f(a: Pin<Box<u8>>, b: Pin<Box<u8>>) -> bool { a < b }",
            True,
        ),
        (
            LESS,
            "use std::pin::Pin; pub fn f(a: Pin<Box<u8>>, b: Pin<Box<u8>>) -> bool { a > b }",
            None,
        ),
        (AND, USE + "fn g(_: S<u8>) {}\npub fn f(a: S<u8>) { g(a) }", None),
        (AND, USE + "pub fn f(a: S<u8>) -> Box<dyn std::any::Any> { Box::new(a) }", None),
        (READS, "pub fn f(r: std::io::BufReader<std::fs::File>) -> usize { r.capacity() }", True),
        (READS, "pub fn f(r: Vec<u8>) -> usize { r.capacity() }", None),
        (READS, "pub fn f(r: Vec<u8>) -> usize { r.len() }", False),
        (ZEROS, "pub fn f(x: u32) -> u32 { x.count_zeros() }", None),
        (UPPER, "pub fn f(x: char) -> String { x.to_uppercase().collect() }", True),
        (UPPER, "pub fn f(x: &str) -> String { x.to_uppercase() }", None),
        (INTO, "pub fn f(v: Vec<u8>) { for _ in v {} }", True),
        (INTO, "pub fn f(v: &Vec<u8>) { for _ in v {} }", None),
    ],
)
def test_whose_method_is_called(
    settings: Settings, bubblewrap: Backend, api: str, code: str, *, expected: bool | None
) -> None:
    form = middle_form(code, PLACE, Options(settings, bubblewrap), threading.Event())
    wanted = Implementation.of(api)
    assert form is not None
    assert wanted is not None
    assert str(wanted) == api
    assert calls(form, code, wanted) is expected


def test_what_does_not_compile_has_no_form(settings: Settings, bubblewrap: Backend) -> None:
    options = Options(settings, bubblewrap)
    assert middle_form("fn f( {", PLACE, options, threading.Event()) is None


def test_a_judge_tells_it(settings: Settings, bubblewrap: Backend) -> None:
    """What clippy said stays, and what does not compile says nothing."""
    tests = "#[cfg(test)] mod tests { use super::*; #[test] fn t() { assert_eq!(f(6, 3), 2); } }"
    answers = {
        "operator": "pub fn f(a: u8, b: u8) -> u8 { (S(a) & S(b)).0 }",
        "by hand": "pub fn f(a: u8, b: u8) -> u8 { S(a & b).0 }",
        "open": "fn g<T: std::ops::BitAnd<Output = T>>(a: T, b: T) -> T { a & b }\n"
        "pub fn f(a: u8, b: u8) -> u8 { g(S(a), S(b)).0 }",
        "broken": "pub fn f(a: u8, b: u8) -> u8 { nothing }",
    }
    jobs = [
        Job((name,), PLACE, Program(USE + code, tests, TestStyle.RUST, apis=apis))
        for name, code in answers.items()
        for apis in [(AND,)]
    ]
    clippy = Program(
        USE + answers["operator"], tests, TestStyle.RUST, apis=("core::mem::swap", AND)
    )
    jobs.append(Job(("clippy",), PLACE, clippy))
    judge = judge_for(TestStyle.RUST)
    assert judge is not None
    assert judge is judge_for(TestStyle.RUST), "jobs of one judge are judged together"
    with closing(judge(jobs, Options(settings, bubblewrap))) as results:
        found = {job.key[0]: (judged.outcome, judged.uses) for job, judged in results}
    assert found == {
        "operator": (Outcome.PASSED, True),
        "by hand": (Outcome.PASSED, False),
        "open": (Outcome.PASSED, None),
        "broken": (Outcome.ERROR, None),
        "clippy": (Outcome.PASSED, False),
    }
