"""One symbol between two releases, at length: its life, what is said of it, what to write now."""

from __future__ import annotations

import re
from dataclasses import dataclass

from libdrift.advisor.releases import ReleasePair
from libdrift.errors import UserError
from libdrift.history.questions import Life, life
from libdrift.history.store import Store
from libdrift.languages.python.wording import with_class
from libdrift.records import Change, Finding, Symbol

_EXAMPLE = re.compile(r"^[ \t]*>>> .*(?:\n[ \t]*(?:>>>|\.\.\.) .*)*", re.MULTILINE)
_MOST_LINES = 6  # of documentation


@dataclass(frozen=True, slots=True)
class SymbolAt:
    """A symbol in one release."""

    path: str
    version: str
    signature: str = ""
    doc: str = ""  # its first paragraph
    example: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    symbol: str
    package: str
    old: str
    new: str
    findings: tuple[Finding, ...]  # that it explains; none if a symbol was asked for
    life: Life | None
    before: SymbolAt | None
    after: SymbolAt | None  # None: it is not there
    replacement: SymbolAt | None
    changes: tuple[Change, ...]
    messages: tuple[str, ...]  # of deprecations, and of the error that takes its place


def explain_symbol(
    path: str, pair: ReleasePair, store: Store, findings: tuple[Finding, ...] = ()
) -> Explanation:
    """What happened to a path between two releases."""
    before, after = pair.old.symbol(path), pair.new.symbol(path)
    old, new = pair.versions
    if before is None and after is None and pair.old.find(path) is None:
        raise UserError(
            f"{path} is in neither {pair.package} {old} nor {new}",
            f"Search for it: libdrift history search {pair.package} {path.rpartition('.')[2]}",
        )
    try:
        known = life(store, path)
    except UserError:  # of a private module
        known = None
    asked = {item.parameter for item in findings}
    changes = tuple(
        item
        for item in pair.changes_of(path)
        if not findings or not item.parameter or item.parameter in asked
    )
    names = [item.replacement for item in findings] + [item.replacement for item in changes]
    gone = before is not None and after is None and not pair.is_downgrade
    advised = pair.advised(path) if gone else None
    names += [advised.path] if advised else []
    said_of_it = [item.message for item in known.told if item.message] if known else []
    told = [with_class(message, path) for message in said_of_it]
    said = pair.new.surface.tombstones.get(path, "")
    return Explanation(
        path,
        pair.package,
        old,
        new,
        findings,
        known,
        _at(path, old, before),
        _at(path, new, after),
        next((found for name in names if (found := _replacement(name, pair))), None),
        changes,
        tuple(dict.fromkeys([*told, *([said] if said else [])])),
    )


def _replacement(path: str, pair: ReleasePair) -> SymbolAt | None:
    return _at(path, pair.versions[1], pair.new.symbol(path)) if "." in path else None


def _at(path: str, version: str, symbol: Symbol | None) -> SymbolAt | None:
    if symbol is None:
        return None
    paragraph = symbol.doc.strip().partition("\n\n")[0].splitlines()[:_MOST_LINES]
    example = _EXAMPLE.search(symbol.doc)
    signature = "" if symbol.signature is None else str(symbol.signature)
    text = re.sub(r"(?m)^[ \t]+", "", example[0]) if example else ""
    return SymbolAt(path, version, signature, " ".join(map(str.strip, paragraph)), text)
