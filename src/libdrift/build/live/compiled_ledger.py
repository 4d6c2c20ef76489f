"""What came of each package, kept beside the tasks: after Ctrl-C the same command goes on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from libdrift.history import versions
from libdrift.records import Task

_ENDING = ".ledger"
_ARROW = " → "


class PackageTasks(msgspec.Struct, frozen=True):
    """What was made of one step of a package, and why no more."""

    step: str  # the package and its releases
    wanted: str  # what else it depends on: families, limits, the version of libdrift
    tasks: tuple[Task, ...] = ()
    drafts: dict[str, int] = {}
    dropped: dict[str, int] = {}
    left_out: dict[str, int] = {}
    most: int = 0  # of the JDK: changes of one kind that were looked at

    @property
    def pair(self) -> tuple[str, str, str]:
        """The package, and its two releases."""
        package, _, releases = self.step.partition(" ")
        old, _, new = releases.partition(_ARROW)
        return package, old, new


class PackageLedger:
    """A file of finished steps. A last line that was cut off is a step that was not finished."""

    def __init__(self, out: Path, wanted: str) -> None:
        self.path = out.with_name(out.name + _ENDING)
        self.wanted = wanted
        self._known: dict[str, PackageTasks] = {}
        for line in self.path.read_bytes().splitlines() if self.path.is_file() else ():
            try:
                row = msgspec.json.decode(line, type=PackageTasks)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                continue
            if row.wanted == wanted:
                self._known[row.step] = row

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)
        self._known.clear()

    @property
    def rows(self) -> list[PackageTasks]:
        return list(self._known.values())

    def versions(self, package: str) -> set[str]:
        """The releases of a package that were looked at."""
        pairs = (row.pair for row in self._known.values())
        return {version for name, *both in pairs if name == package for version in both if version}

    def newest(self, package: str) -> str:
        """The newest of them; empty where there is none."""
        return max(self.versions(package), key=versions.order, default="")

    def get(self, step: str) -> PackageTasks | None:
        return self._known.get(step)

    def add(self, row: PackageTasks) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(row, enc_hook=_plain) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._known[row.step] = row


def _plain(value: object) -> Any:  # noqa: ANN401  (as JSON has it)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
