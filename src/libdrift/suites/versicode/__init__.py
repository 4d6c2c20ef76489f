"""VersiCode: completion of tokens, lines and blocks, and migration, for a library's version.

The data is the authors'; it is read where the user keeps it and never shipped.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from types import MappingProxyType

from libdrift.config import Settings
from libdrift.errors import MissingDataError
from libdrift.reading import json_items
from libdrift.records import Suite, Task
from libdrift.suites.benchmarks import Benchmark
from libdrift.suites.finding import Oddities
from libdrift.suites.versicode import files
from libdrift.suites.versicode.items import NAME, task_of
from libdrift.suites.versicode.prompts import ask

logger = logging.getLogger(__name__)


def load(settings: Settings) -> Suite:
    """All items of all files, in the order of the files' names."""
    folder = files.find(settings)
    odd = Oddities()
    tasks: dict[str, Task] = {}
    for path in files.paths(folder):
        empty = True
        for where, item in json_items(path):
            empty = False
            task = task_of(item, where, odd)
            if isinstance(task, str):
                odd.add("items left out", f"{where}: {task}")
            else:
                _keep(tasks, task, where, odd)
        if empty:
            odd.add("files without items", path.name)
    odd.warn(logger, files.TITLE)
    if not tasks:
        raise MissingDataError(
            f"no {files.TITLE} item in {folder}", "Get the files again from the authors' release"
        )
    return Suite(
        name=NAME,
        title=files.TITLE,
        source=f"authors' release at {folder}",
        tasks=MappingProxyType(tasks),
    )


def _keep(tasks: dict[str, Task], task: Task, where: str, odd: Oddities) -> None:
    """Files of outputs repeat items: one id with one content is one task."""
    base, number = task.id, 1
    while (known := tasks.get(task.id)) is not None:
        if _content(known) == _content(task):
            # A file of outputs may have lost what kind of change it is.
            if known.facts.category is None:
                tasks[task.id] = task
            return
        number += 1
        task = replace(task, id=f"{base}~{number}")
    if number > 1:
        odd.add("ids of more than one item, numbered", f"{base!r} at {where}")
    tasks[task.id] = task


def _content(task: Task) -> tuple[object, ...]:
    facts = task.facts
    asked = (task.kind, task.problem, task.starter, task.reference, task.gap)
    return (*asked, task.language, facts.library, facts.version, facts.from_version)


BENCHMARK = Benchmark(NAME, load, prompt=ask, find_data=files.find)
