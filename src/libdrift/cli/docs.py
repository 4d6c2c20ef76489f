from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli.on_demand import NoMineOption, PackageOption, on_demand

if TYPE_CHECKING:
    from libdrift.history.questions import SymbolDocument


def docs_command(
    path: Annotated[
        str, typer.Argument(metavar="SYMBOL", help="Name as used in code: pandas.DataFrame.append.")
    ],
    at: Annotated[
        str | None,
        typer.Option(
            help="Version, or a series such as 1.5. [default: newest mined release, or "
            "newest release "
            "if none is mined]"
        ),
    ] = None,
    package: PackageOption = None,
    no_mine: NoMineOption = False,
    as_json: common.JsonOption = False,
    store: Annotated[
        Path | None, typer.Option("--store", help="The history file, if not the usual one.")
    ] = None,
) -> None:
    """Print a symbol's signature and documentation as of one release.

    A release that is not mined yet is mined first.
    """
    from libdrift.jobs.histories import docs

    with on_demand(no_mine) as ways:
        found = docs(path, at, store, ways, package)
    if as_json:
        common.print_json(_json(found))
    else:
        print("\n".join(_lines(found, asked=at is not None)))


def _json(found: SymbolDocument) -> dict[str, Any]:
    from libdrift.cli.trials import seen_json

    symbol = found.symbol
    told = symbol.deprecation
    return {
        "path": found.path,
        "package": found.package,
        "version": found.version,
        "newest": found.newest,
        "kind": str(symbol.kind),
        "signature": None if symbol.signature is None else str(symbol.signature),
        "doc": _tidy(symbol.doc),
        "deprecated": told
        and {
            "message": told.message,
            "replacement": told.replacement or None,
            "conditional": told.conditional,
        },
        "notes": [
            {"kind": note.kind, "version": note.version, "text": note.text} for note in symbol.notes
        ],
        "value": symbol.value or None,
        "annotation": symbol.annotation or None,
        "bases": list(symbol.bases),
        "defined": symbol.id,
        "public_path": found.public_path or None,
        "behaviour": seen_json(found.behaviour),
    }


def _lines(found: SymbolDocument, *, asked: bool) -> list[str]:
    from libdrift.cli.lives import kind_of

    symbol = found.symbol
    head = f"{found.path}{symbol.signature or ''}"
    if symbol.annotation and symbol.signature is not None:  # as the source declares it
        head = f"{found.path}: {symbol.annotation}"
    elif symbol.signature is None:
        head += f": {symbol.annotation}" if symbol.annotation else ""
        head += f" = {symbol.value}" if symbol.value else ""
    newest = "" if asked else ", the newest mined release"
    lines = [head, f"  {kind_of(symbol.kind)} of {found.package} {found.version}{newest}"]
    if found.public_path not in {"", found.path}:
        lines.append(f"  the same as {found.public_path}")
    lines.append(f"  defined at {symbol.id}")
    told = symbol.deprecation
    if told is not None:
        some = "deprecated in some uses" if told.conditional else "deprecated"
        lines.append(f"  {some}: {told.message}" if told.message else f"  {some}")
    lines += [f"  {item.old} → {item.new}: {item.text}" for item in found.behaviour]
    doc = _tidy(symbol.doc)
    return [*lines, "", doc or "(no documentation in this release)"]


def _tidy(doc: str) -> str:
    """Without the indentation of the source; a half surrogate pair could not be printed."""
    from inspect import cleandoc

    return cleandoc(doc).encode("utf-8", "replace").decode()
