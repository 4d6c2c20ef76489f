"""Where `libdrift mine` reads what is not on Python's index: each kind by its name or prefix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from libdrift.errors import UserError

if TYPE_CHECKING:
    from libdrift.config import Settings
    from libdrift.history.sources import Offered, Read, Source

STANDARD = ("python", "jdk", "rust")  # standard libraries of what is on this machine
CRATE, MAVEN = "crate:", "maven:"
_HERE = "on this machine"


def source_of(package: str, settings: Settings) -> Source | None:
    """The source of a package; ``None`` for those of Python's index."""
    match package:
        case "python":
            return _python(settings)
        case "jdk":
            return _jdk()
        case "rust":
            return _rust()
    if package.startswith(CRATE):
        return _crate(package, settings)
    if package.startswith(MAVEN):
        return _maven(package, settings)
    return None


def check_prefix(package: str) -> bool:
    """Whether a name is of another registry; the caller's mistake if it is of none."""
    prefix, colon, rest = package.partition(":")
    if not colon:
        return False
    if f"{prefix}:" not in (CRATE, MAVEN):
        near = {"crates": CRATE, "cargo": CRATE, "mvn": MAVEN, "pypi": "", "pip": ""}
        raise UserError(
            f"{prefix!r} is no registry that is mined", f"Write {near.get(prefix, '')}{rest}"
        )
    return True


def _python(settings: Settings) -> Source:
    from libdrift.environments import discover
    from libdrift.execution.standard_library import newest, standard_library
    from libdrift.history.sources import Offered, Source
    from libdrift.records import Release
    from libdrift.sandbox import choose

    def offered() -> list[Offered]:
        return [
            Offered(Release("python", "python", one.version), one.minor)
            for one in newest(discover())
        ]

    def read(wanted: Sequence[Offered]) -> Read:
        backend = choose("bubblewrap", settings)
        yield from standard_library(settings, backend, _versions(wanted))

    return Source("python", offered, read, where=_HERE)


def _jdk() -> Source:
    from libdrift.history.sources import Offered, Source
    from libdrift.languages.java import jdks, platforms

    def offered() -> list[Offered]:
        jdks.newest()  # says how to get one, where there is none
        return [
            Offered(platforms.release(version), f"1.{version}") for version in platforms.releases()
        ]

    def read(wanted: Sequence[Offered]) -> Read:
        yield from platforms.surfaces(versions=_versions(wanted))

    return Source("jdk", offered, read, where=_HERE)


def _rust() -> Source:
    from libdrift.history.sources import Offered, Source
    from libdrift.languages.rust import std

    def offered() -> list[Offered]:
        return [Offered(release, release.version.removesuffix(".0")) for release in std.releases()]

    def read(wanted: Sequence[Offered]) -> Read:
        yield from std.surfaces(_versions(wanted))

    return Source("rust", offered, read, where=_HERE)


def _crate(package: str, settings: Settings) -> Source:
    from libdrift.execution import crate_docs
    from libdrift.history.sources import Offered, Source
    from libdrift.languages.rust import crates
    from libdrift.records import Release
    from libdrift.sandbox import choose

    name = package.removeprefix(CRATE)

    def offered() -> list[Offered]:
        return [
            Offered(
                Release("crates", package, one.version, one.date),
                pre="-" in one.version,
                yanked=one.yanked,
            )
            for one in crates.versions(name)
        ]

    def read(wanted: Sequence[Offered]) -> Read:
        backend = choose("bubblewrap", settings)
        yield from crate_docs.surfaces(name, _versions(wanted), settings, backend)

    return Source(package, offered, read, passing=False, where="on the registry")


def _maven(package: str, settings: Settings) -> Source:
    from libdrift.history.sources import Offered, Source
    from libdrift.languages.java import maven
    from libdrift.languages.java.maven_versions import is_prerelease

    coordinate = package.removeprefix(MAVEN)

    def offered() -> list[Offered]:
        return [
            Offered(release, pre=is_prerelease(release.version))
            for release in maven.releases(coordinate)
        ]

    def read(wanted: Sequence[Offered]) -> Read:
        yield from maven.surfaces(coordinate, _versions(wanted), settings)

    return Source(package, offered, read, passing=False, where="on the registry")


def _versions(wanted: Sequence[Offered]) -> list[str]:
    return [one.release.version for one in wanted]
