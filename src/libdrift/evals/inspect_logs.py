"""Trouble with the logs that Inspect writes beside the run's own files."""

from __future__ import annotations

import contextlib
import errno
import functools
import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from libdrift.errors import write_failure

# As Inspect tells of an exception: OSError(27, 'File too large').
_OF_SYSTEM = re.compile(r"\w+\((?P<number>\d+), (?P<sign>['\"])(?P<text>.*?)(?P=sign)")


def log_failure(message: str, folder: Path) -> Exception:
    """Why a log could not be written, with the remedy; anything else is a fault of the program."""
    told = _OF_SYSTEM.match(message)
    if told is None or int(told["number"]) not in errno.errorcode:
        return RuntimeError(message)
    error = OSError(int(told["number"]), told["text"])
    return write_failure(folder, error, kept="answers up to here are kept")


@functools.cache
def end_quietly() -> None:
    """Let no trace follow where Inspect cannot pack its own log at the end of the process.

    That log is of no use to anybody here, and why it cannot be written is said by then.
    """
    logger: Any = importlib.import_module("inspect_ai._util.logger")  # it has no public name

    packed: Callable[[Any], Callable[[], None]] = vars(logger)["compress_trace_log"]

    def quietly(handler: Any) -> Callable[[], None]:  # noqa: ANN401  (logging's own)
        pack = packed(handler)

        def at_exit() -> None:
            with contextlib.suppress(OSError):
                pack()

        return at_exit

    vars(logger)["compress_trace_log"] = quietly  # a name of its own, not one for others
