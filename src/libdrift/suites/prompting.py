"""What models are asked, a line a task: for whoever has an inference of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from libdrift import suites
from libdrift.errors import UserError
from libdrift.records import Suite, Task
from libdrift.suites.benchmarks import Asking
from libdrift.suites.writing import write_lines


def asked(suite: Suite, task: Task, asking: Asking) -> dict[str, Any]:
    """``messages`` of a conversation, or a ``prompt`` to go on from, with where to ``stop``."""
    shown = suites.prompt_for(suite, task, asking)
    if shown.text:
        return {"prompt": shown.text, **({"stop": list(shown.stop)} if shown.stop else {})}
    messages = (("system", shown.system), ("user", shown.user))
    return {"messages": [{"role": role, "content": text} for role, text in messages if text]}


Asked = Callable[[Task], dict[str, Any]]


def write(suite: Suite, path: Path, asking: Asking, program: Asked, *, force: bool = False) -> int:
    """A line a task, whole or not at all; how many there are.

    What is judged by its text is asked in its benchmark's words, and the rest as ``program`` says.
    """
    if path.exists() and not force:
        raise UserError(f"{path} is there already", "Choose another file, or add --force")
    lines = (
        msgspec.json.encode(
            {
                "task_id": task.id,
                **(program(task) if task.gap is None else asked(suite, task, asking)),
            }
        )
        for task in suite.tasks.values()
    )
    return write_lines(path, lines)
