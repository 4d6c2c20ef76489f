"""Java answers: they must compile for a release, and leave alone the APIs that are at stake.

An answer is data to the compiler and is never run; annotation processors, which would be, are off.
What a compiled answer uses is read from its class files: they name every class and every member
that they need to be linked, whatever the source looks like. Generics that are erased, and constants
that are put in their place, stand in the source alone.

The tests of such a task are the original code. Nothing shows that an answer does the same, but one
that leaves out its class, or most of its methods, does not.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import logging
import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import TYPE_CHECKING

from libdrift.errors import InfrastructureError, LibdriftError
from libdrift.execution.java_evasions import evasion
from libdrift.execution.plan import Job
from libdrift.execution.pool import each
from libdrift.execution.timing import Timing
from libdrift.languages.java import classfile, jdks, platforms, types, usage
from libdrift.languages.java.classfile import ClassFile, ClassFileError
from libdrift.languages.java.jdks import Jdk
from libdrift.records import Case, Outcome, Surface
from libdrift.sandbox.commands import Command, Ended, run
from libdrift.sandbox.judge import Judgement
from libdrift.sandbox.limits import MIB, Limits

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options
    from libdrift.execution.judges import Judged

logger = logging.getLogger(__name__)

_TOGETHER = 16  # answers in one start of the compiler, which takes longer than most of them
_RESULTS = "results"
_LEAST_HEAP = 256 * MIB
_FILE = re.compile(r"[\w$]{1,60}")
_OBJECT = "java.lang.Object"
_SHOWN = 5  # names in a reason
_PLATFORMS = threading.Lock()


@dataclass(slots=True)
class _Compiled:
    """What the compiler told of one answer; ``end`` is empty where it did not come to an end."""

    end: str = ""
    detail: str = ""
    told: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    classes: list[bytes] = field(default_factory=list)


def run_jobs(jobs: Sequence[Job], options: Options) -> Judged:
    """Judge every job, yielding each as soon as it is known; closing it stops the rest."""
    stop = threading.Event()
    groups: defaultdict[int | None, list[Job]] = defaultdict(list)
    for job in jobs:
        groups[jdks.feature(job.environment.runtime)].append(job)
    batches = [
        (release, group[at : at + _TOGETHER])
        for release, group in groups.items()
        for at in range(0, len(group), _TOGETHER)
    ]
    late: list[Job] = []

    def judge(batch: tuple[int | None, list[Job]]) -> _Judgements:
        return _batch(*batch, options, stop)

    with closing(each(batches, judge, options.workers, stop)) as results:
        for job, judgement in results:
            if judgement.outcome is Outcome.TIMEOUT:
                late.append(job)
                continue
            yield job, judgement
    timing = Timing(options.limits, options.time_factor)
    for job in late:
        release = jdks.feature(job.environment.runtime)
        key = (job.environment, job.program.tests)
        limits = timing.alone(key, functools.partial(_own_seconds, release, job, options, stop))
        yield from _batch(release, [job], replace(options, limits=limits), stop)


_Judgements = list[tuple[Job, Judgement]]


def _batch(
    release: int | None, jobs: Sequence[Job], options: Options, stop: threading.Event
) -> _Judgements:
    """Judge some answers in one run of the compiler; those that it says nothing of, one by one."""
    if release is None:
        return [
            (job, _trouble(f"{job.environment.runtime!r} is no release of Java")) for job in jobs
        ]
    try:
        jdk = jdks.for_release(release)
    except LibdriftError as error:
        return [(job, _trouble(str(error))) for job in jobs]
    ended, compiled = _compile(jdk, release, jobs, options, stop)
    found: _Judgements = []
    for job, told in zip(jobs, compiled, strict=True):
        if told.end:
            seconds = round(ended.seconds / len(jobs), 3)
            found.append((job, _judgement(job, told, release, seconds)))
        elif len(jobs) == 1 or ended.trouble or stop.is_set():
            found.append((job, _unfinished(ended, options.limits)))
        else:
            found += _batch(release, [job], options, stop)
    return found


def _own_seconds(
    release: int | None, job: Job, options: Options, stop: threading.Event, limits: Limits
) -> float:
    """How long the compiler takes for the original now."""
    if release is None:
        return 0.0
    program = replace(job.program, answer=job.program.tests or "class Answer {}")
    within = replace(options, limits=limits)
    jdk = jdks.for_release(release)
    return _compile(jdk, release, [replace(job, program=program)], within, stop)[0].seconds


def _compile(
    jdk: Jdk, release: int, jobs: Sequence[Job], options: Options, stop: threading.Event
) -> tuple[Ended, list[_Compiled]]:
    names = [f"{at}/{_file(job.program.answer)}.java" for at, job in enumerate(jobs)]
    sources = {
        name: job.program.answer.encode("utf-8", "replace")
        for name, job in zip(names, jobs, strict=True)
    }
    compiler = files("libdrift.languages.java").joinpath("Compiler.java").read_bytes()
    heap = max(_LEAST_HEAP, options.limits.memory_bytes // 4) // MIB
    command = Command(
        argv=(
            str(jdk.java),
            # Small and quick to start: it lives for a second, under a limit on addresses.
            *("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", f"-Xmx{heap}m"),
            *("-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=64m", "-Xss8m"),
            *("Compiler.java", str(release), *names),
        ),
        read=jdk.folders,
        files={"Compiler.java": compiler, **sources},
        keep=(_RESULTS,),
    )
    ended = run(command, options.backend, options.limits, stop)
    text = ended.kept.get(_RESULTS, b"").decode("utf-8", "replace")
    return ended, _read(text, len(jobs))


def _file(answer: str) -> str:
    """What the file of an answer must be called: by its public class, if a file can be."""
    main = usage.read(answer).main
    return main if _FILE.fullmatch(main) else "Answer"


def _read(text: str, count: int) -> list[_Compiled]:
    found = [_Compiled() for _ in range(count)]
    numbers = {str(number): number for number in range(count)}
    # What follows the last end of a line was cut off there: more was written than is kept.
    for line in text.split("\n")[:-1]:
        number, _, rest = line.rstrip("\r").partition("\t")
        if number not in numbers:
            continue
        one = found[numbers[number]]
        what, _, rest = rest.partition("\t")
        if what == "class":
            one.classes.append(base64.b64decode(rest))
        elif what == "told":
            kind, at, message = rest.split("\t", 2)
            one.told.append(f"{kind.lower()}, line {at}: {message}")
            if kind == "ERROR":
                one.errors.append(f"line {at}: {message}")
        else:
            one.end, one.detail = what, rest
    return found


def _trouble(reason: str) -> Judgement:
    return Judgement(Outcome.INFRASTRUCTURE, reason, 0.0)


def _unfinished(ended: Ended, limits: Limits) -> Judgement:
    """Of an answer that the compiler did not come to an end with."""
    if ended.trouble or ended.stopped_by == "request":
        return _trouble(ended.trouble or "interrupted")
    log = ended.stderr or ended.stdout
    if ended.stopped_by == "time":
        reason = f"over the time limit of {limits.wall_seconds:g} s"
        return Judgement(Outcome.TIMEOUT, reason, ended.seconds, log=log)
    if ended.stopped_by:
        return Judgement(
            Outcome.ERROR, f"over the {ended.stopped_by} limit", ended.seconds, log=log
        )
    last = (log.strip().splitlines() or [f"exit status {ended.status}"])[-1]
    return replace(_trouble(f"the compiler did not start: {last[:300]}"), log=log)


def _judgement(job: Job, compiled: _Compiled, release: int, seconds: float) -> Judgement:
    answer, apis = job.program.answer, job.program.apis
    code = usage.read(answer)
    log = "\n".join(compiled.told)
    ok = compiled.end == "compiled" and bool(compiled.classes)
    used = (
        _used(compiled.classes, code, apis, release) if ok else [a for a in apis if a in code.uses]
    )
    cases = (
        Case("compiles", "passed" if ok else "failed"),
        *(Case(api, "failed" if api in used else "passed") for api in apis),
    )
    uses = bool(used) if apis else None

    def said(outcome: Outcome, reason: str) -> Judgement:
        return Judgement(outcome, reason, seconds, cases, log, uses=uses)

    if compiled.end == "crashed":
        return said(Outcome.ERROR, f"the compiler gave it up ({compiled.detail})")
    if compiled.end == "refused":
        first = compiled.errors[0] if compiled.errors else "no reason given"
        if not code.parses:
            return said(Outcome.ERROR, f"does not parse: {first}")
        return said(Outcome.FAILED, f"does not compile for Java {release}: {first}")
    if not compiled.classes:
        return said(Outcome.FAILED, "declares no class")
    if used:
        return said(Outcome.FAILED, f"still uses {', '.join(used)}")
    original = usage.read(job.program.tests)
    missing = _missing(code, original)
    if missing:
        return said(Outcome.FAILED, f"does not declare {missing}")
    evaded = evasion(_members(compiled.classes), code, original, apis)
    if evaded:
        return said(Outcome.FAILED, evaded)
    return said(Outcome.PASSED, "")


def _missing(code: usage.Code, original: usage.Code) -> str:
    """What an answer should have declared, as the original did; empty if nothing is missing."""
    if not original.own:
        return ""
    if original.main not in code.own:
        return f"the class {original.main}"
    # What an API asks to be overridden may go with it.
    methods = (original.methods - original.overrides) or original.methods
    absent = sorted(methods - code.methods)
    if len(absent) <= len(methods) // 2:
        return ""
    more = f" and {len(absent) - _SHOWN} more" if len(absent) > _SHOWN else ""
    return f"most of the original's methods: {', '.join(absent[:_SHOWN])}{more}"


# --- what is used


def _members(classes: Iterable[bytes]) -> set[tuple[str, str, str]]:
    """Every member that class files name, with its class and its type."""
    found: set[tuple[str, str, str]] = set()
    for data in classes:
        with contextlib.suppress(ClassFileError):  # as in `_used`
            seen = classfile.uses(data).members
            found |= {(_dotted(owner), name, kind) for owner, name, kind in seen}
    return found


def _used(
    classes: Iterable[bytes], code: usage.Code, apis: Sequence[str], release: int
) -> list[str]:
    """Those of the APIs that an answer uses: in its class files, or in the source."""
    if not apis:
        return []
    named: set[str] = set(code.imports.values())
    # Constants and types, by their capitals: whose a method is, the source does not tell for sure.
    named |= {name for name in code.uses if name.rpartition(".")[2][:1].isupper()}
    members = _members(classes)
    bases: dict[str, tuple[str, ...]] = {}
    for data in classes:
        try:
            seen, own = classfile.uses(data), classfile.parse(data)
        except ClassFileError:
            continue  # the compiler wrote it: it is none that could be read by anybody
        named |= {_dotted(name) for name in seen.classes | seen.strings}
        if isinstance(own, ClassFile):
            bases[_dotted(own.name)] = tuple(_dotted(name) for name in own.supers)
    return [api for api in apis if api in named or _calls(api, members, bases, release)]


def _calls(
    api: str,
    members: Iterable[tuple[str, str, str]],
    bases: dict[str, tuple[str, ...]],
    release: int,
) -> bool:
    """Whether a member is used, be it by way of a class below the one that has it."""
    path, bracket, parameters = api.partition("(")
    owner, _, label = path.rpartition(".")
    for found, name, kind in members:
        called = found.rpartition(".")[2] if name == "<init>" else name
        if called != label:
            continue
        if bracket and kind.startswith("("):
            taken = ",".join(types.of_method(kind).parameters)
            if taken != parameters.removesuffix(")").replace(" ", "").replace("...", "[]"):
                continue
        outer = list(_outside(found, bases))
        if owner in outer or any(_inherits(one, owner, label, release) for one in outer):
            return True
    return False


def _outside(owner: str, bases: dict[str, tuple[str, ...]]) -> Iterable[str]:
    """The nearest classes that are not the answer's own."""
    waiting, seen = [owner], {owner}
    for current in waiting:  # grows
        if current not in bases:
            yield current
        for base in bases.get(current, ()):
            if base not in seen:
                seen.add(base)
                waiting.append(base)


def _inherits(found: str, owner: str, label: str, release: int) -> bool:
    """Whether ``found.label`` is what ``owner`` declares."""
    if found == _OBJECT:
        return False  # it has the names of no other
    surface = _platform(release)
    if surface is None:
        return False
    one, other = surface.resolve(f"{found}.{label}"), surface.resolve(f"{owner}.{label}")
    return one is not None and other is not None and one.id == other.id


def _platform(release: int) -> Surface | None:
    with _PLATFORMS:  # read once, however many ask at the same time
        try:
            return _read_platform(release)
        except InfrastructureError as error:  # asked again next time: it may have passed
            logger.warning("what members are inherited from is not known: %s", error)
            return None


@functools.cache
def _read_platform(release: int) -> Surface:
    _, found = next(platforms.surfaces([jdks.for_release(release)], [str(release)]))
    if isinstance(found, str):
        raise InfrastructureError(found)
    return found


def _dotted(name: str) -> str:
    return name.replace("/", ".").replace("$", ".")
