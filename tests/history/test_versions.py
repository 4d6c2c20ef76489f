from __future__ import annotations

import random

import pytest

from libdrift.errors import UserError
from libdrift.history.versions import find, is_series, meant, order, same

SORTED = [
    "2004d",
    "2004e",
    "2010x",
    "0.9",
    "1.0.dev1",
    "1.0rc1",
    "1.0",
    "1.0.0",
    "1.0.post1",
    "1.2",
    "1.10",
    "31.0-rc1",
    "31.1-android",
    "31.1-jre",
    "32.0.0-jre",
    "1!0.1",
]


def test_versions_sort_by_the_rules_and_not_as_texts() -> None:
    shuffled = SORTED.copy()
    random.Random(1).shuffle(shuffled)
    assert sorted(shuffled, key=order) == SORTED


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("1.0", "1.0.0", True),
        ("1.0", "v1.0", True),
        ("1.0", "1.1", False),
        ("2004d", "2004d", True),
        ("x²", "1", False),
        ("31.1-jre", "31.1-jre", True),
        ("31.1-jre", "31.1-android", False),
    ],
)
def test_same(one: str, other: str, *, expected: bool) -> None:
    assert same(one, other) is expected


def test_find_takes_the_exact_text_first() -> None:
    assert find("pkg", "1.0.0", ["1.0", "1.0.0"]) == 1
    assert find("pkg", "1", ["0.9", "1.0", "1.0.0"]) == 1
    with pytest.raises(UserError, match=r"pkg 1\.1 is not mined; nearest mined: 1\.0\.0 and 1\.2"):
        find("pkg", "1.1", ["1.0", "1.0.0", "1.2", "1.3"])


@pytest.mark.parametrize(
    ("text", "usual", "expected"),
    [
        ("1.5", None, "1.5.3rc1"),
        ("1.5", {"1.5.0", "1.5.2", "2.0"}, "1.5.2"),
        ("1.6", {"1.5.0"}, "1.6.0rc1"),  # where there is nothing but unusual ones
        ("2.0", None, "2.0"),  # called so
        ("2.0.0", None, "2.0"),  # equal, and no series
        ("2", None, "2.0.1"),
        ("4.5.5", None, "4.5.5.64"),
        ("1.50", None, None),
        ("1.7", None, None),
        ("1.5.2", None, "1.5.2"),
        ("v1.5.2", None, "1.5.2"),
        ("31.1", None, "31.1-jre"),
        ("2.0rc1", None, None),
        ("new", None, None),
    ],
)
def test_which_version_is_meant(text: str, usual: set[str] | None, expected: str | None) -> None:
    known = ["1.5.0", "1.5.2", "1.5.3rc1", "1.6.0rc1", "2.0", "2.0.1", "4.5.5.64", "31.1-jre"]
    assert meant(text, known, usual) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("1", True), ("1.5", True), ("1.5.0", False), ("1.5rc1", False)]
)
def test_what_may_stand_for_a_series(text: str, *, expected: bool) -> None:
    assert is_series(text) is expected
