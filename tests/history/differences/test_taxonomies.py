"""Every kind of change in the words of every paper."""

from __future__ import annotations

import pytest

from libdrift.history.differences.taxonomies import BENCHMARKS, words
from libdrift.records import Change, ChangeKind

NONE = None
ROWS = [
    ("introduced", {}, "new feature or dependency", "introduced", "addition", "addition", "stabilization"),
    ("removed", {}, NONE, "deprecated", "deprecation", "deprecation", "deprecation"),
    ("removed", {"replacement": "pkg.g"}, "function name", "deprecated", "deprecation", "deprecation", "deprecation"),
    ("deprecated", {}, NONE, "unchanged", "general", "deprecation", "deprecation"),
    ("deprecated", {"parameter": "a"}, NONE, "unchanged", "general", "deprecation", "deprecation"),
    ("undeprecated", {}, NONE, "unchanged", "general", NONE, NONE),
    ("signature", {"aspect": "added"}, "argument or attribute", "modified", "general", "replacement", "signature"),
    ("renamed", {}, "function name", "introduced + deprecated", "name change", "replacement", "signature"),
    ("moved", {}, "function name", "introduced + deprecated", "name change", "replacement", "signature"),
    ("behaviour", {"aspect": "value"}, "semantics or behaviour", "unchanged", "general", NONE, "behavioural"),
    ("behaviour", {"aspect": "bases"}, "semantics or behaviour", "unchanged", "general", NONE, "behavioural"),
    ("behaviour", {"aspect": "type"}, "argument or attribute", "modified", "general", "replacement", "signature"),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]}")
def test_words(row: tuple[str, dict[str, str], *tuple[str | None, ...]]) -> None:
    kind, more, *expected = row
    change = Change("pkg", "1", "2", ChangeKind(kind), "pkg.f", "function", **more)  # type: ignore[arg-type]
    assert dict(words(change)) == dict(zip(BENCHMARKS, expected, strict=True))


def test_every_kind_has_words() -> None:
    assert {row[0] for row in ROWS} == {kind.value for kind in ChangeKind}
