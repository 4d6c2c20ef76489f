"""What is asked of tasks whose answer is a program, or tells of one, before a strategy adds to it.

``libdrift`` is our own wording. ``paper`` has the form and content of the papers' prompts, in our
words: of programs as GitChameleon asks for them, of Rust as RustEvo² does, and of code that is to
be moved as CODEMENV does, all three tasks of a sample in one prompt, whichever of them is asked.
"""

from __future__ import annotations

from libdrift.evals import prompts
from libdrift.evals.options import EvalOptions, Wording
from libdrift.evals.prompts import Prompt
from libdrift.records import Task, TaskKind

PROGRAM = "program"
_ABOUT = frozenset({TaskKind.LOCATE, TaskKind.EXPLAIN})
_MOVES = _ABOUT | {TaskKind.MIGRATE}


def is_about(task: Task) -> bool:
    """Whether something is to be told about some code."""
    return task.kind in _ABOUT


def plain(task: Task, ways: EvalOptions, *, template: str = PROGRAM, **extra: str) -> Prompt:
    """A task as it is asked for without further ado; not of those judged by their text."""
    if ways.prompts == Wording.PAPER and (template == PROGRAM or is_about(task)):
        return _of_paper(task, ways)
    where = prompts.pins(task) if ways.version else f"{task.language.capitalize()}."
    system = "system"
    if is_about(task):
        template, system, extra = task.kind.value, "system_labels", {}
    else:
        extra["request"] = prompts.request(task)
    return Prompt(
        prompts.text(
            template,
            problem=task.problem.strip(),
            versions=prompts.versions(task, where, told=ways.version),
            starter=task.starter.rstrip("\n"),
            language=task.language,
            **extra,
        ),
        ways.system or prompts.text(system, pins=where),
    )


def _of_paper(task: Task, ways: EvalOptions) -> Prompt:
    known = _known(task, told=ways.version)
    if task.kind in _MOVES:
        name = "paper_joint"
    else:
        name = "paper_rust" if task.language == "rust" else "paper_program"
    return Prompt(
        prompts.text(name, **known), ways.system or prompts.text(f"{name}_system", **known)
    )


def _known(task: Task, *, told: bool) -> dict[str, str]:
    """What the papers' prompts tell of a task; without its versions, where they are not told."""
    facts = task.facts
    own = prompts.comes_with_language(task)
    spoken = task.language.capitalize()
    package = spoken if own else facts.library
    others = prompts.beside(task)
    return {
        "problem": task.problem.strip(),
        "starter": task.starter.rstrip("\n"),
        "language": task.language,
        "spoken": spoken,
        "package": package,
        "library": f"{package} {facts.version}" if told else package,
        "runtime": task.environment.runtime if told else "not said",
        "beside": f"Also installed: {', '.join(others)}\n" if others and told else "",
        "before": _version("Written for", facts.from_version, told=told),
        "after": _version("Target version", facts.version, told=told),
    }


def _version(what: str, version: str | None, *, told: bool) -> str:
    return f"{what}: {version}" if told and version else f"{what}: not said"
