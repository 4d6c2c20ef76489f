"""The files of a run's folder, read leniently: a damaged line costs that line, and is said."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from libdrift.errors import UserError
from libdrift.execution.runs import check_format, not_a_run, why_not
from libdrift.reading import LINE_LIMIT
from libdrift.showing import counted

_RECORD = TypeVar("_RECORD")
DESCRIPTION = "run.json"
_DEPTH = 4  # folders below the one that is named, in which runs are looked for


class CallLine(msgspec.Struct):
    """What of a line of ``calls.jsonl`` says how much an answer took."""

    task_id: str = ""
    sample: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


class AnswerNotes(msgspec.Struct):
    """What of a line of ``answers.jsonl`` a strategy noted."""

    task_id: str = ""
    sample: int = 0
    notes: dict[str, Any] = {}


@dataclass(slots=True)
class RunFiles:
    """Reads the files of one run, and keeps count of what cannot be read."""

    folder: Path
    damaged: dict[str, int] = field(default_factory=dict)  # file → lines

    def description(self) -> dict[str, Any]:
        """``run.json``; an error in one line if there is none."""
        try:
            found = json.loads((self.folder / DESCRIPTION).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise not_a_run(self.folder, why_not(self.folder, error)) from error
        if not isinstance(found, dict) or not isinstance(found.get("suite"), str):
            raise not_a_run(self.folder, f"its {DESCRIPTION} names no suite")
        check_format(found, self.folder)
        return found

    def has(self, name: str) -> bool:
        return (self.folder / name).is_file()

    def lines(self, name: str, kind: type[_RECORD]) -> Iterator[_RECORD]:
        """The records of a file; none if there is no such file."""
        decoder = msgspec.json.Decoder(kind)
        path = self.folder / name
        if path.exists() and not path.is_file():
            raise UserError(f"{path} is not a file", "Check the files in the run's folder")
        try:
            file = path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise UserError(
                f"cannot read {path}: {error.strerror}", "Check its permissions"
            ) from error
        with file:
            while line := file.readline(LINE_LIMIT + 1):
                if len(line) > LINE_LIMIT:  # not one of ours: no memory is spent on it
                    raise UserError(
                        f"{path} has a line of over {LINE_LIMIT >> 20} MB",
                        "No run writes such a line; check the origin of the folder",
                    )
                try:
                    yield decoder.decode(line)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                    self.damaged[name] = self.damaged.get(name, 0) + 1

    @property
    def notes(self) -> list[str]:
        return [
            f"{self.folder / name}: {counted(lines, 'damaged line')} left out"
            for name, lines in self.damaged.items()
        ]


def folder_of(path: Path) -> Path:
    """A run's folder, also where its description is named."""
    return path.parent if path.name == DESCRIPTION and path.is_file() else path


def run_folders(paths: list[Path]) -> list[Path]:
    """The runs that are named; a folder that is no run stands for all runs below it."""
    found: dict[Path, None] = {}
    for path in paths:
        below = _below(path) if path.is_dir() and not (path / DESCRIPTION).is_file() else [path]
        if not below:
            raise not_a_run(path, f"it has no {DESCRIPTION}")
        found |= dict.fromkeys(map(folder_of, below))
    return list(found)


def _below(folder: Path, depth: int = _DEPTH) -> list[Path]:
    """The runs in a folder, by name. What is inside a run's folder is a part of that run."""
    found: list[Path] = []
    try:
        inside = sorted(folder.iterdir()) if depth else []
    except OSError:  # whoever may not look into a folder has no runs there
        inside = []
    for inner in inside:
        if inner.is_dir() and not inner.is_symlink() and not inner.name.startswith("."):
            found += [inner] if (inner / DESCRIPTION).is_file() else _below(inner, depth - 1)
    return found


def label_of(about: Mapping[str, Any], name: str) -> str:
    """What a run is called beside others: its model and strategy, or its file of answers."""
    model, ways, answers = about.get("model"), about.get("ways"), about.get("answers")
    if model:
        strategy = ways.get("strategy") if isinstance(ways, dict) else None
        return f"{model}, {strategy}" if strategy else str(model)
    path = answers.get("path") if isinstance(answers, dict) else None
    return Path(str(path or name)).stem or name


def told_apart(labels: Sequence[str], names: Sequence[str]) -> list[str]:
    """The labels, those that several runs have with the run's name, or else its number."""
    counts = Counter(labels)
    told = [
        label if counts[label] == 1 else f"{label} ({name})"
        for label, name in zip(labels, names, strict=True)
    ]
    again = Counter(told)
    return [
        label if again[label] == 1 else f"{label} #{number}"
        for number, label in enumerate(told, start=1)
    ]
