"""Prompts: what a model is given. The words are in ``templates/``, a file each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template

from packaging.utils import canonicalize_name

from libdrift.records import Task


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
    library = canonicalize_name(facts.library)
    others = [
        pin
        for pin in task.environment.requirements
        if canonicalize_name(pin.partition("==")[0]) not in {library, "pytest"}
    ]
    beside = f" Also installed: {', '.join(others)}." if others else ""
    runtime = f"{task.language.capitalize()} {task.environment.runtime}".strip()
    return f"{runtime}, {facts.library} {facts.version}.{beside}"


@cache
def _template(name: str) -> Template:
    folder = resources.files(__package__).joinpath("templates")
    return Template(folder.joinpath(f"{name}.txt").read_text(encoding="utf-8"))
