"""Programs that try to pass, to see or to harm what they should not. None may succeed.

Each file beside this one is one program; its first line, a comment, says what it tries.
``ENTRY`` stands for the function that a task asks for. A line ``# with: _name`` stands for the text
of ``_name.py``: what several forgers share, such as their way to the judge's own objects.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from libdrift.records import Task

_WITH = re.compile(r"^# with: (_\w+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Hostile:
    name: str
    intent: str
    code: str

    def against(self, entry: str) -> str:
        """The program as an answer that is asked for a function named ``entry``."""
        return self.code.replace("ENTRY", entry)


def corpus() -> list[Hostile]:
    return programs(resources.files(__package__), ".py", "#")


def programs(folder: Traversable, ending: str, mark: str) -> list[Hostile]:
    """The programs in a folder, each with what its first line says in a comment."""
    found = []
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(ending) and not file.name.startswith("_"):
            code = file.read_text(encoding="utf-8")
            intent = code.splitlines()[0].lstrip(f"{mark} ").strip()
            for name in _WITH.findall(code):
                shared = (folder / f"{name}{ending}").read_text(encoding="utf-8")
                code = code.replace(f"# with: {name}\n", shared)
            found.append(Hostile(file.name.removesuffix(ending), intent, code))
    return found


def entry_of(task: Task) -> str:
    """The first function or class that the starter code asks for."""
    for node in ast.parse(task.starter).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return node.name
    return "answer"
