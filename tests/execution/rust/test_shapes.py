"""Answers that differ in bodies alone, and what they share."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.shapes import common, own, shape_of

FIRST = "use std::fmt;\n\n#[inline]\npub fn f<T: Fn(i32) -> i32>(mut a: T, b: &[i32]) -> i32 { a(b[0]) }\n"
SECOND = FIRST.replace("a(b[0])", "{ a(1) + 2 }").replace("\n\n", "\n// why\n\n")


def test_bodies_and_comments_are_no_part_of_a_shape() -> None:
    assert shape_of(FIRST) == shape_of(SECOND) is not None


@pytest.mark.parametrize(
    "other",
    [
        FIRST.replace("i32 {", "i64 {"),
        FIRST.replace("fmt", "rc"),
        FIRST.replace("#[inline]", ""),
        FIRST + "fn g() {}",
    ],
)
def test_all_else_is(other: str) -> None:
    assert shape_of(other) != shape_of(FIRST)


@pytest.mark.parametrize(
    "answer",
    [
        "struct A;",
        "const fn f() {}",
        "async fn f() {}",
        "unsafe fn f() {}",
        "pub(crate) fn f() {}",
        "fn f((a, b): (i32, i32)) {}",
        "fn f() -> impl Fn() { || () }",
        "fn f() {",
        "fn f();",
        "#[test] fn t() {}",
        "macro_rules! m { () => {} } fn f() {}",
        "prose",
    ],
)
def test_what_is_not_understood_has_none(answer: str) -> None:
    assert shape_of(answer) is None


def test_a_choice_in_place_of_the_body() -> None:
    text = common(FIRST, [(0, "m0"), (3, "m3")])
    assert "match crate::which() { 0 => m0::f(a, b), 3 => m3::f(a, b)," in text
    assert text.startswith("use std::fmt;")


def test_functions_stay_in_their_lines() -> None:
    assert own(SECOND).split("\n")[3:5] == SECOND.split("\n")[3:5]
    assert "pub(super) fn g" in own("fn g() {}")
    assert "std::fmt" not in own(FIRST)
