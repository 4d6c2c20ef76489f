"""Tasks in a file: a header line, then one task a line. What is read is what was written."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

import msgspec
from packaging.requirements import InvalidRequirement, Requirement

from libdrift.errors import UserError
from libdrift.reading import Lines
from libdrift.records import Environment, Facts, Gap, Suite, Task, TaskKind, Tests, WrongAnswer
from libdrift.suites.writing import write_lines

SCHEMA_VERSION = 1
ENDING = ".jsonl"
LANGUAGES = ("python", "rust", "java")
_NAME = re.compile(r"\w[\w .+-]*")


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
    """The tasks of a file; a malformed line is the caller's mistake, named with its place."""
    try:
        lines = list(Lines(path))
    except OSError as error:
        raise UserError(f"cannot read tasks from {path}: {error.strerror}", _FIX) from error
    if not any(line.strip() for line in lines):
        raise UserError(f"{path} is empty: it has no tasks", _FIX)
    header = _header(lines[0], path)
    tasks: dict[str, Task] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            task = _task(line, header, f"{path}:{number}")
            if task.id in tasks:
                raise UserError(f"{path}:{number}: repeats task {task.id!r}", _FIX)
            tasks[task.id] = task
    return Suite(header.suite, header.title or header.suite, str(path), MappingProxyType(tasks))


_FIX = "`libdrift build` makes such files, and docs/tasks.md tells how to write one"
_BROKEN = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def _header(line: bytes, path: Path) -> _Header:
    try:
        header = _HEADER.decode(line)
    except _BROKEN as error:
        first = '{"schema_version": 1, "suite": "NAME"}'
        raise UserError(
            f"{path}:1: not the head of a file of tasks ({error})", f"Write {first} in line 1"
        ) from error
    if header.schema_version != SCHEMA_VERSION:
        raise UserError(
            f"{path} has tasks of format {header.schema_version}, not {SCHEMA_VERSION}",
            "Build them again with this libdrift",
        )
    if not _NAME.fullmatch(header.suite):
        raise UserError(
            f"{path}: no name for a suite: {header.suite!r}",
            "Write letters, digits, dots and dashes: runs are named after it",
        )
    return header


def _task(line: bytes, header: _Header, where: str) -> Task:
    try:
        told = _ANY.decode(line)
        unknown = _unknown(told, Task)
        if unknown:
            raise UserError(f"{where}: no task has a field {unknown}", _FIX)
        task = msgspec.convert(_filled(told, header), Task)
    except _BROKEN as error:
        raise UserError(f"{where}: not a task ({error}{_choices(str(error))})", _FIX) from error
    trouble = _trouble(task)
    if trouble:
        raise UserError(f"{where}: task {task.id!r} {trouble}", _FIX)
    return task


# Which fields hold records, whose own fields are known as well.
_INNER: dict[str, type] = {
    "environment": Environment,
    "facts": Facts,
    "gap": Gap,
    "tests": Tests,
    "wrong": WrongAnswer,
}


def _choices(message: str) -> str:
    """The values that a field may have, where another was given to it."""
    place = re.search(r"Invalid enum value .*?`\$([^`]*)`", message)
    names = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", "", place[1])) if place else []
    kind: Any = Task
    for name in names:
        kind = _INNER.get(name) or get_type_hints(kind)[name]
    options = [kind, *get_args(kind)]
    enums = [one for one in options if isinstance(one, type) and issubclass(one, StrEnum)]
    return f"; one of {', '.join(enums[0])}" if enums else ""


def _unknown(told: object, kind: type) -> str:
    """The first field that is none, as ``facts.libary``: a slip of the pen is not read past."""
    if isinstance(told, list):
        return next(filter(None, (_unknown(one, kind) for one in told)), "")
    if not isinstance(told, dict):
        return ""  # which is said by its type
    known = {field.name for field in fields(kind)}
    for name, value in told.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            return f"{name!r} (did you mean {near[0]!r}?)" if near else repr(name)
        inner = _unknown(value, _INNER[name]) if name in _INNER else ""
        if inner:
            return f"{inner} in {name!r}"
    return ""


def _filled(told: object, header: _Header) -> object:
    """A task with what need not be written: most of it is the same in every line."""
    if not isinstance(told, dict) or not isinstance(told.get("environment"), dict):
        return told
    task = {
        "suite": header.suite,
        "kind": TaskKind.GENERATE.value,
        "language": "python",
        "title": str(told.get("id", "")),
        "problem": "",
        "starter": _given(told),
        "reference": "",
        **told,
    }
    wrong = task.get("wrong")
    if isinstance(wrong, dict):
        task["wrong"] = {"note": "", **wrong, "environment": _place(wrong.get("environment"), task)}
    place = _place(told["environment"], task)
    task["environment"] = place
    facts = told.get("facts") or {}
    if not isinstance(facts, dict):
        return task
    task["facts"] = {**_library(place), **facts}
    return task


def _place(told: object, task: Mapping[str, object]) -> Any:  # noqa: ANN401  (what a line has)
    if not isinstance(told, dict):
        return told
    return {"language": task["language"], "requirements": [], **told}


def _given(told: Mapping[str, object]) -> str:
    """What a candidate is shown where nobody says it: what there is to complete."""
    prefix, suffix = told.get("prefix") or "", told.get("suffix") or ""
    mark = "//" if told.get("language", "python") in {"rust", "java"} else "#"
    return f"{prefix}{mark} …\n{suffix}" if suffix else str(prefix)


def _library(place: Mapping[str, object]) -> dict[str, object]:
    """The first pin tells the library that a task is about, and its version."""
    pins = place["requirements"] if isinstance(place["requirements"], list) else []
    named = (str(pin) for pin in pins)
    first = next((pin for pin in named if not pin.startswith("pytest=")), "")
    name, _, version = first.partition("[")[0].partition("=")
    if not name:
        return {"library": place["language"], "version": place.get("runtime")}
    return {"library": name.strip(), "version": version.lstrip("=").strip()}


def _loose(environment: Environment) -> str:
    """The first requirement that does not say one version; a bare name does as of a date."""
    for pin in environment.requirements:
        try:
            asked = list(Requirement(pin).specifier)
        except InvalidRequirement:
            return pin
        exact = [one for one in asked if one.operator in ("==", "===") and "*" not in one.version]
        if not exact and (asked or environment.as_of is None):
            return pin
    return ""


def _trouble(task: Task) -> str:
    """What makes a task that can be read one that cannot be judged."""
    if task.language not in LANGUAGES:
        return f"is in {task.language!r}, and not in one of {', '.join(LANGUAGES)}"
    if task.language == "python" and (loose := _loose(task.environment)):
        return f"has {loose!r}, which is not an exact pin: write NAME==VERSION"
    splits = [tests.split for tests in task.tests]
    if len(splits) != len(set(splits)):
        return "has two tests of one split: put them into one"
    reference = task.reference
    parts = reference.startswith(task.prefix) and reference.endswith(task.suffix)
    if reference and not parts:
        return "has a reference that is no whole program: write prefix, answer and suffix"
    return ""


_ANY = msgspec.json.Decoder()
_HEADER = msgspec.json.Decoder(_Header)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
