"""What is asked of code, and what is answered. Without the advisor, which takes long to import."""

from __future__ import annotations

from dataclasses import dataclass

from libdrift.jobs.answering.context import ServedRelease


@dataclass(frozen=True, slots=True)
class CodeQuestion:
    """``code`` or ``path``, not both.

    ``requirements`` are the versions that it is to run with (``numpy==2.1.0``), by default the
    project's own; ``old`` those that it was written for, by default not known.
    """

    code: str | None = None
    path: str | None = None
    requirements: tuple[str, ...] = ()
    old: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeFinding:
    file: str
    line: int
    level: str
    kind: str
    symbol: str
    message: str
    replacement: str = ""
    since: str = ""
    fixable: bool = False


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    releases: tuple[ServedRelease, ...]  # that the code was checked for
    findings: tuple[CodeFinding, ...]
    compared: tuple[str, ...]  # between which versions
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MigratedAnswer:
    releases: tuple[ServedRelease, ...]
    diff: str
    code: str  # whole, of code that was sent; empty for a path
    applied: int
    left: tuple[CodeFinding, ...]  # that a person has to see to, with the reason
    problems: tuple[str, ...] = ()
