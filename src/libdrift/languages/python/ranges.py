"""A file on a server, of which only the parts that are needed are fetched."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from libdrift.errors import InfrastructureError
from libdrift.languages.python.web import HttpResponse, Web, host

TAIL = 256 << 10  # most directories of archives, which are at their ends, fit in this
# Below this it is quicker to fetch what lies between two parts than to ask twice.
_GAP = 256 << 10
_DIRECTORY = 128 << 20
_LONGEST = 16 << 20  # of one request, unless a single part is longer


class RangeFile(io.RawIOBase):
    """Reads come from what was fetched; beyond that, from the server until ``sealed``."""

    def __init__(self, web: Web, url: str, size: int, tail: bytes) -> None:
        super().__init__()
        self._web = web
        self._url = url
        self._size = size
        self._place = 0
        self._tail = tail
        self._part = (0, b"")
        self.sealed = False

    @classmethod
    def ask(cls, web: Web, url: str, size: int | None) -> RangeFile | None:
        """None where the server does not give parts of files."""
        span = f"-{TAIL}" if size is None else f"{max(0, size - TAIL)}-{size - 1}"
        answer = web.part(url, span)
        found = _content_range(answer)
        if found is None or found[1] != found[2] or (size is not None and size != found[2]):
            return None
        return cls(web, url, found[2], answer.body)

    @property
    def size(self) -> int:
        return self._size

    def fetch(self, start: int, end: int) -> None:
        """Have this part at hand; the one before is forgotten."""
        if start >= self._size - len(self._tail):
            return
        self._part = (start, b"")
        self._part = (start, self._request(start, end))

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = max(0, base + offset)
        return self._place

    def read(self, size: int = -1) -> bytes:
        end = self._size if size < 0 else min(self._size, self._place + size)
        if end <= self._place:
            return b""
        data = self._held(self._place, end)
        self._place = end
        return data

    def _held(self, start: int, end: int) -> bytes:
        first, part = self._part
        if first <= start and end <= first + len(part):
            return part[start - first : end - first]
        tail = self._size - len(self._tail)
        if start >= tail:
            return self._tail[start - tail : end - tail]
        if self.sealed:
            raise ValueError("members overlap")
        if end - start > _DIRECTORY:
            raise ValueError("its directory is too long")
        if end > tail:  # a directory that is longer than the tail: lengthen that
            self._tail = self._request(start, tail) + self._tail
            return self._tail[: end - start]
        return self._request(start, end)

    def _request(self, start: int, end: int) -> bytes:
        answer = self._web.part(self._url, f"{start}-{end - 1}")
        if _content_range(answer) != (start, end, self._size):
            raise InfrastructureError(
                f"{host(self._url)} gives other parts of files than asked for"
            )
        return answer.body


def coalesce(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbouring parts as one, as long as that does not grow too long."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start - joined[-1][1] <= _GAP and end - joined[-1][0] <= _LONGEST:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _content_range(answer: HttpResponse) -> tuple[int, int, int] | None:
    """Start, end and the size of the whole file, if the body is just that."""
    text = answer.headers.get("Content-Range", "")
    match = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", text) if answer.partial else None
    if match is None:
        return None
    start, last, size = (int(item) for item in match.groups())
    return (start, last + 1, size) if last + 1 - start == len(answer.body) else None
