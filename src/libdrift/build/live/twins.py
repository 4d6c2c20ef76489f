"""The negative control: tasks after a cut-off, each beside a like one from before it.

That a model does worse after a date may come of harder packages, harder families, longer programs,
or of the date. A twin has all but the date in common: the package, the family, and about the length
of the reference. Their gap is what dates alone do not prove.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from libdrift.build.live.tasking import SUITE
from libdrift.records import Task
from libdrift.scoring.groups import TWIN, twin_of

_FARTHEST = 1.6  # times as long as the other's a twin's reference may be

_Group = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TwinnedTasks:
    """Tasks in their order, of both sides; those with a twin say so in their tags."""

    tasks: tuple[Task, ...]
    pairs: int
    alone: int  # tasks after the cut-off that have none
    unused: int  # tasks up to the cut-off that are nobody's twin


def twinned(tasks: Iterable[Task], cutoff: date) -> TwinnedTasks:
    """Give every task after a cut-off its twin, where there is one, and no twin twice.

    The nearest in length are paired first, so that the order of tasks decides nothing else.
    """
    every = list(tasks)
    groups: defaultdict[_Group, tuple[list[Task], list[Task]]] = defaultdict(lambda: ([], []))
    for task in every:
        released = task.facts.release_date
        if released is not None:
            groups[task.facts.library, _family(task)][released > cutoff].append(task)
    twins: dict[str, str] = {}
    for before, after in groups.values():
        twins |= _paired(before, after)
    marked = tuple(_marked(task, twins.get(task.id)) for task in every)
    dated = [task for group in groups.values() for task in group[0]]
    later = sum(len(group[1]) for group in groups.values())
    return TwinnedTasks(marked, len(twins), later - len(twins), len(dated) - len(twins))


def twins_alone(tasks: Iterable[Task], cutoff: date) -> TwinnedTasks:
    """As ``twinned``, without the tasks that have no part in a pair."""
    found = twinned(tasks, cutoff)
    twins = {task.id: twin for task in found.tasks if (twin := twin_of(task))}
    wanted = {*twins, *twins.values()}
    return replace(found, tasks=tuple(task for task in found.tasks if task.id in wanted))


def _family(task: Task) -> str:
    """As this room calls it; of tasks from elsewhere, their kind."""
    told = task.source.get(SUITE)
    family = told.get("family") if isinstance(told, Mapping) else None
    return str(family or task.kind.value)


def _paired(before: Sequence[Task], after: Sequence[Task]) -> dict[str, str]:
    """From tasks after the cut-off to those before it."""
    distances = sorted(
        (ratio, one.id, other.id)
        for one in after
        for other in before
        if (ratio := _ratio(one, other)) <= _FARTHEST
    )
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, one, other in distances:
        if one not in found and other not in taken:
            found[one] = other
            taken.add(other)
    return found


def _ratio(one: Task, other: Task) -> float:
    short, long = sorted((len(one.reference) + 1, len(other.reference) + 1))
    return long / short


def _marked(task: Task, twin: str | None) -> Task:
    tags = [tag for tag in task.facts.tags if not tag.startswith(TWIN)]
    if twin is not None:
        tags.append(f"{TWIN}{twin}")
    return replace(task, facts=replace(task.facts, tags=tuple(tags)))
