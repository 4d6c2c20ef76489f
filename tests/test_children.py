"""Programs that end with the process that started them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from libdrift.children import ending_with_us
from tests.processes import alive, wait_until

LEAVES_ALL = "(setsid sleep {mark} &) ; sleep {mark}"


def run(*command: str, **given: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ending_with_us(command), capture_output=True, text=True, check=False, **given
    )  # type: ignore[call-overload]


def test_a_program_is_itself() -> None:
    said = run("sh", "-c", "cat; echo there >&2; pwd; exit 7", input="in\n", cwd="/")
    assert (said.returncode, said.stdout, said.stderr) == (7, "in\n/\n", "there\n")


def test_a_signal_stays_a_signal() -> None:
    assert run("sh", "-c", "kill -9 $$").returncode == -signal.SIGKILL
    assert run("sh", "-c", "kill -TERM $$").returncode == -signal.SIGTERM


def test_signals_are_as_a_program_expects_them() -> None:
    # What nobody reads any more ends a program, and its own signals end it.
    said = run("sh", "-c", "yes | head -1; kill -INT $$; sleep 60")
    assert (said.returncode, said.stdout) == (-signal.SIGINT, "y\n")


def test_a_signal_that_is_ignored_stays_so() -> None:
    started = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh"]
    code = (
        "import subprocess; from libdrift.children import ending_with_us;"
        "subprocess.run(ending_with_us(['sh', '-c', 'kill -HUP $$ $PPID; echo alive']), check=True)"
    )
    said = subprocess.run(
        [*started, sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stdout) == (0, "alive\n")


def test_a_program_that_is_not_there() -> None:
    said = run("/nowhere/uv")
    assert (said.returncode, said.stdout) == (127, "")
    assert said.stderr == "/nowhere/uv: No such file or directory (os error 2)\n"


def test_what_a_program_leaves_ends_with_it(mark: str) -> None:
    said = run("sh", "-c", f"(setsid sleep {mark} >/dev/null 2>&1 &) ; echo done")
    assert said.stdout == "done\n"
    assert alive(mark) == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_nothing_outlives_us(how: signal.Signals, mark: str) -> None:
    code = f"""
import signal, subprocess
from libdrift.children import ending_with_us
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored below nohup
subprocess.run(ending_with_us(["sh", "-c", "{LEAVES_ALL.format(mark=mark)}"]), check=False)
"""
    with subprocess.Popen([sys.executable, "-c", code]) as ours:
        wait_until(lambda: len(alive(mark)) == 2)
        ours.send_signal(how)
    wait_until(lambda: not alive(mark))


def test_what_installs_ends_with_us(mark: str, tmp_path: Path) -> None:
    """uv, whose compilers would go on for an hour."""
    fake = tmp_path / "uv"
    fake.write_text(f"#!/bin/sh\n{LEAVES_ALL.format(mark=mark)}\n")
    fake.chmod(0o755)
    code = f"""
from libdrift.environments import uv
uv.binary = lambda: {str(fake)!r}
uv.run(["pip", "install", "thing"])
"""
    with subprocess.Popen([sys.executable, "-c", code]) as ours:
        wait_until(lambda: len(alive(mark)) == 2)
        ours.terminate()
    wait_until(lambda: not alive(mark))
