"""What answers may say differently before their first call, and still share it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

Guest = Callable[[str], ModuleType]
FUNCTION = ["p", 1, "function", "f", [["builtins", "object"]], None, [["x", 1, False, None]]]
RENAMED = ["p", 1, "function", "lie", [["builtins", "object"]], None, None]
CLASS = ["p", 1, "class", "f", [["builtins", "object"]], None]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (["d", 0, "f", FUNCTION], ["d", 0, "f", RENAMED], True),
        (["d", 0, "f", FUNCTION], ["d", 0, "f", CLASS], False),
        (FUNCTION, ["p", 2, *FUNCTION[2:]], False),
        (
            ["return", None, {"printed": ["", ""]}, 1],
            ["return", None, {"printed": ["", ""]}, 1],
            True,
        ),
        (
            ["return", None, {"printed": ["a", ""]}, 1],
            ["return", None, {"printed": ["", ""]}, 1],
            False,
        ),
        ([1], [True], False),
        ([1, 2], [1], False),
    ],
)
def test_messages_are_alike_but_for_what_functions_are_called(
    one: list[Any], other: list[Any], guest: Guest, *, same: bool
) -> None:
    renamed: list[Any] = []
    assert guest("branching").alike(one, other, renamed) is same
    if same and RENAMED in other:
        assert renamed == [(1, "lie", None)]
