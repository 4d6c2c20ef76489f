"""What stands for a suite in a command that can be pasted."""

from __future__ import annotations

import pytest

from libdrift.records import Suite


@pytest.mark.parametrize(
    ("suite", "argument"),
    [
        (Suite("starter", "", "ours"), "starter"),
        (Suite("versicode", "", "packed", data="/my data"), "versicode --data '/my data'"),
        (Suite("mine", "", "my tasks.jsonl", path="my tasks.jsonl"), "'my tasks.jsonl'"),
        (Suite("mine", "", "tasks.jsonl", data="d", path="tasks.jsonl"), "tasks.jsonl"),
    ],
)
def test_argument(suite: Suite, argument: str) -> None:
    assert suite.argument == argument
