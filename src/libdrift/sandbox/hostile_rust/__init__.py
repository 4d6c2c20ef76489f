"""Rust programs that try to pass, to see or to harm what they should not. None may succeed.

Each file beside this one is one program; its first line, a comment, says what it tries. ``ENTRY``
stands for the function that a task asks for: from a slice of numbers to their sum. The folders are
crates, whose build scripts and macros run when they are compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class Hostile:
    name: str
    intent: str
    code: str

    def against(self, entry: str) -> str:
        """The program as an answer that is asked for a function named ``entry``."""
        return self.code.replace("ENTRY", entry)


def corpus() -> list[Hostile]:
    folder = resources.files(__package__)
    found = []
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".rs"):
            code = file.read_text(encoding="utf-8")
            intent = code.splitlines()[0].lstrip("/ ").strip()
            found.append(Hostile(file.name.removesuffix(".rs"), intent, code))
    return found


def crates() -> list[str]:
    """The names of the hostile crates: folders beside this file."""
    folder = resources.files(__package__)
    return sorted(f.name for f in folder.iterdir() if (f / "Cargo.toml").is_file())
