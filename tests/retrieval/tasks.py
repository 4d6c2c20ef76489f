"""Tasks for the tests of the search."""

from __future__ import annotations

from typing import Any

from libdrift.records import Environment, Facts, Gap, Task, TaskKind, WrongAnswer

STARTER = '''import pkg


def rows_of(frame: pkg.Frame, path: str) -> pkg.Table:
    """Give the rows of a frame."""
    ...
'''
GAPPED = '''import logging
import pkg.plot as plt


def axes_service(x, y):
    """Draw [API_NAME] between the points."""
    result = plt<fill>
    return result
'''


def task(version: str = "1", wrong: str = "", **more: Any) -> Task:
    facts = {key: more.pop(key) for key in ("symbol", "changed_in", "library") if key in more}
    fields = {
        "id": "t",
        "suite": "s",
        "kind": TaskKind.GENERATE,
        "language": "python",
        "environment": Environment("python", "3.11", (f"pkg=={version}",)),
        "title": "",
        "problem": "pkg 1 is installed. Use the appending method of the Frame for `path`.",
        "starter": STARTER,
        "reference": "",
        "tests": (),
        "facts": Facts(**{"library": "pkg", "version": version, **facts}),
        "wrong": WrongAnswer("", Environment("python", "3.11", (wrong, "x>1")), "")
        if wrong
        else None,
    }
    return Task(**{**fields, **more})


def gapped(**more: Any) -> Task:
    gap = Gap(token="line", mask="<fill>", hint="plt", aliases=("plt",))
    shown = {"problem": "Complete the code for pkg 1.", "starter": GAPPED, "gap": gap}
    return task(kind=TaskKind.COMPLETE, **{**shown, **more})
