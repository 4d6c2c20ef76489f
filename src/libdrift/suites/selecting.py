"""Some tasks of a suite: by id, by what is known of them, or the first so many."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from itertools import islice
from types import MappingProxyType

from libdrift.errors import UserError
from libdrift.records import Facts, Suite, Task

_OWN: dict[str, Callable[[Task], object]] = {
    "id": lambda task: task.id,
    "kind": lambda task: task.kind,
    "language": lambda task: task.language,
    "python": lambda task: task.environment.runtime if task.language == "python" else None,
    "runtime": lambda task: task.environment.runtime,
}
# What gives answers away is no way to choose tasks by, and neither is a list.
_NOT = {"documents", "tags", "api_calls"}
_FACTS = [field.name for field in fields(Facts) if field.name not in _NOT]


def selected(
    suite: Suite, tasks: Sequence[Task], where: Sequence[str] = (), limit: int | None = None
) -> Suite:
    """The suite with only those of ``tasks`` that every condition (``library=numpy``) holds for."""
    tests = [_condition(text) for text in where]
    found = (task for task in tasks if all(test(task) for test in tests))
    chosen = {task.id: task for task in islice(found, limit)}
    if not chosen:
        first = where[0] if where else ""
        raise UserError(f"no task of {suite.name} has {' and '.join(where)}", _values(first, tasks))
    return replace(suite, tasks=MappingProxyType(chosen))


def _condition(text: str) -> Callable[[Task], bool]:
    name, equals, value = text.partition("=")
    known = [*_OWN, *_FACTS]
    if not equals or name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"Did you mean {near[0]}=…? " if near else ""
        raise UserError(
            f"--where {text}: no such fact" if equals else f"--where {text}: no condition",
            f"{hint}Write FACT=VALUE with one of {', '.join(known)}",
        )
    return lambda task: _value(task, name) == value


def _value(task: Task, name: str) -> str:
    found = _OWN[name](task) if name in _OWN else getattr(task.facts, name)
    return "" if found is None else str(found)


def _values(text: str, tasks: Sequence[Task]) -> str:
    name = text.partition("=")[0]
    if not name:
        return "Leave out the filters"
    values = sorted({_value(task, name) for task in tasks} - {""})
    shown = ", ".join(values[:10]) + (", …" if len(values) > 10 else "")  # noqa: PLR2004
    return f"{name} is one of {shown}" if values else f"Nothing is known of {name} here"
