"""Small repositories, made where a test wants them, and a history for what they use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from libdrift.build.repositories import Repository
from libdrift.history.store import Store
from libdrift.records import Signature, Symbol, SymbolKind
from tests.history import small


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def repository(
    folder: Path, files: Mapping[str, str | bytes], pinned: str = "pkg==2.0"
) -> Repository:
    """One called as its folder, with a requirements.txt."""
    return Repository(folder.name, write(folder, {"requirements.txt": pinned, **files}))


def returning(where: str, returns: str) -> Symbol:
    """A function or method with an annotation of what it returns."""
    kind = SymbolKind.METHOD if "." in where.partition(":")[2] else SymbolKind.FUNCTION
    return Symbol(where, kind, Signature((), returns))


@contextmanager
def history() -> Iterator[Store]:
    """Two releases of ``pkg``: a class, what makes one, and some that change."""
    figure = (
        small.klass("pkg.core:Figure"),
        returning("pkg.core:Figure.grid", "Axes"),
        returning("pkg.core:Figure.copy", "Self"),
        Symbol("pkg.core:Figure.axes", SymbolKind.ATTRIBUTE, annotation="list[Axes]"),
        small.klass("pkg.core:Axes"),
        returning("pkg.core:Axes.plot", "list[Line]"),
        returning("pkg.core:Axes.count", "int"),
        small.klass("pkg.core:Line"),
        returning("pkg.core:Line.paint", "None"),
        returning("pkg.plots:figure", "Figure"),
        returning("pkg.plots:pair", "tuple[Figure, Any]"),
        returning("pkg.plots:maybe", "Figure | None"),
        returning("pkg.plots:plain", "dict[str, int]"),
        returning("pkg.plots:secret", ""),
        Symbol("pkg.plots:settings", SymbolKind.CONSTANT, value="{}"),
    )
    names = {"pkg.Figure": "pkg.core:Figure"}
    old = small.surface(
        "1.0", *figure, small.function("pkg.plots:gone"), names=names, day=date(2020, 1, 2)
    )
    new = small.surface(
        "2.0", *figure, small.function("pkg.plots:fresh"), names=names, day=date(2021, 3, 4)
    )
    with small.stored(old, new) as store:
        yield store
