"""Figures as files, each with its numbers beside it; what is not libdrift's is left alone."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libdrift.errors import UserError
from libdrift.reports.figures.charts import Chart
from libdrift.reports.figures.drawing import FORMATS, draw

LIST = "figures.json"  # which files of the folder are libdrift's, and what they held


@dataclass(frozen=True, slots=True)
class WrittenFigure:
    title: str
    drawing: Path
    numbers: Path

    def to_json(self) -> dict[str, Any]:
        return {"title": self.title, "file": str(self.drawing), "data": str(self.numbers)}


def write_figures(
    charts: Iterable[Chart], folder: Path, form: str = "svg"
) -> tuple[WrittenFigure, ...]:
    """Draw charts into a folder, all or none: ``NAME.svg`` and ``NAME.csv`` for each.

    A file that libdrift did not write, or that was changed since, is never replaced.
    """
    if form not in FORMATS:
        raise UserError(f"--format {form}: unknown", f"Known: {', '.join(FORMATS)}")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is not a folder", "Choose another one")
    found: dict[str, bytes] = {}
    written = []
    for chart in charts:
        name = _unused(chart.name, found)
        drawing, numbers = f"{name}.{form}", f"{name}.csv"
        found |= {drawing: draw(chart, form), numbers: _csv(chart)}
        written.append(WrittenFigure(chart.title, folder / drawing, folder / numbers))
    known = _known(folder)
    for name in found:
        _check(folder / name, known)
    if found:
        _write(folder, found, known)
    return tuple(written)


def _unused(name: str, taken: Mapping[str, bytes]) -> str:
    """The name, with a number where two differ only in signs that no file's name has."""
    found, number = name, 1
    while f"{found}.csv" in taken:
        number += 1
        found = f"{name}-{number}"
    return found


def _csv(chart: Chart) -> bytes:
    rows = chart.rows()
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: _safe(value) if isinstance(value, str) else value for name, value in row.items()}
        for row in rows
    )
    return text.getvalue().encode("utf-8", "backslashreplace")


def _safe(text: str) -> str:
    """A spreadsheet takes some first signs for the start of a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def _known(folder: Path) -> dict[str, str]:
    """The hashes of libdrift's files in a folder, by name."""
    if (folder / LIST).is_symlink():
        raise UserError(
            f"{folder / LIST} is a link that libdrift did not make", "Choose another folder"
        )
    try:
        found = json.loads((folder / LIST).read_text(encoding="utf-8"))["files"]
        return {str(name): str(value) for name, value in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(
            f"{folder / LIST} is not a list of libdrift's figures", "Choose another folder"
        ) from error


def _check(path: Path, known: Mapping[str, str]) -> None:
    if not path.exists() and not path.is_symlink():
        return
    if path.name not in known:
        raise UserError(f"{path} exists, and libdrift did not write it", "Choose another folder")
    if path.is_symlink() or not path.is_file() or _hash(path.read_bytes()) != known[path.name]:
        raise UserError(
            f"{path} was changed since libdrift wrote it", "Move it away, or choose another folder"
        )


def _write(folder: Path, files: Mapping[str, bytes], known: Mapping[str, str]) -> None:
    hashes = {**known, **{name: _hash(content) for name, content in files.items()}}
    listed = json.dumps({"made_by": "libdrift", "files": dict(sorted(hashes.items()))}, indent=1)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / LIST).write_text(listed + "\n", encoding="utf-8")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
