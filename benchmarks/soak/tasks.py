"""The tasks of a soak, and answers to them of every kind."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.soak.index import LIBRARY

_RUNTIME = f"{sys.version_info.major}.{sys.version_info.minor}"
_OLD = f"from {LIBRARY} import total\n\n\ndef count(values):\n    return total(values)\n"
_NEW = f"from {LIBRARY} import summed\n\n\ndef count(values):\n    return summed(values)\n"
_OLD_NAME = f"from {LIBRARY} import label\n\n\ndef shout(name):\n    return label(name, True)\n"
_NEW_NAME = _OLD_NAME.replace("True", "upper=True")
_COUNT = "assert count([1, 2, 3]) == 6\nassert count([]) == 0\nassert count([5, 40]) == 45\n"
_SHOUT = 'assert shout("abc") == "ABC"\nassert shout("x1") == "X1"\n'
# Task: version, a right answer, one for another version, tests.
TASKS = {
    "count-old": ("1.0", _OLD, _NEW, _COUNT),
    "count-new": ("2.0", _NEW, _OLD, _COUNT),
    "shout-old": ("1.0", _OLD_NAME, "def shout(name):\n    return name\n", _SHOUT),
    "shout-new": ("2.0", _NEW_NAME, _OLD_NAME, _SHOUT),
}
SCORED = ("count-old", "shout-new")  # few, so that a fault takes seconds
ASKED = ("count-new", "shout-old")
ODD = {
    "raises": "raise RuntimeError('an answer that raises')\n",
    "leaves": "import os\nos._exit(0)\n",
    "dies": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "broken": "def count(:\n",
}


def write_tasks(path: Path) -> None:
    lines = [json.dumps({"schema_version": 1, "suite": "soak", "title": "Tasks of a soak"})]
    for name, (version, right, wrong, tests) in TASKS.items():
        other = "2.0" if version == "1.0" else "1.0"
        place = {"runtime": _RUNTIME, "requirements": [f"{LIBRARY}=={version}"]}
        task = {
            "id": name,
            "environment": place,
            "problem": f"[{name}] Write it for exactly this version.",
            "reference": right,
            "tests": [
                {"split": "hidden", "style": "script", "code": tests},
                {"split": "visible", "style": "script", "code": tests.splitlines()[0] + "\n"},
            ],
            "wrong": {
                "code": wrong,
                "environment": {"runtime": _RUNTIME, "requirements": [f"{LIBRARY}=={other}"]},
            },
        }
        lines.append(json.dumps(task))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_answers(path: Path) -> None:
    """To each task a right answer, one for another version, and odd ones."""
    rows = []
    odd = iter(ODD.values())
    for name in SCORED:
        _, right, wrong, _ = TASKS[name]
        rows += [(name, right), (name, wrong), (name, next(odd)), (name, next(odd))]
    lines = [json.dumps({"task_id": name, "answer": code}) for name, code in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def answers_of_model() -> dict[str, list[str]]:
    return {name: [right, wrong] for name, (_, right, wrong, _) in TASKS.items()}
