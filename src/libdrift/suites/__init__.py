"""Benchmarks: one folder each, from its files to ``Task`` records.

A new one is a folder that offers a ``BENCHMARK``, and its name in the list below; or anybody's own
module that gives one to ``register``.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.records import Suite, Task
from libdrift.retrieval.published import SuiteDocument
from libdrift.suites import (
    audited,
    codemenv,
    gitchameleon,
    libevolutioneval,
    recipes,
    rustevo,
    starter,
    task_files,
    task_folders,
    versicode,
)
from libdrift.suites.audited import Audited
from libdrift.suites.benchmarks import Asking, Benchmark, TaskPrompt

logger = logging.getLogger(__name__)

_TOLD = 20  # tasks left out that are said one by one
_FOLDERS = (codemenv, gitchameleon, libevolutioneval, rustevo, starter, versicode)
_BENCHMARKS: dict[str, Benchmark] = {
    benchmark.name: benchmark
    for benchmark in (*(folder.BENCHMARK for folder in _FOLDERS), *recipes.benchmarks())
}


def register(benchmark: Benchmark) -> None:
    """Make one's own benchmark known by its name, as libdrift's are."""
    if benchmark.name in _BENCHMARKS or is_file(benchmark.name):
        raise UserError(f"{benchmark.name} is not a name for a benchmark", "Choose another")
    _BENCHMARKS[benchmark.name] = benchmark


def benchmark_of(suite: Suite) -> Benchmark:
    """A suite's own record. A file of tasks may have those of any benchmark, and so its scores."""
    known = _BENCHMARKS.get(suite.name)
    if known is not None:
        return known
    own = tuple(measure for one in _BENCHMARKS.values() for measure in one.scores)
    single = tuple(measure for one in _BENCHMARKS.values() for measure in one.measures)
    return Benchmark(suite.name, lambda _: suite, scores=own, measures=single)


def prompt_for(suite: Suite, task: Task, asking: Asking) -> TaskPrompt:
    """What a model is asked of a task: in its benchmark's words, or those of the task's kind."""
    for one in (benchmark_of(suite), *_BENCHMARKS.values()):
        found = one.prompt(task, asking)
        if found is not None:
            return found
    raise ValueError(f"{task.id} is not judged by its text")


def published_documents(name: str, settings: Settings) -> Iterable[SuiteDocument]:
    """The documents that a suite came with."""
    known = _BENCHMARKS.get(name)
    if known is None or known.documents is None:
        having = ", ".join(one for one in names() if _BENCHMARKS[one].documents is not None)
        raise UserError(f"{name} has no documents", f"These have: {having}")
    return known.documents(settings)


def names() -> list[str]:
    return sorted(_BENCHMARKS)


def written() -> list[str]:
    """Those whose tasks are somebody's own, and not built from a manifest."""
    return [name for name in names() if not _BENCHMARKS[name].is_built]


def is_file(name: str) -> bool:
    """Whether what stands where a suite's name does is a file of tasks, or a folder of them."""
    if name in _BENCHMARKS:  # a folder of that name is `./NAME`
        return False
    return name.endswith(task_files.ENDING) or task_folders.is_folder(name)


def load(name: str, settings: Settings) -> Suite:
    """A suite by its name, or a file or folder of tasks by its path."""
    if is_file(name):
        return read_own(name)
    known = _BENCHMARKS.get(name)
    if known is None:
        raise unknown(name)
    return replace(known.load(settings), data=str(settings.data_option or ""))


def load_needed(name: str, settings: Settings, ids: Collection[str]) -> Suite:
    """A suite; one that is yet to be built has only these tasks, and only they are built."""
    if ids and recipes.unbuilt(name, settings):
        return recipes.build_some(name, ids)
    return load(name, settings)


def ids_to_build(name: str, settings: Settings) -> list[str]:
    """The tasks of a suite that is yet to be built, in their order; none of any other."""
    manifest = recipes.unbuilt(name, settings)
    return sorted(entry.id for entry in manifest.tasks) if manifest else []


def unknown(name: str) -> UserError:
    """The mistake of a name that no suite has."""
    return UserError(
        f"unknown suite {name!r}",
        f"{_suggest(name, names(), 'libdrift suites')}; a file of tasks ends in .jsonl, "
        "a folder of them in /",
    )


def read_own(name: str) -> Suite:
    """Somebody's own tasks; which of them cannot be used is said."""
    path = Path(name)
    folder = task_folders.is_folder(name)
    suite = task_folders.read(path, _BENCHMARKS) if folder else task_files.read(path)
    if suite.name in _BENCHMARKS:  # whose rules and lists are not made for these tasks
        raise UserError(
            f"{name} has the name of a built-in suite, {suite.name}",
            f'Give it another name: "suite" in its first line, or name in {task_folders.ABOUT}',
        )
    for one in suite.left_out[:_TOLD]:
        logger.warning("%s", one)
    if len(suite.left_out) > _TOLD:
        logger.warning("… and %d more tasks left out", len(suite.left_out) - _TOLD)
    return suite


def select(suite: Suite, task_ids: list[str]) -> list[Task]:
    """The named tasks of a suite, or all of them."""
    for task_id in task_ids:
        bad = next((one for one in suite.left_out if one.task_id == task_id), None)
        if bad is not None and task_id not in suite.tasks:
            raise UserError(f"{bad.where} cannot be used: {bad.message}")
        if task_id not in suite.tasks:
            command = f"libdrift suites show {suite.argument}"
            raise UserError(
                f"unknown task {task_id!r} in {suite.name}",
                _suggest(task_id, list(suite.tasks), command),
            )
    return [suite.tasks[task_id] for task_id in task_ids] or list(suite.tasks.values())


def verified(suite: Suite, own: Path | None = None) -> Mapping[str, Audited]:
    """What an audit says of a suite's tasks: one's ``own``, or the one that it ships with."""
    return audited.read(suite.name) if own is None else audited.read_file(own, suite)


def _suggest(name: str, known: list[str], command: str) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    return f"{hint}`{command}` lists them"
