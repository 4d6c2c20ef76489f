"""What is shown is what was given: Rich reads nothing into brackets."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from typing import Any

import pytest
from rich.table import Table

from libdrift.cli import common, doctor
from libdrift.cli.terminal import Terminal
from libdrift.config import Settings

TEXT = "pip install 'libdrift[local]' [bold]x[/bold] [/] :smile: list[int]"


def test_brackets_are_shown() -> None:
    file = io.StringIO()
    console = Terminal(file=file, width=200)
    table = Table(TEXT, title=TEXT, caption=TEXT)
    table.add_row(TEXT)
    console.print(table)
    console.print(TEXT)
    assert file.getvalue().count(TEXT) == 5


def test_brackets_are_shown_beside_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    terminal = Terminal(file=file, width=250, force_terminal=True, no_color=True)
    monkeypatch.setattr(common, "stderr", lambda: terminal)
    with common.progress_bar() as bar:
        bar.add_task("a[b]", total=1, note=TEXT)
        bar.refresh()
    assert TEXT in file.getvalue()
    assert "a[b]" in file.getvalue()


def test_a_pipe_that_nobody_reads_is_no_finding() -> None:
    """Rich would end the command with exit code 1, which is that of findings."""

    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Terminal(file=Closed()).print("x")


def test_the_doctor_names_every_extra(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line to paste for each that is missing, of all that the package offers."""
    import tomllib

    there = importlib.util.find_spec
    missing = {"xllamacpp", "pylint", "matplotlib", "pyarrow", "ray"}

    def find(name: str, *more: Any) -> Any:
        return None if name in missing else there(name, *more)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    monkeypatch.setattr(doctor, "_sandbox", lambda *_, **__: ("sandbox", True, "left out here"))
    monkeypatch.setenv("COLUMNS", "200")
    doctor.doctor(as_json=False)
    shown = capsys.readouterr().out
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text("utf-8"))
    for extra in project["project"]["optional-dependencies"]:
        assert f"pip install 'libdrift[{extra}]'" in shown
