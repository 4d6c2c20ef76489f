"""The folder that a coding assistant works in: one program a task, flat, named after it.

``write`` makes such a folder from a suite: what a candidate may see, and the starting code.
``read`` takes the programs back as answers. A program is an answer as it stands: comments at its
head are only comments, and nothing is searched for fenced blocks.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from packaging.utils import canonicalize_name

from libdrift.errors import UserError
from libdrift.records import Attempt, LeftOut, Suite, Task, TaskKind
from libdrift.records.tasks import USUAL_MODULE

_INSTRUCTIONS = (
    "Complete the code below so that it works with exactly these versions.",
    "Do not change names or signatures that are given; keep everything in this one file.",
)


_ENDINGS = {"python": ".py", "rust": ".rs", "java": ".java"}


def file_name(stem: str, task: Task) -> str:
    if task.language not in _ENDINGS:
        raise UserError(
            f"task {task.id!r} is in {task.language!r}", f"Known: {', '.join(_ENDINGS)}"
        )
    return stem + _ENDINGS[task.language]


def stems(suite: Suite) -> dict[str, str]:
    """The file name of each task that is a program, without its ending, by task id.

    The module that its tests import, where that is the task's own; else the id, as a module name:
    also in a suite of one task, whose file keeps its name when there are more. Neither leads out of
    the folder, whoever has made the tasks.
    """
    shared = Counter(task.module for task in suite.tasks.values())
    found: dict[str, str] = {}
    taken: set[str] = set()
    for task in suite.tasks.values():
        if task.kind in {TaskKind.LOCATE, TaskKind.EXPLAIN}:
            continue
        own = shared[task.module] == 1 and task.module != USUAL_MODULE
        stem = re.sub(r"\W", "_", task.module if own else task.id)
        while stem in taken:  # `a/b` and `a_b` are two tasks
            stem += "_"
        taken.add(stem)
        found[task.id] = stem
    return found


def write(suite: Suite, folder: Path, *, with_problem: bool, force: bool) -> list[Path]:
    """Write the starting point of every task; a folder with something in it needs ``force``."""
    if not suite.environments:
        raise UserError(
            f"{suite.name} has no programs to complete: it is judged by its text",
            f"`libdrift suites prompts {suite.argument} FILE` writes its prompts",
        )
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is not a folder", "Choose another place")
    if not force and folder.is_dir() and any(folder.iterdir()):
        raise UserError(
            f"{folder} is not empty", "Choose an empty folder, or overwrite files with --force"
        )
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for task_id, stem in stems(suite).items():
        task = suite.tasks[task_id]
        path = folder / file_name(stem, task)
        path.write_text(program(task, with_problem=with_problem), encoding="utf-8")
        written.append(path)
    return written


def program(task: Task, *, with_problem: bool) -> str:
    """A task's starting code, under a header of comments that says what it is for."""
    library = canonicalize_name(task.facts.library)
    pins = task.environment.requirements
    others = [pin for pin in pins if canonicalize_name(pin.partition("==")[0]) != library]
    runtime = f"{task.language.capitalize()} {task.environment.runtime}"
    header = [
        f"{runtime}, {task.facts.library} {task.facts.version}",
        *_moved(task),
        *([f"Also installed: {', '.join(others)}"] if others else []),
        *_INSTRUCTIONS,
        *(["", "Problem:", *task.problem.splitlines()] if with_problem else []),
    ]
    mark = "#" if task.language == "python" else "//"
    comments = "".join(f"{mark} {line}".rstrip() + "\n" for line in header)
    return f"{comments}\n{task.starter}"


def _moved(task: Task) -> list[str]:
    """Of code that is to be migrated, what it was written for."""
    if task.kind is not TaskKind.MIGRATE or not task.facts.from_version:
        return []
    return [f"The code below was written for {task.facts.library} {task.facts.from_version}."]


def read(folder: Path, suite: Suite) -> tuple[list[Attempt], list[LeftOut], str]:
    """The answers in a folder, what was left out, and a hash of all that was read."""
    tasks = _tasks_by_file(suite)
    attempts: list[Attempt] = []
    left_out: list[LeftOut] = []
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        # Version control's and the interpreter's own are nobody's answers.
        if path.name.startswith(".") or path.name == "__pycache__":
            continue
        attempt = _attempt(path, tasks)
        if isinstance(attempt, Attempt) and any(attempt.task_id == a.task_id for a in attempts):
            attempt = LeftOut(str(path), "another file answers the same task")
        if isinstance(attempt, LeftOut):
            left_out.append(attempt)
        else:
            attempts.append(attempt)
            content = attempt.raw.encode()
            digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    order = {task_id: number for number, task_id in enumerate(suite.tasks)}
    attempts.sort(key=lambda attempt: order[attempt.task_id])
    return attempts, left_out, digest.hexdigest()


def _tasks_by_file(suite: Suite) -> dict[str, str]:
    """Task ids by the names of their programs: as exported, or the id as it is."""
    exported = stems(suite)
    plain = {file_name(id_, suite.tasks[id_]): id_ for id_ in exported}
    return plain | {file_name(stem, suite.tasks[id_]): id_ for id_, stem in exported.items()}


def _attempt(path: Path, tasks: Mapping[str, str]) -> Attempt | LeftOut:
    # A link is not followed: what an assistant points at need not be its own to show.
    if path.is_symlink() or not path.is_file():
        return LeftOut(str(path), "not a plain file; programs must lie flat in the folder")
    endings = {Path(name).suffix for name in tasks}
    if path.suffix not in endings:
        return LeftOut(str(path), f"not a {' or '.join(sorted(endings))} file")
    if path.name not in tasks:
        return LeftOut(str(path), "no task has this name")
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        return LeftOut(str(path), f"cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        return LeftOut(str(path), "binary, or not UTF-8 text; save it as UTF-8")
    if "\0" in text:
        return LeftOut(str(path), "binary, not text")
    return Attempt(tasks[path.name], 0, text, text.removeprefix("\ufeff"))
