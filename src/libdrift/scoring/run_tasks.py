"""What is known of a run's tasks, in its folder: a report of the run needs no data set."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date

import msgspec

from libdrift.execution import RunFolder
from libdrift.execution.runs import TASKS
from libdrift.records import Split, Suite
from libdrift.scoring.groups import counted_as, facts_of, kinds_are_apart


class RunTask(msgspec.Struct, frozen=True):
    """A line of ``tasks.jsonl``."""

    task_id: str
    facts: dict[str, str] = {}
    # What verdicts on its hidden tests are counted under: `hidden`, or the kind of task where a
    # suite has several that do not compare.
    counted_as: str = Split.HIDDEN.value


def run_tasks(
    suite: Suite, verified: Collection[str] = (), cutoff: date | None = None
) -> Iterator[RunTask]:
    """Every task of a suite. Without a list of verified tasks nothing is said of that."""
    mixed = kinds_are_apart(suite)
    for task in suite.tasks.values():
        facts = {name: _writable(value) for name, value in facts_of(task, cutoff).items()}
        if verified:
            facts["verified"] = "yes" if task.id in verified else "no"
        yield RunTask(task.id, facts, counted_as(task, Split.HIDDEN, mixed=mixed))


def write_tasks(
    folder: RunFolder, suite: Suite, verified: Collection[str] = (), cutoff: date | None = None
) -> None:
    lines = (msgspec.json.encode(task) for task in run_tasks(suite, verified, cutoff))
    folder.write(TASKS, b"".join(line + b"\n" for line in lines))


def _writable(text: str) -> str:
    """Without halves of surrogate pairs, which no file takes."""
    return text.encode("utf-8", "replace").decode()
