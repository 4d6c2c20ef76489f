"""Prompts: what a model is given. The words are in ``templates/``, a file each."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template

from packaging.utils import canonicalize_name

from libdrift.records import Task, TaskKind, TestStyle

_END = re.compile(r"[=<>~!\[; ]")  # of a name in a requirement
_MOVES = frozenset({TaskKind.MIGRATE, TaskKind.LOCATE, TaskKind.EXPLAIN})
# Libraries that come with their language, and have its version.
_OWN = frozenset({"python", "jdk", "java", "rust", "std", "core", "alloc"})


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation's opening, or (``raw``) a text to go on from."""

    user: str
    system: str = ""
    raw: bool = False
    stop: tuple[str, ...] = ()
    cut: bool = False  # something was left out, for its length


def text(name: str, **values: str) -> str:
    """A template, filled in; lines that end up empty at its ends are dropped."""
    return _template(name).substitute(values).strip() + "\n"


def pins(task: Task) -> str:
    """What is installed, in words: the library first, then what is pinned beside it."""
    facts = task.facts
    if comes_with_language(task):
        return f"{_spoken(task)} {facts.version}."
    others = beside(task)
    also = f" Also installed: {', '.join(others)}." if others else ""
    runtime = f"{_spoken(task)} {task.environment.runtime}".strip()
    if _is_absent(task):
        return f"{runtime}, without {facts.library}."
    return f"{runtime}, {facts.library} {facts.version}.{also}"


def beside(task: Task) -> list[str]:
    """What is pinned beside the library, without what only runs tests."""
    library = canonicalize_name(task.facts.library)
    return [
        pin
        for pin in task.environment.requirements
        if canonicalize_name(_END.split(pin)[0]) not in {library, "pytest"}
    ]


def versions(task: Task, installed: str, *, told: bool = True) -> str:
    """What is installed, and for code that is to be moved from there, what it was written for."""
    before = task.facts.from_version
    if not (told and before and task.kind in _MOVES):
        return f"Installed: {installed}"
    name = _spoken(task) if comes_with_language(task) else task.facts.library
    return f"The code was written for: {name} {before}.\nInstalled: {installed}"


def request(task: Task) -> str:
    """What is to be done with the code that is given."""
    kept = "Keep the names and signatures that are given."
    return kept if task.kind is TaskKind.MIGRATE else f"Complete this code. {kept}"


def comes_with_language(task: Task) -> bool:
    """Whether a task is about the language's own library."""
    name = task.facts.library
    standard = task.language == "python" and name in sys.stdlib_module_names
    return not task.environment.requirements and (name in _OWN or standard)


def _is_absent(task: Task) -> bool:
    """Whether answers are run where the library is not: what it gives is to be known."""
    ran = any(tests.style is not TestStyle.LABELS for tests in task.tests)
    return task.language == "python" and ran and not task.environment.requirements


def _spoken(task: Task) -> str:
    return task.language.capitalize()


@cache
def _template(name: str) -> Template:
    folder = resources.files(__package__).joinpath("templates")
    return Template(folder.joinpath(f"{name}.txt").read_text(encoding="utf-8"))
