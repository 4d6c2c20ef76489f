"""A Python script in the sandbox, by the Python of an environment, from 2.7 on."""

from __future__ import annotations

import math
import os
import re
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from libdrift.environments import Ready
from libdrift.sandbox import seccomp
from libdrift.sandbox.commands import Command, Ended
from libdrift.sandbox.commands import run as run_command
from libdrift.sandbox.limits import Limits

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

_SCRIPT, _START = "script.py", "start.py"
_THREADS = 16  # a core: some libraries start theirs by the number of cores, at import
_OTHERS = re.compile(
    r"\b(?:subprocess|system|popen\w*|spawn\w*|exec[lv]\w*|commands|pty|platform|webbrowser)\b"
)
# Sees to it that no other program is started, such as a Python of another version that runs the
# old code; then is the script, in its own place. Both Python 2 and 3 can read it.
_CLOSED = """\
import ctypes, struct, sys
_rules = bytes(bytearray.fromhex("{rules}"))
_kept = ctypes.create_string_buffer(_rules, len(_rules))
_given = struct.pack("@HP", len(_rules) // 8, ctypes.addressof(_kept))
if ctypes.CDLL(None).prctl(22, 2, _given, 0, 0):
    sys.exit("the filter of system calls was refused")
with open("{script}", "rb") as _kept:
    _given = compile(_kept.read(), "{script}", "exec", 0, 1)
__file__ = sys.argv[0] = "{script}"
del ctypes, struct, sys, _rules, _kept
exec(globals().pop("_given"))
"""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a script may do beside what limits say."""

    programs: bool = False  # start others
    still_seconds: float = math.inf  # wait in a row, with nothing in it running


_NOTHING_MORE = Allowance()


def starts_programs(script: str) -> bool:
    """Whether a script, as published, has a use for other programs."""
    return _OTHERS.search(script) is not None


def run_script(
    script: str,
    place: Ready,
    options: Options,
    limits: Limits,
    stop: threading.Event | None = None,
    *,
    seed: int = 0,
    allowed: Allowance = _NOTHING_MORE,
) -> Ended:
    """Run a script to its end, or to a limit's."""
    rules = None if allowed.programs else seccomp.no_programs()
    files = {_SCRIPT: script}
    if rules is not None:
        files[_START] = _CLOSED.format(rules=rules.hex(), script=_SCRIPT)
    command = Command(
        argv=(str(place.python), "-s", "-B", _SCRIPT if rules is None else _START),
        environ={
            "PATH": f"{place.python.parent}:/usr/bin:/bin",
            "PYTHONHASHSEED": str(seed),
            "TF_CPP_MIN_LOG_LEVEL": "2",  # it tells of the processor, on stderr
            "MALLOC_ARENA_MAX": "2",  # else each thread takes 64 MiB of addresses
        },
        read=(
            place.folder,
            place.interpreter_prefix,
            place.interpreter_prefix.resolve(),
            place.python.resolve().parent.parent,
        ),
        files=files,
        still_seconds=allowed.still_seconds,
    )
    roomy = replace(
        limits,
        processes=max(limits.processes, _THREADS * (os.cpu_count() or 1)),
        log_bytes=2 * limits.output_bytes,  # all of it: it is compared
    )
    try:
        return run_command(command, options.backend, roomy, stop)
    except OSError as error:  # no process, no memory, no descriptor left on this machine
        return Ended(None, "", "", 0.0, trouble=f"cannot start a sandbox: {error}")
