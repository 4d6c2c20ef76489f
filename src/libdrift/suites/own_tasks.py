"""One task as somebody wrote it, in a line of a file or a folder: checked, and filled up.

What cannot be used is named in one line with its fix; the other tasks are as good as before.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, get_args, get_type_hints

import msgspec
from packaging.requirements import InvalidRequirement, Requirement

from libdrift.errors import UserError
from libdrift.records import (
    Environment,
    Facts,
    Gap,
    LeftOutTask,
    Task,
    TaskKind,
    Tests,
    WrongAnswer,
)
from libdrift.showing import in_a_line

LANGUAGES = ("python", "rust", "java")
SUITE_NAME = re.compile(r"\w[\w .+-]*")
GUIDE = "docs/tasks.md describes the format"
# What is thrown at something that is no task, whatever it was written in.
BROKEN = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
# Names and explanations are compared with the reference where there are no tests.
_ASKED = {TaskKind.LOCATE, TaskKind.EXPLAIN}
_LONGEST = 300  # characters of a message: a value of megabytes is not repeated


class BadTaskError(Exception):
    """Why a task cannot be used, and what to do about it."""

    def __init__(self, message: str, fix: str = GUIDE) -> None:
        super().__init__(message)
        self.fix = fix

    def left_out(self, where: str, task_id: str = "") -> LeftOutTask:
        said = in_a_line(str(self))
        short = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"
        return LeftOutTask(in_a_line(where), f"{short}. {self.fix}", in_a_line(task_id))


def task_of(told: object, suite: str) -> Task:
    """A task from its fields, most of which need not be written."""
    try:
        unknown = _unknown(told, Task)
        if unknown:
            raise BadTaskError(f"no task has a field {unknown}")
        task = msgspec.convert(_filled(told, suite), Task)
    except BROKEN as error:
        raise BadTaskError(f"not a task ({error}{_choices(str(error))})") from error
    trouble = _trouble(task)
    if trouble:
        raise BadTaskError(f"task {task.id!r} {trouble}")
    return task


def refuse_if_none(
    where: object, tasks: Mapping[str, Task], left_out: Iterable[LeftOutTask]
) -> None:
    """Nothing can be done with a suite that has only tasks that cannot be used."""
    bad = tuple(left_out)
    if bad and not tasks:
        rest = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise UserError(f"no task of {where} can be used: {bad[0].where}: {bad[0].message}{rest}")


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
            return meant(name, known)
        inner = _unknown(value, _INNER[name]) if name in _INNER else ""
        if inner:
            return f"{inner} in {name!r}"
    return ""


def meant(name: str, known: Iterable[str]) -> str:
    """A name that is none, with the one that it is closest to."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"{name!r} (did you mean {near[0]!r}?)" if near else repr(name)


def _filled(told: object, suite: str) -> object:
    """A task with what need not be written: most of it is the same in every task."""
    if not isinstance(told, dict) or not isinstance(told.get("environment"), dict):
        return told
    task = {
        "suite": suite,
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
    name, version = pinned(first)
    if not name:
        return {"library": place["language"], "version": place.get("runtime")}
    return {"library": name, "version": version}


def pinned(pin: str) -> tuple[str, str]:
    """The name and the version of an exact pin, of Python or of a crate; extras are no part."""
    name, _, version = re.sub(r"\[[^\]]*\]", "", pin).partition("=")
    return name.strip(), version.lstrip("=").strip()


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
    places = [task.environment, *([task.wrong.environment] if task.wrong else [])]
    loose = [_loose(one) for one in places if one.language == "python"]
    if any(loose):
        return f"has {max(loose)!r}, which is not an exact pin: write NAME==VERSION"
    if not task.tests and task.gap is None and task.kind not in _ASKED:
        return "has no tests: nothing would judge its answers"
    splits = [tests.split for tests in task.tests]
    if len(splits) != len(set(splits)):
        return "has two tests of one split: put them into one"
    reference = task.reference
    parts = reference.startswith(task.prefix) and reference.endswith(task.suffix)
    if reference and not parts:
        return "has a reference that is not a complete program: write prefix, answer and suffix"
    return ""
