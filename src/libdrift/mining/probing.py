"""Surfaces by import: each release in an environment of its own."""

from __future__ import annotations

import platform
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import Version

from libdrift.config import Settings
from libdrift.environments import Failed, build, discover
from libdrift.errors import InfrastructureError, MachineTroubleError
from libdrift.languages.python import runtime
from libdrift.records import Binding, Environment, Release, Surface
from libdrift.sandbox import Backend
from libdrift.sandbox.probes import ProbeQuestion, probe

_RELEASED = {
    "3.6": date(2016, 12, 23),
    "3.7": date(2018, 6, 27),
    "3.8": date(2019, 10, 14),
    "3.9": date(2020, 10, 5),
    "3.10": date(2021, 10, 4),
    "3.11": date(2022, 10, 24),
    "3.12": date(2023, 10, 2),
    "3.13": date(2024, 10, 7),
    "3.14": date(2025, 10, 7),
}
_OLDEST = Version("3.6")  # that the probe runs on
# A new Python has few wheels: what a release needs would be built from source, or not at all.
_SETTLED = timedelta(days=180)
AFTER = timedelta(days=7)  # dependencies are resolved as of then: fixes of the first days count
_TRIES = 3
# What another try may not meet: no time, no memory. Another Python may not need as much.
_TRANSIENT = re.compile(r"it took more than|it used more than")
# What says nothing of the release: that another Python would do is no answer.
_OF_MACHINE = re.compile(r"did not take its job|SIGKILL")
_AGAIN = "Run the same command again"


@dataclass(frozen=True, slots=True)
class Prober:
    """Imports releases, each in its exact environment, in the sandbox."""

    settings: Settings
    backend: Backend

    def __call__(self, release: Release, surface: Surface) -> Surface | str:
        """What import shows of a release whose sources say ``surface``; or why not, in a line."""
        found = [i.minor for i in discover()]
        fit = pythons(surface.origin.artifact, release.date, found)
        if isinstance(fit, str):
            return fit
        requirement = f"{release.package}=={release.version}"
        as_of = release.date + AFTER if release.date else None
        reasons = []
        for minor in fit[:_TRIES]:
            environment = Environment("python", minor, (requirement,), as_of)
            built = build(environment, self.settings, wheels_only=True)
            if isinstance(built, Failed) and built.transient:
                raise MachineTroubleError(built.reason, _AGAIN)
            if isinstance(built, Failed):
                reasons.append(built.reason)
                continue
            told = probe(question(surface), built, self.backend)
            if not isinstance(told, str):
                return runtime.read(release, told)
            if _OF_MACHINE.search(told):
                raise MachineTroubleError(told, _AGAIN)
            reasons.append(told)
        transient = next(filter(_TRANSIENT.search, reasons), None)
        if transient:
            raise InfrastructureError(transient, "Mine it again when the machine is less busy")
        return reasons[0]


def question(surface: Surface) -> ProbeQuestion:
    """What to ask of a release: its modules, and the names that its sources seem to have."""
    claims = {scope: tuple(names) for scope, names in surface.scopes.items()}
    return ProbeQuestion(own_roots(surface), claims=claims)


def own_roots(surface: Surface) -> tuple[str, ...]:
    """The packages that are the release's own: of a shared ``google``, only its part."""
    found: list[str] = []
    waiting = list(surface.roots)
    while waiting:
        module = waiting.pop(0)
        names = surface.scopes.get(module, {}).values()
        if names and all(name.binding is Binding.SUBMODULE for name in names):
            waiting += [name.target for name in names]
        else:
            found.append(module)
    return tuple(found)


def pythons(artifact: str, released: date | None, found: Collection[str]) -> list[str] | str:
    """The Pythons of this machine that fit a release, best first; or why there is none."""
    if not artifact.endswith(".whl"):
        # To build it would run its code outside of the sandbox.
        return "it has no wheel, and is not built from source to be imported"
    try:
        names = parse_wheel_filename(artifact)[3]
    except InvalidWheelFilename:
        return f"{artifact} is not the name of a wheel"
    tags = {tag for tag in names if _runs_here(tag.platform)}
    if not tags:
        return "it has no wheel for this platform"
    fit = [
        minor for minor in dict.fromkeys(found) if Version(minor) >= _OLDEST and _fits(minor, tags)
    ]
    if not fit:
        wanted = ", ".join(sorted({tag.interpreter for tag in tags}))
        return f"none of the Pythons found here fits its wheel ({wanted})"
    return settled(fit, released)


def settled(fit: Collection[str], released: date | None) -> list[str]:
    """Of these Pythons the ones that a release of that day was made for, newest first."""
    newest = sorted(dict.fromkeys(fit), key=Version, reverse=True)
    # Where none existed for long then: the one that was nearest.
    return [minor for minor in newest if _was_settled(minor, released)] or newest[::-1]


def _runs_here(target: str) -> bool:
    machine = platform.machine()
    return target == "any" or ("linux" in target and target.endswith(machine))


def _fits(minor: str, tags: Collection[Tag]) -> bool:
    own = Version(minor)
    for tag in tags:
        match = re.fullmatch(r"(cp|py)(\d)(\d*)", tag.interpreter)
        if match is None or match[2] != str(own.major):
            continue
        exact = match[1] == "cp" and tag.abi not in ("abi3", "none")
        if not match[3] or own.minor == int(match[3]) or (own.minor > int(match[3]) and not exact):
            return True
    return False


def _was_settled(minor: str, released: date | None) -> bool:
    if released is None or minor not in _RELEASED:
        return released is None
    return _RELEASED[minor] + _SETTLED <= released
