"""Some tasks of a suite: by id, by what is known of them, the first so many, or at random."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from random import Random
from types import MappingProxyType

from libdrift.errors import UserError
from libdrift.records import Facts, Suite, Task
from libdrift.scoring.groups import FACTS, facts_of

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


@dataclass(frozen=True, slots=True)
class RandomSample:
    """So many tasks at random, or so many of each value of a fact (``quarter``)."""

    count: int
    seed: int = 0
    per: str = ""


def drawn(tasks: Sequence[Task], sample: RandomSample) -> list[Task]:
    """A sample in the order of the tasks: the same one for the same tasks, whatever their order.

    Of a value that fewer tasks have, all are taken; tasks of which the fact is unknown, never.
    """
    if sample.per and sample.per not in FACTS:
        near = difflib.get_close_matches(sample.per, FACTS, n=1)
        hint = f"Did you mean {near[0]}? " if near else ""
        raise UserError(
            f"--per {sample.per}: unknown fact", f"{hint}Choose one of {', '.join(FACTS)}"
        )
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for task in tasks:
        value = facts_of(task).get(sample.per) if sample.per else ""
        if value is not None:
            groups[value].append(task.id)
    if not groups:
        raise UserError(
            f"{sample.per} is unknown for these tasks, so it cannot be sampled",
            "Leave out --per, or name another fact",
        )
    chosen: set[str] = set()
    for value, ids in groups.items():
        # Each group has its own dice: what another one holds does not change this one's.
        dice = Random(f"{sample.seed} {sample.per} {value}")  # noqa: S311
        chosen |= set(dice.sample(sorted(ids), min(sample.count, len(ids))))
    return [task for task in tasks if task.id in chosen]


def selected(
    suite: Suite,
    tasks: Sequence[Task],
    where: Sequence[str] = (),
    limit: int | None = None,
    sample: RandomSample | None = None,
) -> Suite:
    """The suite with only those of ``tasks`` that every condition (``library=numpy``) holds for.

    Of these a ``sample`` is drawn, and of that the first so many are taken.
    """
    tests = [_condition(text) for text in where]
    found = [task for task in tasks if all(test(task) for test in tests)]
    if sample is not None and found:
        found = drawn(found, sample)
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
            f"--where {text}: unknown fact" if equals else f"--where {text}: not a condition",
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
