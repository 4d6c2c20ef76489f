"""Whether a run's folder is whole: its description, and every line of its files."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from libdrift.analysis.run_files import DESCRIPTION, AnswerNotes, CallLine, RunFiles, run_folders
from libdrift.errors import LibdriftError, UserError
from libdrift.execution.runs import TASKS, VERDICTS
from libdrift.records import Verdict
from libdrift.scoring.run_tasks import RunTask

_KINDS: dict[str, type[Any]] = {
    VERDICTS: Verdict,
    TASKS: RunTask,
    "calls.jsonl": CallLine,
    "answers.jsonl": AnswerNotes,
}
_AGAIN = "Run its command again: it computes these lines again"


@dataclass(frozen=True, slots=True)
class RunFault:
    why: str
    repair: str


def folders(runs: Path) -> list[Path]:
    """The runs below a folder; none where there is no such folder, or none in it.

    One that has lost its description is told by its verdicts.
    """
    if not runs.is_dir():
        return []
    try:
        found = run_folders([runs])
    except UserError:
        found = []
    lost = (file.parent for file in (*runs.glob(VERDICTS), *runs.glob(f"*/{VERDICTS}")))
    return list(dict.fromkeys([*found, *lost]))


def faults(folder: Path, *, deep: bool) -> Iterator[RunFault]:
    """What is wrong with a run; ``deep`` reads its lines too."""
    files = RunFiles(folder)
    try:
        described = files.description()
    except LibdriftError as error:
        yield RunFault(error.message, _other(folder, error))
        return
    if not deep:
        return
    for name, kind in _KINDS.items():
        try:
            for _ in files.lines(name, kind):
                pass
        except LibdriftError as error:
            yield RunFault(error.message, error.fix)
    for name, count in files.damaged.items():
        lines = "1 damaged line" if count == 1 else f"{count} damaged lines"
        yield RunFault(f"{name}: {lines}", _command(described))


def _other(folder: Path, error: LibdriftError) -> str:
    path = folder / DESCRIPTION
    try:
        json.loads(path.read_bytes())
    except (OSError, ValueError):
        return f"Run its command again with another --out, then: rm -r {shlex.quote(str(folder))}"
    return error.fix


def _command(described: dict[str, Any]) -> str:
    """The command that made a run, if it says so: what is missing is computed again."""
    try:
        words = msgspec.convert(described["provenance"]["command"], list[str])
    except (KeyError, TypeError, msgspec.ValidationError):
        return _AGAIN
    return shlex.join(["libdrift", *words[1:]]) if len(words) > 1 else _AGAIN
