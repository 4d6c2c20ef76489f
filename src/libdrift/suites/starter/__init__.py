"""The starter suite: small tasks of our own, each proven version-sensitive by ``audit``.

A task is a folder under ``tasks/``: ``task.toml`` and five programs. ``docs/tasks.md`` says how
to write one.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from libdrift.config import Settings
from libdrift.records import Suite
from libdrift.suites import task_folders
from libdrift.suites.benchmarks import Benchmark

NAME = "starter"


def load(settings: Settings) -> Suite:
    """All tasks, by id. The data ships with the package: no settings are needed."""
    del settings
    found = task_folders.read(Path(str(resources.files(__package__).joinpath("tasks"))))
    if found.left_out:
        raise ValueError(str(found.left_out[0]))
    return Suite(
        name=NAME,
        title="libdrift's starter suite",
        source="shipped with libdrift",
        tasks=MappingProxyType({k: replace(task, suite=NAME) for k, task in found.tasks.items()}),
    )


BENCHMARK = Benchmark(NAME, load)
