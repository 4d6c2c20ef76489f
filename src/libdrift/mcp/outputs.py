"""Answers as data: what stands beside each text, with its schema."""

from __future__ import annotations

from dataclasses import dataclass

from libdrift.jobs.answering import (
    ChangesAnswer,
    CodeAnswer,
    CodeFinding,
    FoundSymbol,
    MigratedAnswer,
    PinnedVersion,
    ProjectAnswer,
    SearchAnswer,
    ServedRelease,
    SymbolAnswer,
)
from libdrift.mcp.texts import ItemPage
from libdrift.reports.changes import ChangeEntry, describe_changes


@dataclass(frozen=True, slots=True)
class SymbolOutput:
    release: ServedRelease
    symbol: str
    exists: bool
    kind: str
    signature: str | None
    documentation: str  # of this page
    deprecated: str | None
    replacement: str
    defined: str
    source: str  # file and line in the artifact
    introduced: str
    removed: str
    page: int
    pages: int

    @classmethod
    def of(cls, answer: SymbolAnswer, documentation: ItemPage[str]) -> SymbolOutput:
        return cls(
            answer.release,
            answer.symbol,
            answer.exists,
            answer.kind,
            answer.signature,
            "\n".join(documentation.items),
            answer.deprecated,
            answer.replacement,
            answer.defined,
            answer.source,
            answer.introduced,
            answer.removed,
            documentation.page,
            documentation.pages,
        )


@dataclass(frozen=True, slots=True)
class SearchOutput:
    release: ServedRelease
    hits: tuple[FoundSymbol, ...]
    page: int
    pages: int

    @classmethod
    def of(cls, answer: SearchAnswer, hits: ItemPage[FoundSymbol]) -> SearchOutput:
        return cls(answer.release, hits.items, hits.page, hits.pages)


@dataclass(frozen=True, slots=True)
class ChangeOutput:
    symbol: str
    kind: str
    breaking: bool
    detail: str
    replacement: str


@dataclass(frozen=True, slots=True)
class ChangesOutput:
    old: ServedRelease
    new: ServedRelease
    changes: tuple[ChangeOutput, ...]
    page: int
    pages: int

    @classmethod
    def of(cls, answer: ChangesAnswer, found: ItemPage[ChangeEntry]) -> ChangesOutput:
        told = tuple(
            ChangeOutput(
                entry.path,
                entry.kind.value,
                entry.breaking,
                "; ".join(map(describe_changes, entry.groups)),
                next(filter(None, (change.replacement for change in entry.changes)), ""),
            )
            for entry in found.items
        )
        return cls(answer.old, answer.new, told, found.page, found.pages)


@dataclass(frozen=True, slots=True)
class CodeOutput:
    releases: tuple[ServedRelease, ...]
    compared: tuple[str, ...]
    findings: tuple[CodeFinding, ...]
    total: int
    problems: tuple[str, ...]
    page: int
    pages: int

    @classmethod
    def of(cls, answer: CodeAnswer, found: ItemPage[CodeFinding]) -> CodeOutput:
        return cls(
            answer.releases,
            answer.compared,
            found.items,
            len(answer.findings),
            answer.problems,
            found.page,
            found.pages,
        )


@dataclass(frozen=True, slots=True)
class MigratedOutput:
    releases: tuple[ServedRelease, ...]
    applied: int
    left: tuple[CodeFinding, ...]
    code: str  # the whole of it, edited, where code was sent
    problems: tuple[str, ...]
    page: int
    pages: int

    @classmethod
    def of(cls, answer: MigratedAnswer, diff: ItemPage[str]) -> MigratedOutput:
        return cls(
            answer.releases,
            answer.applied,
            answer.left,
            answer.code,
            answer.problems,
            diff.page,
            diff.pages,
        )


@dataclass(frozen=True, slots=True)
class ProjectOutput:
    root: str
    versions: tuple[PinnedVersion, ...]
    problems: tuple[str, ...]
    page: int
    pages: int

    @classmethod
    def of(cls, answer: ProjectAnswer, pins: ItemPage[PinnedVersion]) -> ProjectOutput:
        return cls(answer.root, pins.items, answer.problems, pins.page, pins.pages)
