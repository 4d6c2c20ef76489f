"""Files that are kept: written whole or not at all, sealed with their format and a checksum.

A sealed file is a line of JSON (what it is, in which format, the checksum of the rest) and the
rest. What is damaged is told from what a newer libdrift wrote: the one can be made anew, the other
is not ours to replace.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import threading
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PART = re.compile(r"\.(?P<node>[\w-]+)\.(?P<pid>\d+)\.\d+\.part")
_GUARD = threading.Lock()
_COUNT = [0]
_SWEPT: set[Path] = set()


class DamagedFileError(ValueError):
    """Not what was written: cut, flipped, empty, or another file."""


class NewerFileError(ValueError):
    """Of a format that this libdrift does not know."""


def seal(kind: str, version: int, body: bytes) -> bytes:
    head = {"libdrift": kind, "format": version, "crc": zlib.crc32(body), "size": len(body)}
    return json.dumps(head).encode() + b"\n" + body


def unseal(kind: str, version: int, data: bytes) -> bytes:
    """What was sealed as this kind and format."""
    line, _, body = data.partition(b"\n")
    try:
        head = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DamagedFileError("its first line is not libdrift's") from error
    if not isinstance(head, dict) or head.get("libdrift") != kind:
        raise DamagedFileError(f"it is not a file of {kind}")
    written = head.get("format")
    if isinstance(written, int) and written > version:
        raise NewerFileError(f"a newer libdrift wrote it (format {written}, this one: {version})")
    if written != version:
        raise DamagedFileError(f"it has format {written}, not {version}")
    if head.get("size") != len(body) or head.get("crc") != zlib.crc32(body):
        raise DamagedFileError("its content does not match its checksum")
    return body


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, whoever else writes it at the same time."""
    with being_written(path) as aside:
        aside.write_bytes(data)


@contextlib.contextmanager
def being_written(path: Path) -> Iterator[Path]:
    """A place beside a file, which takes the file's place at the end; nothing is left by an error.

    A kill leaves it: whoever writes into the folder next removes it.
    """
    sweep(path.parent)
    with _GUARD:
        _COUNT[0] += 1
        number = _COUNT[0]
    aside = path.with_name(f".{_node()}.{os.getpid()}.{number}.part")
    try:
        yield aside
        aside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
        raise


def sweep(folder: Path) -> None:
    """Remove what killed processes of this machine left of files here; once a process."""
    with _GUARD:
        if folder in _SWEPT:
            return
        _SWEPT.add(folder)
    for left in leftovers(folder):
        with contextlib.suppress(OSError):
            left.unlink()


def leftovers(folder: Path) -> list[Path]:
    """Files that were being written by processes that are gone."""
    try:
        names = os.listdir(folder)  # noqa: PTH208  (as many as a cache has)
    except OSError:
        return []
    found = []
    for name in names:
        match = _PART.fullmatch(name)
        if match and match["node"] == _node() and not lives(int(match["pid"])):
            found.append(folder / name)
    return found


def lives(pid: int) -> bool:
    """Whether there is a process of that number."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's
    return True


@cache
def _node() -> str:
    """Of a folder that machines share, each sweeps its own: numbers of others say nothing here."""
    return re.sub(r"[^\w-]+", "-", platform.node())[:40] or "here"
