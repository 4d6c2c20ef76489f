"""Imported by the process that workers are forked from, and by no other.

Where the machine has no process left, that one ends; whoever asked it is told, and says it to the
person in a line. Its own trace would only stand before that.
"""

from __future__ import annotations

import sys
from types import TracebackType


def _say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    # Without a descriptor left, what was sent with a message does not come: a RuntimeError. Who has
    # none to send ends the message early.
    told = issubclass(kind, (OSError, MemoryError, EOFError)) or "ancdata" in str(error)
    if not told:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _say
