"""The JDK's own API as a package: one surface for each release that a JDK can compile for.

A JDK ships what it needs to compile for older releases: ``lib/ct.sym``, an archive of class files
without code. The first part of an entry's path says for which releases it holds, a letter each:
``89A/java.base/java/lang/Thread.sig`` is of 8, 9 and 10.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.java import images, jdks
from libdrift.languages.java.assembly import assemble
from libdrift.languages.java.classfile import ClassFileError, ModuleInfo, parse
from libdrift.languages.java.jdks import Jdk
from libdrift.languages.java.pieces import Piece, deprecation, piece
from libdrift.records import Deprecation, Origin, Release, Surface, Symbol

PACKAGE = "jdk"
_INCUBATOR = "jdk.incubator."
_MODULES_SINCE = 9  # and annotations that say since when something is deprecated
# General availability, as the project announced it.
_DATES = {
    8: date(2014, 3, 18),
    9: date(2017, 9, 21),
    10: date(2018, 3, 20),
    11: date(2018, 9, 25),
    12: date(2019, 3, 19),
    13: date(2019, 9, 17),
    14: date(2020, 3, 17),
    15: date(2020, 9, 15),
    16: date(2021, 3, 16),
    17: date(2021, 9, 14),
    18: date(2022, 3, 22),
    19: date(2022, 9, 20),
    20: date(2023, 3, 21),
    21: date(2023, 9, 19),
    22: date(2024, 3, 19),
    23: date(2024, 9, 17),
    24: date(2025, 3, 18),
    25: date(2025, 9, 16),
}


def releases() -> tuple[str, ...]:
    """What ``surfaces`` can give, the oldest first; nothing where there is no JDK."""
    found = jdks.discover()
    return tuple(str(number) for number in found[0].releases) if found else ()


def release(version: str) -> Release:
    """A release and its date, where that is known."""
    return Release("jdk", PACKAGE, version, _DATES.get(int(version)))


def surfaces(
    found: Collection[Jdk] = (), versions: Collection[str] = ()
) -> Iterator[tuple[Release, Surface | str]]:
    """Each release that the newest JDK knows (of those asked for, if any), or why not."""
    jdk = next(iter(found), None) or jdks.newest()
    wanted = _wanted(jdk, versions)
    reader = _Platform(jdk)
    for number in jdk.releases:
        if number not in wanted:
            continue
        this = release(str(number))
        try:
            yield this, reader.surface(this, number)
        except (ClassFileError, images.ImageError, OSError, zlib.error) as error:
            yield this, f"{jdk.home} cannot be read for it: {error}"


def _wanted(jdk: Jdk, versions: Collection[str]) -> set[int]:
    found: set[int] = set()
    for text in versions:
        number = jdks.feature(text)
        if number is None or number not in jdk.releases:
            known = f"{jdk.releases[0]} to {jdk.releases[-1]}"
            raise UserError(
                f"the JDK {jdk.version} does not support release {text!r}, only {known}",
                f"Write one of these, such as --versions {jdk.releases[-1]}",
            )
        found.add(number)
    return found or set(jdk.releases)


@dataclass(slots=True)
class _Entries:
    """Of one release: entries of the archive that are its classes and its modules."""

    classes: list[str] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)


class _Platform:
    def __init__(self, jdk: Jdk) -> None:
        self._jdk = jdk
        path = jdk.home / "lib" / "ct.sym"
        try:
            self._archive = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile) as error:
            raise InfrastructureError(
                f"{path} cannot be read: {error}", "Reinstall that JDK, or install another one"
            ) from error
        self._pieces: dict[str, Piece] = {}
        self._entries: dict[int, _Entries] = {}
        for name in self._archive.namelist():
            if not name.endswith(".sig"):
                continue
            for letter in name.partition("/")[0].partition("-")[0]:
                entries = self._entries.setdefault(int(letter, 36), _Entries())
                module = name.endswith("/module-info.sig")
                (entries.modules if module else entries.classes).append(name)

    def surface(self, release: Release, number: int) -> Surface:
        entries = self._entries.get(number)
        if entries is None or not entries.classes:
            return self._own(release)
        pieces = [self._piece(name) for name in entries.classes]
        origin = Origin(f"ct.sym of JDK {self._jdk.version}", files=len(pieces))
        if number < _MODULES_SINCE:
            # There were no modules: what the archive has of it is what was for users.
            return self._dated(assemble(release, pieces, None, origin))
        modules = [parse(self._archive.read(name)) for name in entries.modules]
        exported, told = _exported(module for module in modules if isinstance(module, ModuleInfo))
        return assemble(release, pieces, exported, origin, told)

    def _own(self, release: Release) -> Surface:
        """The JDK's own release, of which it may ship nothing but what it runs with."""
        pieces: list[Piece] = []
        modules: list[ModuleInfo] = []
        for _, data in images.classes(self._jdk.home / "lib" / "modules"):
            found = parse(data)
            if isinstance(found, ModuleInfo):
                modules.append(found)
            else:
                pieces.append(piece(found))
        exported, told = _exported(modules)
        origin = Origin(f"modules of JDK {self._jdk.version}", files=len(pieces))
        return assemble(release, pieces, exported, origin, told)

    def _piece(self, name: str) -> Piece:
        known = self._pieces.get(name)
        if known is None:
            found = parse(self._archive.read(name))
            if isinstance(found, ModuleInfo):
                raise ClassFileError(f"{name} is a module's description")
            known = self._pieces[name] = piece(found)
        return known

    def _dated(self, surface: Surface) -> Surface:
        """With the versions that later annotations give for what was deprecated before them."""
        later: dict[str, Symbol] = {}
        for name in self._entries[_MODULES_SINCE].classes:
            item = self._piece(name)
            later |= {**item.symbols, item.id: item.symbol}
        dated = dict(surface.symbols)
        for identity, symbol in surface.symbols.items():
            known = later.get(identity)
            told = known.deprecation if known and symbol.deprecation else None
            if known and told and _is_before(told.since, _MODULES_SINCE):
                plain = replace(told, message=f"deprecated since {told.since}")
                dated[identity] = replace(symbol, deprecations=(plain,))
        return replace(surface, symbols=dated)


def _is_before(since: str, number: int) -> bool:
    """Whether a version as annotations write it (1.2, 7, JDK1.0) is of an older release."""
    digits = since.removeprefix("JDK").removeprefix("1.").partition(".")[0]
    return digits.isdecimal() and int(digits) < number


def _exported(modules: Iterable[ModuleInfo]) -> tuple[set[str], dict[str, Deprecation]]:
    """Packages that are for users, and those of them that are deprecated with their module.

    Modules that incubate are no part of a release: they are to be switched on to be tried.
    """
    exported: set[str] = set()
    told: dict[str, Deprecation] = {}
    for module in modules:
        if module.incubating or module.name.startswith(_INCUBATOR):
            continue
        exported.update(module.exports)
        if module.deprecated:
            what = deprecation(module.deprecated)
            message = f"module {module.name}: {what.message or 'deprecated'}"
            told |= dict.fromkeys(module.exports, replace(what, message=message))
    return exported, told
