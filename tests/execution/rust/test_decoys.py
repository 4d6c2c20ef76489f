"""Tests with one expectation changed."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.decoys import Kind, decoys

OWN = frozenset({"f"})


@pytest.mark.parametrize(
    ("tests", "first"),
    [
        ("assert_eq!(f(3), 9);", "assert_eq!(f(3), "),
        ("assert_eq!(f(3), vec![true]);", "assert_eq!(f(3), vec![false]);"),
        ("assert_eq!(f(3), 'a', \"why {}\", 7);", "assert_eq!(f(3), '"),
        ("assert!(f(x));", "assert!(!(f(x)));"),
        ("assert_eq!(f(x), y);", "assert_ne!(f(x), y);"),
    ],
)
def test_the_expectation_is_changed_first(tests: str, first: str) -> None:
    for _ in range(5):
        made = decoys(tests, OWN)
        assert made[0].text.startswith(first)
        assert all(decoy.text != tests for decoy in made)


@pytest.mark.parametrize("tests", ["", "fn t() {}", '"assert_eq!(1, 2)"', "// assert!(x)"])
def test_nothing_to_change(tests: str) -> None:
    assert decoys(tests, OWN) == []


def test_only_one_place_is_changed() -> None:
    tests = 'assert_eq!(f("a"), "b"); assert_eq!(f("c"), 1.5f64);'
    lengths = {len(decoy.text) - len(tests) for decoy in decoys(tests, OWN)}
    assert lengths <= {0, 1}


@pytest.mark.parametrize(
    ("tests", "kinds"),
    [
        ("assert_eq!(f(3), 9);", [Kind.EXPECTED, Kind.INPUT, Kind.TURNED]),
        ('assert!(f("a").contains("b"));', [Kind.CLAIM, Kind.INPUT, Kind.TURNED]),
        ('match f(3) { 9 => {}, _ => panic!("{}", 1) }', [Kind.INPUT, Kind.INPUT]),
        ("assert_eq!(f(3), f(4));", [Kind.CLAIM, Kind.CLAIM, Kind.TURNED]),
        ('#[should_panic(expected = "a")] fn t() { f(x); }', []),
    ],
)
def test_kinds(tests: str, kinds: list[Kind]) -> None:
    assert [decoy.kind for decoy in decoys(tests, OWN)] == kinds
