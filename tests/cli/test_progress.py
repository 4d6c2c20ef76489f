"""How far a command is, in a log."""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass

import pytest
from rich.console import Console
from rich.progress import Progress

from libdrift.cli import common, progress
from libdrift.cli.progress import line_of, told


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("total", "done", "seconds", "note", "line"),
    [
        (656, 120, 150, "", "answers 120/656 (18 %), 0:02:30 gone, about 0:11:10 left"),
        (10, 0, 61, "", "answers 0/10 (0 %), 0:01:01 gone"),
        (10, 10, 3600, "passed 10", "answers 10/10 (100 %), 1:00:00 gone, passed 10"),
        (None, 7, 30, "numpy 2.0.2", "answers 7, 0:00:30 gone, numpy 2.0.2"),
    ],
)
def test_a_line(total: int | None, done: int, seconds: int, note: str, line: str) -> None:
    clock = Clock()
    bar = Progress(disable=True, get_time=clock)
    task = bar.add_task("answers", total=total, note="")
    clock.now = seconds
    bar.update(task, completed=done, note=note)
    assert line_of(bar.tasks[0]) == line


def test_what_moved_is_told_and_what_stands_still_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress, "_UNCHANGED", 3)
    bar = Progress(disable=True)
    first, second = (bar.add_task(name, total=2, note="") for name in ("first", "second"))
    lines = progress._Lines(bar)

    def names() -> list[str]:
        return [line.split()[0] for line in lines.due()]

    assert names() == ["first", "second"]
    bar.update(first, advance=2)
    assert names() == ["first"]
    assert names() == []
    assert names() == ["second"]  # still under way, where the first is done
    bar.update(second, note="passed 1")
    assert names() == ["second"]


def test_lines_come_while_work_goes_on() -> None:
    bar = Progress(disable=True)
    heard: list[str] = []
    enough = threading.Event()

    def say(line: str) -> None:
        heard.append(line)
        enough.set()

    with told(bar, say, seconds=0.01):
        bar.add_task("answers", total=4, note="")
        assert enough.wait(10)
    assert heard[0].startswith("answers 0/4 (0 %)")


def test_a_short_command_says_nothing() -> None:
    bar = Progress(disable=True)
    heard: list[str] = []
    with told(bar, heard.append):
        bar.add_task("answers", total=4, note="")
    assert heard == []


@pytest.mark.parametrize("terminal", [True, False])
def test_only_a_log_has_lines(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> None:
    """Whatever has a bar has lines where nobody sees it, by the one function that makes it."""
    asked: list[bool] = []

    def quietly(bar: Progress, *_: object) -> io.StringIO:
        asked.append(bar.disable)
        return io.StringIO()  # a context that does nothing

    console = Console(file=io.StringIO(), force_terminal=terminal)
    monkeypatch.setattr(common, "stderr", lambda: console)
    monkeypatch.setattr(progress, "told", quietly)
    with common.progress_bar() as bar:
        bar.add_task("answers", total=4, note="")
    assert asked == ([] if terminal else [True])
