"""Where the two releases of a recipe run, and what a task keeps of the other one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from libdrift.config import Settings
from libdrift.errors import InfrastructureError
from libdrift.mining.examples.places import build_pair
from libdrift.records import ChangeKind, Environment, Release, Task
from libdrift.suites.rustevo.audit import before

BEFORE = "before"  # where a task keeps the environment in which its reference must fail


@dataclass(frozen=True, slots=True)
class ReleasePlaces:
    """Two releases of a package, each with the environment that it runs in."""

    old: Release
    new: Release
    before: Environment
    after: Environment

    @property
    def package(self) -> str:
        return self.old.package

    def side(self, *, newer: bool) -> tuple[Release, Environment]:
        return (self.new, self.after) if newer else (self.old, self.before)


def python_places(
    old: Release, new: Release, settings: Settings, modules: Collection[str] = ()
) -> ReleasePlaces:
    """Environments of two releases that differ in nothing else, as far as that can be had."""
    found = build_pair(old, new, modules, settings)
    if isinstance(found, str):
        raise InfrastructureError(
            f"{old} and {new.version} have no environments: {found}", "Choose other releases"
        )
    return ReleasePlaces(old, new, found.old.environment, found.new.environment)


def kept_place(environment: Environment) -> dict[str, Any]:
    """An environment as a task's ``source`` has it."""
    return {
        "language": environment.language,
        "runtime": environment.runtime,
        "requirements": list(environment.requirements),
        "as_of": environment.as_of.isoformat() if environment.as_of else None,
    }


# Changes of a call: whoever uses what is new of it cannot be at the release before.
_CALLS = {ChangeKind.INTRODUCED, ChangeKind.SIGNATURE}


def place_before(task: Task) -> Environment | None:
    """Where a task's reference must fail: as its source tells, or one release earlier of Rust."""
    if task.language == "rust":
        is_call = task.facts.change in _CALLS
        facts = replace(task.facts, change=ChangeKind.INTRODUCED)
        return before(replace(task, facts=facts)) if is_call else None
    told = task.source.get(BEFORE)
    if not isinstance(told, Mapping):
        return None
    as_of = told.get("as_of")
    return Environment(
        str(told["language"]),
        str(told["runtime"]),
        tuple(str(pin) for pin in told["requirements"]),
        date.fromisoformat(as_of) if isinstance(as_of, str) else None,
    )
