"""What a project's files and environment pin."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from libdrift.advisor.versions import tables
from libdrift.errors import UserError
from libdrift.jobs.answering.context import AnswerContext


@dataclass(frozen=True, slots=True)
class PinnedVersion:
    package: str
    version: str
    source: str  # the file or the environment that says so
    is_exact: bool = True  # otherwise the lowest that a range allows


@dataclass(frozen=True, slots=True)
class ProjectAnswer:
    root: str
    versions: tuple[PinnedVersion, ...]
    problems: tuple[str, ...] = ()


def project_versions(context: AnswerContext, path: str | None = None) -> ProjectAnswer:
    """Of each package the version that the surest source names; ranges only where none does."""
    place = _place(context, path)
    problems: list[str] = []
    found: dict[str, PinnedVersion] = {}
    for table in tables(place, problems.append, context.root_of(place)):
        for package, version in table.exact.items():
            pin = PinnedVersion(package, version, table.source, not table.is_range)
            found.setdefault(package, pin)
    pins = tuple(found[name] for name in sorted(found))
    return ProjectAnswer(str(place), pins, tuple(problems))


def _place(context: AnswerContext, path: str | None) -> Path:
    if path is not None:
        return context.inside(path)
    if not context.roots:
        raise UserError("no project folder is known", "Start the server with --root DIR")
    return context.roots[0].resolve()
