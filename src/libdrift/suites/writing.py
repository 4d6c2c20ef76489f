"""Files of lines, written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from libdrift.errors import write_failure


def write_lines(path: Path, lines: Iterable[bytes]) -> int:
    """Write lines as they come; how many there were. A file that is there stays if this fails."""
    scratch = path.with_name(f".{path.name}.part")
    count = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with scratch.open("wb") as file:
                for line in lines:
                    file.write(line + b"\n")
                    count += 1
            scratch.replace(path)
        finally:
            scratch.unlink(missing_ok=True)
    except OSError as error:
        raise write_failure(path, error, "choose another place") from error
    return count
