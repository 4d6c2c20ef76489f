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
_SHOWN = 3  # other names of a thing, before "and so many more"


@dataclass(frozen=True, slots=True)
class ChangeEntry:
    """All changes of one kind to one path: of a signature there is one for each parameter."""

    kind: ChangeKind
    path: str
    changes: tuple[Change, ...]

    @property
    def breaking(self) -> bool:
        return any(change.breaking for change in self.changes)

    @property
    def aliases(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path for change in self.changes for path in change.aliases))


def entries(changes: Sequence[Change]) -> list[ChangeEntry]:
    """What people count, in the order of the changes."""
    found: dict[tuple[ChangeKind, str], list[Change]] = {}
    for change in changes:
        found.setdefault((change.kind, change.path), []).append(change)
    return [ChangeEntry(kind, path, tuple(some)) for (kind, path), some in found.items()]


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
    }


def lines(changes: Sequence[Change], width: int) -> list[str]:
    """An entry a path: its first line is never wrapped, so that paths can be copied and found."""
    found: list[str] = []
    for entry in entries(changes):
        mark = "!" if entry.breaking else " "
        found.append(f"{mark} {entry.kind.value:<{_KINDS}} {entry.path}")
        for change in entry.changes:
            # Where one parameter breaks and another does not, each says so.
            own = "!" if change.breaking and len(entry.changes) > 1 else " "
            found += _wrapped(f"  {own} ", describe_change(change), width)
        if entry.aliases:
            found += _wrapped("    ", f"also: {_some(entry.aliases)}", width)
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
    if change.kind in _GUESSED and change.evidence:
        text += f" ({'; '.join(change.evidence)}: {change.confidence:.2f})"
    elif change.confidence < _UNSURE:
        text += f" (not certain: {change.confidence:.2f})"
    return text


def _items(entry: ChangeEntry) -> list[str]:
    head = f"- {_bold(entry.breaking)}`{entry.path}`"
    below = [f"  - also {_some([f'`{path}`' for path in entry.aliases])}"] if entry.aliases else []
    if len(entry.changes) == 1:
        return [f"{head}: {_escaped(describe_change(entry.changes[0]))}", *below]
    inner = [
        f"  - {_bold(item.breaking)}{_escaped(describe_change(item))}" for item in entry.changes
    ]
    return [head, *inner, *below]


def _bold(breaking: bool) -> str:  # noqa: FBT001  (the one thing that it is about)
    return "**breaking** " if breaking else ""


def _some(paths: Sequence[str]) -> str:
    more = len(paths) - _SHOWN
    return ", ".join(paths[:_SHOWN]) + (f" … and {more} more" if more > 0 else "")


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
