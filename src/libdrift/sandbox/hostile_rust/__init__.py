"""Rust programs that try to pass, to see or to harm what they should not. None may succeed.

Each file beside this one is one program; its first line, a comment, says what it tries. ``ENTRY``
stands for the function that a task asks for: from a slice of numbers to their sum. The folders are
crates, whose build scripts and macros run when they are compiled.
"""

from __future__ import annotations

from importlib import resources

from libdrift.sandbox.hostile import Hostile, programs


def corpus() -> list[Hostile]:
    return programs(resources.files(__package__), ".rs", "/")


def crates() -> list[str]:
    """The names of the hostile crates: folders beside this file."""
    folder = resources.files(__package__)
    return sorted(f.name for f in folder.iterdir() if (f / "Cargo.toml").is_file())
