"""Tasks in a file: a header line, then one task a line. What is read is what was written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from libdrift.errors import UserError
from libdrift.reading import LINE_LIMIT, long_lines
from libdrift.records import LeftOutTask, Suite, Task
from libdrift.suites.own_tasks import (
    BROKEN,
    LANGUAGES,
    SUITE_NAME,
    BadTaskError,
    refuse_if_none,
    task_of,
)
from libdrift.suites.writing import write_lines

__all__ = ["ENDING", "LANGUAGES", "read", "write"]

SCHEMA_VERSION = 1
ENDING = ".jsonl"
_FIX = "`libdrift build` writes such files, and docs/tasks.md describes the format"


class _Header(msgspec.Struct, frozen=True):
    schema_version: int
    suite: str
    title: str = ""
    provenance: dict[str, Any] = {}


def write(path: Path, suite: str, title: str, tasks: Iterable[Task], provenance: Any) -> int:  # noqa: ANN401
    """Write tasks as they come, whole or not at all; how many there were. None make no file."""
    encoder = msgspec.json.Encoder(enc_hook=_plain)
    found = iter(tasks)
    first = next(found, None)
    if first is None:
        return 0
    header = encoder.encode(_Header(SCHEMA_VERSION, suite, title, provenance))
    lines = (encoder.encode(task) for task in chain([first], found))
    return write_lines(path, chain([header], lines)) - 1


def read(path: Path) -> Suite:
    """The tasks of a file. A bad line is named with its place, and leaves the others usable."""
    try:
        lines = _numbered(path)
        header = _header(next(lines, (1, b""))[1], path)
        tasks: dict[str, Task] = {}
        left_out: list[LeftOutTask] = []
        for number, line in lines:
            where, told = f"{path}:{number}", None
            try:
                told = _decoded(line)
                task = task_of(told, header.suite)
                if task.id in tasks:
                    raise BadTaskError(f"repeats task {task.id!r}", "Give it another id")  # noqa: TRY301
                tasks[task.id] = task
            except BadTaskError as fault:
                left_out.append(fault.left_out(where, _id(told)))
    except OSError as error:
        raise UserError(f"cannot read tasks from {path}: {error.strerror}", _FIX) from error
    refuse_if_none(path, tasks, left_out)
    return Suite(
        header.suite,
        header.title or header.suite,
        str(path),
        MappingProxyType(tasks),
        path=str(path),
        left_out=tuple(left_out),
    )


def _numbered(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """The lines that say something, with their numbers; ``None`` is one that is too long."""
    seen = 0
    for number, line in enumerate(long_lines(path), start=1):
        if line is None or line.strip():
            if not seen and number > 1:
                yield 1, b""  # no header, which is said by whoever wants one
            seen = number
            yield number, line
    if not seen:
        raise UserError(f"{path} is empty: it has no tasks", _FIX)


def _decoded(line: bytes | None) -> object:
    if line is None:
        raise BadTaskError(
            f"a line of over {LINE_LIMIT >> 20} MB",
            "Write shorter tasks, one per line",
        )
    try:
        return _ANY.decode(line)
    except BROKEN as error:
        raise BadTaskError(f"not a task ({error})") from error


def _id(told: object) -> str:
    return str(told.get("id", "")) if isinstance(told, dict) else ""


def _header(line: bytes | None, path: Path) -> _Header:
    try:
        header = _HEADER.decode(line or b"")
    except BROKEN as error:
        first = '{"schema_version": 1, "suite": "NAME"}'
        raise UserError(
            f"{path}:1: not the first line of a file of tasks ({error})", f"Write {first} in line 1"
        ) from error
    if header.schema_version != SCHEMA_VERSION:
        raise UserError(
            f"{path} has format {header.schema_version}, not {SCHEMA_VERSION}",
            "Build them again with this libdrift",
        )
    if not SUITE_NAME.fullmatch(header.suite):
        raise UserError(
            f"{path}: not a name for a suite: {header.suite!r}",
            "Write letters, digits, dots and dashes: runs are named after it",
        )
    return header


_ANY = msgspec.json.Decoder()
_HEADER = msgspec.json.Decoder(_Header)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
