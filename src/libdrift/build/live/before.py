"""Another release, kept in a task's source: where what is right in the task's own must fail."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from libdrift.build.live.tasking import SUITE
from libdrift.records import Environment, Task

_BEFORE = "before"
_ELSEWHERE = "elsewhere"


def told_before(place: Environment) -> dict[str, str]:
    """As the source of a task that asks for something new keeps it."""
    return {_BEFORE: msgspec.json.encode(place).decode()}


def told_elsewhere(place: Environment) -> dict[str, str]:
    """As the source of a task that asks for values keeps it."""
    return {_ELSEWHERE: msgspec.json.encode(place).decode()}


def place_before(task: Task) -> Environment | None:
    """Where the reference must fail; ``None`` of a task that has an answer for there."""
    return _place(task, _BEFORE)


def place_elsewhere(task: Task) -> Environment | None:
    """Where what computes the values must fail; ``None`` of a task that asks for none."""
    return _place(task, _ELSEWHERE)


def _place(task: Task, key: str) -> Environment | None:
    told = task.source.get(SUITE)
    text = told.get(key) if isinstance(told, Mapping) else None
    return msgspec.json.decode(text, type=Environment) if isinstance(text, str) else None
