"""Foreign text for people's eyes: what would act on a terminal, or hide what is there, is spelled.

Names of tasks, packages and files, compilers' messages and models' words come from anybody. A sign
that moves the cursor, changes colours or the title, or turns the direction of reading is shown by
its number, as JSON would write it: so JSON that is printed stays the same data.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control signs but for tabs and ends of lines
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # directions, and other ends of lines
    "\ud800-\udfff]"  # halves of signs, which no stream can write
)
_LONGEST_WORD, _LONGEST_TEXT = 400, 4000
_HEAD, _TAIL = 200, 100  # what is left of a word that is longer
_WORD = re.compile(rf"\S{{{_LONGEST_WORD},}}")


def shown(text: str) -> str:
    """A text without anything that a terminal would obey."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def in_a_line(text: str) -> str:
    """The same in one line, for errors."""
    return shown(shortened(" ".join(text.split("\n"))))


def shortened(text: str) -> str:
    """A message without the middle of what is too long to be read: a name may be a megabyte."""
    if len(text) <= _LONGEST_WORD:
        return text
    text = _WORD.sub(lambda word: f"{word[0][:_HEAD]}…{word[0][-_TAIL:]}", text)
    if len(text) <= _LONGEST_TEXT:
        return text
    return f"{text[: _LONGEST_TEXT - _HEAD]} … {text[-_HEAD:]}"


def counted(number: int, what: str) -> str:
    """``1 answer``, ``2 answers``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def relative(path: Path) -> str:
    """A path as the reader would type it here."""
    with contextlib.suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)
