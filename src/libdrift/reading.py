"""Lines of files that anybody may have made: no line is longer than what is given for it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from libdrift.errors import UserError

LINE_LIMIT = 64 << 20  # bytes: of the longest published task, a thousandfold
_BOM = b"\xef\xbb\xbf"


class Lines:
    """The lines of a file one by one, without their ends, and a hash of all that was read."""

    def __init__(self, path: Path, limit: int = LINE_LIMIT) -> None:
        self._path = path
        self._limit = limit
        self._digest = hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        """A line that is too long is the caller's mistake: what follows it is not read."""
        with self._path.open("rb") as file:
            number = 0
            while line := file.readline(self._limit + 1):
                number += 1
                self._digest.update(line)
                if len(line) > self._limit:
                    raise UserError(
                        f"{self._path}:{number}: a line of over {self._limit >> 20} MB",
                        "Give a file with one JSON object a line",
                    )
                yield line.removeprefix(_BOM if number == 1 else b"").removesuffix(b"\n")

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()
