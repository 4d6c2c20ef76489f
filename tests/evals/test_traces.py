"""What a program's run left behind, without this machine in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.evals import traces
from libdrift.records import Outcome
from libdrift.sandbox import Judgement
from libdrift.sandbox.backends import _WORK

CACHE = "/srv/cache/libdrift"
HOME = Path.home()


@pytest.fixture
def place(settings: Settings) -> Settings:
    return replace(settings, cache=Path(CACHE))


STEADY = [
    (f'File "{CACHE}/environments/1a/venv/lib/python3.11/site-packages/attr/_make.py", line 2',
     'File "attr/_make.py", line 2'),
    (f"from 'x' ({CACHE}/environments/1a/venv/lib/python3.11/site-packages/x/__init__.py)",
     "from 'x' (x/__init__.py)"),
    ('File "/usr/lib/python3.11/json/decoder.py", line 1', 'File "json/decoder.py", line 1'),
    (f'File "{_WORK}/answer.py", line 3, in f', 'File "answer.py", line 3, in f'),
    (f"['{HOME}/.pyenv/lib/python311.zip', '{HOME}/x/y']", "['python311.zip', 'y']"),
    (f"{CACHE}/environments/1a/pyvenv.cfg", "pyvenv.cfg"),
    ("<object object at 0x7f3a2b4c5d60>", "<object object at 0x…>"),
    ("[2026-11-15 18:26:21,080] ERROR in app", "[…] ERROR in app"),
    ("/tmp/tmpab12_cd/menu.txt", "/tmp/…/menu.txt"),
    ("2 passed in 0.03s", "2 passed in … s"),
    # What is no path of this machine stays: routes, addresses, numbers.
    ("GET /api/v1/items != https://example.org/lib/python3.11/x", None),
    ("0xff, 2.5 s, 2026-11-15, /tmp/menu.txt", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), STEADY)
def test_nothing_of_this_machine_or_moment_stays(
    place: Settings, text: str, expected: str | None
) -> None:
    assert traces.steady(text, place) == (text if expected is None else expected)


LOG = f"""Traceback (most recent call last):
  File "/run/libdrift/driver.py", line 182, in run_script
    exec(code, space)
    ^^^^^^^^^^^^^^^^^
  File "{_WORK}/test_answer.py", line 1, in <module>
    assert number() == 4
           ^^^^^^^^^^^^^
AssertionError
E   compared 5 with 4

"""
TOLD = """script: AssertionError

Traceback (most recent call last):
  File "test_answer.py", line 1, in <module>
    assert number() == 4
           ^^^^^^^^^^^^^
AssertionError
E   compared 5 with 4"""


@pytest.mark.parametrize(
    ("judgement", "expected"),
    [
        (Judgement(Outcome.FAILED, "script: AssertionError", 0.1, log=LOG), TOLD),
        (Judgement(Outcome.REFUSED, "the answer is empty", 0.0), "the answer is empty"),
        (
            Judgement(Outcome.TIMEOUT, "over the time limit of 61.3 s", 61.4, log="at work\n"),
            "The program did not end within its time limit.\n\nat work",
        ),
        (
            Judgement(Outcome.INFRASTRUCTURE, f"no environment in {CACHE}", 0.0, log=CACHE),
            "The machine had trouble with this run: it says nothing about the program.",
        ),
    ],
)
def test_what_became_of_a_program(place: Settings, judgement: Judgement, expected: str) -> None:
    assert traces.told(judgement, place) == expected


def test_of_a_long_text_one_end_is_kept_in_whole_lines() -> None:
    text = "\n".join(f"line {number}" for number in range(100))
    assert traces.tail(text, 20) == "…\nline 98\nline 99"
    assert traces.head(text, 20) == "line 0\nline 1\n…"
    assert traces.tail("x" * 30, 20) == f"…\n{'x' * 20}"
    assert traces.head("x" * 30, 20) == f"{'x' * 20}\n…"
    assert traces.tail("short", 20) == traces.head("short", 20) == "short"
