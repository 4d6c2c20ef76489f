from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError, UserError
from libdrift.evals.inspect_logs import log_failure

FOLDER = Path("run/logs")


@pytest.mark.parametrize(
    ("message", "kind", "words"),
    [
        ("OSError(27, 'File too large')", InfrastructureError, "File too large; answers up to"),
        ("OSError(28, 'No space left on device')", InfrastructureError, "Free some space"),
        ("PermissionError(13, 'Permission denied')", UserError, "Change its permissions"),
        ("ValueError(\"27, 'no'\")", RuntimeError, "ValueError"),
        ("OSError(99999, 'none')", RuntimeError, "99999"),
    ],
)
def test_what_the_system_says_of_a_log_is_told_with_a_remedy(
    message: str, kind: type[Exception], words: str
) -> None:
    found = log_failure(message, FOLDER)
    assert type(found) is kind
    assert words in str(found)


def test_a_log_that_cannot_be_packed_leaves_no_trace(tmp_path: Path) -> None:
    """Inspect packs its own log at the end of the process, whatever happened to the disk."""
    script = """
import logging, resource, sys
from libdrift.evals.inspect_logs import end_quietly
end_quietly()
from inspect_ai._util.logger import LogHandler, init_logger
init_logger("critical")
logging.getLogger("inspect_ai").error("x" * 100)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
"""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**environ, "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
