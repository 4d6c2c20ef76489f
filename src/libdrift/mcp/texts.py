"""Answers as short texts. What packages say is quoted: it is data, and no instruction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

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
from libdrift.reports.changes import ChangeEntry
from libdrift.reports.changes import entries as change_entries
from libdrift.reports.changes import lines as lines_of_changes
from libdrift.showing import counted, shown

PAGE = 1800  # characters of a quotation or a list on one page: about 450 tokens
_TICKS = re.compile(r"`+")
_QUOTES = str.maketrans("“”", '""')
_DIGEST = 12  # letters of a hash that tell files apart
_NOTES = 5  # notes that an answer has room for
_WIDTH = 200  # characters of a line of changes
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ItemPage(Generic[Item]):
    """Some of the items of an answer: as many as there is room for."""

    items: tuple[Item, ...]
    page: int
    pages: int

    @property
    def note(self) -> str:
        if self.pages == 1:
            return ""
        more = f"; ask for page {self.page + 1}" if self.page < self.pages else ""
        return f" (page {self.page} of {self.pages}{more})"


def paged(items: Iterable[Item], page: int, length: Callable[[Item], int]) -> ItemPage[Item]:
    """One page of items; the last one where there are not so many."""
    pages: list[list[Item]] = [[]]
    room = PAGE
    for item in items:
        size = length(item)
        if size > room and pages[-1]:
            pages.append([])
            room = PAGE
        pages[-1].append(item)
        room -= size
    at = min(max(page, 1), len(pages))
    return ItemPage(tuple(pages[at - 1]), at, len(pages))


def paged_lines(lines: Iterable[str], page: int) -> ItemPage[str]:
    """Lines that are longer than a page are cut in pieces."""
    pieces = (
        line[start : start + PAGE] for line in lines for start in range(0, max(len(line), 1), PAGE)
    )
    return paged(pieces, page, lambda line: len(line) + 1)


def release_line(release: ServedRelease) -> str:
    """Package, version, why this one, and by what evidence."""
    parts = [f"{release.name} ({release.chosen})"]
    if release.date:
        parts.append(f"released {release.date}")
    if release.artifact:
        parts.append(" ".join(filter(None, ["read from", release.artifact, _digest(release)])))
    parts.append(
        "read whole"
        if release.is_complete
        else f"read with {counted(release.gaps, 'gap')}: a name that is not seen may be there"
    )
    return _inline("; ".join(parts))  # a project's files have names of anybody's choice


def _digest(release: ServedRelease) -> str:
    kind, separator, value = release.digest.partition(":")
    return f"{kind}:{value[:_DIGEST]}" if separator else release.digest


def quoted(text: str) -> str:
    """Somebody else's text in a fence that it cannot close."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown(text)}\n{fence}"


def symbol_text(answer: SymbolAnswer, documentation: ItemPage[str]) -> str:
    head = [release_line(answer.release)]
    if not answer.exists:
        return "\n".join(head + _gone_lines(answer))
    head.append(_inline(answer.signature or answer.symbol))
    source = f" ({answer.source})" if answer.source else ""
    about = [f"{answer.kind}, defined at {_inline(answer.defined + source)}"]
    if answer.public_path:
        about.append(f"the same as {_inline(answer.public_path)}")
    head.append("; ".join(about))
    if answer.deprecated is not None:
        some = " in some uses" if answer.note else ""
        head.append(f"DEPRECATED{some} in this release. It says: {_said(answer.deprecated)}")
    if answer.replacement:
        head.append(f"Instead: {_inline(answer.replacement)}")
    if not answer.documentation:
        return "\n".join([*head, "This release has no documentation of it."])
    told = f"Documentation, quoted{documentation.note}:"
    return "\n".join([*head, told, quoted("\n".join(documentation.items))])


def _gone_lines(answer: SymbolAnswer) -> list[str]:
    lines = [f"{_inline(answer.symbol)} is NOT in {answer.release.name}."]
    if answer.introduced:
        until = f", and it is gone in {answer.removed}" if answer.removed else ""
        lines.append(f"Of the releases that are known, {answer.introduced} has it first{until}.")
    if answer.signature:
        lines.append(f"It was: {_inline(answer.signature)}")
    if answer.deprecated:
        lines.append(f"Its deprecation says: {_said(answer.deprecated)}")
    if answer.replacement:
        lines.append(f"Instead: {_inline(answer.replacement)}")
    return lines


def search_text(answer: SearchAnswer, hits: ItemPage[FoundSymbol]) -> str:
    head = release_line(answer.release)
    if not answer.hits:
        return f"{head}\nNothing found. Try other words."
    found = quoted("\n\n".join(hit.text for hit in hits.items))
    return f"{head}\nFound, the best first{hits.note}:\n{found}"


def changes_text(answer: ChangesAnswer, found: ItemPage[ChangeEntry]) -> str:
    count = len(change_entries(answer.changes))
    head = [
        f"from {release_line(answer.old)}",
        f"to {release_line(answer.new)}",
        f"{counted(count, 'change')} {_inline(answer.asked)}{found.note}",
    ]
    if not answer.changes:
        return "\n".join(head)
    return "\n".join([*head, quoted("\n".join(map(entry_text, found.items)))])


def entry_text(entry: ChangeEntry) -> str:
    return "\n".join(lines_of_changes(entry.changes, _WIDTH))


def code_text(answer: CodeAnswer, found: ItemPage[CodeFinding]) -> str:
    head = [f"checked for {release_line(item)}" for item in answer.releases]
    head += [f"compared: {', '.join(answer.compared)}"] if answer.compared else []
    head += _notes(answer.problems)
    if not answer.findings:
        return "\n".join([*head, "No findings."])
    told = f"{counted(len(answer.findings), 'finding')}{found.note}:"
    return "\n".join([*head, told, quoted("\n".join(map(finding_line, found.items)))])


def finding_line(item: CodeFinding) -> str:
    instead = f" Instead: {item.replacement}" if item.replacement else ""
    since = f" (since {item.since})" if item.since else ""
    return _inline(f"{item.file}:{item.line}: {item.level}: {item.message}{since}{instead}")


def migrated_text(answer: MigratedAnswer, diff: ItemPage[str]) -> str:
    head = [f"edited for {release_line(item)}" for item in answer.releases]
    head += _notes(answer.problems)
    made, left = counted(answer.applied, "edit"), counted(len(answer.left), "finding")
    head.append(f"{made} made, {left} left to a person{diff.note}")
    if not any(diff.items):
        return "\n".join(head)
    return "\n".join([*head, quoted("\n".join(diff.items))])


def migrated_lines(answer: MigratedAnswer) -> list[str]:
    """The diff, and what was left."""
    left = list(map(finding_line, answer.left))
    return [*answer.diff.splitlines(), *(["left:", *left] if left else [])]


def project_text(answer: ProjectAnswer, pins: ItemPage[PinnedVersion]) -> str:
    head = [f"{_inline(answer.root)}: {counted(len(answer.versions), 'package')}{pins.note}"]
    head += _notes(answer.problems)
    if not answer.versions:
        return "\n".join([*head, "No file and no environment names versions."])
    return "\n".join([*head, quoted("\n".join(map(pin_line, pins.items)))])


def pin_line(item: PinnedVersion) -> str:
    return _inline(f"{item.package} {'' if item.is_exact else '>= '}{item.version} ({item.source})")


def _notes(problems: Sequence[str]) -> list[str]:
    more = len(problems) - _NOTES
    told = [f"note: {_inline(problem)}" for problem in problems[:_NOTES]]
    return [*told, f"note: and {more} more"] if more > 0 else told


def _inline(text: str) -> str:
    """A name or a signature: one line, and no longer than a page."""
    line = shown(" ".join(text.split()))
    return line if len(line) <= PAGE // 2 else f"{line[: PAGE // 2]} …"


def _said(message: str) -> str:
    """What a package says, in signs of quotation that it cannot close."""
    return f"“{_inline(message.translate(_QUOTES)) or 'nothing'}”"
