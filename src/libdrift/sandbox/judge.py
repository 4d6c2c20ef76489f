"""The judge: decides from outside what a guest's signed reports prove."""

from __future__ import annotations

import secrets
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from libdrift.environments import Ready
from libdrift.records import Case, Outcome, Proof, TestStyle
from libdrift.sandbox.backends import Backend
from libdrift.sandbox.forks import Names
from libdrift.sandbox.guests import (
    GuestRun,
    Output,
    Program,
    Rehearsal,
    run_fresh,
    run_fresh_apart,
    run_fresh_rehearsal,
)
from libdrift.sandbox.limits import Limits
from libdrift.sandbox.reports import PHASES, GuestReport
from libdrift.sandbox.servers import Warm

# How a case fails whose answer's process has ended meanwhile: no error can have such a name.
_GONE = "judged apart: "
Apart = tuple["Judgement", dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Judgement:
    outcome: Outcome
    reason: str
    seconds: float
    cases: tuple[Case, ...] = ()
    log: str = ""
    proof: Proof | None = None  # how such tests prove a pass
    stuck: str = ""  # why answer and tests cannot be in different processes
    changes: bool = False  # whether it changes its arguments, as the reference does not
    busy: bool = False  # of one that took too long: whether it had a processor most of that time
    killed: bool = False  # whether SIGKILL ended it, which may have been the machine's
    uses: bool | None = None  # whether it really uses the API at stake, where that can be resolved


def judge(
    program: Program,
    place: Ready,
    backend: Backend,
    limits: Limits,
    stop: threading.Event | None = None,
) -> Judgement:
    """Run the program's tests on its answer in ``place``; the verdict is the host's alone.

    Setting ``stop`` ends the run at once; its judgement is then infrastructure.
    """
    canary = f"test_{secrets.token_hex(6)}"
    run = GuestRun(GuestReport(), Output(limits.log_bytes), stop or threading.Event())
    run_fresh(run, program, place, backend, limits, canary)
    return _conclude(run, program, limits, canary)


def judge_warm(
    program: Program,
    place: Ready,
    warm: Warm,
    limits: Limits,
    steps: Sequence[Names] = (),
    stop: threading.Event | None = None,
) -> Judgement | None:
    """As ``judge``, in a fork of a warm process; ``None`` where that cannot be had."""
    run = GuestRun(GuestReport(), Output(limits.log_bytes), stop or threading.Event())
    canary = warm.run(run, program, place, limits, steps)
    return None if canary is None else _conclude(run, program, limits, canary)


def judge_apart(
    program: Program,
    place: Ready,
    backend: Backend,
    limits: Limits,
    learned: dict[str, Any] | None,
    stop: threading.Event | None = None,
    imports: Names = frozenset(),
) -> Apart:
    """As ``judge``, with answer and tests in different processes.

    ``imports`` are made for the tests before they are loaded. ``learned`` is what the values of the
    task's reference are made of. Without it the answer is the reference, and the second part of the
    result is what was learned.
    """
    canary = f"test_{secrets.token_hex(6)}"
    report = GuestReport(learning=learned is None)
    run = GuestRun(report, Output(limits.log_bytes), stop or threading.Event())
    told = {"imports": sorted(imports), "learned": learned}
    run_fresh_apart(run, program, place, backend, limits, canary, told)
    return _conclude(run, program, limits, canary), run.report.learned


def judge_warm_apart(
    program: Program,
    place: Ready,
    warm: Warm,
    limits: Limits,
    steps: tuple[Sequence[Names], Names],
    learned: dict[str, Any] | None,
    stop: threading.Event | None = None,
) -> Apart | None:
    """As ``judge_apart``, in forks of warm processes; ``None`` where that cannot be had."""
    report = GuestReport(learning=learned is None)
    run = GuestRun(report, Output(limits.log_bytes), stop or threading.Event())
    canary = warm.run_apart(run, program, place, limits, steps, learned)
    if canary is None:
        return None
    return _conclude(run, program, limits, canary), run.report.learned


def rehearse(
    rehearsal: Rehearsal,
    place: Ready,
    backend: Backend,
    limits: Limits,
    stop: threading.Event | None = None,
    imports: Names = frozenset(),
) -> list[Judgement]:
    """Judge answers that do no harm apart from their tests, each within these limits."""
    canary = f"test_{secrets.token_hex(6)}"
    run, within = _rehearsed(rehearsal, limits, stop)
    told = {**rehearsal.job(limits.wall_seconds), "imports": sorted(imports)}
    run_fresh_rehearsal(run, rehearsal.program, place, backend, within, canary, told)
    return _conclude_all(run, rehearsal, limits, canary)


def rehearse_warm(
    rehearsal: Rehearsal,
    place: Ready,
    warm: Warm,
    limits: Limits,
    steps: Sequence[Names],
    stop: threading.Event | None = None,
) -> list[Judgement] | None:
    """As ``rehearse``, in a fork of a warm process; ``None`` where that cannot be had."""
    run, within = _rehearsed(rehearsal, limits, stop)
    job = rehearsal.job(limits.wall_seconds)
    canary = warm.run_rehearsal(run, rehearsal.program, place, within, steps, job)
    return None if canary is None else _conclude_all(run, rehearsal, limits, canary)


def _rehearsed(
    rehearsal: Rehearsal, limits: Limits, stop: threading.Event | None
) -> tuple[GuestRun, Limits]:
    """The run of a rehearsal, and the limits of all its answers together."""
    count = len(rehearsal.answers)
    report = GuestReport(parts=[GuestReport() for _ in range(count)])
    run = GuestRun(report, Output(limits.log_bytes), stop or threading.Event())
    return run, limits.with_time((1 + count) * limits.wall_seconds)


def _conclude_all(
    run: GuestRun, rehearsal: Rehearsal, limits: Limits, canary: str
) -> list[Judgement]:
    found = []
    for answer, report in zip(rehearsal.answers, run.report.parts, strict=True):
        part = replace(run, report=report, status=None)
        if report.ended or report.unloaded:
            part.stopped_by = ""  # whatever became of those after it
        if report.late:
            part.stopped_by = "time"
        program = replace(rehearsal.program, answer=answer)
        judged = _conclude(part, program, limits, canary)
        # How its process ended is not told. None of these answers ends its own: somebody else may
        # have.
        silent = judged.outcome is Outcome.ERROR and not part.stopped_by and _is_silent(report)
        found.append(replace(judged, killed=silent))
    return found


def _conclude(run: GuestRun, program: Program, limits: Limits, canary: str) -> Judgement:
    outcome, reason = _decide(run, program, limits, canary)
    cases = _cases(run.report, canary)
    kind, why = run.report.trouble
    stuck = why if kind == "stuck" else ""
    return Judgement(
        outcome,
        reason,
        round(run.seconds, 3),
        tuple(cases),
        run.output.text(),
        stuck=stuck,
        changes=run.report.changes,
        busy=run.busy,
        killed=outcome is Outcome.ERROR and not run.stopped_by and _was_killed(run),
    )


def _was_killed(run: GuestRun) -> bool:
    """Whether who should have gone on talking was killed; who has said all is killed by us."""
    gone = run.report.trouble[0] == "gone"
    status = run.answer_status if gone else run.status
    return _is_silent(run.report) and status in {-signal.SIGKILL, 128 + signal.SIGKILL}


def _is_silent(report: GuestReport) -> bool:
    """Whether more should have been told."""
    return report.trouble[0] == "gone" or not (report.ended or report.unloaded)


def _cases(report: GuestReport, canary: str) -> list[Case]:
    """One case per test, by its worst phase; the canary is nobody's business."""
    worst: dict[str, str] = {}
    for name, when, outcome, _ in report.phases:
        if canary in name:
            continue
        seen = "error" if outcome == "failed" and when != "call" else outcome
        if name not in worst or PHASES.index(seen) > PHASES.index(worst[name]):
            worst[name] = seen
    return [Case(name, outcome) for name, outcome in worst.items()]


def _decide(run: GuestRun, program: Program, limits: Limits, canary: str) -> tuple[Outcome, str]:
    report = run.report
    if run.stopped_by == "request":
        return Outcome.INFRASTRUCTURE, "interrupted"
    if report.functions is None:
        last = (run.output.text().strip().splitlines() or ["no output"])[-1]
        return Outcome.INFRASTRUCTURE, f"the guest did not start: {last[:300]}"
    if report.garbled:
        return Outcome.FAILED, "tampered: wrote to the judge's channel"
    failure = _failure(report, canary, until=_GONE)
    if failure and _is_cut_short(run):
        # Whoever is wrong must not have another try by ending, or by waiting, when he notices.
        return Outcome.FAILED, failure
    if run.stopped_by == "time":
        return Outcome.TIMEOUT, f"over the time limit of {limits.wall_seconds:g} s"
    if run.stopped_by:
        return Outcome.ERROR, f"over the {run.stopped_by} limit"
    if report.breaches:
        return Outcome.FAILED, f"tampered: {report.breaches[0]}"
    if report.trouble[0]:
        return _decide_trouble(run)
    if report.unloaded:
        return Outcome.ERROR, f"the answer does not load: {report.unloaded}"
    if report.changed:
        return Outcome.FAILED, f"tampered: changed {report.changed}, which its tests judge with"
    if not report.ended:
        return Outcome.ERROR, f"ended before its tests did ({_status(run.status)})"
    return _decide_cases(report, program, canary)


def _is_cut_short(run: GuestRun) -> bool:
    """Whether a run ended before its tests did in a way that is otherwise tried once more."""
    return run.stopped_by == "time" or (not run.stopped_by and _is_silent(run.report))


def _failure(report: GuestReport, canary: str, until: str = "") -> str:
    """The first case that has failed, and why; empty if none has, ``until`` one that says this."""
    for name, _, outcome, note in report.phases:
        if outcome == "failed" and canary not in name:
            return "" if until and note.startswith(until) else f"{name}: {note}"
    return ""


def _decide_trouble(run: GuestRun) -> tuple[Outcome, str]:
    """What it means that tests cannot go on talking to an answer that runs elsewhere."""
    kind, reason = run.report.trouble
    if kind == "gone" and not run.answer_began:
        last = (run.output.text().strip().splitlines() or ["no output"])[-1]
        return Outcome.INFRASTRUCTURE, f"the answer's guest did not start: {last[:300]}"
    if kind == "gone":
        return Outcome.ERROR, f"ended before its tests did ({_status(run.answer_status)})"
    if kind == "garbled":
        return Outcome.FAILED, f"tampered: {reason}"
    return Outcome.FAILED, f"cannot be judged apart from its tests, as the reference can: {reason}"


def _decide_cases(report: GuestReport, program: Program, canary: str) -> tuple[Outcome, str]:
    cases = _cases(report, canary)
    errors = [phase for phase in report.phases if phase[2] == "error"]
    if errors:
        return Outcome.ERROR, f"the tests do not load: {errors[0][3]}"
    if failure := _failure(report, canary):
        return Outcome.FAILED, failure
    if program.style is TestStyle.PYTEST:
        alarm = [phase for phase in report.phases if canary in phase[0] and phase[1] == "call"]
        if not alarm:
            return Outcome.ERROR, f"ended before its tests did ({report.stopped or 'no more'})"
        if alarm[0][2] != "failed":
            return Outcome.FAILED, "tampered: a test that must fail passed"
    elif -1 not in report.done:
        return Outcome.FAILED, "tampered: the test did not run to its end"
    return _decide_completeness(report, program, cases)


def _decide_completeness(
    report: GuestReport, program: Program, cases: list[Case]
) -> tuple[Outcome, str]:
    """Every test of the source was run, to its end, and none was talked out of it."""
    declared = any(word in program.tests for word in ("skip", "xfail", "importorskip"))
    for case in cases:
        if case.outcome != "passed" and not declared:
            return Outcome.FAILED, f"{case.name}: {case.outcome}"
    passed = [case.name for case in cases if case.outcome == "passed"]
    if not passed:
        return Outcome.FAILED, "no test passed"
    if program.style is TestStyle.SCRIPT and "unittest.main" in program.tests and not declared:
        # What unittest runs of a script reports to nobody: each of its tests must have signed.
        for index, name in enumerate(report.functions or []):
            if not name.startswith("?") and index not in report.done:
                return Outcome.FAILED, f"tampered: {name} did not run to its end"
    if program.style is TestStyle.PYTEST:
        functions = [name.removeprefix("?") for name in report.functions or []]
        certain = [name for name in report.functions or [] if not name.startswith("?")]
        ran = {name.split("[")[0].rpartition("::")[2] for name in (c.name for c in cases)}
        missing = [name for name in certain if name not in ran]
        if missing:
            return Outcome.FAILED, f"tampered: {missing[0]} was not run"
        signed = {functions[index] for index in report.done if 0 <= index < len(functions)}
        for name in passed:
            function = name.split("[")[0].rpartition("::")[2]
            # A method that a test class inherits from a library is not in the source.
            if function in functions and function not in signed:
                return Outcome.FAILED, f"tampered: {function} did not run to its end"
    return Outcome.PASSED, ""


def _status(status: int | None) -> str:
    if status is None:
        return "no exit status"
    # bubblewrap reports a signal of its child as 128 + number.
    number = -status if status < 0 else status - 128 if status > 128 else 0  # noqa: PLR2004
    if number:
        try:
            return f"killed by {signal.Signals(number).name}"
        except ValueError:
            return f"exit status {status}"
    return f"exit status {status}"
