"""The files that a compiler is given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.execution.rust.units import (
    Unit,
    alone,
    crate_of,
    files_of,
    stands_apart,
    together,
)
from libdrift.records import Environment

TESTS = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}"
UNIT = Unit(Environment("rust", "1.84.0", ()), "fn f() -> i32 { 1 }", TESTS)


def test_an_answer_is_a_file_without_its_tests() -> None:
    one = alone(replace(UNIT, answer="//! What it is.\n#![allow(dead_code)]\nfn f() {}"))
    files = files_of([one])
    assert files[one.file] == "// What it is.\n\nfn f() {}"
    assert files[one.around].startswith("# ! [ allow ( dead_code ) ] ::std::include!")
    assert TESTS in files[one.around]


def test_who_is_not_plain_shares_no_body() -> None:
    odd = [replace(UNIT, answer=f"fn f() -> i32 {{ unsafe {{ {n} }} }}") for n in range(2)]
    assert not any(one.shared for one in together(odd))


def test_answers_of_one_shape_share_their_tests() -> None:
    others = [replace(UNIT, answer=text) for text in ("fn f() -> i32 { 2 }", "fn f() -> i64 { 1 }")]
    placed = together([UNIT, *others])
    assert [bool(one.shared) for one in placed] == [True, True, False]
    texts = list(crate_of(placed).values())
    assert sum(TESTS in text for text in texts) == 2
    assert sum(TESTS in text for text in crate_of(placed, tests=False).values()) == 0


@pytest.mark.parametrize(
    ("tests", "apart"),
    [(TESTS, True), ("use a::b;\n" + TESTS, False), ("#[test]\nfn a() {}", False), ("", True)],
)
def test_tests_that_are_only_modules(tests: str, *, apart: bool) -> None:
    assert stands_apart(tests) is apart
