"""Tasks in a file: a header line, then one task a line. What is read is what was written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from libdrift.errors import UserError
from libdrift.reading import Lines
from libdrift.records import Suite, Task
from libdrift.suites.writing import write_lines

_T = TypeVar("_T")

SCHEMA_VERSION = 1
ENDING = ".jsonl"


class _Header(msgspec.Struct, frozen=True):
    schema_version: int
    suite: str
    title: str
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
    """The tasks of a file; a malformed line is the caller's mistake, named with its place."""
    try:
        lines = list(Lines(path)) or [b""]
    except OSError as error:
        raise UserError(f"cannot read tasks from {path}: {error.strerror}", _FIX) from error
    header = _decode(lines[0], _Header, f"{path}:1")
    if header.schema_version != SCHEMA_VERSION:
        raise UserError(
            f"{path} has tasks of format {header.schema_version}, not {SCHEMA_VERSION}",
            "Build them again with this libdrift",
        )
    tasks: dict[str, Task] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            task = _decode(line, Task, f"{path}:{number}")
            if task.id in tasks:
                raise UserError(f"{path}:{number}: repeats task {task.id!r}", _FIX)
            tasks[task.id] = task
    return Suite(header.suite, header.title, str(path), MappingProxyType(tasks))


_FIX = "`libdrift build` makes such files"
_DECODERS: dict[type, msgspec.json.Decoder[Any]] = {}


def _decode(line: bytes, kind: type[_T], where: str) -> _T:
    decoder = _DECODERS.setdefault(kind, msgspec.json.Decoder(kind))
    try:
        found: _T = decoder.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UserError(f"{where}: not a task ({error})", _FIX) from error
    return found


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
