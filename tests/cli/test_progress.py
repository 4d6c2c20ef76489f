"""How far a command is, in a log."""

from __future__ import annotations

import contextlib
import io
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
from rich.console import Console
from rich.progress import Progress

from libdrift.cli import common, progress
from libdrift.cli.doctor_stores import found_stores
from libdrift.cli.progress import line_of, told
from libdrift.environments import Failed
from libdrift.environments.forecasts import BuildForecast
from libdrift.records import Environment


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


def test_what_moved_is_told_and_else_what_is_under_way() -> None:
    bar = Progress(disable=True)
    first, second = (bar.add_task(name, total=2, note="") for name in ("first", "second"))
    lines = progress._Lines(bar)

    def names() -> list[str]:
        return [line.split()[0] for line in lines.due()]

    assert names() == ["first", "second"]
    bar.update(first, advance=2)
    assert names() == ["first"]
    assert names() == ["second"]  # still under way, where the first is done
    bar.update(second, note="passed 1")
    assert names() == ["second"]
    bar.update(second, advance=2)
    assert names() == ["second"]
    assert names() == []


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


GB = 10**9


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (
            BuildForecast(98, 98, 15 * GB, 725),
            "98 environments to build: about 15.0 GB of disk, 0:12:05 (an estimate)\n",
        ),
        (
            BuildForecast(3, 1, 10**6, 9),
            "1 environment to build, 2 there already: about less than 0.1 GB of disk, 0:00:09 (an estimate)\n",
        ),
    ],
)
def test_what_is_built_is_said_before(
    found: BuildForecast, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    common.announce_building(found, yes=False)  # no terminal: nobody is asked
    assert capsys.readouterr().err == line


@pytest.mark.parametrize(
    ("size", "yes", "answer", "asked"),
    [
        (6 * GB, False, True, 1),
        (6 * GB, False, False, 1),
        (6 * GB, True, False, 0),
        (4 * GB, False, False, 0),
    ],
)
def test_much_disk_is_asked_for_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, size: int, asked: int, *, yes: bool, answer: bool
) -> None:
    questions = []

    def confirm(text: str, *, abort: bool, **_: object) -> None:
        questions.append(text)
        if abort and not answer:
            raise typer.Abort

    for name in ("stdin", "stderr"):
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(sys, name, stream)
    monkeypatch.setattr(typer, "confirm", confirm)
    stopped = contextlib.nullcontext() if answer or not asked else pytest.raises(typer.Abort)
    with stopped:
        common.announce_building(BuildForecast(9, 9, size, 60), yes=yes)
    assert len(questions) == asked


def test_why_environments_cannot_be_had_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    display = common.Display(Progress(disable=True))
    for version in ("1", "2"):
        display.environment(Failed(Environment("python", "3.11", (f"a=={version}",)), "no network"))
    told = capsys.readouterr().err
    assert (told.count("no network"), told.count("the same reason")) == (1, 1)


def test_doctor_says_which_store_it_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """To read all that is kept takes minutes where much is kept."""
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(tmp_path / "history.sqlite"))
    bar = Progress(disable=True)
    lines = progress._Lines(bar)
    said: list[str] = []

    @contextlib.contextmanager
    def shown() -> Iterator[Progress]:
        advance = bar.advance
        monkeypatch.setattr(
            bar, "advance", lambda *told: (said.extend(lines.due()), advance(*told))
        )
        yield bar

    monkeypatch.setattr(common, "progress_bar", shown)
    found = found_stores(tmp_path / "runs", deep=True)
    count = len(found)
    assert [line.rsplit(", ", 1)[1] for line in said] == [one.name for one in found]
    assert said[0].startswith(f"stores 0/{count} (0 %)")
    assert said[-1].startswith(f"stores {count - 1}/{count}")
