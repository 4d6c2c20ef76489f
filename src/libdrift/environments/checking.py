"""Whether environments are what was built: their records, and the files that packages list."""

from __future__ import annotations

import base64
import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from libdrift.config import Settings
from libdrift.environments import store

_MOST = 3  # files of an environment that are named
_HASHES = {"sha256", "sha384", "sha512"}


@dataclass(frozen=True, slots=True)
class EnvironmentDamage:
    """An environment that is not what was built. ``newer``: it is not ours to judge."""

    folder: Path
    why: str
    newer: bool = False


def check(settings: Settings, *, deep: bool) -> Iterator[EnvironmentDamage]:
    """Look at every environment; ``deep`` reads all files of all packages."""
    for folder in sorted(settings.environments.glob("[!.]*")):
        if newer := store.newer(folder):
            yield EnvironmentDamage(folder, newer, newer=True)
            continue
        entry = store.read(folder)
        if entry is None or entry.key != folder.name:
            yield EnvironmentDamage(folder, f"its {store.RECORD} cannot be read")
        elif not (folder / "venv" / "bin" / "python").exists():
            yield EnvironmentDamage(folder, f"its Python {entry.interpreter} is gone")
        elif deep and (found := _changed(folder)):
            more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
            names = ", ".join(found[:_MOST])
            yield EnvironmentDamage(folder, f"not as it was installed: {names}{more}")


def _changed(folder: Path) -> list[str]:
    """Files that differ from what their package says of them."""
    found = []
    for record in folder.glob("venv/lib/python*/site-packages/*.dist-info/RECORD"):
        site = record.parent.parent
        try:
            rows = list(csv.reader(record.read_text(encoding="utf-8").splitlines()))
        except (OSError, UnicodeDecodeError, csv.Error):
            found.append(f"{record.parent.name}/RECORD")
            continue
        found += [row[0] for row in rows if len(row) > 1 and row[1] and not _same(site, row)]
    return found


def _same(site: Path, row: list[str]) -> bool:
    name, _, expected = row[1].partition("=")
    if name not in _HASHES:
        return True
    try:
        with (site / row[0]).open("rb") as file:
            sum_ = hashlib.file_digest(file, name).digest()
    except OSError:
        return False
    return base64.urlsafe_b64encode(sum_).decode().rstrip("=") == expected
