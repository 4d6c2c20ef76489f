"""Tasks of compiled languages: what tells where one is from, and how it counts as proven.

Each kind of task has a list of trials: programs, where they are tried, and how they must end. What
ends otherwise drops the task, by the name of that trial. A file of tasks is proven again by the
same trials.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from libdrift.build.live.records import hash_of
from libdrift.execution import Job, Options, run_jobs
from libdrift.records import Environment, Outcome, Task, TestStyle
from libdrift.sandbox import Judgement, Program
from libdrift.scoring import AuditResult

MARK = "compiled"  # in a task's source
REFERENCE = "reference"  # the gate of programs that are right
_RUNS = 3  # of a reference that is right

TrialVerdict = Callable[[Judgement], str]  # why a trial did not end as it must; empty if it did


@dataclass(frozen=True, slots=True)
class ProofTrial:
    """One program in one environment."""

    gate: str
    environment: Environment
    program: Program
    verdict: TrialVerdict
    reference: str = ""
    decisive: bool = False  # tried before the others, which are not where this ends wrong


@dataclass(frozen=True, slots=True)
class ProvenTasks:
    tasks: tuple[Task, ...]
    dropped: Mapping[str, int]


Trials = Callable[[Task, Sequence[Task]], list[ProofTrial]]  # of a task, which stands among others


def origin(task: Task) -> Mapping[str, Any]:
    """Where a task is from; empty for one that was not made here."""
    found = task.source.get(MARK)
    return found if isinstance(found, dict) else {}


def marked(task: Task, **told: str) -> Task:
    return replace(task, source=MappingProxyType({**task.source, MARK: dict(told)}))


def passes(judgement: Judgement) -> str:
    return "" if judgement.outcome is Outcome.PASSED else judgement.reason or judgement.outcome


def fails(judgement: Judgement) -> str:
    """A program that ran into a limit has not failed: on another machine it may pass."""
    ended = judgement.outcome in {Outcome.FAILED, Outcome.ERROR}
    return "" if ended else f"it ends as {judgement.outcome}"


def prove(tasks: Sequence[Task], trials: Trials, options: Options) -> ProvenTasks:
    """The tasks all of whose trials end as they must, in their order; the others by gate."""
    dropped: Counter[str] = Counter()
    kept = []
    for task, (gate, _) in zip(tasks, _objections(tasks, trials, options), strict=True):
        if gate:
            dropped[gate] += 1
        else:
            kept.append(task)
    return ProvenTasks(tuple(kept), MappingProxyType(dict(dropped)))


def told_apart(tasks: Sequence[Task], trials: Trials, options: Options) -> list[Task]:
    """Those of a whole file whose tests no answer to the next task passes.

    Each package's tasks were tried on one another before. In the file, where `audit` looks, they
    have other neighbours.
    """
    kept, tried = list(tasks), set[tuple[str, str]]()
    while True:
        jobs: dict[tuple[str, ...], ProofTrial] = {}
        for task in kept:
            for trial in trials(task, kept):
                key = (task.id, trial.program.answer)
                if trial.gate == ANOTHERS and key not in tried:
                    tried.add(key)
                    jobs[task.id, ANOTHERS, "0"] = trial
        lost = {name for name, (gate, _) in _tried(jobs, options).items() if gate == ANOTHERS}
        if not lost:
            return kept
        kept = [task for task in kept if task.id not in lost]


def audit(tasks: Sequence[Task], trials: Trials, options: Options) -> list[AuditResult]:
    """The same of a file of tasks: a result for each."""
    found = []
    for task, (gate, why) in zip(tasks, _objections(tasks, trials, options), strict=True):
        said = "all gates hold"
        if gate:
            said = f"not proven: {why}" if gate == MACHINE else f"{gate}: {why}"
        found.append(AuditResult(task.id, verified=not gate, reason=said))
    return found


def is_compiled(tasks: Iterable[Task]) -> bool:
    found = [bool(origin(task)) for task in tasks]
    return bool(found) and all(found)


def content_hash(tasks: Iterable[Task]) -> str:
    """One for all: equal files of tasks have equal hashes on every machine."""
    import hashlib

    text = "\n".join(sorted(f"{task.id} {hash_of(task)}" for task in tasks))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def shuffled(task: Task, tasks: Sequence[Task]) -> str:
    """The reference of the next task that asks for something else; empty where there is none."""
    at = next(index for index, one in enumerate(tasks) if one.id == task.id)
    behind = (*tasks[at + 1 :], *tasks[:at])
    others = (one for one in behind if one.kind is task.kind and one.tests != task.tests)
    return next((one.reference for one in others if one.reference != task.reference), "")


def mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


MACHINE = "the machine's trouble"
ANOTHERS = "another task's answer passes"
_Objection = tuple[str, str]


def _objections(tasks: Sequence[Task], trials: Trials, options: Options) -> list[_Objection]:
    """Of each task the first gate that it does not pass, and why; empty where it passes all.

    Most are refuted by what is decisive; only for the others is the rest tried as well.
    """
    wanted = {task.id: trials(task, tasks) for task in tasks}
    found: dict[str, _Objection] = {}
    for decisive in (True, False):
        jobs: dict[tuple[str, ...], ProofTrial] = {
            (task.id, str(number), str(run)): trial
            for task in tasks
            if task.id not in found
            for number, trial in enumerate(wanted[task.id])
            for run in _runs(trial, decisive=decisive)
        }
        found |= _tried(jobs, options)
    return [found.get(task.id, ("", "")) for task in tasks]


def _runs(trial: ProofTrial, *, decisive: bool) -> range:
    """The first run of what decides, or all others: a program that runs is right every time."""
    again = trial.gate == REFERENCE and trial.program.style is TestStyle.RUST
    if decisive:
        return range(int(trial.decisive))
    return range(int(trial.decisive), _RUNS if again else 1)


def _tried(jobs: Mapping[tuple[str, ...], ProofTrial], options: Options) -> dict[str, _Objection]:
    """What ends otherwise than it must. Equal programs are compiled once, but for later runs."""
    same: dict[tuple[object, ...], tuple[str, ...]] = {}
    for key, trial in jobs.items():
        same.setdefault((trial.environment, trial.program, key[2]), key)
    work = [
        Job(key, trial.environment, trial.program, trial.reference)
        for key, trial in ((key, jobs[key]) for key in same.values())
    ]
    judged: dict[tuple[str, ...], Judgement] = {}
    if work:
        with closing(run_jobs(work, options)) as results:
            judged = {job.key: judgement for job, judgement in results}
    found: dict[str, _Objection] = {}
    for key, trial in jobs.items():
        judgement = judged[same[trial.environment, trial.program, key[2]]]
        if judgement.outcome is Outcome.INFRASTRUCTURE:
            objection = (MACHINE, judgement.reason)
        else:
            why = trial.verdict(judgement)
            objection = (trial.gate, why) if why else ("", "")
        if objection[0]:
            found.setdefault(key[0], objection)
    return found
