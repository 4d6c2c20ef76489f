"""Finding and reading the data, packed or as the authors release it.

Packed: ``tasks.json`` and ``api_docs.json``. The authors' release: ``Dataset/RustEvo^2.json`` and
``Dataset/APIDocs.json``. Each is one list; the n-th items of both belong together.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.suites import finding

NAME = "rustevo"
TITLE = "RustEvo²"
_LAYOUTS = {
    "packed": ("tasks.json", "api_docs.json"),
    "authors' release": ("Dataset/RustEvo^2.json", "Dataset/APIDocs.json"),
    "authors' files": ("RustEvo^2.json", "APIDocs.json"),
}
_FIX = "Get the file again from the authors' release"


def find(settings: Settings) -> tuple[Path, str]:
    """The first folder that holds the data, and in which layout."""
    folder = finding.find(settings, NAME, TITLE, lambda folder: bool(_layout(folder)))
    return folder, _layout(folder)


def read(folder: Path, layout: str) -> tuple[list[Any], list[Any]]:
    """The items of both files, whatever they are."""
    tasks, apis = (_items(folder / name) for name in _LAYOUTS[layout])
    return tasks, apis


def _layout(folder: Path) -> str:
    return next((key for key, names in _LAYOUTS.items() if (folder / names[0]).is_file()), "")


def _items(path: Path) -> list[Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", _FIX) from error
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise UserError(f"{path} is not JSON ({str(error).splitlines()[0]})", _FIX) from error
    if not isinstance(content, list):
        raise UserError(f"{path} is not a list of records", _FIX)
    return content
