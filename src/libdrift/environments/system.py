"""System libraries, programs and data that some releases need beside their package."""

from __future__ import annotations

import ctypes.util
import functools
import shutil
from collections.abc import Iterable
from pathlib import Path

from libdrift.config import Settings
from libdrift.environments.recipes import SystemPiece, knowledge, matches, pinned

_HEADERS = (Path("/usr/include"), Path("/usr/local/include"))


def missing(resolution: Iterable[str], settings: Settings) -> tuple[SystemPiece, ...]:
    """Which system pieces the resolved packages need and this machine lacks."""
    pins = pinned(resolution)
    needs = (need for need in knowledge().need if matches(need.when, pins))
    return lacking((name for need in needs for name in need.system), settings)


def lacking(names: Iterable[str], settings: Settings) -> tuple[SystemPiece, ...]:
    """Which of the named system pieces this machine lacks."""
    wanted = set(names)
    return tuple(
        piece
        for piece in knowledge().system
        if piece.name in wanted and not present(piece, settings)
    )


def present(piece: SystemPiece, settings: Settings) -> bool:
    if piece.library and not _library(piece.library):
        return False
    if piece.program and not shutil.which(piece.program):
        return False
    if piece.header and not any((folder / piece.header).exists() for folder in _HEADERS):
        return False
    return all(_nltk(resource, settings) for resource in piece.nltk)


@functools.cache
def _library(name: str) -> bool:
    return ctypes.util.find_library(name) is not None


def _nltk(resource: str, settings: Settings) -> bool:
    return any(
        (folder / resource).exists() or Path(f"{folder / resource}.zip").exists()
        for folder in settings.nltk_data
    )
