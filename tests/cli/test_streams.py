"""Streams of narrow locales: a letter that they lack is spelled, and ends nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

PROGRAM = "from libdrift.cli.streams import filter_streams; filter_streams(); print({!r})"


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1", "utf-8"])
def test_any_letter_can_be_printed_and_json_stays_json(encoding: str) -> None:
    text = json.dumps({"a": "é … 😀"}, ensure_ascii=False)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(text)],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout.decode(encoding)) == json.loads(text)


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
