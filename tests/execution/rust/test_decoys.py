"""Tests with something changed in some of their functions."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.decoys import ChangedPart, bare, by_function, changes, rendered

OWN = frozenset({"f"})


def within(body: str) -> str:
    return f"mod tests {{ #[test] fn t() {{ {body} }} }}"


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("assert_eq!(f(3), vec![true]);", "assert_eq!(f(3), vec![false]);"),
        ('assert_eq!(f(3), true, "why {}", 7);', 'assert_eq!(f(3), false, "why {}", 7);'),
        ("assert!(f(x));", "assert!((f(x)) == false);"),
        ('assert!(f(x), "a");', 'assert!((f(x)) == false, "a");'),
        ("assert_eq!(f(x), y);", "assert!(((f(x)) == (y)) == false);"),
        ('debug_assert_ne!(f(x), y, "a");', 'debug_assert!(((f(x)) != (y)) == false, "a");'),
    ],
)  # fmt: skip
def test_the_expectation_is_changed_first(body: str, changed: str) -> None:
    for _ in range(5):
        first = changes(within(body), OWN)[0]
        assert first.function == "tests::t"
        assert rendered(within(body), {first: True}) == within(changed)


def test_a_claim_is_written_as_its_denial_is() -> None:
    tests = within("assert!(f(x)); assert_eq!(f(x), y);")
    turned = dict.fromkeys(changes(tests, OWN), False)
    claims = "assert!((f(x)) == true); assert!(((f(x)) == (y)) == true);"
    assert rendered(tests, turned) == within(claims)


@pytest.mark.parametrize(
    "tests",
    ["", "fn t() {}", '"assert_eq!(1, 2)"', "// assert!(x)", "fn t() { assert_eq!(f(3), 9); }",
     "#[cfg(test)] fn t() { assert_eq!(f(3), 9); }"],
)  # fmt: skip
def test_nothing_to_change(tests: str) -> None:
    assert changes(tests, OWN) == []


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("assert_eq!(f(3), 9);", [ChangedPart.EXPECTED, ChangedPart.INPUT, ChangedPart.TURNED]),
        (
            'assert!(f("a").contains("b"));',
            [ChangedPart.CLAIM, ChangedPart.INPUT, ChangedPart.TURNED],
        ),
        ('match f(3) { 9 => {}, _ => panic!("{}", 1) }', [ChangedPart.INPUT, ChangedPart.INPUT]),
        ("assert_eq!(f(3), f(4));", [ChangedPart.INPUT, ChangedPart.INPUT, ChangedPart.TURNED]),
        ("assert_ne!(f(x), 4);", [ChangedPart.TURNED]),
        # Right answers may differ in how far they are above a bound.
        ("assert!(f(x).len() > 3 && 4 <= y);", [ChangedPart.TURNED]),
        # What a message repeats would be told from it.
        ('assert_eq!(f(3), 9, "not 9");', [ChangedPart.INPUT, ChangedPart.TURNED]),
        # Of other types there are other programs.
        ("assert_eq!(f(x).0, [y; 4]);", [ChangedPart.TURNED]),
        ("for n in 0..5 { f(n); }", [ChangedPart.INPUT, ChangedPart.INPUT]),
    ],
)
def test_kinds(body: str, kinds: list[ChangedPart]) -> None:
    assert [change.kind for change in changes(within(body), OWN)] == kinds


def test_functions_by_their_modules() -> None:
    tests = (
        "mod a { #[test] fn x() { f(1) } mod b { #[tokio::test] async fn y() { f(2) } } "
        '#[test] #[should_panic(expected = "1")] fn z() { f(3) } fn help() { f(4) } }'
        "#[test] fn w() { f(5) }"
    )  # fmt: skip
    found = by_function(changes(tests, OWN))
    assert set(found) == {"a::x", "a::b::y", "a::z", "w"}
    assert all(len(some) == 1 for some in found.values())


def test_comments_are_no_part_of_a_decoy() -> None:
    tests = 'a /* 3 */ + "// 4" // is 5\n/* 6\n7 */ b'
    assert bare(tests) == 'a + "// 4" \n\nb'
