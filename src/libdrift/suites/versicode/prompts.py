"""Prompts with what the paper's prompts tell, in our own words.

Each asks for an answer between ``<start>`` and ``<end>``, where ``metrics.cleaning`` finds it.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from string import Template

from libdrift.records import Facts, Gap, Task, TaskKind
from libdrift.scoring.text_scores import MIDDLE
from libdrift.suites.benchmarks import Asking, TaskPrompt
from libdrift.suites.versicode.imports import statements, without

# Each with the library of its example.
_LANGUAGES = {
    "python": ("Python", "json"),
    "java": ("Java", "jackson-databind"),
    "csharp": ("C#", "System.Text.Json"),
    "javascript": ("JavaScript", "fs"),
}
_AGES = ("an older", "a newer")


def ask(task: Task, asking: Asking) -> TaskPrompt | None:
    """What a model is asked of a token, a line, a block or a migration."""
    if task.gap is None or task.facts.granularity == MIDDLE:
        return None
    return TaskPrompt(user=prompt(task, version=asking.version, imports=asking.imports))


def prompt(task: Task, *, version: bool = True, imports: bool = True) -> str:
    """What a model is asked, with or without the library's version and the import statements.

    A token or a line is asked for in its code, a migration with its source, each with or without
    their imports. A block has no code to show: its imports are given as its start, but those that
    name the API at stake.
    """
    facts, gap = task.facts, task.gap or Gap("")
    migrates = task.kind is TaskKind.MIGRATE
    before, after = _AGES if facts.direction == "old-to-new" else reversed(_AGES)
    code = task.starter
    if not imports:
        code = without(code, task.language, gap.mask)
    language, example_library = _LANGUAGES[task.language]
    template = Template(_text("migration" if migrates else facts.granularity or "block"))
    return template.substitute(
        language=language,
        example=_text(f"example_{task.language}").rstrip("\n"),
        example_library=example_library,
        library=_library(facts, facts.version, told=version, age=after),
        source=_library(facts, facts.from_version or "", told=version, age=before),
        mask=gap.mask,
        description=f"What it does:\n{task.problem}\n" if task.problem else "",
        code=code.rstrip("\n"),
        start=_start(task, gap) if imports else "",
    )


def _library(facts: Facts, version: str, *, told: bool, age: str) -> str:
    if told:
        # An exact version is written without its operator.
        return f"{facts.library}{'' if version[:1] in '<>=!~^' else '=='}{version}"
    return f"{facts.library}, {age} version" if facts.direction else facts.library


def _start(task: Task, gap: Gap) -> str:
    given = [line for line in statements(task.reference, task.language) if gap.token not in line]
    if not given:
        return ""
    return "\nThe program starts with:\n" + "".join(given).rstrip("\n") + "\n"


@cache
def _text(name: str) -> str:
    folder = resources.files(__package__).joinpath("templates")
    return folder.joinpath(f"{name}.txt").read_text(encoding="utf-8")
