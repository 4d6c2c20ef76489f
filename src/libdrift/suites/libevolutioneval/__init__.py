"""LibEvolutionEval: completion of an API call in the middle of a line, for a library's version.

The data is the authors'; it is read where the user keeps it and never shipped.
"""

from __future__ import annotations

import logging
from types import MappingProxyType

from libdrift.config import Settings
from libdrift.errors import MissingDataError, UserError
from libdrift.records import Suite, Task
from libdrift.suites.benchmarks import Benchmark
from libdrift.suites.finding import Oddities
from libdrift.suites.libevolutioneval import corpus, examples, files, sets
from libdrift.suites.libevolutioneval.files import NAME, TITLE
from libdrift.suites.libevolutioneval.rendering import ask

logger = logging.getLogger(__name__)


def load(settings: Settings) -> Suite:
    """All examples of all sets and versions."""
    folder = files.find(settings)
    odd = Oddities()
    read: dict[tuple[str, str], list[Task]] = {}
    for sheet in files.sheets(folder, files.EXAMPLES):
        read[sheet.group, sheet.version] = _tasks(sheet, odd)
        if not sets.parse(sheet.group).known:
            odd.add("files of unknown sets", sheet.group)
    odd.warn(logger, TITLE)
    # An archive has its files in any order: tasks have the same one, wherever they are from.
    tasks = {task.id: task for _, found in sorted(read.items()) for task in found}
    if not tasks:
        raise MissingDataError(
            f"no {TITLE} example in {folder}", "Get the files again from the authors' release"
        )
    return Suite(
        name=NAME,
        title=TITLE,
        source=f"authors' release at {folder}",
        tasks=MappingProxyType(tasks),
    )


def _tasks(sheet: files.PublishedSheet, odd: Oddities) -> list[Task]:
    found: list[Task] = []
    lines = [(number, line) for number, line in enumerate(sheet.lines, start=1) if line.strip()]
    if lines and not any(examples.is_json(line) for _, line in lines):
        raise UserError(
            f"{TITLE} {sheet.place}: no line is JSON",
            "Get the file again from the authors' release",
        )
    for number, line in lines:
        task = examples.task_of(line, sheet.group, sheet.version, number)
        if isinstance(task, str):
            odd.add("examples left out", f"{sheet.place}:{number}: {task}")
        else:
            found.append(task)
    return found


BENCHMARK = Benchmark(NAME, load, prompt=ask, find_data=files.find, documents=corpus.documents)
