"""The starter suite: small tasks of our own, each proven version-sensitive by ``audit``.

A task is a folder under ``tasks/``: ``task.toml`` and five programs. ``docs/tasks.md`` says how
to write one.
"""

from __future__ import annotations

import tomllib
from datetime import date
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict

from libdrift.config import Settings
from libdrift.records import (
    ChangeKind,
    Environment,
    Facts,
    Split,
    Suite,
    Task,
    TaskKind,
    Tests,
    TestStyle,
    WrongAnswer,
)
from libdrift.suites.benchmarks import Benchmark

NAME = "starter"
# Transitive dependencies are resolved as of this day, on every machine and in every year.
AS_OF = date(2026, 6, 1)
_RUNNER = "pytest==8.3.5"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Wrong(_Model):
    python: str
    requirements: tuple[str, ...]
    note: str


class _Sheet(_Model):
    """``task.toml`` as it is written."""

    title: str
    library: str
    python: str
    requirements: tuple[str, ...]
    change: ChangeKind
    symbol: str
    changed_in: str
    release_date: date
    direction: Literal["new", "old"]
    granularity: Literal["function", "method", "class", "module", "parameter", "attribute"]
    difficulty: Literal["easy", "medium", "hard"]
    problem: str
    wrong: _Wrong


def load(settings: Settings) -> Suite:
    """All tasks, by id. The data ships with the package: no settings are needed."""
    del settings
    folder = resources.files(__package__).joinpath("tasks")
    found = sorted((f for f in folder.iterdir() if f.is_dir()), key=lambda f: f.name)
    tasks = {f.name: _task(f) for f in found if f.joinpath("task.toml").is_file()}
    return Suite(
        name=NAME,
        title="libdrift's starter suite",
        source="shipped with libdrift",
        tasks=MappingProxyType(tasks),
    )


def _task(folder: Traversable) -> Task:
    def read(name: str) -> str:
        return folder.joinpath(name).read_text(encoding="utf-8")

    sheet = _Sheet.model_validate(tomllib.loads(read("task.toml")))
    pin = next(r for r in sheet.requirements if r.lower().startswith(f"{sheet.library}=="))
    return Task(
        id=folder.name,
        suite=NAME,
        kind=TaskKind.GENERATE,
        language="python",
        environment=_environment(sheet.python, sheet.requirements),
        title=sheet.title,
        problem=sheet.problem.strip(),
        starter=read("starter.py"),
        reference=read("reference.py"),
        tests=(
            Tests(Split.HIDDEN, TestStyle.PYTEST, read("hidden.py")),
            Tests(Split.VISIBLE, TestStyle.SCRIPT, read("visible.py")),
        ),
        facts=Facts(
            library=sheet.library,
            version=pin.partition("==")[2],
            release_date=sheet.release_date,
            change=sheet.change,
            symbol=sheet.symbol,
            changed_in=sheet.changed_in,
            direction=sheet.direction,
            granularity=sheet.granularity,
            difficulty=sheet.difficulty,
        ),
        wrong=WrongAnswer(
            code=read("wrong.py"),
            environment=_environment(sheet.wrong.python, sheet.wrong.requirements),
            note=sheet.wrong.note,
        ),
    )


def _environment(python: str, requirements: tuple[str, ...]) -> Environment:
    return Environment("python", python, (*requirements, _RUNNER), AS_OF)


BENCHMARK = Benchmark(NAME, load)
