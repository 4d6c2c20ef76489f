"""The release before: where the reference of a task that asks for something new must fail."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from libdrift.build.live.tasking import SUITE
from libdrift.records import Environment, Task

_KEY = "before"


def told_before(place: Environment) -> dict[str, str]:
    """As a task's source keeps it."""
    return {_KEY: msgspec.json.encode(place).decode()}


def place_before(task: Task) -> Environment | None:
    """``None`` of a task that has an answer for the other release."""
    told = task.source.get(SUITE)
    text = told.get(_KEY) if isinstance(told, Mapping) else None
    return msgspec.json.decode(text, type=Environment) if isinstance(text, str) else None
