from __future__ import annotations

import json
from typing import Any

import pytest

from libdrift.languages.python import doclines, runtime
from libdrift.records import Binding, Name, Provenance, Release, SymbolKind

RELEASE = Release("pypi", "pkg", "1.0")


def frames(*told: dict[str, Any]) -> list[bytes]:
    return [json.dumps(frame).encode() for frame in told]


def symbol(key: str, kind: str = "function", **more: Any) -> dict[str, Any]:
    return {"frame": "symbol", "id": key, "kind": kind, **more}


def test_a_surface_is_made_of_frames() -> None:
    surface = runtime.read(
        RELEASE,
        frames(
            {"frame": "python", "version": "3.11.7", "roots": ["pkg", "absent"]},
            symbol(
                "pkg:f",
                signature={
                    "parameters": [["a", 1, None, "int"], ["b", 3, "2", ""]],
                    "returns": "str",
                },
                doc=".. deprecated:: 0.9\n   Use :func:`g` instead.",
            ),
            symbol("pkg", "module"),
            {"frame": "scope", "id": "pkg", "names": {"f": ["pkg:f", "listed"]}},
            {"frame": "outside", "names": {"builtins.dict": ["get"], "abc.ABC": []}},
            {"frame": "failed", "module": "pkg.x", "reason": "ImportError: no"},
        ),
    )
    assert surface.roots == ("pkg",)
    assert surface.scopes == {"pkg": {"f": Name("pkg:f", Binding.LISTED, (Provenance.RUNTIME,))}}
    found = surface.symbols["pkg:f"]
    assert str(found.signature) == "(a: int, *, b=2) -> str"
    assert found.provenance == (Provenance.RUNTIME,)
    assert [(d.since, d.replacement) for d in found.deprecations] == [("0.9", "g")]
    assert surface.outside == {"builtins.dict": ("get",)}
    assert surface.origin.runtime == "1.0"
    assert surface.origin.python == "3.11.7"
    assert surface.origin.unread == ("pkg.x: ImportError: no",)


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"frame": "else"}',
        b'{"frame": "symbol", "id": 3, "kind": "class"}',
        b'{"frame": "symbol", "id": "pkg:x", "kind": "thing"}',
        b'{"frame": "scope", "id": "pkg", "names": {"f": ["pkg:f", "somehow"]}}',
    ],
)
def test_a_frame_that_makes_no_sense_is_passed_over(bad: bytes) -> None:
    good = frames(symbol("pkg", "module"), {"frame": "scope", "id": "pkg", "names": {}})
    surface = runtime.read(RELEASE, [*good, bad])
    assert list(surface.symbols) == ["pkg"]
    assert len(surface.origin.unread) == 1


def test_names_without_a_symbol() -> None:
    names = {"lost": ["pkg:lost", "defined"], "sub": ["pkg.sub", "submodule"]}
    told = frames(symbol("pkg", "module"), {"frame": "scope", "id": "pkg", "names": names})
    surface = runtime.read(RELEASE, told)
    assert surface.symbols["pkg:lost"].kind is SymbolKind.UNKNOWN
    assert list(surface.scopes["pkg"]) == ["lost"]  # nothing is known of the module


@pytest.mark.parametrize(
    ("told", "signature"),
    [
        ({"text": "($self, a, /, b=1)"}, "(a, /, b=1)"),
        ({"text": "(x, /)", "doc": "f(y)"}, "(x, /)"),
        ({"text": "", "doc": "f(y, z=None)\n\nDoes it."}, "(y, z=None)"),
        ({"text": "($module, x=<unrepresentable>)", "doc": "f(x[, y])"}, "(x, y=...)"),
        ({}, "None"),
    ],
)
def test_signatures_of_compiled_code(told: dict[str, Any], signature: str) -> None:
    surface = runtime.read(RELEASE, frames(symbol("pkg:C.f", "method", **told)))
    assert str(surface.symbols["pkg:C.f"].signature) == signature


@pytest.mark.parametrize(
    ("name", "doc", "signature"),
    [
        (
            "array",
            "array(object, dtype=None, *, copy=True)\n\nCreate.",
            "(object, dtype=None, *, copy=True)",
        ),
        (
            "arange",
            "arange([start,] stop[, step,], dtype=None)",
            "(start=..., stop, step=..., dtype=None)",
        ),
        ("dgesv", "lu,piv,x,info = dgesv(a,b,[overwrite_a])", "(a, b, overwrite_a=...)"),
        ("iso", "Stamp.iso(self, str sep='T', tz=[1, 2])", "(sep: str = 'T', tz=[1, 2])"),
        ("add", "add(x, /, out=None[, signature])\nAdd.", "(x, /, out=None, signature=...)"),
        ("print", "print(value, ..., sep=' ', end='')", "(value, *args, sep=' ', end='')"),
        ("add", "add(a: Dict[str, int], b: int = 2) -> int", "(a: Dict[str, int], b: int = 2)"),
        ("long", "long(a,\n     b=1)\n\nText.", "(a, b=1)"),
        ("range", "range(stop) -> range\nrange(start, stop[, step]) -> range", "None"),
        ("f", "f(int, int)", "None"),
        ("f", "f(a, b", "None"),
        ("f", "g(a)", "None"),
        ("f", "Call f(x) to have it.", "None"),
        ("f", "f(a-b)", "None"),
        ("f", "", "None"),
    ],
)
def test_signatures_in_documentation(name: str, doc: str, signature: str) -> None:
    assert str(doclines.in_documentation(name, doc)) == signature
