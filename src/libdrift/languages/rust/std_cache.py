"""What was read of a toolchain's documentation, kept, so that its pages are read once.

Only a cache: a file that cannot be read or written costs time, never an answer.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from pathlib import Path
from typing import Any

from libdrift import kept
from libdrift.languages.rust import pages
from libdrift.languages.rust.pages import Implemented, LibraryPages, PageItem

_LOG = logging.getLogger(__name__)
KIND = "rust-documentation"
_FORMAT = 4  # to be raised with every change of what the pages are read for


def library(folder: Path, cache: Path) -> LibraryPages:
    """The documentation below ``folder``."""
    file = cache / f"std-{_key(folder)}.json"
    try:
        return parsed(file.read_bytes())
    except FileNotFoundError:
        pass
    except (OSError, ValueError, TypeError, KeyError) as error:
        _LOG.debug("cannot use %s: %s", file, error)
    found = pages.read(folder)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        kept.write_whole(file, kept.seal(KIND, _FORMAT, json.dumps(_pack(found)).encode()))
    except OSError as error:
        _LOG.debug("cannot write %s: %s", file, error)
    return found


def parsed(data: bytes) -> LibraryPages:
    """What a file of the cache says; an error of its values if it is damaged."""
    return _unpack(json.loads(kept.unseal(KIND, _FORMAT, data)))


def _key(folder: Path) -> str:
    stamps = [(folder / name).stat() for name in ("releases.md", "std/index.html")]
    told = [_FORMAT, str(folder), *((stamp.st_size, stamp.st_mtime_ns) for stamp in stamps)]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def _pack(found: LibraryPages) -> dict[str, Any]:
    fields = [field.name for field in dataclasses.fields(PageItem)]
    others = [field.name for field in dataclasses.fields(Implemented)]
    return {
        "items": [[getattr(item, name) for name in fields] for item in found.items],
        "implemented": [[getattr(item, name) for name in others] for item in found.implemented],
        "names": found.names,
    }


def _unpack(told: dict[str, Any]) -> LibraryPages:
    return LibraryPages(
        tuple(PageItem(*_row(row)) for row in told["items"]),
        tuple(Implemented(*_row(row)) for row in told["implemented"]),
        _tuple(told["names"]),
    )


def _row(row: list[Any]) -> list[Any]:
    return [_tuple(value) if isinstance(value, list) else value for value in row]


def _tuple(value: list[Any]) -> tuple[Any, ...]:
    return tuple(tuple(part) if isinstance(part, list) else part for part in value)
