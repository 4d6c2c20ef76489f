"""What models are asked, for tasks that are judged by their text: each benchmark's own words."""

from __future__ import annotations

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
    lines = (
        msgspec.json.encode({"task_id": task.id, **asked(suite, task, asking)}) for task in tasks
    )
    return write_lines(path, lines)
