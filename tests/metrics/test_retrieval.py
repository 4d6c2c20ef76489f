from __future__ import annotations

from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.metrics import retrieval

FOUND = st.lists(st.sampled_from("abcdef"), max_size=8)
WANTED = st.sets(st.sampled_from("abcxyz"), min_size=1, max_size=4)


def test_reciprocal_rank() -> None:
    assert retrieval.reciprocal_rank(["a", "b", "c"], {"a"}) == 1
    assert retrieval.reciprocal_rank(["a", "b", "c"], {"c", "b"}) == 1 / 2
    assert retrieval.reciprocal_rank(["a", "b"], {"torch.A"}) == 0
    assert retrieval.reciprocal_rank([], {"a"}) == 0


@pytest.mark.parametrize(
    ("k", "found", "wanted", "precision", "recall"),
    [
        (1, "ab", "a", 1, 1),
        (2, "ab", "a", 1 / 2, 1),
        (2, "ab", "bcd", 1 / 2, 1 / 3),
        (3, "aab", "a", 1 / 3, 1),
        (4, "a", "a", 1 / 4, 1),
        (2, "", "a", 0, 0),
        (2, "a", "", None, None),
    ],
)
def test_precision_and_recall_at_k(
    k: int, found: str, wanted: str, precision: float | None, recall: float | None
) -> None:
    assert retrieval.precision_at(k, [*found], [*wanted]) == precision
    assert retrieval.recall_at(k, [*found], [*wanted]) == recall


@pytest.mark.parametrize(
    ("k", "found", "wanted", "expected"),
    [
        (3, "abc", "a", 1.0),
        (3, "bac", "a", 1 / log2(3)),
        (3, "aab", "ab", (1 + 1 / log2(4)) / (1 + 1 / log2(3))),  # a repeat gains nothing
        (1, "abc", "bc", 0.0),
        (3, "", "a", 0.0),
        (3, "a", "", None),
    ],
)
def test_discounted_gain(k: int, found: str, wanted: str, expected: float | None) -> None:
    assert retrieval.ndcg_at(k, [*found], [*wanted]) == pytest.approx(expected)


@pytest.mark.parametrize("k", [0, -1])
def test_k_is_a_number_of_documents(k: int) -> None:
    with pytest.raises(ValueError, match="number of documents"):
        retrieval.precision_at(k, ["a"], ["a"])


@pytest.mark.parametrize(
    ("found", "wanted", "hit", "strict"),
    [
        (["https://a/"], ["https://a"], True, True),
        (["HTTPS://A/x//"], ["https://a/x"], True, True),
        ([], ["https://a"], False, False),
        (["https://a"], [], False, False),
        ([], [], False, False),
        (["https://a", "https://c"], ["https://a", "https://b"], True, False),
        (["https://a"], ["https://a", "https://b"], True, True),
        (["https://c"], ["https://a"], False, False),
    ],
)
def test_hits_of_addresses(found: list[str], wanted: list[str], hit: bool, strict: bool) -> None:  # noqa: FBT001
    assert retrieval.hit(found, wanted) is hit
    assert retrieval.strict_precision(found, wanted) is strict


@given(FOUND, WANTED)
@settings(max_examples=80, deadline=None)
def test_ranges_and_monotonicity_in_k(found: list[str], wanted: set[str]) -> None:
    assert 0 <= retrieval.reciprocal_rank(found, wanted) <= 1
    recalls = [retrieval.recall_at(k, found, wanted) or 0.0 for k in range(1, 9)]
    assert recalls == sorted(recalls)
    assert all(0 <= retrieval.precision_at(k, found, wanted) <= 1 for k in range(1, 9))
    assert (retrieval.reciprocal_rank(found, wanted) > 0) is retrieval.hit(found, wanted)
    assert not retrieval.strict_precision(found, wanted) or retrieval.hit(found, wanted)
