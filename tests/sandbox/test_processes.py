"""Processes by what /proc shows: their names are anybody's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from libdrift.sandbox import processes

RENAMED = """
import sys
with open("/proc/self/comm", "wb") as file:
    file.write(bytes.fromhex(sys.argv[1]))
print(flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("name", [b"\xff\xfe", b") Z 1 (", "é".encode()])
def test_a_process_of_any_name_is_found(name: bytes) -> None:
    """A guest that names itself by bytes that are no text must not end its judge."""
    with subprocess.Popen(
        [sys.executable, "-c", RENAMED, name.hex()], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert child.pid in processes.descendants(os.getpid())
        assert processes.processor_seconds(child.pid) >= 0
        assert processes.resident(os.getpid()) > 0
        assert child.stdin is not None
        child.stdin.close()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import threading; print(flush=True); threading.Event().wait()", True),
        ("import sys; print(flush=True); sys.stdin.read()", True),
        ("import select, socket; a, b = socket.socketpair(); print(flush=True); select.select([a], [], [])", True),
        ("import asyncio\nasync def wait():\n    print(flush=True); await asyncio.Event().wait()\nasyncio.run(wait())", True),
        ("import time; print(flush=True); time.sleep(60)", False),
        ("import threading; print(flush=True); threading.Event().wait(60)", False),
        ("import select, socket; a, b = socket.socketpair(); print(flush=True); select.select([a], [], [], 60)", False),
        ("import asyncio\nasync def wait():\n    print(flush=True); await asyncio.sleep(60)\nasyncio.run(wait())", False),
        ("import threading, time; threading.Thread(target=time.sleep, args=(60,)).start(); print(flush=True); threading.Event().wait()", False),
        ("print(flush=True)\nwhile True: pass", False),
        ("import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()\nprint(flush=True); threading.Event().wait()", False),
    ],
    ids=["a lock", "input", "a socket", "an event", "asleep", "a lock for a time", "a socket for a time", "asleep in a loop", "a thread asleep", "busy", "a busy thread"],
)  # fmt: skip
def test_what_waits_for_ever_is_told_from_what_goes_on(code: str, expected: bool) -> None:  # noqa: FBT001
    starter = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    with subprocess.Popen(
        [sys.executable, "-c", starter, code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        looks = [processes.is_waiting(child.pid)]
        deadline = time.monotonic() + (10 if expected else 0.3)
        while not looks[-1] and time.monotonic() < deadline:
            time.sleep(0.05)  # it may be on its way to sleep
            looks.append(processes.is_waiting(child.pid))
        for one in (*processes.descendants(child.pid), child.pid):
            os.kill(one, signal.SIGKILL)
    assert looks[-1] is expected
