"""Answers that share a process with their tests, many in one environment, each in a fork."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from libdrift.environments import Failed, build_all
from libdrift.errors import InfrastructureError
from libdrift.execution import Options
from libdrift.languages.python.usage import all_imported, parsed
from libdrift.mining.examples.keeping import SPARED, KeptRuns, key_of
from libdrift.records import Environment, Outcome
from libdrift.sandbox.examples import ExampleServer

_SEED = 0


@dataclass(frozen=True, slots=True)
class ScriptJob:
    """An answer, and tests that go on in its namespace; ``key`` is the caller's."""

    key: tuple[str, ...]
    environment: Environment
    answer: str
    tests: str

    @property
    def statements(self) -> list[tuple[str, bool]]:
        # The tests are run whatever became of the answer: it may fail as late as it likes.
        return [(self.answer, True), (self.tests, True)]


@dataclass(frozen=True, slots=True)
class ScriptOutcome:
    outcome: Outcome
    reason: str = ""


def run_scripts(
    jobs: Sequence[ScriptJob], options: Options
) -> dict[tuple[str, ...], ScriptOutcome]:
    """What became of each. Nothing is proven by a pass here: it is for what must not pass."""
    groups: defaultdict[Environment, list[ScriptJob]] = defaultdict(list)
    for job in jobs:
        groups[job.environment].append(job)
    places = build_all(list(groups), options.settings, workers=options.workers)
    kept = KeptRuns(options.settings.cache / "examples.sqlite")

    def run(environment: Environment) -> dict[tuple[str, ...], ScriptOutcome]:
        place, group = places[environment], groups[environment]
        if isinstance(place, Failed):
            return {job.key: _trouble(place.reason) for job in group}
        server = ExampleServer(place, options.backend, _modules(group), seed=_SEED)
        try:
            return {job.key: _run(job, server, kept) for job in group}
        except InfrastructureError as error:
            return {job.key: _trouble(str(error)) for job in group}
        finally:
            server.close()

    try:
        with ThreadPoolExecutor(max(1, options.workers)) as pool:
            found = list(pool.map(run, groups))
    finally:
        kept.close()
    return {key: outcome for some in found for key, outcome in some.items()}


def _run(job: ScriptJob, server: ExampleServer, kept: KeptRuns) -> ScriptOutcome:
    key = key_of(job.environment.key, _SEED, [("gates", False), *job.statements])
    told = kept.get([key]).get(key)
    if told is None:
        told = server.run(job.statements)
        kept.put(key, told)
    return _read(told)


def _read(told: Mapping[str, Any]) -> ScriptOutcome:
    end = str(told["end"])
    if end.startswith(SPARED):
        return _trouble(end)
    if end == "time":
        return ScriptOutcome(Outcome.TIMEOUT, "it took too long")
    if end:
        return ScriptOutcome(Outcome.ERROR, end)
    for row in told["statements"]:
        error = row[3]
        if error:
            return ScriptOutcome(Outcome.FAILED, f"{error[0][0]}: {error[1]}"[:300])
    return ScriptOutcome(Outcome.PASSED)


def _trouble(reason: str) -> ScriptOutcome:
    return ScriptOutcome(Outcome.INFRASTRUCTURE, reason)


def _modules(jobs: Sequence[ScriptJob]) -> list[str]:
    """What most answers import, ahead: those that cannot be are told, and no trouble."""
    found: dict[str, None] = {}
    for job in jobs:
        tree = parsed(job.answer)
        for item in all_imported([*tree.body] if tree else []):
            if item.module and not item.is_relative:
                found[item.module.partition(".")[0]] = None
    return sorted(found)
