"""Temporary folders: below one of this process, whose name says whose it is.

A process that is killed leaves its folder behind; the next one finds that its process is gone.
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

from libdrift.kept import lives

_PREFIX = "libdrift-of-"


@contextlib.contextmanager
def folder(*, shared: bool = False, within: Path | None = None) -> Iterator[Path]:
    """A new folder, which is gone at the end.

    ``shared`` lets other users read it: whoever runs what is in it may be one. ``within`` is where
    it has to be; by default where temporary files go.
    """
    if within is None:
        parent, prefix = of_process(), ""
    else:  # which holds other things as well: nothing of ours stays there
        _sweep(within)
        parent, prefix = within, f"{_PREFIX}{os.getpid()}-"
    with tempfile.TemporaryDirectory(
        dir=parent, prefix=prefix or None, ignore_cleanup_errors=True
    ) as name:
        if shared:
            Path(name).chmod(0o755)
            if within is None:
                parent.chmod(0o755)
        yield Path(name)


def of_process() -> Path:
    """A folder that is gone when this process is, or found to be so by the next."""
    return _of_process(os.getpid(), Path(tempfile.gettempdir()))


@cache
def _of_process(pid: int, place: Path) -> Path:
    _sweep(place)
    made = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{pid}-", dir=place))
    atexit.register(_remove, pid, made)
    return made


def _sweep(place: Path) -> None:
    for left in leftovers(place):
        shutil.rmtree(left, ignore_errors=True)  # others' own stay: we may not remove them


def _remove(pid: int, made: Path) -> None:
    if os.getpid() == pid:  # a fork's end is not ours
        shutil.rmtree(made, ignore_errors=True)


def leftovers(place: Path) -> list[Path]:
    """Folders of processes that are gone."""
    found = []
    for left in place.glob(f"{_PREFIX}*-*"):
        pid = left.name.removeprefix(_PREFIX).partition("-")[0]
        if pid.isdecimal() and not lives(int(pid)):
            found.append(left)
    return found
