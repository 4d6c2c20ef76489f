"""What happens while releases are mined, and what came of it in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.records import ExampleTrial, Release

_SHOWN = 5  # odd file names of a package


@dataclass(frozen=True, slots=True)
class ListedPackage:
    """A package's releases were listed: so many will be read, so many are in the store."""

    package: str
    new: int
    present: int
    problems: tuple[str, ...] = ()  # the caller's: versions that are not there
    skipped: tuple[str, ...] = ()  # files whose names say no version
    nothing: str = ""  # why not one release was chosen
    chosen: tuple[Release, ...] = field(default=(), compare=False)  # oldest first


@dataclass(frozen=True, slots=True)
class MissingPackage:
    """A package's releases could not be listed, or not one of them could be read."""

    package: str
    error: LibdriftError


@dataclass(frozen=True, slots=True)
class MinedRelease:
    release: Release
    symbols: int
    complete: bool
    notes: tuple[str, ...] = ()  # what went wrong without being needed
    transient: bool = False  # the machine kept it from being complete: another attempt may do


@dataclass(frozen=True, slots=True)
class FailedRelease:
    release: Release
    reason: str
    transient: bool  # another attempt may succeed: the network's trouble, not the archive's


@dataclass(frozen=True, slots=True)
class Warned:
    """Something is done with less than was asked for."""

    text: str


@dataclass(frozen=True, slots=True)
class RunningExamples:
    """So many of the runs of two releases' examples are done."""

    package: str
    old: str
    new: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class TriedExamples:
    trial: ExampleTrial


@dataclass(frozen=True, slots=True)
class UntriedExamples:
    """Examples that could not be run, and why."""

    package: str
    reason: str
    failed: bool = True  # it was to be expected that they can be


Event = (
    ListedPackage
    | MissingPackage
    | MinedRelease
    | FailedRelease
    | Warned
    | RunningExamples
    | TriedExamples
    | UntriedExamples
)


class MiningProgress(Protocol):
    def __call__(self, event: Event, /) -> None: ...


@dataclass(frozen=True, slots=True)
class PackageResult:
    package: str
    new: int
    present: int
    incomplete: int
    failed: tuple[FailedRelease, ...]


@dataclass(frozen=True, slots=True)
class MiningResult:
    """What came of each package that could be listed, and all that did not go well."""

    packages: tuple[PackageResult, ...]
    failed: tuple[FailedRelease, ...]
    missing: tuple[MissingPackage, ...]
    problems: tuple[str, ...]  # the caller's, a line each
    notes: tuple[str, ...]  # worth knowing, a line each
    trials: tuple[ExampleTrial, ...] = ()  # of examples, a pair of releases each
    untried: tuple[UntriedExamples, ...] = ()
    unfinished: int = 0  # releases that trouble of the machine kept from being complete

    @property
    def complaints(self) -> tuple[str, ...]:
        return (*(str(event.error) for event in self.missing), *self.problems)

    @property
    def exit_code(self) -> int:
        if self.problems or any(isinstance(event.error, UserError) for event in self.missing):
            return UserError.exit_code
        # An archive that is broken for good is told, but is no reason to fail every later run.
        read = any(item.new or item.present for item in self.packages)
        transient = any(event.transient for event in self.failed)
        failed = self.missing or transient or (self.failed and not read)
        failed = failed or self.unfinished > 0 or any(item.failed for item in self.untried)
        return InfrastructureError.exit_code if failed else 0


def summed(events: Iterable[Event]) -> MiningResult:
    """What all events together say of each package."""
    listed: dict[str, int] = {}
    new: Counter[str] = Counter()
    incomplete: Counter[str] = Counter()
    failed: list[FailedRelease] = []
    missing: list[MissingPackage] = []
    problems: list[str] = []
    notes: list[str] = []
    nothing: list[str] = []
    trials: list[ExampleTrial] = []
    untried: list[UntriedExamples] = []
    unfinished = 0
    for event in events:
        match event:
            case ListedPackage():
                listed[event.package] = listed.get(event.package, 0) + event.present
                problems += event.problems
                nothing += [event.nothing] if event.nothing else []
                notes += [_skipped(event)] if event.skipped else []
            case MissingPackage():
                missing.append(event)
            case MinedRelease(release):
                new[release.package] += 1
                incomplete[release.package] += not event.complete
                notes += [f"{release} {note}" for note in event.notes]
                unfinished += event.transient
            case FailedRelease():
                failed.append(event)
            case TriedExamples():
                trials.append(event.trial)
            case UntriedExamples():
                untried.append(event)
    rows = tuple(
        PackageResult(name, new[name], present, incomplete[name], _of(name, failed))
        for name, present in listed.items()
    )
    told = (*notes, *nothing)
    return MiningResult(
        rows,
        tuple(failed),
        tuple(missing),
        tuple(problems),
        told,
        tuple(trials),
        tuple(untried),
        unfinished,
    )


def _of(package: str, failed: Iterable[FailedRelease]) -> tuple[FailedRelease, ...]:
    return tuple(event for event in failed if event.release.package == package)


def _skipped(event: ListedPackage) -> str:
    names = ", ".join(event.skipped[:_SHOWN])
    more = ", …" if len(event.skipped) > _SHOWN else ""
    count = f"{len(event.skipped):,} {'name' if len(event.skipped) == 1 else 'names'}"
    return f"{event.package}: no version in {count}: {names}{more}"
