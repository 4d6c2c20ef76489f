"""Reasons of failures are told once each."""

from __future__ import annotations

from libdrift.records import Outcome, Split, Verdict
from libdrift.scoring.summary import _reasons

DOWN = "the package index cannot be reached"


def verdict(task: str, outcome: Outcome, reason: str) -> Verdict:
    return Verdict(task, 0, Split.HIDDEN, outcome, reason)


def test_each_reason_once() -> None:
    found = _reasons(
        [
            verdict("a", Outcome.PASSED, ""),
            verdict("b", Outcome.INFRASTRUCTURE, f"no environment for python 3.11: {DOWN}"),
            verdict("c", Outcome.FAILED, "1 of 2 failed"),
            verdict("d", Outcome.INFRASTRUCTURE, f"no environment for python 3.12: {DOWN}"),
            verdict("e", Outcome.INFRASTRUCTURE, f"no environment for python 3.9: {DOWN}"),
            verdict("f", Outcome.ERROR, "1 of 2 failed"),
        ]
    )
    assert found == (
        f"b (hidden) and 2 others: infrastructure: no environment for python 3.11: {DOWN}",
        "c (hidden): failed: 1 of 2 failed",
        "f (hidden): error: 1 of 2 failed",
    )
