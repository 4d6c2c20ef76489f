"""What scripts are expected to print: measured where their originals belong, or as published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common

if TYPE_CHECKING:
    from libdrift.execution import Options
    from libdrift.records import Suite, Task

_SHOWN = 3


class Expected(StrEnum):
    MEASURED = "measured"
    PUBLISHED = "published"


ExpectedOption = Annotated[
    Expected,
    typer.Option(
        help="Of scripts whose output is compared: measured (the original, run where it belongs) "
        "or published (what the authors recorded)."
    ),
]


def expecting(
    suite: Suite,
    expected: Expected,
    options: Callable[[], AbstractContextManager[Options]],
    only: Collection[str] | None = None,
) -> Suite:
    """The suite with what was measured; tasks that nothing can be expected of have no tests."""
    from libdrift.execution.outputs import measured

    asked = {
        task.id: task
        for task in suite.tasks.values()
        if (only is None or task.id in only) and _prints(task)
    }
    if expected is Expected.PUBLISHED or not asked:
        return suite
    with options() as found:
        told = measured(replace(suite, tasks=MappingProxyType(asked)), found, common.note)
    _tell(told.reasons.values())
    return replace(suite, tasks=MappingProxyType({**suite.tasks, **told.suite.tasks}))


def has_outputs(suite: Suite) -> bool:
    """Whether what answers print is compared."""
    return any(map(_prints, suite.tasks.values()))


def _prints(task: Task) -> bool:
    from libdrift.records import TestStyle

    return any(tests.style is TestStyle.OUTPUT for tests in task.tests)


def _tell(reasons: Collection[str]) -> None:
    if not reasons:
        return
    counts = Counter(reason.partition(":")[0] for reason in reasons).most_common(_SHOWN)
    what = "; ".join(f"{count} × {why}" for why, count in counts)
    common.note(
        f"{common.counted(len(reasons), 'task')} cannot be judged by what was measured ({what}); "
        "they are in no number. --expected published takes the authors' outputs"
    )
