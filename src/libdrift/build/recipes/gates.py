"""What a task must hold before it is let into the file. Each gate is one reason to keep it out.

A gate takes a task and gives the reason why it is refused, or nothing. Those that run programs
are given who runs them; what the machine is to blame for is raised, and never counted as a reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from libdrift.build.live.gates import PromptMaker
from libdrift.build.live.gates.likeness import KnownTasks
from libdrift.build.live.gates.reading import unseen, unsteady
from libdrift.build.live.mutants import mutants_of, scored
from libdrift.build.recipes.executing import job_of, passed
from libdrift.build.recipes.places import place_before
from libdrift.build.recipes.replies import names_word
from libdrift.build.recipes.steps import Executor
from libdrift.execution import Job
from libdrift.execution.outputs import ScriptRun
from libdrift.metrics import trees
from libdrift.records import Outcome, Split, Task, TaskKind, Tests, TestStyle
from libdrift.suites.rustevo.audit import stub

TIMES = 3  # that a reference must pass
_MUTANTS = 6
_PROMPTED = {TaskKind.GENERATE, TaskKind.COMPLETE}


class Gate(Protocol):
    @property
    def name(self) -> str: ...

    def __call__(self, task: Task) -> str | None:
        """Why a task is refused; nothing where it is not."""
        ...


@dataclass(frozen=True, slots=True)
class ReferenceGate:
    """The reference passes every split, every time."""

    executor: Executor
    times: int = TIMES
    name: str = "reference"

    def __call__(self, task: Task) -> str | None:
        if not task.tests:
            return None
        if not task.reference.strip():
            return "it has no reference"
        # One after the other: equal jobs of one run would be judged once. The first is fresh.
        for number in range(self.times):
            jobs = tuple(
                job_of((task.id, "reference", tests.split, str(number)), task, tests, code)
                for tests in task.tests
                for code in (task.reference,)
            )
            for key, judgement in self.executor.judge(jobs, fresh=not number).items():
                if not passed(judgement):
                    why = judgement.reason or judgement.outcome.value
                    return f"fails ({key[2]}, run {number + 1}): {why}"
                if judgement.uses is False:
                    return f"does not use {task.facts.symbol or 'the API'}"
        return None


@dataclass(frozen=True, slots=True)
class OtherReleaseGate:
    """The answer for another release fails here and passes there; or the reference fails before."""

    executor: Executor
    name: str = "other release"

    def __call__(self, task: Task) -> str | None:
        if task.wrong is not None:
            return self._wrong(task)
        earlier = _earlier(task)
        if earlier is None:
            return None
        found = self.executor.judge((earlier,))
        both = f"the reference passes at {task.facts.from_version} too"
        return both if passed(found[earlier.key]) else None

    def _wrong(self, task: Task) -> str | None:
        wrong = task.wrong
        if wrong is None:
            return None
        jobs: list[Job] = []
        for tests in task.tests:
            if tests.split is Split.HIDDEN:
                jobs.append(job_of((task.id, "wrong", "here"), task, tests, wrong.code))
            there = (task.id, "wrong", f"there, {tests.split}")
            jobs.append(job_of(there, task, tests, wrong.code, wrong.environment))
        found = self.executor.judge(tuple(jobs))
        for key, judgement in found.items():
            if key[2] == "here":
                if judgement.outcome in {Outcome.PASSED, Outcome.TIMEOUT}:
                    return f"the wrong-version answer does not fail here: {judgement.outcome}"
            elif not passed(judgement):
                return f"the wrong-version answer fails {key[2]}: {judgement.reason}"
        return None


def _earlier(task: Task) -> Job | None:
    """The reference where the API is not yet there, of tasks that say where that is."""
    tests = next((one for one in task.tests if one.split is Split.HIDDEN), None)
    if tests is None:
        return None
    place = place_before(task)
    if place is None:
        return None
    return job_of((task.id, "before"), task, tests, task.reference, place)


@dataclass(frozen=True, slots=True)
class EmptyAnswerGate:
    """Nothing at all, the question itself, and functions without bodies do not pass."""

    executor: Executor
    name: str = "empty or echoed answer"

    def __call__(self, task: Task) -> str | None:
        tests = next((one for one in task.tests if one.split is Split.HIDDEN), None)
        if tests is None:
            return None
        jobs = [job_of((task.id, role), task, tests, code) for role, code in _empty(task, tests)]
        for key, judgement in self.executor.judge(tuple(jobs)).items():
            if passed(judgement):
                return f"{key[1]} passes"
        return None


def _empty(task: Task, tests: Tests) -> Iterator[tuple[str, str]]:
    if tests.style is TestStyle.LABELS:
        yield "an empty list", "[]"
        yield "the question", f"{task.problem}\n"
        return
    mark = "//" if task.language == "rust" else "#"
    yield "an empty answer", f"{mark} no answer\n"
    yield "the question", "".join(f"{mark} {line}\n" for line in task.problem.splitlines())
    if task.starter.strip() and task.starter != task.reference:
        yield "the code that is given", task.starter
    hollow = stub(task.reference) if task.language == "rust" else hollowed(task.reference)
    if hollow != task.reference:
        yield "a function without a body", hollow


def hollowed(code: str) -> str:
    """Python code with every function's body taken out; the same where it has none."""
    data = trees.encoded(code)
    kept, end = [], 0
    for node in trees.walk(trees.root(data, "python")):
        body = node.child_by_field_name("body") if node.type == "function_definition" else None
        if body is not None and body.start_byte >= end:
            kept += [data[end : body.start_byte], b"pass"]
            end = body.end_byte
    return b"".join([*kept, data[end:]]).decode("utf-8", "replace")


def _given(task: Task) -> str:
    return f"{task.problem}\n{task.starter}"


@dataclass(frozen=True, slots=True)
class LeakGate:
    """What candidates are sent does not have the answer, nor the name that it turns on."""

    prompt: PromptMaker = _given
    name: str = "leak"

    def __call__(self, task: Task) -> str | None:
        given = f"{task.title}\n{self.prompt(task)}"
        if task.reference.strip() and _plain(task.reference) in _plain(given):
            return "the answer is in the prompt"
        if task.kind not in _PROMPTED:
            return None
        token = task.gap.token if task.gap else (task.facts.symbol or "")
        last = re.split(r"\.|::", token)[-1]
        if last and names_word(given, last):
            return f"the prompt names {last}"
        return None


def _plain(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class SteadyGate:
    """Nothing of a Python task is another thing in the next run: no clock, network or chance."""

    name: str = "steadiness"

    def __call__(self, task: Task) -> str | None:
        if task.language != "python" or not task.tests:
            return None
        found = unsteady(task)
        return f"depends on {found!r}" if found else None


@dataclass(frozen=True, slots=True)
class SignGate:
    """Nothing of a task acts on a terminal, or hides what is there: a model wrote it."""

    name: str = "signs"

    def __call__(self, task: Task) -> str | None:
        found = unseen(task)
        return f"it has the sign {found!r}" if found else None


@dataclass(frozen=True, slots=True)
class MutantGate:
    """Tests tell at least half of some programs apart that have one thing wrong."""

    executor: Executor
    least: float = 0.5
    name: str = "mutants"

    def __call__(self, task: Task) -> str | None:
        tests = next((one for one in task.tests if one.split is Split.HIDDEN), None)
        if tests is None or tests.style is TestStyle.LABELS or task.language != "python":
            return None
        found = mutants_of(task.reference, _MUTANTS)
        jobs = tuple(
            job_of((task.id, "mutant", str(number)), task, tests, mutant.code)
            for number, mutant in enumerate(found)
        )
        judged = self.executor.judge(jobs) if jobs else {}
        score = scored(found, [passed(judged.get(job.key)) for job in jobs])
        if score.share is None or score.share >= self.least:
            return None
        return f"{score.told_apart} of {score.mutants} are told apart: {score.survivors[0]}"


class PublishedGate:
    """No task is one of a published benchmark whose data is at hand."""

    def __init__(self, known: Callable[[], KnownTasks]) -> None:
        self._known = known
        self._read: KnownTasks | None = None

    @property
    def name(self) -> str:
        return "published"

    def __call__(self, task: Task) -> str | None:
        if not task.tests or task.language != "python":
            return None
        # Not before it is needed: all those benchmarks take a while to read.
        self._read = self._read or self._known()
        return "a published benchmark has it" if self._read.is_published(task) else None


@dataclass(slots=True)
class DuplicateGate:
    """No two tasks of a file ask the same."""

    name: str = "duplicate"
    _seen: dict[str, str] = field(default_factory=dict)  # what is asked, by the first that asks it

    def __call__(self, task: Task) -> str | None:
        asked = json.dumps([task.kind, str(task.environment), task.problem, task.starter])
        first = self._seen.setdefault(asked, task.id)
        return None if first == task.id else f"asks the same as {first}"


@dataclass(frozen=True, slots=True)
class BoundGate:
    """Of a task that is judged by its text: its API is in its release, and takes such a call.

    The check stands in the task's ``source`` as a script, which the recipe made with it.
    """

    executor: Executor
    name: str = "bound"

    def __call__(self, task: Task) -> str | None:
        script = task.source.get(BINDING)
        if not isinstance(script, str) or not script:
            return None
        run = ScriptRun(task.environment, script, twice=False)
        seen = self.executor.observe((run,))[run]
        return None if seen.runs else f"does not run at {task.facts.version}: {seen.why_not}"


BINDING = "binding"  # where a task keeps the script that its release must run


def usual_gates(
    executor: Executor,
    prompt: PromptMaker = _given,
    published: Callable[[], KnownTasks] = KnownTasks,
) -> list[Gate]:
    """All gates. That nothing is asked twice comes last: it is of the tasks that hold."""
    return [
        LeakGate(prompt),
        SignGate(),
        SteadyGate(),
        PublishedGate(published),
        ReferenceGate(executor),
        EmptyAnswerGate(executor),
        OtherReleaseGate(executor),
        MutantGate(executor),
        BoundGate(executor),
        DuplicateGate(),
    ]


def refused(task: Task, gates: Sequence[Gate]) -> tuple[str, str] | None:
    """The first gate that a task does not pass, and why."""
    for gate in gates:
        reason = gate(task)
        if reason:
            return gate.name, reason
    return None
