"""The one place that starts uv, and that reads what went wrong from its output."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from types import MappingProxyType

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
        [binary(), "--no-progress", "--color", "never", *arguments],
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


def reason(output: str) -> str:
    """One line that names the item and the fix, from uv's (or a build backend's) output."""
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
