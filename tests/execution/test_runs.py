"""Folders of runs: what they say of where they came from."""

from __future__ import annotations

from typing import Any

import pytest

from libdrift.execution.runs import command_of


@pytest.mark.parametrize(
    ("description", "command"),
    [
        (
            {"provenance": {"command": ["/bin/libdrift", "score", "starter", "my answers.jsonl"]}},
            "libdrift score starter 'my answers.jsonl'",
        ),
        (
            {"provenance": {"command": ["x", "eval", "starter", "--model", "a/b"]}},
            "libdrift eval starter --model a/b",
        ),
        ({"provenance": {"command": ["-c"]}}, "the `libdrift score` or `libdrift eval` command"),
        ({"provenance": "?"}, "the `libdrift score` or `libdrift eval` command"),
        ({}, "the `libdrift score` or `libdrift eval` command"),
    ],
)
def test_the_command_that_made_a_run(description: dict[str, Any], command: str) -> None:
    assert command_of(description).startswith(command)
