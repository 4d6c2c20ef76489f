from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from libdrift.records.answers import Split
from libdrift.records.changes import ChangeKind
from libdrift.records.environment import Environment


class TaskKind(StrEnum):
    GENERATE = "generate"
    COMPLETE = "complete"
    MIGRATE = "migrate"
    LOCATE = "locate"
    EXPLAIN = "explain"


class TestStyle(StrEnum):
    """How test code meets the answer."""

    PYTEST = "pytest"  # a pytest module that imports the answer as a module
    SCRIPT = "script"  # statements that go on in the answer's own namespace
    OUTPUT = "output"  # a script around the answer; what it prints is compared
    RUST = "rust"  # a test module that follows the answer in its file
    COMPILE = "compile"  # nothing is run: the answer compiles, and leaves certain APIs alone
    LABELS = "labels"  # nothing is run: names in the answer are compared with those in the test

    # Not a test class of ours, whatever its name suggests to a collector.
    __test__ = False


@dataclass(frozen=True, slots=True)
class Tests:
    split: Split
    style: TestStyle
    code: str
    expected: str | None = None  # of a script: what it prints; ``None`` where that is not known


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """An answer that is right in ``environment``, and must fail in the task's own."""

    code: str
    environment: Environment
    note: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a task, for breakdowns; ``None`` is unknown, never a guess."""

    library: str
    version: str
    release_date: date | None = None
    change: ChangeKind | None = None
    symbol: str | None = None
    changed_in: str | None = None
    direction: str | None = None
    granularity: str | None = None
    difficulty: str | None = None
    category: str | None = None  # the kind of change in the benchmark's own words
    documents: tuple[str, ...] = ()  # addresses of documentation, not its text
    tags: tuple[str, ...] = ()
    api_calls: tuple[str, ...] = ()  # what the published solution calls: not for candidates
    source: str | None = None  # where the code is from: library_source_code, stackoverflow, …
    scenario: str | None = None  # controlled (written from a template) or realistic (found)
    access: str | None = None  # direct (`plt.plot()`) or indirect (`axes.plot()`, on a value)
    # Of the symbol, in that version: introduced, deprecated, modified or unchanged.
    lifecycle: str | None = None
    from_version: str | None = None  # of a migration, whose target is `version`
    from_date: date | None = None
    step: str | None = None  # of a migration: major-to-minor and the like
    style: str | None = None  # functional, or other
    domain: str | None = None  # web (the library is a framework for it), or general
    incompatibilities: int | None = None  # APIs in the code that do not work with the target
    logic: int | None = None  # logic nodes of the published solution
    test_type: str | None = None  # what its tests look at: value, type, exception, call


@dataclass(frozen=True, slots=True)
class Gap:
    """How an answer that is judged by its text meets the code that it completes.

    ``Task.starter`` is the code with ``mask`` where something is missing (for a migration the old
    code, whole), and ``Task.reference`` what belongs there (for a block or a migration the whole
    new code).
    """

    token: str  # the core token: the last name of the API at stake
    line: str = ""  # the reference's core line: the one with that API
    mask: str = ""  # as ``starter`` writes it; empty where nothing is masked
    # Of a completion in the middle of a line:
    hint: str = ""  # the API's root (`plt`), which follows the prompt and opens the answer
    aliases: tuple[str, ...] = ()  # names that an API expression may start with
    near: str = ""  # the few lines behind the gap that models are shown
    old_line: str = ""  # of a migration: the old code's core line


USUAL_MODULE = "answer"  # what tests import, where a task says nothing else


@dataclass(frozen=True, slots=True)
class Task:
    id: str
    suite: str
    kind: TaskKind
    language: str
    environment: Environment
    title: str
    problem: str
    starter: str
    reference: str
    tests: tuple[Tests, ...]
    facts: Facts
    module: str = USUAL_MODULE
    wrong: WrongAnswer | None = None
    gap: Gap | None = None  # of tasks that are judged by their text
    # Of tasks whose answers are completions: a program is prefix, answer and suffix, as they stand.
    # ``reference`` and ``wrong`` are whole programs all the same.
    prefix: str = ""
    suffix: str = ""
    # The record as published, every field of it. It holds the solution: not for candidates.
    source: Mapping[str, Any] = field(
        default_factory=lambda: MappingProxyType({}), hash=False, repr=False
    )


@dataclass(frozen=True, slots=True)
class LeftOutTask:
    """A task of somebody's own that cannot be used: where it stands, and why, with the fix."""

    where: str  # ``own.jsonl:3`` or ``mysuite/area``
    message: str
    task_id: str = ""  # where it has one

    def __str__(self) -> str:
        return f"{self.where} left out: {self.message}"


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    title: str
    source: str
    tasks: Mapping[str, Task] = field(default_factory=lambda: MappingProxyType({}))
    # Which code a model's text is searched for: any fenced block, or only one marked `python`, as
    # some benchmarks have it.
    any_fence: bool = True
    data: str = field(default="", compare=False)  # the folder that it was looked for in, if named
    path: str = ""  # the file or folder that it was read from, where that is somebody's own
    left_out: tuple[LeftOutTask, ...] = ()  # of such a file or folder: what nobody can be asked

    @property
    def argument(self) -> str:
        """What stands for it on a command line: its name, or where it was read from.

        It can be pasted; of published data, with the folder that holds it.
        """
        if self.path:
            return shlex.quote(self.path)
        return f"{self.name} --data {shlex.quote(self.data)}" if self.data else self.name

    @property
    def environments(self) -> tuple[Environment, ...]:
        """The distinct environments that answers run in, in task order."""
        return tuple(
            dict.fromkeys(
                task.environment
                for task in self.tasks.values()
                if any(tests.style is not TestStyle.LABELS for tests in task.tests)
            )
        )
