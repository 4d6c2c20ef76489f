"""Which of CODEMENV's samples are true: by running the original, and by looking its labels up.

A Python sample is *verified* when its original runs where it was written, prints something else
(or fails) in the target, and each of its labels is there in the one and not in the other. On the
way to a newer version, one that is only deprecated there counts as gone. A Java sample has no
tests: its original must compile where it was written. All tasks of a sample share its verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from libdrift.errors import InfrastructureError, LibdriftError
from libdrift.execution.outputs import (
    Observed,
    ScriptRun,
    caught_errors,
    observe,
    same_output,
    unfit,
)
from libdrift.execution.plan import Job
from libdrift.execution.substitution import Unfit, put
from libdrift.records import Environment, Outcome, Surface, Task, TestStyle
from libdrift.sandbox import Judgement, Program
from libdrift.scoring import AuditResult
from libdrift.suites.codemenv import environments, samples
from libdrift.suites.codemenv.label_lookup import Label, LabelState, State, look_up

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

_LINE = 160  # characters of a reason's part: what happened, not all that was said
_JAVA = "java"
PROVEN = "runs at origin, not so at target; its labels are there at origin, not at target"
PROVEN_JAVA = "compiles at origin; its label is there at origin, and gone or deprecated at target"
# What JDK 8 had in its tools.jar: a part of it, but of no platform that is known to compilers.
_TOOLS = ("com.sun.javadoc.", "com.sun.jarsigner.", "com.sun.jdi.", "com.sun.tools.")
_UNSEEN = "JDK 8's tools are not among what javac --release 8 sees"


@dataclass(frozen=True, slots=True)
class _Sample:
    """What any task of a sample tells of it."""

    origin: Environment
    target: Environment
    labels: tuple[Label, ...]
    forward: bool  # to a newer version
    script: str = ""  # with the original code; in Java, that code
    trouble: str = ""  # why there is no such script

    @property
    def language(self) -> str:
        return self.origin.language

    @property
    def at_origin(self) -> ScriptRun:
        return ScriptRun(self.origin, self.script)

    @property
    def at_target(self) -> ScriptRun:
        return ScriptRun(self.target, self.script, twice=False)


_Looked = Mapping[tuple[Environment, Label], LabelState]


def audit(tasks: Iterable[Task], options: Options) -> list[AuditResult]:
    """Every task gets a result, in suite order; each sample is run but once."""
    chosen = list(tasks)
    distinct = {_code(task): _sample(task) for task in chosen}
    python = [sample for sample in distinct.values() if sample.language != _JAVA]
    runnable = [sample for sample in python if sample.script]
    wanted = [item for sample in runnable for item in (sample.at_origin, sample.at_target)]
    seen = observe(wanted, options)
    pairs = [
        (place, label)
        for sample in python
        for label in sample.labels
        for place in (sample.origin, sample.target)
    ]
    looked = look_up(pairs, options)
    java = {code: sample for code, sample in distinct.items() if sample.language == _JAVA}
    compiled = _compiled(java, options)
    troubles = {
        code: _java(sample, compiled[code]) if code in java else _python(sample, seen, looked)
        for code, sample in distinct.items()
    }
    return [_result(task, troubles[_code(task)]) for task in chosen]


def _code(task: Task) -> str:
    return str(task.source["code_id"])


def _result(task: Task, troubles: list[str]) -> AuditResult:
    if troubles:
        return AuditResult(task.id, verified=False, reason="; ".join(troubles))
    reason = PROVEN_JAVA if task.language == _JAVA else PROVEN
    return AuditResult(task.id, verified=True, reason=reason)


def _sample(task: Task) -> _Sample:
    labels = tuple(Label(name, task.facts.library) for name in task.facts.api_calls)
    forward = task.facts.direction == samples.OLD_TO_NEW
    if task.language == _JAVA:
        origin = environments.java(environments.JAVA_FROM)
        return _Sample(origin, task.environment, labels, forward, task.starter)
    package = task.facts.library
    origin = environments.environment_for(package, str(task.source["origin_version"]))
    published = samples.script_of(str(task.source["solution_function_script"]))
    try:
        script, trouble = put(task.starter, published), ""
    except Unfit as error:
        script, trouble = "", str(error).replace("the answer", "the original")
    return _Sample(origin, task.environment, labels, forward, script, trouble)


def _python(sample: _Sample, seen: Mapping[ScriptRun, Observed], looked: _Looked) -> list[str]:
    """Why a sample is not true; nothing if it is."""
    if sample.trouble:
        return [sample.trouble]
    before, after = seen[sample.at_origin], seen[sample.at_target]
    for place, observed in ((sample.origin, before), (sample.target, after)):
        if observed.absent and not place.requirements:
            return [f"no interpreter {place.runtime}"]
        if observed.trouble:
            return [f"not proven: {observed.trouble}"]
    trouble = unfit(before, sample.at_origin.script).replace("its original fails", "fails")
    if trouble:
        return [trouble[:_LINE]]
    found = []
    errors = caught_errors(before.ended.stdout)
    if errors:
        found.append(f"a case ends in an error at origin: {errors[0]}"[:_LINE])
    if after.runs and same_output(before.ended.stdout, after.ended.stdout):
        found.append("runs at origin; same output at target")
    labels = (
        _label(one.name, looked[sample.origin, one], looked[sample.target, one], sample)
        for one in sample.labels
    )
    return [*found, *filter(None, labels)]


def _label(name: str, before: LabelState, after: LabelState, sample: _Sample) -> str:
    """Why a label is not true; empty if it is."""
    if before.state is State.NO_NAME:
        return f"label {name} is no name"
    unknown = next((one.how for one in (before, after) if one.state is State.UNKNOWN), None)
    if unknown is not None:
        return f"not proven: label {name} could not be looked up: {unknown}"
    if before.state is State.GONE and sample.language == _JAVA and name.startswith(_TOOLS):
        return f"label {name} is not known at {sample.origin.runtime}: {_UNSEEN}"
    if before.state is State.GONE:
        where = f"--release {sample.origin.runtime}" if sample.language == _JAVA else "origin"
        return f"label {name} is not there at {where}"
    if after.state is State.GONE or (after.state is State.DEPRECATED and sample.forward):
        return ""
    deprecated = ", deprecated at target" if after.state is State.DEPRECATED else ""
    return f"label {name} is there in both{deprecated}"


def _compiled(java: Mapping[str, _Sample], options: Options) -> dict[str, Judgement]:
    """What a compiler says of each original, for the release that it was written for."""
    if not java:
        return {}
    # Nothing to samples in Python, and slow to import.
    from libdrift.execution.java import run_jobs

    jobs = [
        Job((code,), sample.origin, Program(sample.script, "", TestStyle.COMPILE))
        for code, sample in java.items()
    ]
    return {job.key[0]: judgement for job, judgement in run_jobs(jobs, options)}


def _java(sample: _Sample, compiled: Judgement) -> list[str]:
    try:
        before, after = _platform(sample.origin.runtime), _platform(sample.target.runtime)
    except LibdriftError as error:
        return [f"not proven: {error}"]
    known = {one.name: _declared(one.name, before) for one in sample.labels}
    labels = (_label(name, known[name], _declared(name, after), sample) for name in known)
    found = list(filter(None, labels))
    # Code with a name that is not there does not compile for that reason.
    if all(one.state is not State.GONE for one in known.values()):
        found += _refused(compiled)
    return found


def _refused(compiled: Judgement) -> list[str]:
    if compiled.outcome is Outcome.PASSED:
        return []
    told = compiled.reason
    # That a compiler takes long says more of the machine than of what it compiles.
    unknown = compiled.outcome in {Outcome.INFRASTRUCTURE, Outcome.TIMEOUT}
    return [(f"not proven: {told}" if unknown else f"its original {told}")[:_LINE]]


@cache
def _platform(release: str) -> Surface:
    # Nothing to samples in Python, and slow to import.
    from libdrift.languages.java import jdks, platforms

    jdk = jdks.for_release(int(release))
    found = next(surface for _, surface in platforms.surfaces((jdk,), (release,)))
    if isinstance(found, str):
        raise InfrastructureError(found, "Reinstall that JDK, or install another one")
    return found


def _declared(name: str, surface: Surface) -> LabelState:
    """A class or a member, deprecated if it is itself or is in something that is."""
    if surface.resolve(name) is None:
        return LabelState(State.GONE)
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        symbol = surface.resolve(".".join(parts[:length]))
        if symbol is not None and symbol.deprecation is not None:
            return LabelState(State.DEPRECATED, symbol.deprecation.message)
    return LabelState(State.THERE)
