"""Where releases come from: each source is a class, and packages say by their names which it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.mining.options import MiningOptions
from libdrift.mining.sources.base import Offered, Offers, ReadRelease, Source

__all__ = ["Offered", "Offers", "ReadRelease", "Source", "sources_of"]

_REGISTRIES = ("crate:", "maven:")
_MEANT = {"crates": "crate:", "cargo": "crate:", "mvn": "maven:", "pypi": "", "pip": ""}


def sources_of(packages: Sequence[str], options: MiningOptions, settings: Settings) -> list[Source]:
    """The sources of packages, the index first; a refusal of names that are of none.

    ``python``, ``jdk`` and ``rust`` are standard libraries, ``crate:NAME`` and
    ``maven:GROUP:ARTIFACT`` are of other registries, and all else is of Python's index.
    """
    for package in packages:
        _check(package)
    others = {package: _other(package, settings) for package in packages}
    own = [package for package, source in others.items() if source is None]
    found = [source for source in others.values() if source is not None]
    if not own:
        return found
    from libdrift.mining.sources.index import IndexSource

    return [IndexSource.configured(own, options, settings), *found]


def _other(package: str, settings: Settings) -> Source | None:
    """The source of what is not of Python's index; what it takes is imported for it alone."""
    prefix, colon, _ = package.partition(":")
    match f"{prefix}{colon}":
        case "python":
            from libdrift.mining.sources.python import PythonSource

            return PythonSource(package, settings)
        case "jdk":
            from libdrift.mining.sources.jdk import JdkSource

            return JdkSource(package)
        case "rust":
            from libdrift.mining.sources.rust import RustSource

            return RustSource(package)
        case "crate:":
            from libdrift.mining.sources.crates import CrateSource

            return CrateSource(package, settings)
        case "maven:":
            from libdrift.mining.sources.maven import MavenSource

            return MavenSource(package, settings)
    return None


def _check(package: str) -> None:
    if "://" in package:
        raise UserError(
            f"{package} is an address, but packages are mined by name",
            "Write only the name; indexes come from the configuration of pip and uv",
        )
    prefix, colon, rest = package.partition(":")
    if colon and f"{prefix}:" not in _REGISTRIES:
        raise UserError(
            f"{prefix!r} is not a known registry", f"Write {_MEANT.get(prefix, '')}{rest}"
        )
    if colon:
        return
    name, mark, version = package.partition("==")
    if mark:
        raise UserError(
            f"{package!r} is no name", f"Run: libdrift mine {name} --versions {version}"
        )
    if not re.fullmatch(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?", package, re.ASCII):
        raise UserError(f"{package!r} is not the name of a package", "Write it as for pip")
