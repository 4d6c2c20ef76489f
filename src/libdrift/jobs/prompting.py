"""Prompts of a suite as a file, for people with their own inference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from libdrift import config, suites
from libdrift.errors import UserError
from libdrift.evals.options import EvalOptions, Wording
from libdrift.evals.plain_prompts import plain
from libdrift.records import Suite, Task
from libdrift.suites.benchmarks import Asking
from libdrift.suites.libevolutioneval.styles import style_of
from libdrift.suites.prompting import asked
from libdrift.suites.selecting import RandomSample, selected
from libdrift.suites.writing import write_lines


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """How tasks are asked, and which."""

    asking: Asking = field(default_factory=Asking)
    wording: Wording = Wording.LIBDRIFT
    sample: RandomSample | None = None
    force: bool = False  # overwrite the file
    data: Path | None = None


def write_prompts(suite: str | Suite, path: Path, options: PromptOptions | None = None) -> int:
    """A line a task, whole or not at all; how many there are."""
    options = options or PromptOptions()
    if path.exists() and not options.force:
        raise UserError(f"{path} is there already", "Choose another file, or add --force")
    loaded = suite if isinstance(suite, Suite) else suites.load(suite, config.load(options.data))
    _check_asking(loaded, options.asking)
    chosen = selected(loaded, list(loaded.tasks.values()), sample=options.sample)
    return write_lines(path, map(msgspec.json.encode, _lines(chosen, options)))


def _check_asking(suite: Suite, asking: Asking) -> None:
    """Options of completions in a line, which other tasks would not heed."""
    style_of(asking.style)
    plain = Asking(asking.version, asking.imports)
    if asking != plain and not any(task.gap for task in suite.tasks.values()):
        raise UserError(
            f"{suite.name} has no completion in a line",
            "Leave out --style, --family, --limit and --right",
        )


def _lines(suite: Suite, options: PromptOptions) -> Iterator[dict[str, Any]]:
    for task in suite.tasks.values():
        yield {"task_id": task.id, **prompt_of(suite, task, options)}


def prompt_of(suite: Suite, task: Task, options: PromptOptions) -> dict[str, Any]:
    """``messages`` of a conversation, or a ``prompt`` to go on from, with where to ``stop``."""
    if task.gap is not None:
        return asked(suite, task, options.asking)
    ways = EvalOptions(version=options.asking.version, prompts=options.wording)
    shown = plain(task, ways)
    messages = (("system", shown.system), ("user", shown.user))
    return {"messages": [{"role": role, "content": text} for role, text in messages if text]}
