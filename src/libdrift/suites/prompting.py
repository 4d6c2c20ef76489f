"""What models are asked, for tasks that are judged by their text: each benchmark's own words."""

from __future__ import annotations

from typing import Any

from libdrift import suites
from libdrift.records import Suite, Task
from libdrift.suites.benchmarks import Asking


def asked(suite: Suite, task: Task, asking: Asking) -> dict[str, Any]:
    """``messages`` of a conversation, or a ``prompt`` to go on from, with where to ``stop``."""
    shown = suites.prompt_for(suite, task, asking)
    if shown.text:
        return {"prompt": shown.text, **({"stop": list(shown.stop)} if shown.stop else {})}
    messages = (("system", shown.system), ("user", shown.user))
    return {"messages": [{"role": role, "content": text} for role, text in messages if text]}
