"""How code changes that follows a replacement: by the paths, kinds and signatures of both."""

from __future__ import annotations

import re
from dataclasses import dataclass

from libdrift.history.differences.templates import Expression
from libdrift.records import (
    ANY_NUMBER,
    BY_PLACE,
    Parameter,
    ReplacementShape,
    Signature,
    Symbol,
    SymbolKind,
)

_CALLED = {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS}
_VALUES = {SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE, SymbolKind.CONSTANT}
_MANY = re.compile(r"\b(?:Iterable|Sequence|Collection|[Ll]ist|[Tt]uple)\b")
_SOME_LOST = 0.8  # of the confidence, where the new one takes not all that the old one did
_GUESSED = 0.8  # where the signatures alone tell what goes where
_OTHER = 0.9  # another expression, and nobody says which

Shaped = tuple[ReplacementShape, str, float]  # with the template, and how far it fits


@dataclass(frozen=True, slots=True)
class OldPlace:
    """The old thing; ``owner`` is its class, if it is a member."""

    path: str
    owner: str
    symbol: Symbol | None


@dataclass(frozen=True, slots=True)
class Goal:
    """What takes its place."""

    path: str
    owner: str
    symbol: Symbol | None
    needs_instance: bool


def shaped(place: OldPlace, goal: Goal, shown: Expression | None) -> Shaped:
    """``shown`` is what code or a message of a release writes for it."""
    if shown is not None and not shown.is_plain:
        return ReplacementShape.TEMPLATE, shown.text, 1.0
    if shown is not None:
        turned = _turned(place, goal, is_call=shown.is_call)
        if turned is not None:
            return turned
    elif _kinds_differ(place.symbol, goal.symbol):
        turned = _turned(place, goal, is_call=_is_called(goal.symbol))
        return turned or (ReplacementShape.TEMPLATE, "", _OTHER)
    fit = 1.0 if shown is not None else _fit(_signature(place.symbol), _signature(goal.symbol))
    if place.owner:
        if goal.owner == place.owner:
            return (ReplacementShape.RENAME, "", fit) if fit else _other()
        return _of_function(place, goal) if not goal.owner else _other()
    if goal.needs_instance:
        return _of_method(place, goal)
    if not fit:
        return _other()
    beside = place.path.rpartition(".")[0] == goal.path.rpartition(".")[0]
    is_module = place.symbol is not None and place.symbol.kind is SymbolKind.MODULE
    shape = ReplacementShape.RENAME if beside and not is_module else ReplacementShape.MOVE
    return shape, "", fit


def _other() -> Shaped:
    return ReplacementShape.TEMPLATE, "", _OTHER


def _signature(symbol: Symbol | None) -> Signature | None:
    return symbol.signature if symbol else None


def _is_called(symbol: Symbol | None) -> bool:
    return symbol is not None and symbol.kind in _CALLED


def _kinds_differ(old: Symbol | None, new: Symbol | None) -> bool:
    """One is called and the other is not, as far as reading tells."""
    if old is None or new is None:
        return False
    pair = (old.kind, new.kind)
    if SymbolKind.MODULE in pair:
        return old.kind is not new.kind and SymbolKind.UNKNOWN not in pair
    plain = [symbol.kind is SymbolKind.PROPERTY or _is_value(symbol) for symbol in (old, new)]
    return (_is_called(old) and plain[1]) or (plain[0] and _is_called(new))


def _is_value(symbol: Symbol) -> bool:
    """`name = make(...)` may be anything."""
    known = bool(symbol.value) and "(" not in symbol.value
    return symbol.kind in _VALUES and known


def _turned(place: OldPlace, goal: Goal, *, is_call: bool) -> Shaped | None:
    """A method that is an attribute now, or the other way; None where both are the same."""
    old = place.symbol
    if old is None or not place.owner or goal.owner != place.owner:
        return None
    was_call = old.kind in _CALLED
    if was_call == is_call or old.kind not in _CALLED | _VALUES:
        return None
    label = goal.path.rpartition(".")[2]
    if was_call and _required(old.signature):
        return None
    if label == place.path.rpartition(".")[2]:
        return (ReplacementShape.ATTRIBUTE if was_call else ReplacementShape.CALL), "", 1.0
    return ReplacementShape.TEMPLATE, f"{{self}}.{label}" + ("()" if is_call else ""), 1.0


# --- signatures


def _named(signature: Signature | None) -> list[Parameter]:
    return [p for p in signature.parameters if p.kind not in ANY_NUMBER] if signature else []


def _required(signature: Signature | None) -> list[str]:
    return [p.name for p in _named(signature) if p.default is None]


def _takes_any(signature: Signature) -> bool:
    return any(p.kind in ANY_NUMBER for p in signature.parameters)


def _fit(old: Signature | None, new: Signature | None) -> float:
    """How far a call of the old is one of the new: none where that needs what the old had not."""
    if old is None or new is None:
        return 1.0
    mine, theirs = [p.name for p in _named(old)], [p.name for p in _named(new)]
    if _takes_any(new):
        # One that names some of what it takes, and not what the old one must be given, may refuse
        # it; `(*args, **kwargs)` alone is a wrapper, which says nothing.
        places = [p.name for p in new.parameters if p.kind in BY_PLACE]
        unnamed = set(_required(old)[len(places) :]) - set(theirs)
        return _SOME_LOST if theirs and unnamed else 1.0
    needed = [name for name in _required(new) if name not in mine]
    by_place = len(_required(old)) >= len(_required(new))
    if needed and not by_place and not _takes_any(old):
        return 0.0
    if mine == theirs[: len(mine)]:
        return 1.0
    if set(mine) <= set(theirs):
        return 1.0 if not _is_reordered(mine, theirs) else _SOME_LOST
    return _SOME_LOST


def _is_reordered(mine: list[str], theirs: list[str]) -> bool:
    kept = [name for name in theirs if name in mine]
    return kept != mine


def _of_function(place: OldPlace, goal: Goal) -> Shaped:
    """``x.append(y)`` to ``concat([x, y])``: where the parameters say what goes where."""
    old, new = _signature(place.symbol), _signature(goal.symbol)
    if old is None or new is None or not _named(new):
        return _other()
    mine, theirs = [p.name for p in _named(old)], _named(new)
    first, rest = theirs[0], {p.name for p in theirs[1:]}
    needed = _required(old)
    if len(needed) == 1 and needed[0] not in rest and _is_many(first):
        others = [name for name in mine if name != needed[0]]
        if set(others) <= rest:
            text = f"{goal.path}([{{self}}, {{{needed[0]}}}]{', {...}' if others else ''})"
            return ReplacementShape.TEMPLATE, text, _GUESSED
    missing = set(_required(new)) - {first.name, *mine}
    if set(mine) <= rest and not missing and not _is_many(first):
        ordered = mine == [p.name for p in theirs[1 : len(mine) + 1]]
        given = ["{...}"] if ordered and mine else [f"{name}={{{name}}}" for name in mine]
        text = f"{goal.path}({', '.join(['{self}', *given])})"
        return ReplacementShape.TEMPLATE, text, _GUESSED
    return _other()


def _is_many(parameter: Parameter) -> bool:
    return bool(_MANY.search(parameter.annotation)) or parameter.name in {"objs", "arrays", "items"}


def _of_method(place: OldPlace, goal: Goal) -> Shaped:
    """``f(x, y)`` to ``x.f(y)``."""
    old, new = _signature(place.symbol), _signature(goal.symbol)
    if old is None or not _required(old):
        return _other()
    first, *others = [p.name for p in _named(old)]
    theirs = [p.name for p in _named(new)]
    kind = goal.owner.rpartition(".")[2]
    annotation = _named(old)[0].annotation
    is_it = kind in annotation or kind.lower().startswith(first.lower())
    if not is_it or others != theirs[: len(others)]:
        return _other()
    if goal.symbol is not None and goal.symbol.kind is SymbolKind.PROPERTY:
        return ReplacementShape.TEMPLATE, f"{{{first}}}.{goal.path.rpartition('.')[2]}", _GUESSED
    rest = "{...}" if others else ""
    text = f"{{{first}}}.{goal.path.rpartition('.')[2]}({rest})"
    return ReplacementShape.TEMPLATE, text, _GUESSED
