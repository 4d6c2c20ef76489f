"""Two environments that differ in one package, as far as that can be had."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from email.parser import HeaderParser

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import Version

from libdrift.config import Settings
from libdrift.environments import Failed, Ready, build, discover
from libdrift.mining import probing
from libdrift.records import Environment, Release

_OLDEST = Version("3.7")  # that the guest runs on
_TRIES = 3


@dataclass(frozen=True, slots=True)
class PairOfPlaces:
    package: str
    old: Ready
    new: Ready

    @property
    def differing(self) -> tuple[str, ...]:
        """Dependencies of other versions: what they change would be told of the package."""
        before, after = _versions(self.old), _versions(self.new)
        return tuple(
            f"{name} {before.get(name, 'none')} → {after.get(name, 'none')}"
            for name in sorted(before.keys() | after.keys())
            if name != _usual(self.package) and before.get(name) != after.get(name)
        )


def build_pair(
    old: Release, new: Release, modules: Collection[str], settings: Settings
) -> PairOfPlaces | str:
    """Environments of two releases under one Python; or why there are none, in a line.

    The older one gets its dependencies as of its day, and the newer one the same, where it takes
    them. ``modules`` are imported by examples: those that the package names as optional
    dependencies are added.
    """
    reasons: list[str] = []
    for minor in _pythons(old)[:_TRIES]:
        made = _pair(minor, (old, new), modules, settings)
        if isinstance(made, PairOfPlaces):
            return made
        reasons.append(f"Python {minor}: {made}")
    return reasons[0] if reasons else "there is no Python here that examples can be run with"


def _pythons(release: Release) -> list[str]:
    found = {item.minor for item in discover() if Version(item.minor) >= _OLDEST}
    first = probing.settled(found, release.date)
    return [*first, *sorted(found - set(first), key=Version, reverse=True)]


def _pair(
    minor: str, pair: tuple[Release, Release], modules: Collection[str], settings: Settings
) -> PairOfPlaces | str:
    old, new = pair
    plain = _built(minor, old, (), settings)
    if isinstance(plain, Failed):
        return f"{old}: {plain.reason}"
    extras = tuple(_extras(plain, old.package, modules))
    before = _built(minor, old, extras, settings) if extras else plain
    if isinstance(before, Failed):
        before, extras = plain, ()
    after = _newer(minor, new, before, extras, settings)
    if isinstance(after, Failed):
        return f"{new}: {after.reason}"
    return PairOfPlaces(old.package, before, after)


def _newer(
    minor: str, release: Release, before: Ready, extras: Sequence[str], settings: Settings
) -> Ready | Failed:
    """With the dependencies of ``before``, or as many of them as the release takes."""
    own = _usual(release.package)
    pins = {name: version for name, version in _versions(before).items() if name != own}
    exact = _built(minor, release, [f"{n}=={v}" for n, v in pins.items()], settings)
    if isinstance(exact, Ready):
        return exact
    free = _built(minor, release, extras, settings)
    if isinstance(free, Failed):
        return _built(minor, release, (), settings)
    wanted = {_usual(item.name): item for item in _requirements(free, release.package)}
    taken = [
        f"{name}=={version}"
        for name, version in pins.items()
        if name not in wanted or wanted[name].specifier.contains(version, prereleases=True)
    ]
    near = _built(minor, release, taken, settings)
    return near if isinstance(near, Ready) else free


def _built(minor: str, release: Release, more: Sequence[str], settings: Settings) -> Ready | Failed:
    as_of = release.date + probing.AFTER if release.date else None
    pin = f"{release.package}=={release.version}"
    return build(Environment("python", minor, (pin, *more), as_of), settings, wheels_only=True)


def _extras(place: Ready, package: str, modules: Collection[str]) -> Iterator[str]:
    """Optional dependencies that examples import, by the names under which they are imported."""
    roots = {_usual(module.partition(".")[0]) for module in modules}
    there = _versions(place)
    told: set[str] = set()
    for item in _requirements(place, package):
        name = _usual(item.name)
        if name in roots and name not in there and name not in told:
            told.add(name)
            yield f"{item.name}{item.specifier}"


def _requirements(place: Ready, package: str) -> Iterator[Requirement]:
    """What a package that is installed says that it needs, optional things included."""
    for file in place.folder.glob("venv/lib/python*/site-packages/*.dist-info/METADATA"):
        name = file.parent.name.partition("-")[0]
        if _usual(name) != _usual(package):
            continue
        headers = HeaderParser().parsestr(file.read_text(encoding="utf-8", errors="replace"))
        for line in headers.get_all("Requires-Dist") or ():
            try:
                yield Requirement(str(line))
            except InvalidRequirement:
                continue


def _versions(place: Ready) -> dict[str, str]:
    found = {}
    for line in place.resolution:
        name, mark, version = line.partition("==")
        if mark:
            found[_usual(name)] = version.split()[0].split(";")[0]
    return found


def _usual(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
