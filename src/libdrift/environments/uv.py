"""The one place that starts uv, and that reads what went wrong from its output."""

from __future__ import annotations

import errno
import functools
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from libdrift.children import ending_with_us
from libdrift.errors import InfrastructureError


@functools.cache
def binary() -> str:
    try:
        from uv import find_uv_bin

        return find_uv_bin()
    except (ImportError, FileNotFoundError):
        found = shutil.which("uv")
    if found is None:
        raise InfrastructureError("uv is not installed", "Install it with: pip install uv")
    return found


def run(
    arguments: Sequence[str],
    stdin: str | None = None,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> subprocess.CompletedProcess[str]:
    """Run uv quietly and return what it said; a failure is a value, read with ``reason``."""
    return subprocess.run(
        ending_with_us([binary(), "--no-progress", "--color", "never", *arguments]),
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        # The user's index settings count; a project that happens to surround us does not.
        cwd="/",
        env={**_environ(), **variables},
        # The sandbox may run as another user: what we install must be readable to it.
        umask=0o022,
    )


def _environ() -> dict[str, str]:
    """Ours without what would change the interpreters that uv starts.

    They are of other versions than this one: modules of ours on their path make them crash as
    they start, and uv starts them again, for ever.
    """
    return {name: text for name, text in os.environ.items() if name not in _OF_PYTHON}


_OF_PYTHON = frozenset({"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONSAFEPATH"})
_UNREACHABLE = re.compile(
    r"dns error|connection refused|connect error|error sending request|timed out|"
    r"Failed to fetch|Request failed after|Connection reset",
    re.IGNORECASE,
)


# What somebody has pinned himself, and not what that depends on.
_NO_SUCH_PIN = re.compile(r"there is no version of (\S+==\S+) and you require \1(?![\w.])")
_HAS_NO = "the package index has no"


def is_wrong_pin(reason: str) -> bool:
    """Whether an environment cannot be had as whoever pinned it has named no release."""
    return f": {_HAS_NO} " in f": {reason}"


_KILLED = "uv was killed"
# As uv tells of what the system has refused: no memory, descriptors, space, or right to write.
_SYSTEM = re.compile(r"\(os error (\d+)\)")
_MOMENTARY = frozenset(
    {errno.EAGAIN, errno.ENOMEM, errno.ENFILE, errno.EMFILE, errno.EFBIG, errno.ENOSPC}
    | {errno.EROFS, errno.EDQUOT, errno.EIO}
)


def failure(done: subprocess.CompletedProcess[str]) -> str:
    """All that uv said, if it failed."""
    if done.returncode == 0:
        return ""
    how = f"{_KILLED} ({signal_name(-done.returncode)})\n" if done.returncode < 0 else ""
    return f"{how}{done.stderr}{done.stdout}" or "uv failed"


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def is_momentary(output: str) -> bool:
    """Whether uv failed by the machine's trouble: another time it may not."""
    refused = any(int(number) in _MOMENTARY for number in _SYSTEM.findall(output))
    return refused or output.startswith(_KILLED) or bool(_UNREACHABLE.search(output))


def reason(output: str) -> str:
    """One line that names the item and the fix, from uv's (or a build backend's) output."""
    if output.startswith(_KILLED):
        return f"{output.splitlines()[0]}: run the same command again"
    if "No space left on device" in output:
        return "no disk space left: free some, or move the cache with LIBDRIFT_CACHE"
    if _UNREACHABLE.search(output):
        return (
            "the package index cannot be reached: check the network, or set UV_INDEX_URL to a "
            f"mirror ({_first_failure(output)})"
        )
    match = re.search(r"(?:╰─▶|hint:)?\s*(Because .*)", output, re.DOTALL)
    if match:
        text = re.sub(r"\s+", " ", match[1].replace("│", " "))
        pinned = _NO_SUCH_PIN.search(text)
        if pinned:
            return f"{_HAS_NO} {pinned[1]}: correct the pin, or a date (as_of) before its release"
        return text.split(" hint:")[0].strip()[:400]
    built = re.search(r"Failed to (?:build|download and build) (.+)", output)
    if built:
        return f"could not build {built[1].strip()} from source: {_last_error(output)}"
    return _first_failure(output)


def _first_failure(output: str) -> str:
    lines = [line.strip(" ×│╰─▶") for line in output.splitlines() if line.strip(" ×│╰─▶")]
    errors = [line for line in lines if line.lower().startswith(("error", "failed"))]
    return (errors or lines or ["uv failed without a message"])[0][:300]


def _last_error(output: str) -> str:
    lines = [line.strip(" │") for line in output.splitlines() if "rror" in line]
    return (lines or ["see the log"])[-1][:300]
