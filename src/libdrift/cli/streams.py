"""The streams that libdrift prints to, behind a filter: all goes through ``showing.shown``."""

from __future__ import annotations

import io
import sys
from typing import Any, TextIO

from libdrift.showing import shown


class Filtered(io.TextIOBase):
    """A text stream that writes what can be shown; all else is as with the stream itself."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(shown(text))
        return len(text)

    def flush(self) -> None:
        self.stream.flush()

    def isatty(self) -> bool:
        return self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.stream.encoding

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever the stream has)
        return getattr(self.stream, name)


def filter_streams() -> None:
    """Put the filter before both streams, once."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, Filtered):
            setattr(sys, name, Filtered(stream))
