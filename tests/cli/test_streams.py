"""Streams of narrow locales: a letter that they lack is spelled, and ends nothing."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer

from libdrift.cli import common
from libdrift.cli.app import app
from libdrift.cli.streams import filter_streams

DATA = {"a": "é … 😀 →"}


ENCODINGS = pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1", "utf-8"])


def printed(encoding: str, act: Callable[[], object]) -> str:
    """What ``act`` prints to streams of an encoding."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("stdout", "stderr"):
            patch.setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        filter_streams()
        act()
        sys.stdout.flush()
        return str(sys.stdout.buffer.getvalue().decode(encoding, "replace"))


@ENCODINGS
def test_json_keeps_every_letter(encoding: str) -> None:
    assert json.loads(printed(encoding, lambda: common.print_json(DATA))) == DATA


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("ascii", "1.0 -> 2.0, 3 +- 1, ..., \\ud83d\\ude00"),
        ("iso-8859-1", "1.0 -> 2.0, 3 ± 1, ..., \\ud83d\\ude00"),
        ("utf-8", "1.0 → 2.0, 3 ± 1, …, 😀"),
    ],
)
def test_signs_are_plain_where_letters_are_few(encoding: str, line: str) -> None:
    assert printed(encoding, lambda: sys.stdout.write("1.0 → 2.0, 3 ± 1, …, 😀")) == line


def every_command(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    for name, command in getattr(group, "commands", {}).items():
        yield from every_command(command, (*words, name))


@ENCODINGS
def test_every_command_explains_itself_in_any_locale(encoding: str) -> None:
    commands = list(every_command(typer.main.get_command(app)))
    assert len(commands) > 30

    def explain() -> None:
        for words in commands:
            with pytest.raises(SystemExit) as ended:
                app([*words, "--help"], prog_name="libdrift")
            assert ended.value.code == 0, words

    assert printed(encoding, explain).count("Usage: libdrift") == len(commands)


@pytest.mark.parametrize("command", ["suites", "doctor"])
def test_commands_work_in_a_plain_locale(command: str) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "libdrift", command],
        env={**os.environ, **plain},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0
