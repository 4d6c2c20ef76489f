"""What RustEvo²'s tasks prove: their references, their tests, and whether they need the new API.

A task is *verified* when its reference passes and really uses the API at stake, and its tests are
not vacuous: they fail on no answer at all, and on the reference with its bodies taken out. Of what
was introduced, it is also tried whether the reference passes in the release before: then the task
does not need that API's release, which is said but does not count against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import replace

from tree_sitter import Node

from libdrift.execution import Job, Options, run_jobs
from libdrift.metrics import trees
from libdrift.records import ChangeKind, Environment, Outcome, Split, Task, Tests
from libdrift.sandbox import Judgement
from libdrift.scoring import AuditResult, SplitResult
from libdrift.scoring.verdicts import program_for
from libdrift.suites.rustevo.scores import uses_api

_NOTHING = "// no answer\n"
_BODY = b"{ unimplemented!() }"
_STD = "std"

_Judged = Mapping[tuple[str, ...], Judgement]


def audit(tasks: Iterable[Task], options: Options) -> list[AuditResult]:
    """Prove each task by execution; every one gets a result, in suite order."""
    chosen = list(tasks)
    first = _run([job for task in chosen for job in _reference(task)], options)
    passing = [task for task in chosen if _passed(first.get((task.id, "reference")))]
    judged = first | _run([job for task in passing for job in _trials(task)], options)
    return [_conclude(task, judged) for task in chosen]


def stub(code: str) -> str:
    """The code with every function's body taken out; the same where it has none."""
    data = trees.encoded(code)
    kept, end = [], 0
    for body in _bodies(trees.root(data, "rust")):
        if body.start_byte >= end:  # not inside one that is gone already
            kept += [data[end : body.start_byte], _BODY]
            end = body.end_byte
    return b"".join([*kept, data[end:]]).decode("utf-8", "replace")


def before(task: Task) -> Environment | None:
    """The task's environment one release earlier, of an API that its release introduced."""
    facts, own = task.facts, task.environment
    if facts.change is not ChangeKind.INTRODUCED or not facts.from_version:
        return None
    if facts.library == _STD:
        return replace(own, runtime=facts.from_version)
    now, then = (f"{facts.library}={version}" for version in (facts.version, facts.from_version))
    pins = tuple(
        then + pin.removeprefix(now) if pin == now or pin.startswith(f"{now}[") else pin
        for pin in own.requirements
    )
    return replace(own, requirements=pins) if pins != own.requirements else None


def _bodies(root: Node) -> list[Node]:
    found = (
        node.child_by_field_name("body")
        for node in trees.walk(root)
        if node.type == "function_item"
    )
    return [body for body in found if body is not None]


def _run(jobs: list[Job], options: Options) -> dict[tuple[str, ...], Judgement]:
    with closing(run_jobs(jobs, options)) as results:
        return {job.key: judgement for job, judgement in results}


def _reference(task: Task) -> list[Job]:
    tests = _hidden(task)
    if tests is None or not task.reference.strip():
        return []
    program = program_for(task, tests, task.reference)
    return [Job((task.id, "reference"), task.environment, program, task.reference)]


def _trials(task: Task) -> list[Job]:
    """What must fail, and what tells whether the new release is needed."""
    tests = _hidden(task)
    if tests is None:
        return []
    answers = {"nothing": _NOTHING, "stub": stub(task.reference)}
    jobs = [
        Job((task.id, role), task.environment, program_for(task, tests, code), task.reference)
        for role, code in answers.items()
        if code != task.reference
    ]
    earlier = before(task)
    if earlier is not None:
        program = program_for(task, tests, task.reference)
        jobs.append(Job((task.id, "before"), earlier, program))
    return jobs


def _hidden(task: Task) -> Tests | None:
    return next((tests for tests in task.tests if tests.split is Split.HIDDEN), None)


def _passed(judgement: Judgement | None) -> bool:
    return judgement is not None and judgement.outcome is Outcome.PASSED


def _conclude(task: Task, judged: _Judged) -> AuditResult:
    reference = judged.get((task.id, "reference"))
    if reference is None:
        reason = "has no tests" if _hidden(task) is None else "has no reference"
        return AuditResult(task.id, verified=False, reason=reason)
    why = "" if _passed(reference) else _why(task, reference)
    split = SplitResult(Split.HIDDEN, reference.outcome, why)
    trouble = _trouble(task, reference, judged)
    known = _known(task, judged)
    if trouble:
        reason = "; ".join(filter(None, [trouble, known if _passed(reference) else ""]))
        return AuditResult(task.id, verified=False, reason=reason, splits=(split,))
    reason = "; ".join(filter(None, [f"the reference passes, and uses {_api(task)}", known]))
    return AuditResult(task.id, verified=True, reason=reason, splits=(split,))


def _trouble(task: Task, reference: Judgement, judged: _Judged) -> str:
    """Why a task is not verified; empty if it is."""
    if "no-tests" in task.facts.tags:
        return "has no tests: only words that say so"
    if reference.outcome is Outcome.INFRASTRUCTURE:
        return _why(task, reference)
    if not _passed(reference):
        return f"the reference does not pass: {_why(task, reference)}"
    trials = {role: judged.get((task.id, role)) for role in ("nothing", "stub")}
    for role, words in {
        "nothing": "vacuous tests: they pass without an answer",
        "stub": "vacuous tests: they pass on functions without bodies",
    }.items():
        if _passed(trials[role]):
            return words
    for trial in trials.values():
        if trial is not None and trial.outcome is Outcome.INFRASTRUCTURE:
            return _why(task, trial)
    uses = uses_api(task, task.reference, reference)
    if uses is None:
        return f"nobody can tell whether the reference uses {_api(task)}"
    if not uses:
        return f"the reference passes, and does not use {_api(task)}"
    return ""


def _known(task: Task, judged: _Judged) -> str:
    """What the release before says."""
    earlier = judged.get((task.id, "before"))
    if earlier is None or earlier.outcome is Outcome.INFRASTRUCTURE:
        return ""
    where = f"{task.facts.library} {task.facts.from_version}"
    return f"valid at {where} too" if _passed(earlier) else f"not at {where}"


def _why(task: Task, judgement: Judgement) -> str:
    """A failure without words still is one: its outcome stands for the reason."""
    if judgement.outcome is Outcome.INFRASTRUCTURE:
        # All that is in an environment would hide what is wrong with it.
        _, found, reason = judgement.reason.partition(f"{task.environment}: ")
        return f"not proven: {reason if found else judgement.reason}"
    return judgement.reason or judgement.outcome.value


def _api(task: Task) -> str:
    return task.facts.symbol or "the API"
