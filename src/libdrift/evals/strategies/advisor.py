"""No model: libdrift's own advisor answers from what is mined of the two releases.

It sees what a model sees: the code, the versions that it was written for and is to run with. It
sees no labels and no tests.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence

from packaging.utils import canonicalize_name

from libdrift.advisor import solving
from libdrift.advisor.loading import Releases
from libdrift.errors import LibdriftError
from libdrift.evals.asking import Asker
from libdrift.evals.options import EvalOptions
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import Strategy, StrategyAnswer
from libdrift.evals.strategy_context import StrategyContext
from libdrift.records import Environment, Task, TaskKind

_MOVES = frozenset({TaskKind.MIGRATE, TaskKind.LOCATE, TaskKind.EXPLAIN})
_LANGUAGES = frozenset({"python", "java"})


class Advisor(Strategy):
    about = "No model: uses the history of both versions to find what breaks and edit the code."
    modelless = True

    def __init__(self, room: StrategyContext) -> None:
        super().__init__(room)
        releases = Releases(room.settings, room.settings.history)
        self._places = _places(room.suite.tasks.values())
        self._libraries = solving.SolverLibraries(releases, room.options.backend, self._places)

    @classmethod
    def unfit(cls, task: Task, ways: EvalOptions) -> str:
        del ways
        if task.kind not in _MOVES or task.gap is not None:
            return "they do not move code from one version to another"
        return "" if task.facts.from_version else "they do not say what the code was written for"

    def shown(self, task: Task) -> Prompt:
        return Prompt(task.starter)

    async def answer(self, task: Task, asker: Asker) -> StrategyAnswer:
        del asker
        return await asyncio.to_thread(self._answered, task)

    def _answered(self, task: Task) -> StrategyAnswer:
        if task.language not in _LANGUAGES:
            return _unknown(task, f"no releases for {task.language}")
        if task.language == "python" and not (_is_standard(task) or _is_pinned(task)):
            return _unknown(task, f"{task.facts.library} is not among what is installed")
        try:
            if task.kind is TaskKind.MIGRATE:
                done = self._moved(task)
                return StrategyAnswer(done.text, {"how": done.how})
            found = self._suspects(task)
        except LibdriftError as error:  # a release that cannot be had: said, and the rest goes on
            return _unknown(task, str(error))
        written = solving.located if task.kind is TaskKind.LOCATE else solving.explained
        return StrategyAnswer(written(found))

    def _suspects(self, task: Task) -> list[solving.Suspect]:
        facts = task.facts
        before, after = facts.from_version or "", facts.version
        if task.language == "java":
            surface = self._libraries.surface
            return solving.java_suspects(
                task.starter, surface(solving.JDK, before), surface(solving.JDK, after)
            )
        if _is_standard(task):
            library = self._libraries.standard(before, after, task.environment.runtime)
            return library.suspects(task.starter)
        return solving.suspects(task.starter, self._libraries.library(facts.library, before, after))

    def _moved(self, task: Task) -> solving.MovedCode:
        facts = task.facts
        before, after = facts.from_version or "", facts.version
        if task.language == "java":
            return solving.MovedCode(task.starter, "as it was")
        if _is_standard(task):
            origin = Environment("python", before, ())

            def of_python(paths: Sequence[str]) -> Mapping[str, str]:
                return solving.definitions(paths, origin, task.environment, self.room.options)

            library = self._libraries.standard(before, after, task.environment.runtime)
            return solving.moved_python(task.starter, library, of_python)
        place = self._places.get((canonicalize_name(facts.library), before))
        if place is None and task.wrong is not None:
            place = task.wrong.environment

        def of_release(paths: Sequence[str]) -> Mapping[str, str]:
            if place is None:
                return {}
            return solving.definitions(paths, place, task.environment, self.room.options)

        library_pair = self._libraries.library(facts.library, before, after)
        return solving.moved(task.starter, library_pair, of_release)


def _unknown(task: Task, why: str) -> StrategyAnswer:
    """Nothing found, or the code as it was, with the reason."""
    empty = {TaskKind.LOCATE: "[]", TaskKind.EXPLAIN: "{}"}
    return StrategyAnswer(empty.get(task.kind, task.starter), {"reason": why})


def _is_standard(task: Task) -> bool:
    name = task.facts.library
    return not task.environment.requirements and (
        name == solving.PYTHON or name in sys.stdlib_module_names
    )


def _is_pinned(task: Task) -> bool:
    wanted = (canonicalize_name(task.facts.library), task.facts.version)
    return wanted in _places([task])


def _places(tasks: Iterable[Task]) -> dict[tuple[str, str], Environment]:
    """Environments in which a package is installed at a version, by both."""
    found: dict[tuple[str, str], Environment] = {}
    for task in tasks:
        places = [task.environment, *([task.wrong.environment] if task.wrong else [])]
        for place in places:
            for pin in place.requirements:
                name, exact, version = pin.partition("==")
                if exact:
                    found.setdefault((canonicalize_name(name), version), place)
    return found
