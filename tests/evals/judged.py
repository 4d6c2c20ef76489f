"""A small suite of tasks that ask which API changed, and how; answers and scripts for judges."""

from __future__ import annotations

import json
from pathlib import Path

from libdrift.records import Environment, Facts, Suite, Task, TaskKind

LOCATE = ["shapes.ring"]
EXPLAIN = {"shapes.ring": {"kind": "deprecated", "since": "2.0", "replacement": "shapes.circle"}}


def label_task(name: str, kind: TaskKind, reference: str) -> Task:
    return Task(
        id=name,
        suite="labels",
        kind=kind,
        language="python",
        environment=Environment("python", "3.11", ("shapes==2.0",)),
        title=name,
        problem="Which API of this code is not in the installed version?",
        starter="import shapes\nshapes.ring(2)\n",
        reference=reference,
        tests=(),
        facts=Facts("shapes", "2.0"),
    )


def label_suite(each: int = 3) -> Suite:
    """As many tasks of both kinds: ``locate-0``, …, ``explain-0``, …"""
    tasks = [
        label_task(f"{kind}-{number}", kind, json.dumps(labels))
        for kind, labels in ((TaskKind.LOCATE, LOCATE), (TaskKind.EXPLAIN, EXPLAIN))
        for number in range(each)
    ]
    return Suite("labels", "Labels", "made here", {task.id: task for task in tasks})


def script(path: Path, *lines: str) -> str:
    """A model that runs these lines, with ``task_id`` and the whole ``prompt``; its ``--model``.

    What it is asked is kept beside it, in ``asked``.
    """
    body = [
        f"with open({str(path.with_name('asked'))!r}, 'a') as f:",
        "    f.write(f'{task_id} {sample}\\n')",
        "prompt = messages[-1][1]",
        *lines,
    ]
    code = "\n    ".join(["def reply(messages, task_id, sample):", *body])
    path.write_text(f"import json, os\n\n\n{code}\n", encoding="utf-8")
    return f"scripted/{path}"
