"""The environments on disk: what each holds, where it came from, and how to drop it."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from libdrift.config import Settings
from libdrift.environments.recipes import Recipe
from libdrift.errors import InfrastructureError, UserError
from libdrift.reading import read_small_file

RECORD = "environment.json"
BUILDING = ".building"
LOCKS = ".locks"
FORMAT = 1


class StoredEnvironment(BaseModel):
    """What is written beside an environment, or in place of one that could not be built."""

    model_config = ConfigDict(frozen=True)

    schema_version: Literal[1] = 1
    key: str
    language: str
    runtime: str
    requirements: tuple[str, ...]
    as_of: date | None
    status: Literal["ready", "failed"]
    reason: str = ""
    log: str = ""
    interpreter: str = ""
    interpreter_prefix: str = ""
    resolution: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    size: int = 0
    seconds: float = 0.0
    built: datetime
    uv: str = ""
    libdrift: str = ""


def home(settings: Settings, recipe: Recipe) -> Path:
    return settings.environments / recipe.key


def read(folder: Path) -> StoredEnvironment | None:
    """The record of an environment; ``None`` where there is none that can be read."""
    try:
        return StoredEnvironment.model_validate_json(read_small_file(folder / RECORD))
    except (OSError, ValidationError):
        return None


def newer(folder: Path) -> str:
    """Why an environment must be left alone: a newer libdrift made it. Empty: it need not."""
    try:
        told = json.loads(read_small_file(folder / RECORD))
    except (OSError, ValueError, RecursionError):
        return ""
    written = told.get("schema_version") if isinstance(told, dict) else None
    if isinstance(written, int) and written > FORMAT:
        return f"{folder} was made by a newer libdrift (format {written}, this one knows {FORMAT})"
    return ""


def entries(settings: Settings) -> list[StoredEnvironment]:
    """Every environment on disk and every failure that is still on record."""
    root = settings.environments
    folders = [*root.glob(f"*/{RECORD}"), *root.glob(f".failed/*/{RECORD}")]
    found = [entry for folder in sorted(folders) if (entry := read(folder.parent))]
    return sorted(found, key=lambda e: (e.status, e.runtime, e.requirements))


def failures(settings: Settings) -> Path:
    return settings.environments / ".failed"


def touch(folder: Path) -> None:
    """Remember the last use, for pruning."""
    with contextlib.suppress(OSError):
        os.utime(folder / RECORD)


def sweep(workshop: Path) -> None:
    """Remove what killed builds left in the workshop; a living builder's folder stays."""
    for folder in workshop.glob("*"):
        pid = folder.name.rpartition("-")[2]
        if not pid.isdigit() or not Path("/proc", pid).exists():
            remove(folder)


def remove(folder: Path) -> None:
    """Delete a tree; unlike rmtree, copes with folders that lost their write bit."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            if not path.is_symlink():
                path.chmod(0o755)
    shutil.rmtree(folder, ignore_errors=True)


def prune(settings: Settings, *, days: float, dry_run: bool = False) -> Iterator[StoredEnvironment]:
    """Drop failures, leftovers and environments that were not used for ``days``."""
    limit = unused_since(days)
    if not dry_run:
        sweep(settings.environments / BUILDING)
    for entry in entries(settings):
        if entry.status == "failed":
            folder = failures(settings) / entry.key
        else:
            folder = settings.environments / entry.key
            if (folder / RECORD).stat().st_mtime > limit:
                continue
        if not dry_run and not _drop(settings, entry, folder):
            continue
        yield entry


def named(settings: Settings, key: str) -> StoredEnvironment:
    """The environment, or failed build, whose key begins so."""
    found = [entry for entry in entries(settings) if key and entry.key.startswith(key)]
    distinct = {entry.key for entry in found}
    if len(distinct) > 1:
        raise UserError(
            f"{len(distinct)} environments have keys like {key}", "Give more characters of the key"
        )
    if not found:
        raise UserError(f"no environment has the key {key}", "`libdrift env list` shows the keys")
    return found[0]


def drop_named(settings: Settings, key: str) -> StoredEnvironment:
    """Drop one environment, and what is on record of its failures."""
    entry = named(settings, key)
    for folder in (settings.environments / entry.key, failures(settings) / entry.key):
        if folder.exists() and not _drop(settings, entry, folder):
            raise InfrastructureError(
                f"{entry.key[:8]} cannot be removed now: another libdrift is building it, or its "
                "folder cannot be changed",
                "Try again later",
            )
    return entry


def unused_since(days: float) -> float:
    """The time that things must have been used after to stay.

    Not a number is refused: no time is later than it, so that nothing would stay.
    """
    if not 0 <= days < math.inf:
        raise UserError(
            f"{days} is not a number of days", "Give --days 30, or --all for everything"
        )
    return time.time() - days * 86_400


def _drop(settings: Settings, entry: StoredEnvironment, folder: Path) -> bool:
    lock = settings.environments / LOCKS / f"{entry.key}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(lock, timeout=0):
            # Renamed first: a kill in the middle leaves no environment that looks whole.
            grave = settings.environments / BUILDING / f"{entry.key}-dead"
            grave.parent.mkdir(parents=True, exist_ok=True)
            folder.rename(grave)
            remove(grave)
            return True
    except (Timeout, OSError):
        return False


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
