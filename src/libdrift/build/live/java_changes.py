"""What a release of the JDK brought, removed or deprecated, and what stayed as it was beside it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from libdrift.build.live.java_programs import (
    JavaProgram,
    JavaUse,
    TypeNames,
    class_of,
    path_of,
    program_of,
    use_of,
)
from libdrift.build.results import veiled
from libdrift.execution import Job, Options, run_jobs
from libdrift.records import (
    ChangeKind,
    Environment,
    Outcome,
    Surface,
    Symbol,
    SymbolKind,
    TestStyle,
)
from libdrift.sandbox import Judgement, Program

_OTHERS = 3  # APIs in a program that did not change
_PER_CLASS = 2  # changes of one class that are asked for
_TOGETHER = 24  # uses in one program, where only the compiler reads it
_ROUNDS = 4  # of leaving out what does not compile
_TRIED = 6  # APIs that are looked at for those others
TOLD = re.compile(r"^(\w+), line (\d+): (.*)$", re.MULTILINE)  # what the compiler says
LEAVING = re.compile(r"has been deprecated")


@dataclass(frozen=True, slots=True)
class JdkStep:
    """Two releases of the JDK, one after the other."""

    old: Surface
    new: Surface

    @property
    def versions(self) -> tuple[str, str]:
        return self.old.release.version, self.new.release.version


@dataclass(frozen=True, slots=True)
class JavaLabel:
    """An API that changed, in a method that uses it."""

    use: JavaUse
    kind: ChangeKind

    @property
    def backward(self) -> bool:
        """Whether the code is the newer release's: what came is missing in the older one."""
        return self.kind is ChangeKind.INTRODUCED


def labelled(
    step: JdkStep, options: Options, left_out: Counter[str], most: int
) -> Iterator[tuple[JavaLabel, list[JavaUse]]]:
    """At most ``most`` changes of each kind, chosen by their hashes, each among others."""
    labels = _chosen(_changed(step, left_out), most, left_out)
    beside = _neighbours(step, labels)
    usable = _clean(step, {use.path: use for some in beside.values() for use in some}, options)
    for label in labels:
        others = [use for use in beside[label.use.path] if use.path in usable]
        uses = _sample(label, others)
        if uses is None:
            left_out["no program with others beside it"] += 1
        else:
            yield label, uses


def _changed(step: JdkStep, left_out: Counter[str]) -> Iterator[JavaLabel]:
    """Every class and member that a release brought, took away or deprecated."""
    old, new = (_by_path(surface) for surface in (step.old, step.new))
    kinds: dict[str, ChangeKind] = {}
    for path in sorted({*old, *new}):
        kind = _kind(old.get(path), new.get(path))
        if kind is not None:
            kinds[path] = kind
    before, after = TypeNames(step.old), TypeNames(step.new)
    for path, kind in kinds.items():
        owner = class_of(path)
        if any(kinds.get(outer) for outer in _outer(owner)):
            continue  # it went the way of its class
        came = kind is ChangeKind.INTRODUCED
        use = use_of(path, (new if came else old)[path], after if came else before)
        if use is None:
            left_out["its types cannot be written"] += 1
        else:
            yield JavaLabel(use, kind)


def _by_path(surface: Surface) -> dict[str, Symbol]:
    return {path_of(identity): symbol for identity, symbol in surface.symbols.items()}


def _outer(owner: str) -> Iterator[str]:
    while owner:
        yield owner
        owner = owner.rpartition(".")[0]


def _kind(old: Symbol | None, new: Symbol | None) -> ChangeKind | None:
    if old is None:
        return None if new is None or new.deprecation else ChangeKind.INTRODUCED
    if new is None:
        return ChangeKind.REMOVED
    return ChangeKind.DEPRECATED if new.deprecation and not old.deprecation else None


def _chosen(found: Iterator[JavaLabel], most: int, left_out: Counter[str]) -> list[JavaLabel]:
    """Some of each kind, a few of any class."""
    kinds: defaultdict[ChangeKind, list[JavaLabel]] = defaultdict(list)
    for label in sorted(found, key=lambda one: veiled(one.use.path)):
        kinds[label.kind].append(label)
    chosen = []
    for labels in kinds.values():
        classes: Counter[str] = Counter()
        kept = []
        for label in labels:
            classes[class_of(label.use.path)] += 1
            if classes[class_of(label.use.path)] <= _PER_CLASS:
                kept.append(label)
        left_out["over the limit"] += len(labels) - len(kept[:most])
        chosen += kept[:most]
    return chosen


# --- what did not


def _neighbours(step: JdkStep, labels: Sequence[JavaLabel]) -> dict[str, list[JavaUse]]:
    """For each label, uses of other members of its class and package that are the same in both."""
    old, new = (_by_path(surface) for surface in (step.old, step.new))
    names = TypeNames(step.old)
    packages: defaultdict[str, list[str]] = defaultdict(list)
    for identity, symbol in step.old.symbols.items():
        path = path_of(identity)
        other = new.get(path)
        same = other is not None and symbol.kind is not SymbolKind.CLASS
        if same and other is not None and other.signature == symbol.signature:
            packages[identity.partition(":")[0]].append(path)
    found = {}
    for label in labels:
        owner = class_of(label.use.path)
        package = next((one for one in _outer(owner) if one in packages), "java.util")
        taken = {class_of(label.use.path) + "." + _last(label.use.path)}
        order = sorted(
            packages[package],
            key=lambda path: (class_of(path) != owner, veiled(label.use.path + path)),
        )
        uses: list[JavaUse] = []
        for path in order:
            plain = path.partition("(")[0]
            steady = not (old[path].deprecation or new[path].deprecation)
            use = use_of(path, old[path], names) if steady and plain not in taken else None
            if use is not None:
                taken.add(plain)
                uses.append(use)
            if len(uses) == _TRIED:
                break
        found[label.use.path] = uses
    return found


def _last(path: str) -> str:
    return path.partition("(")[0].rpartition(".")[2]


def _clean(step: JdkStep, uses: Mapping[str, JavaUse], options: Options) -> set[str]:
    """Those that compile alone in both releases, without a word of the compiler's."""
    left = dict(uses)
    for _ in range(_ROUNDS):
        bad = _objected(step, _packed(left.values()), options)
        if not bad:
            return set(left)
        left = {path: use for path, use in left.items() if path not in bad}
    return set()


def _packed(uses: Iterable[JavaUse]) -> list[JavaProgram]:
    """Programs with many uses each, as far as their types have different names.

    The compiler takes longer to start than for most of them.
    """
    groups: list[list[JavaUse]] = []
    for use in uses:
        fitting = (one for one in groups if len(one) < _TOGETHER and program_of([*one, use]))
        group = next(fitting, None)
        if group is not None:
            group.append(use)
        elif program_of([use]) is not None:
            groups.append([use])
    return [program for group in groups if (program := program_of(group)) is not None]


def _objected(step: JdkStep, programs: Sequence[JavaProgram], options: Options) -> set[str]:
    """The APIs that the compiler objects to, in one of the releases; all, where it says not why."""
    jobs = [
        Job((str(at), version), java(version), Program(program.code, "", TestStyle.COMPILE))
        for at, program in enumerate(programs)
        for version in step.versions
    ]
    found: set[str] = set()
    if not jobs:
        return found
    with closing(run_jobs(jobs, options)) as results:
        for job, judgement in results:
            lines = programs[int(job.key[0])].lines
            said = {int(one[2]) for one in TOLD.finditer(judgement.log) if _objects(one)}
            named = {path for path, numbers in lines.items() if numbers & said}
            found |= named or (set(lines) if compiles_cleanly(judgement) else set())
    return found


def _objects(said: re.Match[str]) -> bool:
    return said[1] == "error" or LEAVING.search(said[3]) is not None


def java(version: str) -> Environment:
    return Environment("java", version, ())


def compiles_cleanly(judgement: Judgement) -> str:
    """Why not; empty where the compiler takes it, and says nothing of deprecation."""
    if judgement.outcome is not Outcome.PASSED:
        return judgement.reason or judgement.outcome
    said = [match[0] for match in TOLD.finditer(judgement.log) if LEAVING.search(match[3])]
    return said[0] if said else ""


def _sample(label: JavaLabel, others: Sequence[JavaUse]) -> list[JavaUse] | None:
    """The label among others, at a place that its hash decides on."""
    for start in range(max(1, len(others) - _OTHERS + 1)):
        some = list(others[start : start + _OTHERS])
        if len(some) < _OTHERS:
            return None
        some.insert(int(veiled(label.use.path), 16) % (_OTHERS + 1), label.use)
        if program_of(some) is not None:
            return some
    return None
