"""The streams that libdrift prints to, behind a filter: all goes through ``showing.shown``."""

from __future__ import annotations

import codecs
import io
import sys
from typing import Any, TextIO

from libdrift.showing import shown

_SPELLED = "libdrift-spelled"
# Signs of our own lines, as people write them where there are few letters.
_PLAIN = {"…": "...", "→": "->", "⇒": "=>", "–": "-", "—": "-", "−": "-", "±": "+-", "×": "x"}
_PLAIN |= {"≥": ">=", "≤": "<=", "²": "2", "·": "-", "•": "*", "“": '"', "”": '"'}


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
    codecs.register_error(_SPELLED, _spelled)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, Filtered):
            if isinstance(stream, io.TextIOWrapper):
                # A locale such as C has few letters: none of the others may end a command.
                stream.reconfigure(errors=_SPELLED)
            setattr(sys, name, Filtered(stream))


def _spelled(error: UnicodeError) -> tuple[str, int]:
    """What the stream cannot write: signs by plain ones, letters by their numbers as in JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_PLAIN.get(letter) or _numbers(letter) for letter in lost), error.end


def _numbers(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def is_narrow(stream: TextIO) -> bool:
    """Whether letters would be replaced: data must then be escaped before."""
    return "utf" not in (stream.encoding or "").lower()
