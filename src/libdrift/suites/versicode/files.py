"""Finding the data: every JSON file of the folder.

A file is an object with its items under ``data``, or a list of them. Names and folders say
nothing: the packed files, the authors' own layout and their files of model outputs all hold items.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from libdrift.config import Settings
from libdrift.suites import finding
from libdrift.suites.versicode.items import NAME

TITLE = "VersiCode"
_SNIFFED = 64 * 1024
_SIGNS = (b'"code_completion"', b'"code_editing"')


def find(settings: Settings) -> Path:
    return finding.find(settings, NAME, TITLE, _holds)


def paths(folder: Path) -> Iterator[Path]:
    """The JSON files of a folder and those below it, in order of their names."""
    for path in sorted(folder.rglob("*.json")):
        # Hidden ones are some file system's own: `._name.json`.
        if path.is_file() and not path.name.startswith("."):
            yield path


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
