"""Scripts start no other program, unless they are about that; in every Python."""

from __future__ import annotations

import pytest

from libdrift.config import Settings
from libdrift.environments import Ready, build, discover
from libdrift.execution import Options
from libdrift.execution.scripts import Allowance, run_script, starts_programs
from libdrift.records import Environment
from libdrift.sandbox import Backend, Limits

_SCRIPT = """\
# -*- coding: utf-8 -*-
import sys
print(sorted(name for name in globals() if not name.startswith("__")))
sys.stdout.write(__name__ + " " + sys.argv[0] + "\\n")
sys.stdout.flush()
try:
    import os
    os.execv("/bin/echo", ["echo", "started"])
except OSError as error:
    print(error.strerror)
"""
_PYTHONS = [interpreter.minor for interpreter in reversed(discover(old=True))]


@pytest.mark.parametrize("python", sorted({_PYTHONS[0], _PYTHONS[-1]}))
@pytest.mark.parametrize("programs", [False, True])
def test_other_programs(
    python: str, settings: Settings, bubblewrap: Backend, *, programs: bool
) -> None:
    place = build(Environment("python", python, ()), settings)
    assert isinstance(place, Ready)
    options = Options(settings, bubblewrap)
    ended = run_script(_SCRIPT, place, options, Limits(), allowed=Allowance(programs))
    assert ended.status == 0, ended.stderr
    last = "started" if programs else "Operation not permitted"
    assert ended.stdout.splitlines() == ["['sys']", "__main__ script.py", last]


@pytest.mark.parametrize(
    ("script", "starts"),
    [
        ("import subprocess\nsubprocess.run(['ls'])", True),
        ("import os\nos.system('ls')", True),
        ("import math\nprint(math.prod([1, 2]))", False),
        ("import ecosystem", False),
    ],
)
def test_which_scripts_have_a_use_for_others(script: str, *, starts: bool) -> None:
    assert starts_programs(script) is starts
