"""Why crates cannot be had: what cargo and the compiler say, in one line with the fix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_ELSEWHERE = re.compile(r"redox_|windows|winapi|wasi|web-sys|js-sys|objc|core-foundation|jni")
_UNREACHABLE = re.compile(
    r"could not resolve host|failed to download|network failure|timed out|couldn't connect|"
    r"failed to get .* as a dependency.*unable to update",
    re.IGNORECASE | re.DOTALL,
)
# Said of a compiler that the system has ended, or that found no room.
_SHORT = re.compile(
    r"signal: (?:9|24)\b|cannot allocate memory|no space left on device"
    r"|resource temporarily unavailable|too many open files",
    re.IGNORECASE,
)
_UNMATCHED = re.compile(
    r"failed to select a version for the requirement `([\w-]+) = \"=?([^\"]+)\""
)


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Crates that cannot be had, and why, in one line."""

    reason: str
    log: str = ""
    transient: bool = False  # a fault of the moment, such as no network: it says nothing of them


def yanked(stderr: str) -> tuple[str, str] | None:
    """The crate, and its version, that cargo does not choose because it was yanked."""
    asked = _UNMATCHED.search(stderr)
    told = re.search(r"version (\d[\w.+-]*) is yanked", stderr)
    return (asked[1], told[1]) if asked and told else None


def refusal(stderr: str) -> Unavailable:
    """Why cargo could not get the crates."""
    absent = re.search(r"no matching package named `([^`]+)`", stderr)
    unmatched = _UNMATCHED.search(stderr)
    feature = re.search(r"with features? `([^`]+)` but `([^`]+)` does not have", stderr)
    if absent:
        return Unavailable(f"there is no crate named {absent[1]}", stderr)
    if unmatched and re.search(r"is yanked", stderr):
        name, version = unmatched.groups()
        fix = f"Take a version that was not; see them with: cargo info {name}"
        return Unavailable(f"{name} {version} was yanked. {fix}", stderr)
    if unmatched:
        return Unavailable(f"there is no {unmatched[1]} {unmatched[2]}", stderr)
    if _UNREACHABLE.search(stderr):
        reason = "cargo cannot reach its registry. Try again, or run: cargo fetch"
        return Unavailable(reason, stderr, transient=True)
    if feature:
        return Unavailable(f"{feature[2]} has no feature {feature[1]}", stderr)
    return Unavailable(f"cargo cannot get it: {_first_line(stderr)}", stderr)


def why(told: Sequence[dict[str, Any]], stderr: str, version: str) -> Unavailable:
    """Why crates do not compile."""
    library = re.search(r"system library `([^`]+)`|Could not find directory of (\w+)", stderr)
    failed = re.search(r"could not compile `([^`]+)`|build command for `(\S+) v", stderr)
    crate = next(filter(None, failed.groups()), "it") if failed else "it"
    short = _SHORT.search(stderr)
    if short:
        return Unavailable(f"compiling {crate} found no room: {short[0]}", stderr, transient=True)
    if library:
        name = next(filter(None, library.groups()))
        package = f"lib{name.removeprefix('lib')}-dev or {name}-devel"
        fix = f"install its development package, such as {package}"
        return Unavailable(f"{crate} needs the system library {name}: {fix}", stderr)
    if _ELSEWHERE.match(crate):
        return Unavailable(f"{crate} is for another platform", stderr)
    if "failed to run custom build command" in stderr:
        lines = [line.strip() for line in stderr.splitlines()]
        panic = next((line for line in lines if "error" in line.lower()[:12]), "no reason given")
        return Unavailable(f"the build script of {crate} failed: {panic[:200]}", stderr)
    errors = [
        message["message"]
        for message in told
        if message.get("reason") == "compiler-message" and message["message"]["level"] == "error"
    ]
    first = errors[0]["message"] if errors else _first_line(stderr)
    log = "\n".join(error.get("rendered") or "" for error in errors) or stderr
    return Unavailable(f"{crate} does not compile with Rust {version}: {first[:200]}", log)


def _first_line(text: str) -> str:
    lines = [line.strip().removeprefix("error: ") for line in text.splitlines() if line.strip()]
    wanted = next((line for line in lines if not line.startswith(("Updating", "Locking"))), "")
    return wanted[:200] or "no reason given"
