"""Folders for crates under way: below one of this process, whose name says whose it is.

A run that is killed leaves its folder behind; the next one finds that its process is gone.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PREFIX = "libdrift-rust-"


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A new folder, which is gone at the end."""
    parent = _of_process(os.getpid())
    with tempfile.TemporaryDirectory(dir=parent, ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)  # whoever runs what is in it is another user
        yield Path(name)


@cache
def _of_process(pid: int) -> Path:
    _sweep()
    made = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{pid}-"))
    made.chmod(0o755)
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _sweep() -> None:
    """Remove what processes of ours have left that are no more."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        pid = left.name.removeprefix(_PREFIX).partition("-")[0]
        if pid.isdecimal() and not _lives(int(pid)):
            shutil.rmtree(left, ignore_errors=True)  # others' own stay: we may not remove them


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's
    return True
