"""Files of lines, written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from libdrift import kept
from libdrift.errors import write_failure


def write_lines(path: Path, lines: Iterable[bytes]) -> int:
    """Write lines as they come; how many there were. A file that is there stays if this fails."""
    count = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with kept.being_written(path) as aside, aside.open("wb") as file:
            for line in lines:
                file.write(line + b"\n")
                count += 1
    except OSError as error:
        raise write_failure(path, error, "choose another place") from error
    return count
