"""What goes wrong before any command is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

START = """
import resource, sys
import libdrift.cli

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "libdrift.cli.app":
            raise KeyboardInterrupt

if sys.argv[1] == "no descriptors":
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
else:
    sys.meta_path.insert(0, Interrupted())
libdrift.cli.main()
"""


@pytest.mark.parametrize(
    ("trouble", "code", "said"),
    [
        ("no descriptors", 3, "libdrift: Too many open files: "),
        ("Ctrl-C", 130, "libdrift: interrupted"),
    ],
)
def test_trouble_while_commands_are_imported_is_one_line(
    trouble: str, code: int, said: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", START, trouble], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith(said)
