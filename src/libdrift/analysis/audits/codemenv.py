"""Which of CODEMENV's samples are true: by running the original, and by looking its labels up.

A Python sample is *verified* when its original runs where it was written, prints something else
(or fails) in the target, and each of its labels is there in the one and not in the other. On the
way to a newer version, one that is only deprecated there counts as gone. A Java sample has no
tests: its labels are looked up alone. All tasks of a sample share its verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from libdrift.analysis.audits.codemenv_names import Found, Label, State, look_up
from libdrift.errors import InfrastructureError, LibdriftError
from libdrift.execution import AuditResult
from libdrift.execution.outputs import (
    Observed,
    Wanted,
    caught_errors,
    observe,
    same_output,
    unfit,
)
from libdrift.execution.replacing import Unfit, put
from libdrift.records import Environment, Surface, Task
from libdrift.suites.codemenv import environments, samples

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

_LINE = 160  # characters of a reason's part: what happened, not all that was said
_JAVA = "java"
PROVEN = "runs at origin, not so at target; its labels are there at origin, not at target"
PROVEN_JAVA = "its label is there at origin, and gone or deprecated at target"


@dataclass(frozen=True, slots=True)
class _Sample:
    """What any task of a sample tells of it."""

    origin: Environment
    target: Environment
    labels: tuple[Label, ...]
    forward: bool  # to a newer version
    script: str = ""  # with the original code
    trouble: str = ""  # why there is no such script

    @property
    def language(self) -> str:
        return self.origin.language

    @property
    def at_origin(self) -> Wanted:
        return Wanted(self.origin, self.script)

    @property
    def at_target(self) -> Wanted:
        return Wanted(self.target, self.script, twice=False)


_Looked = Mapping[tuple[Environment, Label], Found]


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
    troubles = {
        code: _java(sample) if sample.language == _JAVA else _python(sample, seen, looked)
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
        return _Sample(origin, task.environment, labels, forward)
    package = task.facts.library
    origin = environments.environment_for(package, str(task.source["origin_version"]))
    published = samples.script_of(str(task.source["solution_function_script"]))
    try:
        script, trouble = put(task.starter, published), ""
    except Unfit as error:
        script, trouble = "", str(error).replace("the answer", "the original")
    return _Sample(origin, task.environment, labels, forward, script, trouble)


def _python(sample: _Sample, seen: Mapping[Wanted, Observed], looked: _Looked) -> list[str]:
    """Why a sample is not true; nothing if it is."""
    if sample.trouble:
        return [sample.trouble]
    before, after = seen[sample.at_origin], seen[sample.at_target]
    for place, observed in ((sample.origin, before), (sample.target, after)):
        if observed.trouble and not place.requirements:
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


def _label(name: str, before: Found, after: Found, sample: _Sample) -> str:
    """Why a label is not true; empty if it is."""
    if before.state is State.NO_NAME:
        return f"label {name} is no name"
    if before.state is State.GONE:
        where = f"--release {sample.origin.runtime}" if sample.language == _JAVA else "origin"
        return f"label {name} is not there at {where}"
    if after.state is State.GONE or (after.state is State.DEPRECATED and sample.forward):
        return ""
    deprecated = ", deprecated at target" if after.state is State.DEPRECATED else ""
    return f"label {name} is there in both{deprecated}"


def _java(sample: _Sample) -> list[str]:
    try:
        before, after = _platform(sample.origin.runtime), _platform(sample.target.runtime)
    except LibdriftError as error:
        return [f"not proven: {error}"]
    labels = (
        _label(one.name, _declared(one.name, before), _declared(one.name, after), sample)
        for one in sample.labels
    )
    return list(filter(None, labels))


@cache
def _platform(release: str) -> Surface:
    # Nothing to samples in Python, and slow to import.
    from libdrift.languages.java import jdks, platforms

    jdk = jdks.for_release(int(release))
    found = next(surface for _, surface in platforms.surfaces((jdk,), (release,)))
    if isinstance(found, str):
        raise InfrastructureError(found, "Install that JDK anew, or another one")
    return found


def _declared(name: str, surface: Surface) -> Found:
    """A class or a member, deprecated if it is itself or is in something that is."""
    if surface.resolve(name) is None:
        return Found(State.GONE)
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        symbol = surface.resolve(".".join(parts[:length]))
        if symbol is not None and symbol.deprecation is not None:
            return Found(State.DEPRECATED, symbol.deprecation.message)
    return Found(State.THERE)
