"""The store as Parquet files, for people who count with other tools."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from libdrift.errors import UserError
from libdrift.history.store import packing, trials
from libdrift.history.store.database import Store
from libdrift.history.store.packages import not_mined

_BATCH = 5000  # rows that are in memory at a time

Row = tuple[Any, ...]

# Column, and the name of its type in pyarrow.
RELEASES = {
    "package": "string",
    "version": "string",
    "position": "int32",
    "date": "string",
    "mined": "string",
    "artifact": "string",
    "digest": "string",
    "runtime": "string",
    "files": "int32",
    "complete": "bool_",
}
SYMBOLS = {
    "package": "string",
    "path": "string",
    "id": "string",
    "public": "bool_",
    "kind": "string",
    "signature": "string",
    "doc": "string",
    "deprecated": "bool_",
    "message": "string",
    "replacement": "string",
    "first": "string",
    "last": "string",
}
NAMES = {
    "package": "string",
    "scope": "string",
    "name": "string",
    "target": "string",
    "binding": "string",
    "provenance": "string",
    "first": "string",
    "last": "string",
}

EXAMPLES = {
    "package": "string",
    "old": "string",
    "new": "string",
    "outcome": "string",
    "path": "string",
    "example": "string",
    "before": "string",
    "after": "string",
    "documented": "bool_",
    "count": "int32",
}


def export(store: Store, folder: Path, package: str | None = None) -> dict[Path, int]:
    """Write one file a table, all or none of them; gives the rows of each."""
    if find_spec("pyarrow") is None:
        raise UserError(
            "writing Parquet files needs pyarrow, which is not installed",
            "Run: pip install 'libdrift[parquet]'",
        )
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise UserError(
                f"{place} is a file, but tables need a folder",
                "Name another folder: --parquet DIR",
            )
    tables = {"releases": RELEASES, "symbols": SYMBOLS, "names": NAMES, "examples": EXAMPLES}
    folder.mkdir(parents=True, exist_ok=True)
    aside = {name: folder / f".{name}.parquet.{os.getpid()}" for name in tables}
    try:
        with store.snapshot():
            chosen = _numbers(store, package)
            rows = {
                "releases": _releases(store, chosen),
                "symbols": _symbols(store, chosen),
                "names": _names(store, chosen),
                "examples": _examples(store, chosen),
            }
            counts = {name: _write(aside[name], tables[name], rows[name]) for name in tables}
        for name, file in aside.items():
            file.replace(folder / f"{name}.parquet")
    finally:
        for file in aside.values():
            file.unlink(missing_ok=True)
    return {folder / f"{name}.parquet": count for name, count in counts.items()}


def _numbers(store: Store, package: str | None) -> dict[int, str]:
    names = store.packages()
    if package is not None:
        number = store.number(package)
        names = [name for name in names if store.number(name) == number]
        if not names:
            raise not_mined(store, package)
    return {number: name for name in names if (number := store.number(name)) is not None}


def _write(file: Path, columns: dict[str, str], rows: Iterator[Row]) -> int:
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    schema = pa.schema([(name, getattr(pa, kind)()) for name, kind in columns.items()])
    count = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(rows, _BATCH)):
            arrays = [
                pa.array(values, field.type)
                for values, field in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
            count += len(batch)
    return count


def _releases(store: Store, chosen: dict[int, str]) -> Iterator[Row]:
    for name in chosen.values():
        for position, item in enumerate(store.releases(name)):
            release, origin = item.release, item.origin
            yield (
                name,
                release.version,
                position,
                release.date and release.date.isoformat(),
                item.mined.isoformat(),
                origin.artifact,
                origin.digest,
                origin.runtime,
                origin.files,
                origin.complete,
            )


def _symbols(store: Store, chosen: dict[int, str]) -> Iterator[Row]:
    for number, name in chosen.items():
        versions = store.versions(number)
        rows = store.db.execute(
            "SELECT p.text, i.text, s.inner, s.first, s.last, b.data, d.data FROM symbols s"
            " JOIN ids i ON i.id = s.symbol JOIN blobs b ON b.id = s.shape"
            " LEFT JOIN paths p ON p.id = s.path LEFT JOIN blobs d ON d.id = s.doc"
            " WHERE s.package = ? ORDER BY i.text, s.first",
            (number,),
        )
        for path, symbol_id, inner, first, last, shape, doc in rows:
            symbol = packing.symbol(symbol_id, packing.shape(packing.inflate(shape)))
            told = symbol.deprecation
            text = packing.text(packing.inflate(doc)) if doc else ""
            yield (
                name,
                path,
                symbol_id,
                not inner,
                symbol.kind,
                None if symbol.signature is None else str(symbol.signature),
                text.encode("utf-8", "replace").decode(),
                told is not None and not told.conditional,
                told and told.message,
                told and told.replacement,
                versions[first],
                versions[last],
            )


def _names(store: Store, chosen: dict[int, str]) -> Iterator[Row]:
    for number, name in chosen.items():
        versions = store.versions(number)
        rows = store.db.execute(
            "SELECT s.text, l.text, t.text, h.text, n.first, n.last FROM names n"
            " JOIN ids s ON s.id = n.scope JOIN labels l ON l.id = n.name"
            " JOIN ids t ON t.id = n.target JOIN labels h ON h.id = n.how"
            " WHERE n.package = ? AND l.text <> '' ORDER BY s.text, l.text, n.first",
            (number,),
        )
        for scope, label, target, how, first, last in rows:
            binding, _, provenance = how.partition(" ")
            yield name, scope, label, target, binding, provenance, versions[first], versions[last]


def _examples(store: Store, chosen: dict[int, str]) -> Iterator[Row]:
    for name in chosen.values():
        for trial in trials.trials(store, name):
            for item in trials.findings(store, trial):
                texts = (
                    text.encode("utf-8", "replace").decode()
                    for text in (item.path, item.code, item.before, item.after)
                )
                outcome = (name, trial.old, trial.new, item.outcome.value)
                yield (*outcome, *texts, item.is_documented, item.count)
