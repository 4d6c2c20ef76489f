"""The shape of a replacement in the life of a symbol, without rebuilding a surface."""

from __future__ import annotations

from dataclasses import replace

from libdrift.history.differences import shapes, templates
from libdrift.history.differences.templates import Expression, Names
from libdrift.history.questions.tracing import Tracer
from libdrift.history.store import packing
from libdrift.records import Replacement, Symbol, SymbolKind

_IN_CODE = 0.75  # in what the old code calls, without a word about it
_TOLD = 0.9  # confidence in what a message names and the release has
_INSTANCE = {SymbolKind.METHOD, SymbolKind.PROPERTY}


def how_replaced(
    path: str, replacement: str, symbol: Symbol | None, tracer: Tracer, position: int
) -> Replacement | None:
    """How code follows a replacement that the release at a position has."""
    if not replacement or not tracer.reach(replacement).mask >> position & 1:
        return None
    owner, heir = (_owner(name, tracer) for name in (path, replacement))
    new = _symbol(replacement, tracer, position)
    needs_instance = bool(heir) and new is not None and new.kind in _INSTANCE
    shown = _shown(path, symbol, tracer, position)
    if shown is not None and shown.path != replacement:
        shown = None
    if shown is not None:
        old_signature = symbol.signature if symbol else None
        shown = templates.fitted(shown, old_signature, new.signature if new else None)
    place = shapes.OldPlace(path, owner, symbol)
    goal = shapes.Goal(replacement, heir, new, needs_instance)
    shape, template, fit = shapes.shaped(place, goal, shown)
    if symbol is not None and not (symbol.signature and symbol.signature.parameters):
        template = templates.without_rest(template)
    where = templates.chain(template, owner) or replacement
    return Replacement(shape, where, template=template, confidence=round(_TOLD * fit, 2))


def how_in_code(
    path: str, symbol: Symbol | None, tracer: Tracer, position: int
) -> Replacement | None:
    """What the old code calls, where no message names it."""
    shown = _shown(path, symbol, tracer, position)
    if shown is None or not shown.path:
        return None
    found = how_replaced(path, shown.path, symbol, tracer, position)
    return replace(found, confidence=_IN_CODE) if found is not None else None


def _shown(path: str, symbol: Symbol | None, tracer: Tracer, position: int) -> Expression | None:
    """What the old code does, if it is all about members of its own object."""
    told = symbol.deprecation if symbol else None
    tree = templates.parse(told.template) if told and told.template else None
    owner = _owner(path, tracer)
    if tree is None or not owner:
        return None

    def resolve(name: str) -> str:
        is_member = name.rpartition(".")[0] == owner
        return name if is_member and tracer.reach(name).mask >> position & 1 else ""

    return templates.settled(tree, Names(owner, resolve, lambda _: False))


def _owner(path: str, tracer: Tracer) -> str:
    parent = path.rpartition(".")[0]
    mask = tracer.reach(parent).mask if parent else 0
    found = _symbol(parent, tracer, mask.bit_length() - 1) if mask else None
    return parent if found is not None and found.kind is SymbolKind.CLASS else ""


def _symbol(path: str, tracer: Tracer, position: int) -> Symbol | None:
    for key, mask in tracer.reach(path).targets.items():
        if not mask >> position & 1:
            continue
        for shape, _, held in tracer.shapes(key):
            if held >> position & 1:
                return packing.symbol(tracer.text(key), packing.one_shape(shape))
    return None
