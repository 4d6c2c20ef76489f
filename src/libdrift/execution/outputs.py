"""Scripts around answers: run in the sandbox, and what they print compared out here.

The text that a script must print never enters the sandbox, so nothing in there can be forged but
by printing the right thing. What the original code prints in the environment that it was written
for is measured the same way, and kept: it is slow to import some libraries.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from libdrift.environments import Failed, Ready, build_all
from libdrift.execution.plan import Job
from libdrift.execution.pool import each
from libdrift.execution.remembered import Memory, of_the_moment
from libdrift.execution.scripts import Allowance, run_script, starts_programs
from libdrift.execution.substitution import Unfit, case_count, imports_of, put
from libdrift.execution.timing import Timing
from libdrift.records import Case, Environment, Outcome, Suite, Task, TestStyle
from libdrift.sandbox.commands import Ended
from libdrift.sandbox.guests import Output, Program
from libdrift.sandbox.judge import Judgement
from libdrift.sandbox.limits import Limits
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options
    from libdrift.execution.judges import Judged

STDERR = "\n--- stderr\n"  # in a log, between what was printed and what was complained of
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_CAUGHT = re.compile(r"^\s*(?:\(')?error\s*:", re.IGNORECASE)  # Python 2 prints a tuple
_PATIENCE = 5.0  # times the limit: what an original may take that was too slow beside others
_ORIGINAL_SECONDS = 120.0  # of an original, among others


def run_jobs(jobs: Sequence[Job], options: Options) -> Judged:
    """Judge every job, yielding each as it ends; those that take too long again, alone, at last."""
    places = _places((job.environment for job in jobs), options)
    stop = threading.Event()
    late: list[Job] = []

    def judge(job: Job) -> list[tuple[Job, Judgement]]:
        return [(job, _judge(job, places[job.environment], options, options.limits, stop))]

    with contextlib.closing(each(jobs, judge, options.workers, stop)) as results:
        for job, judgement in results:
            if judgement.outcome is Outcome.TIMEOUT:
                late.append(job)
            else:
                yield job, judgement
    timing = Timing(options.limits, options.time_factor)
    for job in late:
        place = places[job.environment]
        key = (job.environment, job.program.tests, job.reference)
        limits = timing.alone(key, partial(_own_seconds, job, place, options, stop))
        yield job, _judge(job, place, options, limits, stop)


def _own_seconds(
    job: Job, place: Ready | Failed, options: Options, stop: threading.Event, limits: Limits
) -> float:
    """How long a right answer takes now.

    Where no right answer is known, none is quicker than what the script imports.
    """
    if isinstance(place, Failed):
        return 0.0
    least = imports_of(job.program.tests)
    if job.reference:
        with contextlib.suppress(Unfit):
            least = put(job.reference, job.program.tests)
    return run_script(least, place, options, limits, stop).seconds


def _judge(
    job: Job, place: Ready | Failed, options: Options, limits: Limits, stop: threading.Event
) -> Judgement:
    program = job.program
    if isinstance(place, Failed):
        reason = f"no environment for {job.environment}: {place.reason}"
        return Judgement(Outcome.INFRASTRUCTURE, reason, 0.0, log=place.log)
    if not (program.expected or "").strip():
        reason = "what the original prints is not known: no answer can be compared with it"
        return Judgement(Outcome.INFRASTRUCTURE, reason, 0.0)
    try:
        script = put(program.answer, program.tests)
    except Unfit as error:
        return Judgement(Outcome.ERROR, str(error), 0.0)
    allowed = Allowance(starts_programs(program.tests))
    ended = run_script(script, place, options, limits, stop, allowed=allowed)
    if ended.trouble and not stop.is_set():  # once more: it may have passed
        ended = run_script(script, place, options, limits, stop, allowed=allowed)
    return _conclude(ended, program, limits)


def _conclude(ended: Ended, program: Program, limits: Limits) -> Judgement:
    outcome, reason = _decide(ended, program, limits)
    log = Output(limits.log_bytes)
    log.add((ended.stdout + (STDERR + ended.stderr if ended.stderr else "")).encode())
    cases = () if outcome is Outcome.INFRASTRUCTURE else _cases(ended.stdout, program)
    return Judgement(outcome, reason, ended.seconds, cases, log.text())


def _decide(ended: Ended, program: Program, limits: Limits) -> tuple[Outcome, str]:
    if ended.trouble or ended.stopped_by == "request":
        return Outcome.INFRASTRUCTURE, ended.trouble or "stopped before its end"
    if ended.stopped_by == "time":
        return Outcome.TIMEOUT, f"over the time limit of {limits.wall_seconds:g} s"
    if ended.stopped_by:
        return Outcome.ERROR, f"over the limit of {ended.stopped_by}"
    expected = program.expected or ""
    if ended.status != 0:
        return Outcome.ERROR, failure(ended)
    if same_output(ended.stdout, expected):
        weak = only_errors(expected, program.tests)
        return Outcome.PASSED, "prints nothing but errors, as expected" if weak else ""
    return Outcome.FAILED, _difference(ended.stdout, expected)


def same_output(printed: str, expected: str) -> bool:
    """Whether two texts are equal, but for addresses in memory and the end of the last line."""
    return normal(printed) == normal(expected)


def normal(printed: str) -> str:
    """An output as it is compared."""
    return _ADDRESS.sub("0x…", printed.replace("\r\n", "\n")).rstrip("\n")


def caught_errors(printed: str) -> list[str]:
    """The lines by which a script tells of errors that it has caught."""
    return [line.strip() for line in printed.splitlines() if _CAUGHT.match(line)]


def only_errors(printed: str, script: str) -> bool:
    """Whether no case of a script has printed anything but an error."""
    errors = len(caught_errors(printed))
    lines = sum(1 for line in printed.splitlines() if line.strip())
    return errors > 0 and errors in (lines, case_count(script))


def failure(ended: Ended) -> str:
    """How a script failed, in one line: its last words, else how it ended."""
    lines = [line.strip() for line in ended.stderr.splitlines() if line.strip()]
    if lines and ended.status == 1:
        return lines[-1][:300]
    status = ended.status or 0
    return f"killed by signal {status - 128}" if status > 128 else f"exit status {status}"  # noqa: PLR2004


def _difference(printed: str, expected: str) -> str:
    """The first line that differs. What was expected is not for those who answer."""
    ours, theirs = normal(printed).split("\n"), normal(expected).split("\n")
    for number, line in enumerate(ours):
        if number >= len(theirs) or line != theirs[number]:
            return f"line {number + 1} of the output differs: {line[:200]!r}"
    return f"the output ends after line {len(ours)}, too early"


def _cases(printed: str, program: Program) -> tuple[Case, ...]:
    """One case a line where each case prints one line; else one for all of the output."""
    ours, theirs = normal(printed).split("\n"), normal(program.expected or "").split("\n")
    if len(theirs) != case_count(program.tests):
        return (Case("output", "passed" if ours == theirs else "failed"),)
    return tuple(
        Case(f"case {number + 1}", "passed" if ours[number : number + 1] == [line] else "failed")
        for number, line in enumerate(theirs)
    )


# What originals print.


@dataclass(frozen=True, slots=True)
class Observed:
    """What a script did in an environment. ``trouble``: why that is not known."""

    ended: Ended
    steady: bool = True  # a second run, with other hashes, printed the same
    trouble: str = ""
    absent: bool = False  # it could not even be run there

    @property
    def runs(self) -> bool:
        return not self.trouble and self.ended.status == 0

    @property
    def why_not(self) -> str:
        if self.trouble:
            return self.trouble
        if self.ended.stopped_by:
            return f"goes over the limit of {self.ended.stopped_by}"
        return failure(self.ended)


@dataclass(frozen=True, slots=True)
class ScriptRun:
    environment: Environment
    script: str
    twice: bool = True  # run again, if it runs, to see whether its output is steady


def _places(
    environments: Iterable[Environment], options: Options
) -> dict[Environment, Ready | Failed]:
    distinct = list(dict.fromkeys(environments))
    options.progress.begin("environments", len(distinct))
    return build_all(
        distinct, options.settings, workers=options.workers, on_done=options.progress.environment
    )


def observe(wanted: Iterable[ScriptRun], options: Options) -> dict[ScriptRun, Observed]:
    """Run each script in its environment, or recall what it did there.

    One that takes too long beside others is run once more, alone: the machine may be what is slow.
    """
    distinct = list(dict.fromkeys(wanted))
    places = _places((item.environment for item in distinct), options)
    stop = threading.Event()

    limits = options.limits.with_time(_ORIGINAL_SECONDS)
    # Alone, the processor time counts, which others take nothing of: that much and no more.
    patient = replace(limits, wall_seconds=_PATIENCE * _ORIGINAL_SECONDS)

    def look(item: ScriptRun, limits: Limits = limits) -> Observed:
        place = places[item.environment]
        if isinstance(place, Failed):
            return Observed(Ended(None, "", "", 0.0), trouble=place.reason, absent=True)
        memory = Memory(item.script, place, options)
        first = memory.run(limits, stop, seed=0)
        if first.status != 0 or not item.twice:
            return Observed(first, trouble=of_the_moment(first))
        second = memory.run(limits, stop, seed=1)
        same = second.status == 0 and same_output(first.stdout, second.stdout)
        return Observed(first, steady=same, trouble=of_the_moment(second))

    def looked(item: ScriptRun) -> list[tuple[ScriptRun, Observed]]:
        return [(item, look(item))]

    with contextlib.closing(each(distinct, looked, options.workers, stop)) as results:
        found = dict(results)
    for item in [item for item, seen in found.items() if seen.trouble and not seen.absent]:
        found[item] = look(item, patient)
    return found


@dataclass(frozen=True, slots=True)
class Measured:
    """A suite whose scripts expect what was measured, and why some have nothing to expect."""

    suite: Suite
    reasons: Mapping[str, str]  # by task: it has no tests in ``suite``


def measured(
    suite: Suite, options: Options, tell: Callable[[str], None] = lambda _: None
) -> Measured:
    """Expect what each task's original prints in its own environment, measured here and now.

    Where the original cannot run as it is given, the script's own version of it does for it.
    """
    wanted: dict[str, ScriptRun] = {}
    reasons: dict[str, str] = {}
    for task in suite.tasks.values():
        made = _original(task)
        if isinstance(made, ScriptRun):
            wanted[task.id] = made
        elif made:
            reasons[task.id] = made
    if wanted:
        count = len({item.environment for item in wanted.values()})
        tell(
            f"measuring what {counted(len(wanted), 'original')} print, "
            f"in {counted(count, 'environment')}"
        )
    seen = observe(wanted.values(), options)
    found, failed = _sorted_out(wanted, seen)
    # What is not known of an original, for it could not be run to its end, nothing stands in for.
    broken = [name for name in failed if not seen[wanted[name]].trouble]
    scripts = {name: replace(wanted[name], script=_published(suite.tasks[name])) for name in broken}
    others = observe(scripts.values(), options)
    found |= _sorted_out(scripts, others)[0]
    reasons |= {name: why for name, why in failed.items() if name not in found}
    tasks = {name: _expecting(task, found.get(name)) for name, task in suite.tasks.items()}
    return Measured(replace(suite, tasks=MappingProxyType(tasks)), reasons)


def _sorted_out(
    wanted: Mapping[str, ScriptRun], seen: Mapping[ScriptRun, Observed]
) -> tuple[dict[str, str], dict[str, str]]:
    """By task, what can be expected; and where nothing can, why."""
    troubles = {name: unfit(seen[item], item.script) for name, item in wanted.items()}
    good = {name: seen[wanted[name]].ended.stdout for name, why in troubles.items() if not why}
    return good, {name: why for name, why in troubles.items() if why}


def _published(task: Task) -> str:
    """A task's script, as it is; empty where there is none."""
    codes = (tests.code for tests in task.tests if tests.style is TestStyle.OUTPUT)
    return next(codes, "")


def unfit(seen: Observed, script: str) -> str:
    """Why what an original does where it was written cannot be expected of answers; or nothing."""
    if seen.trouble:
        return seen.trouble
    if not seen.runs:
        return f"its original fails at origin: {seen.why_not}"
    if not seen.ended.stdout.strip():
        return "its original prints nothing"
    if only_errors(seen.ended.stdout, script):
        return f"its original only prints errors at origin: {caught_errors(seen.ended.stdout)[0]}"
    return "" if seen.steady else "its original prints something else in every run"


def _original(task: Task) -> ScriptRun | str:
    """The script with the task's original code; or why there is none; or nothing to measure."""
    script = _published(task)
    if not script:
        return ""
    if task.wrong is None:
        return "it has no original"
    try:
        return ScriptRun(task.wrong.environment, put(task.wrong.code, script))
    except Unfit as error:
        return str(error).replace("the answer", "its original")


def _expecting(task: Task, expected: str | None) -> Task:
    tests = tuple(
        replace(item, expected=expected) if item.style is TestStyle.OUTPUT else item
        for item in task.tests
        if item.style is not TestStyle.OUTPUT or expected is not None
    )
    return replace(task, tests=tests)
