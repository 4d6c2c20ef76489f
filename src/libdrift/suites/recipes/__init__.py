"""Suites that are built, not shipped: the package has a manifest of each, and no library's text.

A manifest says which releases and examples each task is made from, and its hash. On first use the
tasks are made from the package index into the cache.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from libdrift.config import Settings
from libdrift.errors import InfrastructureError
from libdrift.records import Suite
from libdrift.suites import task_files
from libdrift.suites.benchmarks import Benchmark
from libdrift.suites.recipes.manifest import TaskManifest, parse

logger = logging.getLogger(__name__)

# Building is above this room, so it is found by its name, when it is needed.
_BUILDERS = "libdrift.jobs.remaking_live"
_ENDING = ".json"


def names() -> list[str]:
    folder = resources.files(__package__)
    found = (item.name for item in folder.iterdir() if item.name.endswith(_ENDING))
    return sorted(name.removesuffix(_ENDING) for name in found)


def manifest_of(name: str) -> TaskManifest:
    file = resources.files(__package__).joinpath(f"{name}{_ENDING}")
    return parse(file.read_bytes(), file.name)


def place_of(name: str, settings: Settings) -> Path:
    """Where a suite's tasks are kept: another manifest has another file."""
    return settings.cache / "live" / f"{name}-{manifest_of(name).digest}{task_files.ENDING}"


def unbuilt(name: str, settings: Settings) -> TaskManifest | None:
    """The manifest of a suite that would have to be built; ``None`` of all others."""
    if name not in names() or place_of(name, settings).is_file():
        return None
    return manifest_of(name)


def load(name: str, settings: Settings) -> Suite:
    """The tasks, built if they are not there yet."""
    path = place_of(name, settings)
    if not path.is_file():
        manifest = manifest_of(name)
        releases = {(pair.package, v) for pair in manifest.pairs for v in (pair.old, pair.new)}
        logger.warning(
            "%s is built once, from the package index: %d tasks of %d releases. This "
            "takes a while; after Ctrl-C the same command resumes",
            name, len(manifest.tasks), len(releases),
        )  # fmt: skip
        importlib.import_module(_BUILDERS).build_recipe(name, path)
    if not path.is_file():
        raise InfrastructureError(
            f"{name} could not be built", f"Run: libdrift build live --manifest {name}"
        )
    suite = task_files.read(path)
    missing = len(manifest_of(name).tasks) - len(suite.tasks)
    if missing:
        logger.warning("%s lacks %d of its tasks; remove %s to build it again", name, missing, path)
    tasks = {task.id: replace(task, suite=name) for task in suite.tasks.values()}
    return replace(suite, name=name, source=name, path="", tasks=MappingProxyType(tasks))


def build_some(name: str, ids: Collection[str]) -> Suite:
    """A suite that is not built, with these tasks alone."""
    logger.warning("%s is not built yet: building %d of its tasks", name, len(ids))
    made = importlib.import_module(_BUILDERS).some_of_recipe(name, ids)
    tasks = {task.id: replace(task, suite=name) for task in made}
    return Suite(name, manifest_of(name).title, name, MappingProxyType(tasks))


def benchmarks() -> Iterator[Benchmark]:
    for name in names():
        yield Benchmark(name, partial(load, name), is_built=True)
