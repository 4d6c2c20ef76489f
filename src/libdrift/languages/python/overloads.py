"""Overloads of one function, folded into one definition."""

from __future__ import annotations

from libdrift.languages.python.parsed import Definition
from libdrift.records import Parameter, ParameterKind, Signature


def join_overloads(before: Definition, more: Definition) -> None:
    """Fold another overload, or the implementation that follows, into the first."""
    if "overloaded" in more.traits:
        before.signature = joined(before.signature, more.signature)
        before.doc = before.doc or more.doc
        before.deprecations = tuple(d for d in before.deprecations if d in more.deprecations)
        return
    kept = tuple(t for t in before.traits if t != "overloaded")
    for field in ("signature", "doc", "deprecations", "notes", "body", "sketch", "line", "gone"):
        setattr(before, field, getattr(more, field))
    before.traits = tuple(dict.fromkeys((*more.traits, *kept)))


def joined(one: Signature | None, other: Signature | None) -> Signature | None:
    """All parameters that some overload has; needed only where every overload needs them."""
    if one is None or other is None:
        return one or other
    found = {p.name: p for p in one.parameters}
    theirs = {p.name: p for p in other.parameters}
    merged: list[Parameter] = []
    for name in dict.fromkeys([*found, *theirs]):
        mine, their = found.get(name), theirs.get(name)
        base = mine or their
        assert base is not None  # noqa: S101  (one of the two has it)
        default = base.default
        fixed = base.kind not in (ParameterKind.VARIADIC, ParameterKind.KEYWORDS)
        if fixed and default is None:
            other_default = their.default if their else "..."
            default = other_default if mine else "..."
        annotation = base.annotation
        if mine and their and mine.annotation != their.annotation:
            annotation = ""
        kind = base.kind
        if mine and their and mine.kind != their.kind:
            kind = ParameterKind.POSITIONAL if fixed else base.kind
        merged.append(Parameter(name, kind, default, annotation))
    order = list(ParameterKind)
    merged.sort(key=lambda p: order.index(p.kind))
    returns = one.returns if one.returns == other.returns else ""
    return Signature(tuple(merged), returns)
