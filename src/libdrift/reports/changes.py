"""Changes between two releases, for people (lines, Markdown) and for programs (JSON)."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from libdrift.history.differences import taxonomies
from libdrift.records import Change, ChangeKind, Replacement

_GUESSED = {ChangeKind.RENAMED, ChangeKind.MOVED}
_KINDS = max(len(kind.value) for kind in ChangeKind)
_UNSURE = 0.8  # confidence below which a line says so
_LONGEST = 60  # characters of a default, where several are told
# What is told of one parameter in the change's own words, of several of them in these.
_PLURALS = {
    "removed": "parameters that are gone: {names}",
    "required": "parameters without a default now: {names} (were {before})",
    "keyword-only": "parameters that are keyword-only now: {names}",
    "kind": "parameters that were {before}, are {after}: {names}",
    "added": "new parameters: {after}",
    "default": "default was {before}, is {after}: {names}",
    "optional": "parameters with a default now: {after}",
}
_SHARED = {"kind", "default"}  # aspects of which only equal values are told together
_ASPECTS = ("removed", "renamed", "required", "reordered", *_PLURALS)  # the gravest first


@dataclass(frozen=True, slots=True)
class ChangeEntry:
    """All changes of one kind to one path: of a signature there is one for each parameter.

    Those that break code come first, and of these a parameter that is gone before one that is
    merely to be written in another way.
    """

    kind: ChangeKind
    path: str
    changes: tuple[Change, ...]

    @property
    def breaking(self) -> bool:
        return any(change.breaking for change in self.changes)

    @property
    def aliases(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path for change in self.changes for path in change.aliases))

    @property
    def groups(self) -> tuple[tuple[Change, ...], ...]:
        """The changes, those together that one line can tell: the same of several parameters."""
        found: dict[tuple[object, ...], list[Change]] = {}
        for at, change in enumerate(self.changes):
            found.setdefault(_likeness(change) or (at,), []).append(change)
        return tuple(map(tuple, found.values()))


def entries(changes: Sequence[Change]) -> list[ChangeEntry]:
    """What people count: in the order of the changes, but of one path what breaks code first."""
    found: dict[str, dict[ChangeKind, list[Change]]] = {}
    for change in changes:
        found.setdefault(change.path, {}).setdefault(change.kind, []).append(change)
    return [
        entry
        for path, kinds in found.items()
        for entry in sorted(
            (
                ChangeEntry(kind, path, tuple(sorted(some, key=_gravity)))
                for kind, some in kinds.items()
            ),
            key=lambda entry: not entry.breaking,
        )
    ]


def _gravity(change: Change) -> tuple[bool, int]:
    """Less is graver."""
    known = change.aspect in _ASPECTS
    return not change.breaking, _ASPECTS.index(change.aspect) if known else len(_ASPECTS)


def _likeness(change: Change) -> tuple[object, ...]:
    """Equal for changes that one line can tell; empty for one that has a line of its own."""
    if change.kind is not ChangeKind.SIGNATURE or not change.parameter or change.replacement:
        return ()
    if change.aspect not in _PLURALS:
        return ()
    values = (change.before, change.after) if change.aspect in _SHARED else ()
    return (change.aspect, change.breaking, _doubt(change), *values)


def counts(changes: Sequence[Change]) -> dict[str, int]:
    """How many of each kind, kinds without any left out, and how many of all break."""
    kinds = Counter(change.kind for change in changes)
    found = {kind.value: kinds[kind] for kind in ChangeKind if kinds[kind]}
    return {**found, "breaking": sum(change.breaking for change in changes)}


def summary(changes: Sequence[Change]) -> str:
    """One line, of entries: ``12 changes, 9 breaking: 9 removed; 3 others: 3 introduced``."""
    found = entries(changes)
    if not found:
        return "no changes"
    breaking = [entry for entry in found if entry.breaking]
    others = [entry for entry in found if not entry.breaking]
    noun = "change" if len(found) == 1 else "changes"
    if not breaking:
        return f"{len(found)} {noun}, none breaking: {_listed(others)}"
    text = f"{len(found)} {noun}, {len(breaking)} breaking: {_listed(breaking)}"
    if others:
        text += f"; {len(others)} {'other' if len(others) == 1 else 'others'}: {_listed(others)}"
    return text


def _listed(some: Sequence[ChangeEntry]) -> str:
    kinds = Counter(entry.kind for entry in some)
    return ", ".join(f"{kinds[kind]} {kind.value}" for kind in ChangeKind if kinds[kind])


def to_json(
    package: str, old: str, new: str, changes: Sequence[Change], incomplete: Sequence[str] = ()
) -> dict[str, Any]:
    return {
        "package": package,
        "from": old,
        "to": new,
        "incomplete": list(incomplete),
        "counts": counts(changes),
        "changes": [row(change) for change in changes],
    }


def row(change: Change) -> dict[str, Any]:
    """One change as JSON has it."""
    return {
        "kind": change.kind.value,
        "path": change.path,
        "symbol": change.symbol,
        "aspect": change.aspect or None,
        "parameter": change.parameter or None,
        "before": change.before or None,
        "after": change.after or None,
        "detail": change.detail,
        "replacement": change.replacement or None,
        "how": replacement_row(change.how) if change.how else None,
        "breaking": change.breaking,
        "evidence": list(change.evidence),
        "confidence": change.confidence,
        "aliases": list(change.aliases),
        "taxonomies": dict(taxonomies.words(change)),
    }


def replacement_row(how: Replacement) -> dict[str, Any]:
    """A replacement as JSON has it."""
    return {
        "shape": how.shape.value,
        "path": how.path or None,
        "parameter": how.parameter or None,
        "template": how.template or None,
        "confidence": how.confidence,
        "is_proven": how.is_proven,
        "evidence": list(how.evidence),
    }


def lines(changes: Sequence[Change], width: int) -> list[str]:
    """An entry a path: its first line is never wrapped, so that paths can be copied and found."""
    found: list[str] = []
    for entry in entries(changes):
        mark = "!" if entry.breaking else " "
        found.append(f"{mark} {entry.kind.value:<{_KINDS}} {entry.path}")
        for group in entry.groups:
            # Where one parameter breaks and another does not, each says so.
            own = "!" if group[0].breaking and len(entry.groups) > 1 else " "
            found += _wrapped(f"  {own} ", describe_changes(group), width)
        if entry.aliases:  # all of them: who looks for one of the names must find it
            found += _wrapped("    ", f"also: {', '.join(entry.aliases)}", width)
    return found


def markdown(package: str, old: str, new: str, changes: Sequence[Change]) -> str:
    found = [f"# {package} {old} → {new}", "", f"{_sentence(summary(changes))}."]
    all_entries = entries(changes)
    for kind in ChangeKind:
        some = [entry for entry in all_entries if entry.kind is kind]
        if some:
            found += ["", f"## {_sentence(kind.value)} ({len(some)})", ""]
            for entry in some:
                found += _items(entry)
    return "\n".join(found)


def describe_change(change: Change) -> str:
    """What changed, in a line; how sure that is, where it was inferred."""
    text = change.detail
    if change.kind is ChangeKind.DEPRECATED and change.replacement not in ("", *text.split()):
        text += f" (use {change.replacement})"
    if change.how is not None and change.how.is_proven:
        text += "; the replacement is proven by running"
    if change.kind in _GUESSED and change.evidence:
        text += f" ({'; '.join(change.evidence)}: {change.confidence:.2f})"
    else:
        text += _doubt(change)
    return text


def describe_changes(group: Sequence[Change]) -> str:
    """What changed, the same of one parameter or of several, in a line."""
    first = group[0]
    if len(group) == 1:
        return describe_change(first)
    shared = first.aspect in _SHARED
    before, after = (
        values[0] if shared else ", ".join(values)
        for values in zip(
            *((_short(item.before), _short(item.after)) for item in group), strict=True
        )
    )
    names = ", ".join(item.parameter for item in group)
    return _PLURALS[first.aspect].format(names=names, before=before, after=after) + _doubt(first)


def _short(value: str) -> str:
    line = " ".join(value.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _doubt(change: Change) -> str:
    return f" (not certain: {change.confidence:.2f})" if change.confidence < _UNSURE else ""


def _items(entry: ChangeEntry) -> list[str]:
    head = f"- {_bold(entry.breaking)}`{entry.path}`"
    also = ", ".join(f"`{path}`" for path in entry.aliases)
    below = [f"  - also {also}"] if also else []
    if len(entry.groups) == 1:
        return [f"{head}: {_escaped(describe_changes(entry.groups[0]))}", *below]
    inner = [
        f"  - {_bold(group[0].breaking)}{_escaped(describe_changes(group))}"
        for group in entry.groups
    ]
    return [head, *inner, *below]


def _bold(breaking: bool) -> str:  # noqa: FBT001  (the one thing that it is about)
    return "**breaking** " if breaking else ""


def _wrapped(indent: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=" " * (len(indent) + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _escaped(text: str) -> str:
    """Asterisks and underscores of parameters would be taken for emphasis, `<` for a tag."""
    return "".join(f"\\{letter}" if letter in "\\*_<[" else letter for letter in text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
