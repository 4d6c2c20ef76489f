"""Finding and reading the data: every JSON file of the folder, an item at a time.

A file is an object with its items under ``data``, or a list of them. Names and folders say
nothing: the packed files, the authors' own layout and their files of model outputs all hold items.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.suites import finding
from libdrift.suites.versicode.items import NAME

TITLE = "VersiCode"
_SNIFFED = 64 * 1024
# A text that is longer than a buffer is read again with each one: outputs may have megabytes.
_BUFFER = 1024 * 1024
_SIGNS = (b'"code_completion"', b'"code_editing"')


def find(settings: Settings) -> Path:
    return finding.find(settings, NAME, TITLE, _holds)


def paths(folder: Path) -> Iterator[Path]:
    """The JSON files of a folder and those below it, in order of their names."""
    for path in sorted(folder.rglob("*.json")):
        # Hidden ones are some file system's own: `._name.json`.
        if path.is_file() and not path.name.startswith("."):
            yield path


def items(path: Path) -> Iterator[tuple[str, Any]]:
    """The items of one file, each with its place; never more than one in memory."""
    import ijson  # type: ignore[import-untyped]

    number = 0
    try:
        with path.open("rb") as file:
            prefix = "item" if _start(file) == b"[" else "data.item"
            found = ijson.items(file, prefix, use_float=True, buf_size=_BUFFER)
            for number, item in enumerate(found, start=1):
                yield f"{path.name} item {number}", item
    except (ijson.JSONError, UnicodeDecodeError, RecursionError) as error:
        why = str(error).split("\n")[0].strip()
        behind = f" behind item {number}" if number else ""
        raise UserError(
            f"{path} is not JSON{behind} ({why})", "Get the file again from the authors' release"
        ) from error
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", "Check its permissions") from error


def _holds(folder: Path) -> bool:
    """A folder of the suite's name holds its data; in any other, a file must look like it."""
    found = paths(folder)
    return any(folder.name == NAME or _looks(path) for path in found)


def _looks(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(_SNIFFED)
    except OSError:
        return False
    return any(sign in start for sign in _SIGNS)


def _start(file: BinaryIO) -> bytes:
    """The first byte that means something; the file stands before it."""
    if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
        file.seek(0)
    while byte := file.read(1):
        if not byte.isspace():
            file.seek(-1, 1)
            break
    return byte
