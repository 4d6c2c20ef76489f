"""The surface of a release as its import showed it: frames of a probe, read with distrust."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from libdrift.languages.python import directives, doclines
from libdrift.languages.python.wording import replacement_in
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Parameter,
    ParameterKind,
    Provenance,
    Release,
    Signature,
    Surface,
    Symbol,
    SymbolKind,
)

SEEN = (Provenance.RUNTIME,)
_KINDS = tuple(ParameterKind)  # in the order of inspect's own numbers
_CALLABLE = (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS)


class _Signature(msgspec.Struct):
    parameters: list[tuple[str, int, str | None, str]]
    returns: str = ""


class _Symbol(msgspec.Struct, tag_field="frame", tag="symbol"):
    id: str
    kind: SymbolKind
    doc: str = ""
    traits: tuple[str, ...] = ()
    signature: _Signature | None = None
    text: str = ""  # __text_signature__, where Python itself cannot read it
    bases: tuple[str, ...] = ()
    value: str = ""
    annotation: str = ""
    deprecated: str = ""


class _Scope(msgspec.Struct, tag_field="frame", tag="scope"):
    id: str
    names: dict[str, tuple[str, Binding]]


class _Outside(msgspec.Struct, tag_field="frame", tag="outside"):
    names: dict[str, tuple[str, ...]]


class _Failed(msgspec.Struct, tag_field="frame", tag="failed"):
    module: str
    reason: str


class _Python(msgspec.Struct, tag_field="frame", tag="python"):
    version: str
    roots: tuple[str, ...]


_FRAME = msgspec.json.Decoder(_Symbol | _Scope | _Outside | _Failed | _Python)


def read(release: Release, payload: Iterable[bytes]) -> Surface:
    """The surface that a probe's frames tell of. A frame that makes no sense is passed over."""
    symbols: dict[str, Symbol] = {}
    scopes: dict[str, dict[str, tuple[str, Binding]]] = {}
    outside: dict[str, tuple[str, ...]] = {}
    failed: list[str] = []
    python, roots = "", tuple[str, ...]()
    for data in payload:
        try:
            frame = _FRAME.decode(data)
        except msgspec.DecodeError:
            failed.append("a frame of the probe: it cannot be read")
            continue
        match frame:
            case _Symbol():
                symbols[frame.id] = _symbol(frame)
            case _Scope():
                scopes[frame.id] = frame.names
            case _Outside():
                outside = frame.names
            case _Failed():
                failed.append(f"{frame.module}: {frame.reason}")
            case _Python():
                python, roots = frame.version, frame.roots
    for names in scopes.values():
        for target, _ in names.values():
            if ":" in target and target not in symbols:
                symbols[target] = Symbol(target, SymbolKind.UNKNOWN, provenance=SEEN)
    return Surface(
        release=release,
        roots=tuple(root for root in roots if root in scopes),
        symbols=symbols,
        scopes={scope: _names(names, symbols) for scope, names in scopes.items()},
        outside={base: names for base, names in outside.items() if names},
        origin=Origin(runtime=release.version, python=python, unread=tuple(failed)),
    )


def _names(
    names: Mapping[str, tuple[str, Binding]], symbols: Mapping[str, Symbol]
) -> dict[str, Name]:
    # A module that the probe was ended before it could describe has no symbol.
    return {
        label: Name(target, binding, SEEN)
        for label, (target, binding) in names.items()
        if target in symbols
    }


def _symbol(frame: _Symbol) -> Symbol:
    told, notes = directives.in_documentation(frame.doc) if frame.doc else ([], [])
    if frame.deprecated:
        hint = replacement_in(frame.deprecated)
        told.insert(0, Deprecation("decorator", frame.deprecated, replacement=hint))
    signature = _signature(frame.signature)
    if signature is None and frame.kind in _CALLABLE:
        last = frame.id.rpartition(":")[2].rpartition(".")[2]
        signature = doclines.in_text(frame.text) or doclines.in_documentation(last, frame.doc)
    return Symbol(
        id=frame.id,
        kind=frame.kind,
        signature=signature,
        doc=frame.doc,
        deprecations=tuple(told),
        notes=tuple(notes),
        bases=frame.bases,
        traits=frame.traits,
        value=frame.value,
        annotation=frame.annotation,
        provenance=SEEN,
    )


def _signature(told: _Signature | None) -> Signature | None:
    if told is None:
        return None
    parameters = [
        Parameter(name, _KINDS[kind], default, annotation)
        for name, kind, default, annotation in told.parameters
        if 0 <= kind < len(_KINDS)
    ]
    return Signature(tuple(parameters), told.returns)
