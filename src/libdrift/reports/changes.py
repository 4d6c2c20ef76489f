"""Changes between two releases, for people (table, Markdown) and for programs (JSON)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from libdrift.history import taxonomies
from libdrift.records import Change, ChangeKind

if TYPE_CHECKING:
    from rich.table import Table

_GUESSED = {ChangeKind.RENAMED, ChangeKind.MOVED}


def counts(changes: Sequence[Change]) -> dict[str, int]:
    """How many of each kind, kinds without any left out, and how many of all break."""
    kinds = Counter(change.kind for change in changes)
    found = {kind.value: kinds[kind] for kind in ChangeKind if kinds[kind]}
    return {**found, "breaking": sum(change.breaking for change in changes)}


def summary(changes: Sequence[Change]) -> str:
    """One line: ``12 changes: 3 introduced, 9 removed; 9 of them breaking``."""
    if not changes:
        return "no changes"
    kinds = counts(changes)
    breaking = kinds.pop("breaking")
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    noun = "change" if len(changes) == 1 else "changes"
    return f"{len(changes)} {noun}: {listed}; {breaking} breaking"


def to_json(package: str, old: str, new: str, changes: Sequence[Change]) -> dict[str, Any]:
    return {
        "package": package,
        "from": old,
        "to": new,
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
        "breaking": change.breaking,
        "evidence": list(change.evidence),
        "confidence": change.confidence,
        "aliases": list(change.aliases),
        "taxonomies": dict(taxonomies.words(change)),
    }


def table(changes: Sequence[Change]) -> Table:
    from rich.table import Column, Table
    from rich.text import Text

    columns = (
        Column("", no_wrap=True),
        Column("kind", no_wrap=True),
        Column("path", overflow="fold", ratio=2),
        Column("change", overflow="fold", ratio=3),
    )
    found = Table(*columns, expand=True)
    for change in changes:
        mark = Text("!", style="bold red") if change.breaking else Text("")
        found.add_row(mark, change.kind.value, Text(change.path), Text(said(change)))
    return found


def markdown(package: str, old: str, new: str, changes: Sequence[Change]) -> str:
    lines = [f"# {package} {old} → {new}", "", f"{_sentence(summary(changes))}."]
    for kind in ChangeKind:
        some = [change for change in changes if change.kind is kind]
        if some:
            lines += ["", f"## {_sentence(kind.value)} ({len(some)})", ""]
            lines += [_item(change) for change in some]
    return "\n".join(lines)


def said(change: Change) -> str:
    """What changed, in a line; how sure that is, where it was inferred."""
    text = change.detail
    if change.kind is ChangeKind.DEPRECATED and change.replacement not in ("", *text.split()):
        text += f" (use {change.replacement})"
    if change.kind in _GUESSED and change.evidence:
        text += f" ({'; '.join(change.evidence)}: {change.confidence:.2f})"
    return text


def _item(change: Change) -> str:
    breaking = "**breaking** " if change.breaking else ""
    return f"- {breaking}`{change.path}`: {_escaped(said(change))}"


def _escaped(text: str) -> str:
    """Asterisks and underscores of parameters would be taken for emphasis, `<` for a tag."""
    return "".join(f"\\{letter}" if letter in "\\*_<[" else letter for letter in text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
