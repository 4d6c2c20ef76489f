"""What differs between one symbol's two releases: deprecation, signature, type, value, bases.

Changes made here have no path yet: where a symbol is shown is for ``diff`` to say.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from libdrift.history.differences import signatures
from libdrift.history.differences.signatures import Difference
from libdrift.history.spelling import is_typed
from libdrift.records import (
    Change,
    ChangeKind,
    Deprecation,
    ParameterKind,
    Provenance,
    Symbol,
    SymbolKind,
)

_READ = {Provenance.STATIC, Provenance.STUB}
_CALLED = {SymbolKind.FUNCTION, SymbolKind.METHOD}
_VALUES = {SymbolKind.CONSTANT, SymbolKind.ATTRIBUTE}
_DYING = re.compile(r"['\"]?_*deprecat", re.IGNORECASE)
_HARMLESS = {
    ("function", "class"),
    ("function", "classmethod"),
    ("function", "staticmethod"),
    ("classmethod", "staticmethod"),
}
_DOOMED = "for removal"
_ARGUMENT = re.compile(r"\b(?:argument|parameter|keyword|option)\b")
_ONLY_RAISES = 0.8  # confidence, where the error's words do not tell of an end
_LONGEST = 120  # of a value in a line for people
# A form for type checkers alone: neither a class nor to be called.
_FORM = re.compile(r"(?:t\.|typing\.|typing_extensions\.)?(?:Annotated|Union|Optional|Literal)\[")
_VERSION = re.compile(r"(?:^|[.:_])version(?:_info)?_*(?:$|:)", re.IGNORECASE)  # of ids
# Bases that say nothing of what a class is to its users.
_PLAIN_BASES = set("object ABC Generic Protocol NamedTuple TypedDict Enum Exception".split())


@dataclass(frozen=True, slots=True)
class Pair:
    """One thing in two releases, and what the releases in between told of its parameters."""

    package: str
    before: str  # versions
    after: str
    old: Symbol
    new: Symbol
    told: Callable[[], Mapping[str, str]]

    def change(
        self,
        kind: ChangeKind,
        *,
        difference: Difference | None = None,
        detail: str = "",
        replacement: str = "",
    ) -> Change:
        found = difference or Difference("", "")
        return Change(
            package=self.package,
            old=self.before,
            new=self.after,
            kind=kind,
            path="",
            symbol=self.new.kind.value,
            aspect=found.aspect,
            parameter=found.parameter,
            before=found.before,
            after=found.after,
            detail=detail,
            replacement=found.replacement or replacement,
            breaking=found.breaking,
            evidence=found.evidence,
            confidence=found.confidence,
        )


def compare(pair: Pair) -> Iterator[Change]:
    """Everything that changed in the symbol itself; its members and bases are apart."""
    old, new = pair.old, pair.new
    if is_dead(new) != is_dead(old) and "fails" not in {*old.traits, *new.traits}:
        yield _removed(pair) if is_dead(new) else _introduced(pair)
        return
    if old.deprecations != new.deprecations:
        yield from _deprecations(pair)
    moved = _type(pair)
    if moved:
        yield moved
        return  # neither its call nor its value can be set against the old one
    told = False
    if old.signature and new.signature:
        for item in signatures.differences(old, new, _told(pair)):
            told = True
            kind, detail = ChangeKind.SIGNATURE, _said(item)
            if item.aspect == "default" and _DYING.match(item.after):
                # `scale=deprecated`: the default is how its authors say it, if nothing else does.
                if any(item.parameter == said.parameter for said in new.deprecations):
                    continue
                kind, detail = ChangeKind.DEPRECATED, f"parameter {item.parameter}: deprecated"
            yield pair.change(kind, difference=item, detail=detail)
    if not told and is_typed(pair.package):
        yield from _types(pair)
    if old.value != new.value and old.kind in _VALUES and new.kind in _VALUES:
        yield from _value(pair)


def _types(pair: Pair) -> Iterator[Change]:
    """Types that a compiler checks. Python's are words for people, and change without effect."""
    before, after = head(pair.old), head(pair.new)
    if before and after and before != after:
        # What is const beside what it was is still what it was; and so is, to a caller in Java,
        # what differs in its type arguments or gives back something more exact.
        harmless = before == after.replace("const ", "", 1) or _taken(before) == _taken(after)
        item = Difference("type", "", before, after, breaking=not harmless)
        detail = f"was {_short(before)}, is {_short(after)}"
        yield pair.change(ChangeKind.SIGNATURE, difference=item, detail=detail)


_ARGUMENTS = re.compile(r"<[^<>]*>")


def _taken(declared: str) -> str:
    """What a Java method takes, as the virtual machine tells methods apart; Rust's `fn` differs."""
    if declared.startswith(("fn ", "pub ", "const ", "unsafe ", "async ", "macro_rules")):
        return declared
    erased = declared.partition(") ->")[0]
    while erased != (erased := _ARGUMENTS.sub("", erased)):
        pass
    return erased


def head(symbol: Symbol) -> str:
    """How a thing is declared, where its kind has types: as the source does, if that is kept."""
    if symbol.kind not in _CALLED | _VALUES:
        return ""
    return symbol.annotation or ("" if symbol.signature is None else str(symbol.signature))


def is_dead(symbol: Symbol) -> bool:
    """Still there, but only to say that it was removed, or to raise an error."""
    return "raises" in symbol.traits or any(note.kind == "removed" for note in symbol.notes)


def _removed(pair: Pair) -> Change:
    text = next((note.text for note in pair.new.notes if note.kind == "removed"), "")
    if text:
        item = Difference("", "", breaking=True, evidence=("documentation",))
        return pair.change(ChangeKind.REMOVED, difference=item, detail=f"gone; {text}")
    item = Difference("", "", breaking=True, confidence=_ONLY_RAISES, evidence=("its code",))
    return pair.change(ChangeKind.REMOVED, difference=item, detail="gone; it can only raise")


def _introduced(pair: Pair) -> Change:
    item = Difference("", "", evidence=("its code",))
    return pair.change(ChangeKind.INTRODUCED, difference=item, detail="does its work now")


def _told(pair: Pair) -> Mapping[str, str]:
    """Asked only where a parameter is gone: looking through other releases takes time."""
    before = pair.old.signature.parameters if pair.old.signature else ()
    after = {p.name for p in pair.new.signature.parameters} if pair.new.signature else set()
    return pair.told() if any(p.name not in after for p in before) else {}


def _said(item: Difference) -> str:
    name, before, after = item.parameter, _short(item.before), _short(item.after)
    return {
        "added": f"new parameter {after}",
        "removed": f"parameter {name} is gone"
        + (f"; use {item.replacement}" if item.replacement else ""),
        "renamed": f"parameter {name} is now {item.replacement}",
        "reordered": f"parameter {name} moved from {before} to {after}",
        "kind": f"parameter {name} was {before}, is {after}",
        "keyword-only": f"parameter {name} is keyword-only now",
        "default": f"default of {name} was {before}, is {after}",
        "required": f"parameter {name} has no default any more (was {before})",
        "optional": f"parameter {name} has a default now ({after})",
    }[item.aspect]


# --- deprecations


def _deprecations(pair: Pair) -> Iterator[Change]:
    old, new = pair.old, pair.new
    if _READ.isdisjoint(old.provenance) or _READ.isdisjoint(new.provenance):
        return  # import does not show deprecations
    was, now = old.deprecation, new.deprecation
    if now and (not was or _is_graver(pair, was, now)):
        yield _deprecated(pair, now)
    elif was and not now and not was.conditional and _is_whole(new):
        detail = f"no longer deprecated (was: {_short(was.message)})" if was.message else ""
        # A warning is often of one use, which now is settled one way or the other.
        item = Difference("", "", confidence=0.6 if was.source == "warning" else 0.9)
        yield pair.change(
            ChangeKind.UNDEPRECATED, difference=item, detail=detail or "no longer deprecated"
        )
    before = {d.parameter for d in old.deprecations}
    after = {d.parameter: d for d in new.deprecations if _is_of_parameter(d, new)}
    for name, told in after.items():
        if name not in before:
            yield _deprecated(pair, told)
    yield from _undeprecated_parameters(pair, set(after))


def _is_graver(pair: Pair, was: Deprecation, now: Deprecation) -> bool:
    """A warning that all uses raise now, or one that this very release says to have begun."""
    begun = now.since != was.since and (
        pair.after == now.since or pair.after.startswith(f"{now.since}.")
    )
    # Java's second step: what was merely deprecated is now to go.
    doomed = _DOOMED in now.message and _DOOMED not in was.message
    return (was.conditional and not now.conditional) or (begun and bool(now.since)) or doomed


def _is_whole(symbol: Symbol) -> bool:
    """Whether a deprecation would show: in a stub, or of a mere name, it does not."""
    return Provenance.STATIC in symbol.provenance and symbol.kind is not SymbolKind.UNKNOWN


def _is_of_parameter(told: Deprecation, symbol: Symbol) -> bool:
    """Not of an attribute, or of a key of what is returned, that the documentation lists too."""
    if told.parameter in {"", "?"}:
        return False
    if told.source == "decorator" or symbol.signature is None:
        return True
    taken = {p.name: p.kind for p in symbol.signature.parameters}
    swallows = told.source == "warning" and ParameterKind.KEYWORDS in taken.values()
    return told.parameter in taken or swallows


def _undeprecated_parameters(pair: Pair, still: set[str]) -> Iterator[Change]:
    """Parameters that stay as they were: with another default, the announced change is made."""
    before, after = (
        {p.name: p for p in symbol.signature.parameters} if symbol.signature else {}
        for symbol in (pair.old, pair.new)
    )
    for told in pair.old.deprecations:
        name = told.parameter
        if name in after and name not in still and not told.conditional:
            if name in before and before[name].default != after[name].default:
                continue
            sure = 0.9 if told.source == "decorator" else 0.6
            item = Difference("", name, confidence=sure)
            yield pair.change(
                ChangeKind.UNDEPRECATED,
                difference=item,
                detail=f"parameter {name} is no longer deprecated",
            )


def _deprecated(pair: Pair, told: Deprecation) -> Change:
    what = {"": "", "*": "some arguments by position: "}.get(
        told.parameter, f"parameter {told.parameter}: "
    )
    if told.conditional and not told.parameter:
        what = "in some uses: "
    since = f"since {told.since}" if told.since else "deprecated"
    sure = 0.6 if told.conditional and not told.parameter else 1.0
    item = Difference("", told.parameter, confidence=sure, evidence=(told.source,))
    instead = told.replacement
    if told.parameter and told.source != "decorator":
        # A word of the message is a parameter only if the function has one of that name.
        taken = {p.name for p in pair.new.signature.parameters} if pair.new.signature else set()
        swallows = pair.new.signature is not None and any(
            p.kind is ParameterKind.KEYWORDS for p in pair.new.signature.parameters
        )
        is_named = swallows and _ARGUMENT.search(told.message) and told.parameter not in taken
        known = instead in taken or (is_named and instead.isidentifier())
        instead = instead if known and instead != told.parameter else ""
    return pair.change(
        ChangeKind.DEPRECATED,
        difference=item,
        detail=what + (told.message or since),
        replacement=instead,
    )


# --- type and value


def _type(pair: Pair) -> Change | None:
    """A class became a function, a method a property: what a user does with the name changes."""
    old, new = pair.old, pair.new
    sources = [_READ.isdisjoint(symbol.provenance) for symbol in (old, new)]
    if sources[0] != sources[1] or SymbolKind.UNKNOWN in (old.kind, new.kind):
        return None
    before, after = _sort(old), _sort(new)
    if not before or not after or before == after:
        return None
    breaks = (before, after) not in _HARMLESS
    item = Difference("type", "", before, after, breaking=breaks)
    detail = f"was a {before}, is a {after}"
    return pair.change(ChangeKind.BEHAVIOUR, difference=item, detail=detail)


def _sort(symbol: Symbol) -> str:
    """What a symbol is to its user; empty where the source does not tell."""
    if symbol.kind in _CALLED:
        if "async" in symbol.traits:
            return "coroutine function"
        for trait in ("classmethod", "staticmethod"):
            if trait in symbol.traits:
                return trait
        return "function"
    if symbol.kind in _VALUES | {SymbolKind.PROPERTY}:
        # `name = make(...)` may be anything, a class or a function too.
        plain = symbol.kind is SymbolKind.PROPERTY or _literal(symbol.value) is not None
        return "value" if plain or _FORM.match(symbol.value) else ""
    return symbol.kind.value


def _value(pair: Pair) -> Iterator[Change]:
    before, after = pair.old.value, pair.new.value
    old, new = _literal(before), _literal(after)
    if old is None or new is None or old == new:
        return
    if pair.before in before or pair.after in after or _VERSION.search(pair.new.id):
        return  # a version or a revision: another in every release
    item = Difference("value", "", before, after)
    detail = f"was {_short(before)}, is {_short(after)}"
    yield pair.change(ChangeKind.BEHAVIOUR, difference=item, detail=detail)


def _literal(text: str) -> str | None:
    """A value's meaning, if it stands there in full; layout and quotes aside."""
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


# --- bases


def bases(pair: Pair, lost: set[str], gained: set[str]) -> Change | None:
    """``lost``, ``gained``: last names of ancestors that went or came."""
    lost, gained = (
        {name for name in names if name not in _PLAIN_BASES and not name.startswith(("_", "<"))}
        for names in (lost, gained)
    )
    gained.discard(re.split(r"[.:]", pair.new.id)[-1])  # parts of it that stand elsewhere now
    if not lost and not gained:
        return None
    before, after = (
        ", ".join(re.split(r"[.:]", base)[-1] for base in symbol.bases)
        for symbol in (pair.old, pair.new)
    )
    parts = [f"no longer inherits from {', '.join(sorted(lost))}"] if lost else []
    parts += [f"now inherits from {', '.join(sorted(gained))}"] if gained else []
    item = Difference(
        "bases", "", before, after, breaking=bool(lost), confidence=0.8 if lost else 1.0
    )
    return pair.change(ChangeKind.BEHAVIOUR, difference=item, detail="; ".join(parts))
