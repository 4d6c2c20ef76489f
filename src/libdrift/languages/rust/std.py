"""Rust's standard library, release by release, from the documentation that a toolchain installs.

Every item of std says since when it is stable and since when it is deprecated, so one toolchain
tells the whole history: at 1.N there is what is stable since 1.N or before. Signatures are those of
the toolchain. ``core`` and ``alloc`` are further roots, whose names lead to the same symbols.
Methods of primitive types are below ``std.primitive``, as in ``std.primitive.slice.first``. What
``arch`` has, the instructions of processors, is left out: it is more than all the rest.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from libdrift import config
from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.rust import declarations, deprecation, pages, std_cache, toolchains
from libdrift.languages.rust import releases as changelogs
from libdrift.languages.rust.pages import PageItem, Version
from libdrift.languages.rust.toolchains import Toolchain
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Release,
    Surface,
    Symbol,
    SymbolKind,
    VersionNote,
)

PACKAGE = "rust"
_HTML = Path("share", "doc", "rust", "html")
_FIRST: Version = (1, 0, 0)
_CLASSES = {"struct", "enum", "trait", "union", "type", "primitive", "traitalias"}
_KINDS = {
    "module": SymbolKind.MODULE,
    "fn": SymbolKind.FUNCTION,
    "macro": SymbolKind.FUNCTION,
    "derive": SymbolKind.FUNCTION,
    "attr": SymbolKind.FUNCTION,
    "method": SymbolKind.METHOD,
    "constant": SymbolKind.CONSTANT,
    "static": SymbolKind.CONSTANT,
    **dict.fromkeys(_CLASSES, SymbolKind.CLASS),
}
_WORDS = {
    "derive": ("macro", "proc_derive"),
    "attr": ("macro", "proc_attribute"),
    "traitalias": ("trait",),
    "associatedconstant": ("const",),
    "associatedtype": ("type",),
    "structfield": ("field",),
    "module": (),
    "fn": (),
    "method": (),
    "constant": (),
}
_MACROS = {"macro", "derive", "attr"}
_GET = "Install it with: rustup component add rust-docs"


# --- what there is


def releases() -> tuple[Release, ...]:
    """One release a minor, from 1.0 to the toolchain's own, oldest first."""
    library = _library()
    wanted = [version for version in library.dates if version.endswith(".0")]
    return tuple(_release(version) for version in reversed(wanted))


def surfaces(versions: Collection[str] = ()) -> Iterator[tuple[Release, Surface | str]]:
    """Each release asked for (1.84 or 1.84.0; all of them, if none), oldest first."""
    library = _library()
    if not versions:
        wanted = [release.version for release in releases()]
    else:
        wanted = sorted({_known(item, library) for item in versions}, key=pages.version)
    for item in wanted:
        yield _release(item), library.surface(_release(item))


def _known(asked: str, library: _Library) -> str:
    for version in (asked, f"{asked}.0"):
        if version in library.dates:
            return version
    newest, oldest = next(iter(library.dates)), list(library.dates)[-1]
    raise UserError(
        f"Rust {asked} is not known to the toolchain's release notes",
        f"Name one from {oldest} to {newest}; for newer ones run: rustup update stable",
    )


def _release(version: str) -> Release:
    return Release("rust", PACKAGE, version, _library().dates[version])


@functools.cache
def _library() -> _Library:
    """The newest stable toolchain that has its documentation; else a nightly that has."""
    for toolchain in toolchains.discover():
        if (toolchain.sysroot / _HTML / "std" / "index.html").is_file():
            return load(toolchain.sysroot / _HTML, toolchain, config.load().cache / "rust")
    what = "the documentation of Rust's std" if toolchains.discover() else "a Rust toolchain"
    raise InfrastructureError(
        f"{what} is not on this machine", _GET if toolchains.discover() else toolchains.GET_STABLE
    )


def load(folder: Path, toolchain: Toolchain, cache: Path) -> _Library:
    """Read a documentation; a few seconds, for the first time."""
    try:
        notes = changelogs.rust((folder / "releases.md").read_text("utf-8"))
    except OSError as error:
        raise InfrastructureError(
            f"the documentation of Rust {toolchain.version} has no release notes", _GET
        ) from error
    found = std_cache.library(folder, cache)
    if (
        not any(item.since and item.path.startswith("std.") for item in found.items)
        or not notes.releases
    ):
        raise InfrastructureError(
            f"the documentation of Rust {toolchain.version} is laid out in an unknown way",
            "Install another toolchain: rustup toolchain install stable",
        )
    return _Library(folder, toolchain, found, notes)


# --- releases


class _Library:
    def __init__(
        self,
        folder: Path,
        toolchain: Toolchain,
        found: pages.LibraryPages,
        notes: changelogs.ReleaseNotes,
    ) -> None:
        self.folder, self.toolchain = folder, toolchain
        self.dates = {
            version: day
            for version, day in notes.releases.items()
            if pages.version(version) >= _FIRST
        }
        self.items: dict[str, PageItem] = {}
        for item in found.items:
            self._add(item)
        self.notes = self._told(notes)
        self.aliases: dict[str, list[str]] = {}  # what stands behind other names, and those
        for given in found.implemented:
            if given.alias:
                self.aliases.setdefault(given.trait, []).append(given.owner)
        self.since = {path: self._since(path) for path in self.items}
        self.ids = self._ids()
        self.edges = tuple(self._edges(found.names))
        self.bases: dict[str, list[tuple[Version, str]]] = {}
        for given in found.implemented:
            since = given.since or self.since.get(given.owner)
            if since and not given.unstable and given.trait in self.items:
                self.bases.setdefault(given.owner, []).append((since, given.trait))
        self._symbols: dict[tuple[str, bool, bool, int], Symbol] = {}

    def _add(self, item: PageItem) -> None:
        path = item.path
        known = self.items.get(path)
        if known and (known.kind in _MACROS) != (item.kind in _MACROS):
            # A macro that shares its name with a module, as `vec!` does, has its mark.
            macro, other = (item, known) if item.kind in _MACROS else (known, item)
            self.items[path], self.items[f"{path}!"] = other, macro
        elif known is None or (item.since or (99,)) < (known.since or (99,)):
            self.items[path] = item  # of several `impl`s the one that was there first

    def _since(self, path: str) -> Version | None:
        """From when on a path is there: never before what it is a part of; None if unstable."""
        item = self.items.get(path)
        if path.endswith(".primitive") and path.count(".") == 1:
            return _FIRST  # primitive types have always been there
        if item is None or item.unstable:
            return None
        owner = path.rpartition(".")[0]
        if not owner:
            return item.since or _FIRST
        above = self._begun(owner)
        return max(item.since, above) if item.since and above else above

    def _begun(self, path: str) -> Version | None:
        """From when on something has members: NonZero's were NonZeroU8's before it had a name."""
        known = [self._since(path), *map(self._since, self.aliases.get(path, ()))]
        return min(filter(None, known), default=None)

    def _ids(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for path, item in self.items.items():
            owner, _, last = path.rpartition(".")
            if item.kind == "module":
                found[path] = path
            elif self.items[owner].kind == "module":
                found[path] = f"{owner}:{last}"
            else:
                module, _, outer = owner.rpartition(".")
                found[path] = f"{module}:{outer}.{last}"
        return found

    def _edges(self, names: Collection[tuple[str, str]]) -> Iterator[tuple[str, str, str, Version]]:
        """Names of core and alloc for what std has: module, label, the target's id, since."""
        others = {path for path, kind in names if kind not in _MACROS} | self.items.keys()
        for path, kind in names:
            module, _, label = path.rpartition(".")
            same = f"std.{path.partition('.')[2]}"
            if kind in _MACROS and f"{same}!" in self.items:
                same = f"{same}!"
                label = f"{label}!" if path in others else label
            inner, outer = self.since.get(same), self.since.get(module)
            if inner and outer:
                yield module, label, self.ids[same], max(inner, outer)

    def surface(self, release: Release) -> Surface:
        now = pages.version(release.version)
        symbols: dict[str, Symbol] = {}
        scopes: dict[str, dict[str, Name]] = {}
        for path, since in self.since.items():
            begun = self._begun(path) if path in self.aliases else since
            if since is None or begun is None or begun > now:
                continue
            symbol = self._symbol(path, now)
            symbols[symbol.id] = symbol
            if symbol.kind in {SymbolKind.MODULE, SymbolKind.CLASS}:
                scopes.setdefault(symbol.id, {})
            owner, _, last = path.rpartition(".")
            if owner and since <= now:
                binding = Binding.SUBMODULE if symbol.kind is SymbolKind.MODULE else Binding.DEFINED
                scopes.setdefault(self.ids[owner], {})[last] = Name(symbol.id, binding)
        for module, label, target, since in self.edges:
            if since <= now:
                scopes[module][label] = Name(target, Binding.REEXPORTED)
        roots = tuple(root for root in pages.CRATES if root in symbols)
        origin = Origin(
            artifact=f"documentation of Rust {self.toolchain.version}, without arch",
            files=len(self.items),
        )
        return Surface(release, roots, symbols, scopes, origin=origin)

    # --- symbols

    def _symbol(self, path: str, now: Version) -> Symbol:
        item = self.items[path]
        old = item.deprecated is not None and item.deprecated <= now
        const = item.const_since is not None and item.const_since <= now
        bases = tuple(dict.fromkeys(b for since, b in self.bases.get(path, ()) if since <= now))
        key = (path, old, const, len(bases))
        known = self._symbols.get(key)
        if known is None:
            known = self._symbols[key] = self._made(path, bases, old=old, const=const)
        return known

    def _made(self, path: str, bases: tuple[str, ...], *, old: bool, const: bool) -> Symbol:
        item = self.items[path]
        own = self.ids[path]
        told = item.declaration.partition("{")[0] if item.kind in _CLASSES else item.declaration
        text = " ".join(told.split()) if item.kind not in _MACROS else told
        always = item.const_since is None and not item.const_unstable
        function = declarations.read(text) if item.kind in {"fn", "method"} else None
        traits = [*_WORDS.get(item.kind, (item.kind,))]
        if function:
            words = [word for word in function.words if word != "const" or const or always]
            own_word = function.receiver or "staticmethod" if item.kind == "method" else ""
            traits = [*words, *([own_word] if own_word else [])]
            if "const" not in words:
                text = text.replace("const fn", "fn", 1)
        return Symbol(
            own,
            _KINDS.get(item.kind, SymbolKind.ATTRIBUTE),
            function.signature if function else None,
            item.doc,
            (self._deprecation(item),) if old else (),
            self._versions(path, const=const),
            tuple(self.ids[base] for base in bases),
            tuple(traits),
            annotation=text.removeprefix("pub ").rstrip(";"),
        )

    @staticmethod
    def _deprecation(item: PageItem) -> Deprecation:
        since = ".".join(str(part) for part in item.deprecated or ())
        return deprecation.read(since, item.note)

    def _versions(self, path: str, *, const: bool) -> tuple[VersionNote, ...]:
        item, since = self.items[path], self.since[path]
        notes = []
        if since:
            written = ".".join(map(str, since))
            notes.append(VersionNote("added", written, self.notes.get((path, written), "")))
        if const and item.const_since and item.const_since != since:
            written = ".".join(map(str, item.const_since))
            notes.append(VersionNote("changed", written, "can be used in const contexts"))
        return tuple(notes)

    def _told(self, notes: changelogs.ReleaseNotes) -> dict[tuple[str, str], str]:
        """What the release notes say of paths: path and version to the line."""
        found = {}
        for fact in notes.facts:
            if fact.kind == "added" and fact.path:
                path = re.sub(r"^(?:core|alloc)\.", "std.", fact.path)
                found[path, fact.version] = f"release notes: {fact.name.replace('.', '::')}"
        return found
