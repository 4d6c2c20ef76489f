"""Records to bytes and back, as small as they go without much time.

A symbol is stored in three parts, for they change at different times and are shared apart: its
shape (kind, signature, deprecations…), its documentation, and its code's hashes. Shapes are JSON,
so that a command that needs one of them can read it without the weight of msgspec.
"""

from __future__ import annotations

import functools
import hashlib
import json
import zlib
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from libdrift.errors import InfrastructureError
from libdrift.records import (
    Deprecation,
    Origin,
    Parameter,
    ParameterKind,
    Provenance,
    Signature,
    Symbol,
    SymbolKind,
    VersionNote,
)

if TYPE_CHECKING:
    import msgspec

# msgspec's errors are ValueErrors.
_ODD = (ValueError, TypeError, KeyError, AttributeError, zlib.error, RecursionError)
_P = ParamSpec("_P")
_T = TypeVar("_T")

Shape = tuple[
    SymbolKind,
    Signature | None,
    tuple[Deprecation, ...],
    tuple[VersionNote, ...],
    tuple[str, ...],  # bases
    tuple[str, ...],  # traits
    str,  # value
    str,  # annotation
    tuple[Provenance, ...],
]
Code = tuple[str, tuple[int, ...]]  # body and sketch
Outside = dict[str, tuple[str, ...]]

_PLAIN, _DEFLATED = b"\0", b"\1"
# What nearly every shape says. Never change it: files hold what was packed with it.
_WORDS = (
    b'"runtime""stub""carried""decorator""warning""docstring""conditional":true'
    b'"positional-only""variadic""keywords"["module",null,[],[],[],[],"","",["static"]]'
    b'["class",null,[],[],[],[],"","",["static"]]["property",null,[],[],[],[],"","",["static"]]'
    b'["attribute",null,[],[],[],["instance"],"","str",["static"]]'
    b'["constant",null,[],[],[],[],"","",["static","stub"]]'
    b'["function",{"parameters":[{"name":"","kind":"positional","default":null,"annotation":""},'
    b'{"name":"","kind":"keyword-only","default":"False","annotation":"bool"}],"returns":"None"}'
    b',[{"source":"docstring","message":"","since":"","replacement":"","parameter":"",'
    b'"conditional":false}],[{"kind":"versionadded","version":"1.","text":""}],[],[],"","",'
    b'["static"]]["method",{"parameters":[{"name":"","kind":"positional","default":"None",'
    b'"annotation":""}],"returns":""},[],[],[],[],"","",["static"]]'
)


def damaged(what: str) -> InfrastructureError:
    """What a file says that cannot be read though SQLite can read the file."""
    return InfrastructureError(
        f"the history is damaged: {what}",
        "To see the damage and its repair, run: libdrift doctor --deep",
    )


def _reading(read: Callable[_P, _T]) -> Callable[_P, _T]:
    """A reader of stored bytes, whose troubles are told as damage: the bytes were ours once."""

    @functools.wraps(read)
    def guarded(*args: _P.args, **more: _P.kwargs) -> _T:
        try:
            return read(*args, **more)
        # msgspec's errors are ValueErrors.
        except (
            ValueError,
            TypeError,
            KeyError,
            AttributeError,
            zlib.error,
            RecursionError,
        ) as error:
            raise damaged(f"its record of a {read.__name__} cannot be read ({error})") from error

    return guarded


def deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=_WORDS)
    small = packer.compress(data) + packer.flush()
    return _DEFLATED + small if len(small) < len(data) else _PLAIN + data


@_reading
def inflate(blob: bytes) -> bytes:
    if blob[:1] == _PLAIN:
        return blob[1:]
    return zlib.decompressobj(-15, zdict=_WORDS).decompress(blob[1:])


def digest(kind: bytes, data: bytes) -> int:
    """A number for equal contents of a kind, of the size that SQLite keeps."""
    found = hashlib.blake2b(data, digest_size=8, person=kind).digest()
    return int.from_bytes(found, "big", signed=True)


def encode(value: object) -> bytes:
    """Any record, with the keys of mappings in order: equal ones are equal bytes."""
    import msgspec

    try:
        return msgspec.json.encode(value, order="deterministic")
    except UnicodeEncodeError:  # half of a surrogate pair in somebody's message: no such text
        text = json.dumps(msgspec.to_builtins(value), sort_keys=True, ensure_ascii=False)
        return text.encode("utf-8", "replace")


def shape_of(symbol: Symbol) -> bytes:
    return encode(
        (
            symbol.kind,
            symbol.signature,
            symbol.deprecations,
            symbol.notes,
            symbol.bases,
            symbol.traits,
            symbol.value,
            symbol.annotation,
            symbol.provenance,
        )
    )


def doc_of(symbol: Symbol) -> bytes:
    return symbol.doc.encode("utf-8", "surrogatepass")


def code_of(symbol: Symbol) -> bytes:
    return encode((symbol.body, symbol.sketch)) if symbol.body or symbol.sketch else b""


@_reading
def text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:  # noqa: ANN401  (a type, in its many forms)
    import msgspec

    return msgspec.json.Decoder(kind)


@_reading
def shape(data: bytes) -> Shape:
    found: Shape = _decoder(Shape).decode(data)
    return found


@_reading
def code(data: bytes) -> Code:
    found: Code = _decoder(Code).decode(data)
    return found


@_reading
def origin(data: bytes) -> Origin:
    found: Origin = _decoder(Origin).decode(data)
    return found


@_reading
def outside(data: bytes) -> Outside:
    return {base: tuple(names) for base, names in json.loads(data).items()}


@_reading
def tombstones(data: bytes) -> dict[str, str]:
    found: dict[str, str] = json.loads(data)
    return found


def symbol(symbol_id: str, shape: Shape, doc: str = "", code: Code = ("", ())) -> Symbol:
    kind, signature, deprecations, notes, bases, traits, value, annotation, provenance = shape
    return Symbol(
        symbol_id,
        kind,
        signature,
        doc,
        deprecations,
        notes,
        bases,
        traits,
        value,
        annotation,
        *code,
        provenance,
    )


@_reading
def one_shape(data: bytes) -> Shape:
    """The same as ``shape``, for a few: slower by far, but there at once."""
    kind, signature, deprecations, notes, bases, traits, value, annotation, provenance = json.loads(
        data
    )
    return (
        SymbolKind(kind),
        signature
        and Signature(
            tuple(
                Parameter(
                    item["name"],
                    ParameterKind(item["kind"]),
                    item["default"],
                    item["annotation"],
                )
                for item in signature["parameters"]
            ),
            signature["returns"],
        ),
        tuple(Deprecation(**item) for item in deprecations),
        tuple(VersionNote(**item) for item in notes),
        tuple(bases),
        tuple(traits),
        value,
        annotation,
        tuple(Provenance(item) for item in provenance),
    )
