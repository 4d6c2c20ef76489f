"""What scripts are expected to print: measured where their originals belong, or as published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from types import MappingProxyType

from libdrift.execution.outputs import measured
from libdrift.metrics.modes import Expected
from libdrift.records import Suite, Task, TestStyle
from libdrift.scoring.running import RunListener, Runner
from libdrift.showing import counted

_SHOWN = 3


def expecting(
    suite: Suite, expected: Expected, runner: Runner, only: Collection[str] | None = None
) -> Suite:
    """The suite with what was measured; tasks that nothing can be expected of have no tests."""
    asked = {
        task.id: task
        for task in suite.tasks.values()
        if (only is None or task.id in only) and _prints(task)
    }
    if expected is Expected.PUBLISHED or not asked:
        return suite
    with runner.open() as options:
        told = measured(
            replace(suite, tasks=MappingProxyType(asked)), options, runner.listener.note
        )
    _tell(told.reasons.values(), runner.listener)
    return replace(suite, tasks=MappingProxyType({**suite.tasks, **told.suite.tasks}))


def has_outputs(suite: Suite) -> bool:
    """Whether what answers print is compared."""
    return any(map(_prints, suite.tasks.values()))


def _prints(task: Task) -> bool:
    return any(tests.style is TestStyle.OUTPUT for tests in task.tests)


def _tell(reasons: Collection[str], listener: RunListener) -> None:
    if not reasons:
        return
    counts = Counter(reason.partition(":")[0] for reason in reasons).most_common(_SHOWN)
    what = "; ".join(f"{count} × {why}" for why, count in counts)
    listener.note(
        f"{counted(len(reasons), 'task')} cannot be judged by measured output ({what}) and "
        "are not counted. --expected published uses the authors' outputs"
    )
