"""What is said of a failed write fits what failed."""

from __future__ import annotations

import errno
import os

import pytest

from libdrift.errors import write_failure


@pytest.mark.parametrize(
    ("number", "kept", "code", "line"),
    [
        (
            errno.EACCES,
            "all is kept",
            2,
            "cannot write to run: Permission denied. Change its permissions, or choose another --out",
        ),
        (
            errno.EROFS,
            "all is kept",
            2,
            "cannot write to run: Read-only file system. Choose another --out",
        ),
        (
            errno.ENOSPC,
            "all is kept",
            3,
            "cannot write to run: No space left on device; all is kept. "
            "Free some space, or choose another --out; then run the same command again",
        ),
        (
            errno.ENOSPC,
            "",
            3,
            "cannot write to run: No space left on device. Free some space, or choose another --out",
        ),
        (errno.EIO, "", 3, "cannot write to run: Input/output error. Choose another --out"),
    ],
)
def test_remedies_of_failed_writes(number: int, kept: str, code: int, line: str) -> None:
    found = write_failure("run", OSError(number, os.strerror(number)), kept=kept)
    assert (found.exit_code, str(found)) == (code, line)
