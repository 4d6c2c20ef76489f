"""What came of each step, kept beside the tasks: append-only, so that Ctrl-C costs one step."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from libdrift.build.live.building import StepOutcome
from libdrift.build.live.pairs import ReleaseStep
from libdrift.errors import UserError
from libdrift.records import Environment, Task

_ENDING = ".ledger"


class _Row(msgspec.Struct):
    step: ReleaseStep
    families: tuple[str, ...]
    tasks: tuple[Task, ...] = ()
    drafts: dict[str, int] = {}
    dropped: dict[str, int] = {}
    left_out: dict[str, int] = {}
    mutants: int = 0
    told_apart: int = 0
    places: tuple[Environment, Environment] | None = None
    trouble: str = ""


class StepLedger:
    """A file of finished steps. A last line that was cut off is a step that was not finished."""

    def __init__(self, out: Path, families: tuple[str, ...]) -> None:
        self.path = out.with_name(out.name + _ENDING)
        self._families = families
        self.known: dict[tuple[str, str, str], StepOutcome] = {}

    def read(self) -> None:
        if not self.path.is_file():
            return
        for number, line in enumerate(self.path.read_bytes().splitlines(), start=1):
            try:
                row = msgspec.json.decode(line, type=_Row)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                continue
            if row.families != self._families:
                raise UserError(
                    f"{self.path}:{number} is of the families {', '.join(row.families)}",
                    "Name the same families, another --out, or --force",
                )
            self.known[row.step.key] = StepOutcome(
                row.step, row.tasks, Counter(row.drafts), Counter(row.dropped),
                Counter(row.left_out), row.mutants, row.told_apart, row.places, row.trouble,
            )  # fmt: skip

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)

    def add(self, outcome: StepOutcome) -> None:
        row = _Row(
            outcome.step, self._families, outcome.tasks, dict(outcome.drafts),
            dict(outcome.dropped), dict(outcome.left_out), outcome.mutants, outcome.told_apart,
            outcome.places, outcome.trouble,
        )  # fmt: skip
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(row, enc_hook=_plain) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self.known[outcome.step.key] = outcome

    def newest(self, package: str) -> date | None:
        """When the newest series began that was looked at."""
        days = [one.step.date for one in self.known.values() if one.step.package == package]
        return max(days, default=None)


def _plain(value: object) -> Any:  # noqa: ANN401  (as JSON has it)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
