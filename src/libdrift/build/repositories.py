"""Repositories on this machine, and the Python files in them that are their own."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from libdrift.build import pins
from libdrift.errors import UserError

# Besides all whose name starts with a dot.
_PASSED = frozenset("__pycache__ node_modules site-packages venv virtualenv".split())
_MADE = frozenset("build dist _build".split())  # unless they are packages of the repository
_COMMENT = re.compile(r"(?:^|\s)#.*")


@dataclass(frozen=True, slots=True)
class Repository:
    name: str  # one of its own among those that are found together
    folder: Path


@dataclass(frozen=True, slots=True)
class FoundRepositories:
    repositories: tuple[Repository, ...]
    missing: tuple[str, ...] = ()  # a line each: which, and why


def find(place: Path) -> FoundRepositories:
    """``place`` is a repository, a folder of repositories, or a file with one folder a line."""
    if place.is_dir():
        folders = [place] if is_repository(place) else _below(place)
        return FoundRepositories(_named(folders))
    if not place.exists():
        raise UserError(f"{place} does not exist", "Name a repository, or a file that lists some")
    lines = _read_list(place)
    if not lines:
        raise UserError(f"{place} lists no repository", "Write one folder per line")
    known: list[Path] = []
    missing: list[str] = []
    for line in dict.fromkeys(lines):
        folder = place.parent / line
        if not folder.is_dir():
            missing.append(f"{line}: no such folder")
        elif folder.resolve() not in known:
            known.append(folder.resolve())
    return FoundRepositories(_named(known), tuple(missing))


def is_repository(folder: Path) -> bool:
    return (folder / ".git").exists() or bool(pins.files(folder))


def sources(repository: Repository) -> Iterator[tuple[str, Path]]:
    """Its Python files, each with its path in the repository, always in the same order."""
    for place, folders, names in os.walk(repository.folder):
        here = Path(place)
        folders[:] = sorted(name for name in folders if not _passed(here / name))
        for name in sorted(names):
            path = here / name
            if name.endswith(".py") and not path.is_symlink() and path.is_file():
                yield path.relative_to(repository.folder).as_posix(), path


def _passed(folder: Path) -> bool:
    name = folder.name
    if name.startswith(".") or name in _PASSED or name.endswith(".egg-info"):
        return True
    if folder.is_symlink() or (folder / "pyvenv.cfg").exists():
        return True
    return name in _MADE and not (folder / "__init__.py").exists()


def _below(place: Path) -> list[Path]:
    try:
        inner = sorted(item for item in place.iterdir() if item.is_dir())
    except OSError as error:
        raise UserError(f"cannot read {place}: {error.strerror}", "Name another folder") from error
    inner = [folder for folder in inner if not folder.name.startswith(".")]
    if not inner:
        raise UserError(
            f"{place} is not a repository and contains none",
            "A repository has .git or a requirement file",
        )
    return inner


def _read_list(place: Path) -> list[str]:
    try:
        text = place.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"cannot read {place}", "A list has one folder per line, in UTF-8"
        ) from error
    lines = (_COMMENT.sub("", line).strip() for line in text.splitlines())
    return [line for line in lines if line]


def _named(folders: Sequence[Path]) -> tuple[Repository, ...]:
    """Names as short as they can be: the folder's own, with those above it where two share one."""
    parts = [folder.resolve().parts for folder in folders]
    lengths = [1] * len(parts)
    while True:
        names = ["/".join(part[-n:]) for part, n in zip(parts, lengths, strict=True)]
        shared = Counter(names)
        longer = [
            n + (shared[name] > 1 and n < len(part))
            for name, n, part in zip(names, lengths, parts, strict=True)
        ]
        if longer == lengths:
            return tuple(map(Repository, names, folders))
        lengths = longer
