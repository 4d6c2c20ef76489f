"""Tests with one expectation changed."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.decoys import decoys

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
        assert made[0].startswith(first)
        assert all(text != tests for text in made)


@pytest.mark.parametrize("tests", ["", "fn t() {}", '"assert_eq!(1, 2)"', "// assert!(x)"])
def test_nothing_to_change(tests: str) -> None:
    assert decoys(tests, OWN) == []


def test_only_one_place_is_changed() -> None:
    tests = 'assert_eq!(f("a"), "b"); assert_eq!(f("c"), 1.5f64);'
    lengths = {len(text) - len(tests) for text in decoys(tests, OWN)}
    assert lengths <= {0, 1}
