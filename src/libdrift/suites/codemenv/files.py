"""Finding and reading the data: a file each of easy, hard and Java samples, any of them absent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.suites import finding

NAME = "codemenv"
TITLE = "CODEMENV"
# What a file holds, by its name: packed, and in the authors' release.
_NAMES = {
    "easy": ("python_easy.jsonl", "easy_code.jsonl"),
    "hard": ("python_hard.jsonl", "hard_code.jsonl"),
    "java": ("java.jsonl", "java_code.jsonl"),
}
_FOLDERS = ("", "eval_data", "eval-data")


def find(settings: Settings) -> Path:
    return finding.find(settings, NAME, TITLE, lambda folder: bool(paths(folder)))


def paths(folder: Path) -> dict[str, Path]:
    """The files that are there, by what they hold."""
    found: dict[str, Path] = {}
    for kind, names in _NAMES.items():
        for path in (folder / below / name for name in names for below in _FOLDERS):
            if path.is_file():
                found.setdefault(kind, path)
    return found


def lines(path: Path) -> Iterator[tuple[str, dict[str, Any] | str]]:
    """The objects of a file, each with its place; a text says why a line is none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", "Check its permissions") from error
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield f"{path.name}:{number}", _object(line)


def _object(line: bytes) -> dict[str, Any] | str:
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "not UTF-8 text"
    except (ValueError, RecursionError):
        return "not JSON"
    return found if isinstance(found, dict) else "not an object"
