"""What models are asked, for tasks that are judged by their text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from libdrift.errors import UserError
from libdrift.records import Suite, Task
from libdrift.scoring.text_scores import MIDDLE
from libdrift.suites.libevolutioneval.contexts import PromptContext
from libdrift.suites.libevolutioneval.rendering import render
from libdrift.suites.libevolutioneval.styles import Style
from libdrift.suites.versicode.prompts import prompt
from libdrift.suites.writing import write_lines


@dataclass(frozen=True, slots=True)
class Asking:
    """How to ask. ``style``, ``family`` and ``limit`` are for completions in a line."""

    version: bool = True
    imports: bool = True
    style: str = Style.INSTRUCTION.value
    family: str | None = None
    limit: int | None = None


def asked(task: Task, asking: Asking) -> dict[str, Any]:
    """``messages`` of a conversation, or a ``prompt`` to go on from, with where to ``stop``."""
    if task.facts.granularity != MIDDLE:
        text = prompt(task, version=asking.version, imports=asking.imports)
        return {"messages": [{"role": "user", "content": text}]}
    shown = render(
        task,
        style=_style(asking.style),
        context=PromptContext.VERSION if asking.version else PromptContext.IN_FILE,
        family=asking.family,
        limit=asking.limit,
    )
    if shown.text:
        return {"prompt": shown.text, **({"stop": list(shown.stop)} if shown.stop else {})}
    return {
        "messages": [
            {"role": "system", "content": shown.system},
            {"role": "user", "content": shown.user},
        ]
    }


def write(suite: Suite, path: Path, asking: Asking, *, force: bool = False) -> int:
    """A line a task that is judged by its text, whole or not at all; how many there are."""
    tasks = [task for task in suite.tasks.values() if task.gap is not None]
    if not tasks:
        raise UserError(
            f"no task of {suite.name} is judged by its text",
            f"`libdrift eval {suite.argument}` asks for them; "
            f"`libdrift suites export {suite.argument} DIR` writes programs to complete",
        )
    if path.exists() and not force:
        raise UserError(f"{path} is there already", "Choose another file, or add --force")
    lines = (msgspec.json.encode({"task_id": task.id, **asked(task, asking)}) for task in tasks)
    return write_lines(path, lines)


def _style(name: str) -> Style:
    try:
        return Style(name)
    except ValueError:
        known = ", ".join(style.value for style in Style)
        raise UserError(f"unknown style {name!r}", f"Known are {known}") from None
