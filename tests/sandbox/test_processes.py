"""Processes by what /proc shows: their names are anybody's."""

from __future__ import annotations

import os
import subprocess
import sys

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
