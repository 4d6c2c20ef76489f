"""Changelogs as evidence: what a project says that it added, stabilised, deprecated or removed.

``rust`` reads the release notes that a toolchain ships; ``changelog`` reads those of crates, which
keep a changelog by the known rules or by their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from libdrift.records import Surface, Symbol, VersionNote

_LONGEST = 300  # of a line that is kept
_LARGEST = 4 * 1024 * 1024  # of a changelog


@dataclass(frozen=True, slots=True)
class Fact:
    """One line about one name. ``kind``: added, const, deprecated, removed, renamed, changed."""

    version: str
    date: date | None
    kind: str
    name: str  # dotted, as the line writes it
    path: str = ""  # dotted and whole, where a link tells
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReleaseNotes:
    releases: Mapping[str, date]  # versions of three numbers, newest first
    facts: tuple[Fact, ...]


# --- of Rust itself

_RELEASE = re.compile(r"^Version (?P<version>\d+\.\d+(?:\.\d+)?) \((?P<date>\d{4}-\d\d-\d\d)\)\s*$")
_ENTRY = re.compile(
    r"^\s*[-*] (?:\[)?`(?P<name>[^`]+)`(?:\]\((?P<url>[^)\s]+)\)|\]\[(?P<ref>[^\]]+)\])?"
)
_REFERENCE = re.compile(r"^\[(?P<name>[^\]]+)\]:\s*(?P<url>\S+)", re.MULTILINE)
_PAGE = re.compile(
    r"(?P<modules>(?:std|core|alloc|proc_macro)(?:/\w+)*)/(?P<kind>[a-z]+)\.(?P<name>\w+)\.html"
    r"(?:#(?:ty)?(?:method|associatedconstant|associatedtype|variant|structfield)\.(?P<member>\w+))?"
)
_MODULE = re.compile(r"(?P<modules>(?:std|core|alloc|proc_macro)(?:/\w+)*)/(?:index\.html)?$")
_CONST = re.compile(r"const contexts|now (?:stable in |usable in )?const|const.stab", re.IGNORECASE)


def rust(text: str) -> ReleaseNotes:
    """Of RELEASES: when each version came out, and which names its notes call stabilised."""
    links = {match["name"].strip("`"): match["url"] for match in _REFERENCE.finditer(text)}
    releases: dict[str, date] = {}
    facts: list[Fact] = []
    version, day, kind, lines = "", None, "", text.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        release = _RELEASE.match(line)
        if release:
            version = release["version"] + (".0" if release["version"].count(".") == 1 else "")
            day, kind = date.fromisoformat(release["date"]), ""
            releases[version] = day
        elif re.fullmatch(r"-{3,}\s*", below) and line.strip():
            kind = "added" if "stabili" in line.lower() and "api" in line.lower() else ""
        elif kind and _CONST.search(line) and not _ENTRY.match(line):
            kind = "const"
        elif kind and (entry := _ENTRY.match(line)):
            url = entry["url"] or links.get(entry["ref"] or entry["name"], "")
            facts.append(Fact(version, day, kind, *_named(entry["name"], url), line.strip()))
        elif version and not kind:
            facts += (
                Fact(version, day, done, name, "", line.strip()[:_LONGEST])
                for done, name in _claims(line)
                if done == "deprecated"
            )
    return ReleaseNotes(releases, tuple(facts))


def _named(name: str, url: str) -> tuple[str, str]:
    """The name without its decoration, and its path as the documentation's address tells."""
    page = _PAGE.search(url)
    if page is None or "#impl-" in url:
        module = _MODULE.search(url)
        return _plain(name), module["modules"].replace("/", ".") if module else ""
    modules = page["modules"].replace("/", ".")
    home = f"{modules}.primitive" if page["kind"] == "primitive" else modules
    return _plain(name), ".".join(filter(None, (home, page["name"], page["member"])))


def _plain(name: str) -> str:
    """``<[T]>::as_chunks`` as ``as_chunks``, ``Vec<T>::len()`` as ``Vec.len``."""
    bare = re.sub(r"^<[^:]*>::", "", name.strip())
    bare = re.sub(r"\(.*\)$|!$", "", re.sub(r"<[^<>]*>|::<[^<>]*>", "", bare))
    return bare.replace("::", ".").strip(".")


# --- of crates

_HEADING = re.compile(r"^(?P<marks>#{1,6}) +(?P<text>.+?)#*\s*$")
_NUMBER = re.compile(r"(?<![\w.])v?(?P<version>\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?)(?![\w.]*\.\d)")
_DAY = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")
_BULLET = re.compile(r"^\s*[-*+] +(?P<text>.+)$")
_FILE = re.compile(r"(?i)(?:changelog|changes|releases|history|news)(?:\.md|\.txt)?")
_TICKED = re.compile(r"`([^`\n]+)`")
_LIST = r"(?P<names>`[^`\n]+`(?:(?:\s*(?:,|/)\s*(?:and |or )?|\s+(?:and|or|to|as)\s+)`[^`\n]+`)*)"
_KIND = r"(?:a|an|the|new|all|public|method|function|trait|struct|enum|type|macro|constant|field)s?"
# "Add a method `x`", "`x` is deprecated", and below "### Removed" also "`x`, which …".
# A name further off is one that the line is not about: "Add fast paths to `fill`".
_DOES = re.compile(rf"\b(?P<verb>[A-Za-z]{{3,}})\s+(?:{_KIND}\s+)*{_LIST}")
_DONE = re.compile(
    rf"{_LIST}\s+(?:\w+\s+){{0,2}}?(?:is|are|was|were|been)\s+(?:now\s+|also\s+)?(?P<verb>[a-z]{{3,}})"
)
_FIRST = re.compile(rf"^(?:{_KIND}\s+)*{_LIST}", re.IGNORECASE)
_WORDS = (
    ("deprecated", re.compile(r"deprecat", re.IGNORECASE)),
    ("renamed", re.compile(r"renam", re.IGNORECASE)),
    ("removed", re.compile(r"(?:remov|drop|delet)", re.IGNORECASE)),
    ("added", re.compile(r"(?:add(?:s|ed|ing)?\b|introduc|stabili[sz]|expos)", re.IGNORECASE)),
)
_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*")
_FILLERS = frozenset("self true false none some ok err str u8 no_std std core alloc unsafe".split())


def changelog(text: str) -> tuple[Fact, ...]:
    """Lines that say what became of a name, each name once per line."""
    return tuple(_facts(text))


def _facts(text: str) -> Iterator[Fact]:
    version, day, section = "", None, ""
    for heading, line in _lines(text):
        if heading:
            number = _NUMBER.search(line)
            if number:
                told = _DAY.search(line)
                version, section = number["version"], ""
                day = _date(told[1]) if told else None
            elif re.search(r"unreleased|next\b", line, re.IGNORECASE):
                version, section = "", ""
            else:
                section = _kind(line)
            continue
        for kind, name in _claims(line, section) if version else ():
            yield Fact(version, day, kind, name, text=line[:_LONGEST])


def _lines(text: str) -> Iterator[tuple[bool, str]]:
    """Headings and bullets; what is indented below a bullet belongs to it. Code is left out."""
    bullet, fenced = "", False
    lines = text.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced:
            continue
        heading = _HEADING.match(line)
        underlined = bool(line.strip()) and re.fullmatch(r"(?:={3,}|-{3,})\s*", below)
        start = _BULLET.match(line)
        if (heading or underlined or start or not line.strip()) and bullet:
            yield False, bullet
            bullet = ""
        if heading or underlined:
            yield True, heading["text"] if heading else line.strip()
        elif start:
            bullet = start["text"].strip()
        elif bullet:
            bullet = f"{bullet} {line.strip()}"
    if bullet:
        yield False, bullet


def _claims(line: str, section: str = "") -> Iterator[tuple[str, str]]:
    """What a line says to have been done to which names; of a renamed one, the old name."""
    found: dict[str, str] = {}
    for match in (*_DOES.finditer(line), *_DONE.finditer(line)):
        kind = _kind(match["verb"])
        said = names(match["names"])
        for name in (said[:1] if kind == "renamed" else said) if kind else ():
            found.setdefault(name, kind)
    first = _FIRST.match(line)
    if section and first and not found:
        found = dict.fromkeys(names(first["names"]), section)
    yield from ((kind, name) for name, kind in found.items())


def _kind(word: str) -> str:
    return next((kind for kind, form in _WORDS if form.match(word)), "")


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def names(line: str) -> list[str]:
    """Names in backticks, dotted; not whole expressions, files or features."""
    found = []
    for ticked in _TICKED.findall(line):
        bare = _plain(ticked)
        if _NAME.fullmatch(bare) and len(bare) > 1 and bare.lower() not in _FILLERS:
            found.append(bare)
    return list(dict.fromkeys(found))


def find(folder: Path) -> tuple[Fact, ...]:
    """What the changelog in a crate's folder tells; nothing where there is none."""
    for path in sorted(folder.iterdir()):
        if _FILE.fullmatch(path.name) and path.is_file() and path.stat().st_size < _LARGEST:
            return changelog(path.read_text("utf-8", errors="replace"))
    return ()


# --- as evidence


def attach(surface: Surface, facts: tuple[Fact, ...]) -> Surface:
    """The surface with a note on each symbol that a fact surely means.

    A name that is gone is a tombstone, if what it was a part of is still there: a changelog is
    where its users are told what to use.
    """
    places = _places(surface)
    notes: dict[str, list[VersionNote]] = {}
    tombstones = dict(surface.tombstones)
    for fact in facts:
        found = {fact.path} & places.keys() or _meant(fact.name, places)
        if fact.kind in {"removed", "renamed"}:
            if not found and (path := _grave(fact.name, places)):
                tombstones.setdefault(path, fact.text)
            continue
        for target in {places[path] for path in found} if len(found) == 1 else ():
            kind = "changed" if fact.kind == "const" else fact.kind
            notes.setdefault(target, []).append(VersionNote(kind, fact.version, fact.text))
    symbols: dict[str, Symbol] = dict(surface.symbols)
    for target, told in notes.items():
        own = symbols[target].notes
        more = [note for note in dict.fromkeys(told) if note not in own]
        symbols[target] = replace(symbols[target], notes=(*own, *more))
    return replace(surface, symbols=symbols, tombstones=tombstones)


def _places(surface: Surface) -> dict[str, str]:
    """Every path, members too, to its symbol's id."""
    found: dict[str, str] = {}
    for path, name in surface.walk():
        if name.target not in surface.symbols:
            continue
        found.setdefault(path, name.target)
        if ":" in name.target:
            for label, member in surface.scopes.get(name.target, {}).items():
                found.setdefault(f"{path}.{label}", member.target)
    return found


def _meant(name: str, places: Mapping[str, str]) -> set[str]:
    """The one path that ends so; several names of one thing count as one."""
    ending = f".{name}"
    found: dict[str, str] = {}
    for path, target in places.items():
        if path == name or path.endswith(ending):
            found.setdefault(target, path)
    return set(found.values()) if len(found) == 1 else set()


def _grave(name: str, places: Mapping[str, str]) -> str:
    """``Type.method`` of a type that is there."""
    owner, _, last = name.rpartition(".")
    homes = _meant(owner, places) if owner else set()
    return f"{min(homes)}.{last}" if homes else ""
