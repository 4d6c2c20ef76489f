"""A paper's filled entries as text: for a terminal, Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from libdrift.reports.papers.filling import (
    FilledEntry,
    FilledFigure,
    FilledTable,
    MissingPart,
    PointedEntry,
)
from libdrift.reports.sheets import Sheet, escaped


def as_text(entries: Iterable[FilledEntry]) -> str:
    return "\n".join(_entry(entry, _plain_table) for entry in entries)


def as_markdown(entries: Iterable[FilledEntry]) -> str:
    return "\n".join(_entry(entry, _markdown_table, heading="### ", code="`") for entry in entries)


def as_latex(entries: Iterable[FilledEntry]) -> str:
    """The tables, with what is missing as comments; figures are files of their own."""
    parts = []
    for entry in entries:
        if isinstance(entry, FilledTable) and entry.rows:
            parts.append(_latex_table(entry))
        else:
            said = _about(entry)
            lines = (f"{entry_number(entry)}: {entry_caption(entry)}", *said)
            parts.append("\n".join(f"% {line}" for text in lines for line in text.splitlines()))
    return "\n\n".join(parts)


def sheets(entries: Iterable[FilledEntry]) -> list[Sheet]:
    """The tables with all that is known of each number, for other programs."""
    return [_sheet(entry) for entry in entries if isinstance(entry, FilledTable) and entry.rows]


def _sheet(table: FilledTable) -> Sheet:
    settings, titles = table.head
    rows = tuple((label, *(cell.text for cell in cells)) for label, cells in table.rows)
    records = [
        {"model": label, "setting": setting, "column": title, **cell.to_json()}
        for label, cells in table.rows
        for setting, title, cell in zip(settings, titles, cells, strict=True)
    ]
    title = f"{table.number}: {table.caption}"
    return Sheet(title, ("model", *titles), rows, 1, table.notes, tuple(records))


def entry_number(entry: FilledEntry) -> str:
    return entry.entry.number if isinstance(entry, PointedEntry) else entry.number


def entry_caption(entry: FilledEntry) -> str:
    return entry.entry.caption if isinstance(entry, PointedEntry) else entry.caption


def _entry(
    entry: FilledEntry,
    table: Callable[[FilledTable], str],
    heading: str = "",
    code: str = "",
) -> str:
    lines = [f"\n{heading}{entry_number(entry)}: {entry_caption(entry)}"]
    if isinstance(entry, FilledTable) and entry.rows:
        lines += ["", table(entry), ""]
    lines += [f"- {line}" if heading else f"  {line}" for line in _about(entry, code)]
    return "\n".join(lines)


def _about(entry: FilledEntry, code: str = "") -> list[str]:
    """What stands below: notes, what is missing with its command, or where else it is made."""
    match entry:
        case PointedEntry():
            made, why = entry.entry.command, entry.entry.reason
            return [" – ".join(filter(None, (f"{code}{made}{code}" if made else "", why)))]
        case FilledFigure():
            drawn = [f"figure: {chart.name}" for chart in entry.charts]
            return [*drawn, *_needs(entry.needs, code)]
        case FilledTable():
            return [*entry.notes, *_needs(entry.needs, code)]


def _needs(needs: Sequence[MissingPart], code: str) -> list[str]:
    """A line for each command, with all that it would fill."""
    lines = []
    commands = dict.fromkeys(need.command for need in needs)
    for command in commands:
        what = dict.fromkeys(need.what for need in needs if need.command == command)
        lines.append(f"missing: {'; '.join(what)} – {code}{command}{code}")
    return lines


def _plain_table(table: FilledTable) -> str:
    """Columns side by side; a setting's name once, above its columns."""
    settings, titles = table.head
    rows = [["model", *titles], *([label, *(c.text for c in cells)] for label, cells in table.rows)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    if len(set(settings)) > 1:
        spans = []
        at = 1
        for name, group in groupby(settings):
            count = len(list(group))
            room = sum(widths[at : at + count]) + 2 * (count - 1)
            if len(name) > room:  # the last of its columns gives way
                widths[at + count - 1] += len(name) - room
                room = len(name)
            spans.append(name.center(room))
            at += count
        lines.append("  ".join([" " * widths[0], *spans]).rstrip())
    for row in rows:
        cells = [
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(f"  {line}" for line in lines)


def _markdown_table(table: FilledTable) -> str:
    settings, titles = table.head
    several = len(set(settings)) > 1
    names = [f"{one}: {two}" if several else two for one, two in zip(settings, titles, strict=True)]
    rows = [["model", *names], ["---"] * (len(names) + 1)]
    rows += [[label, *(cell.text for cell in cells)] for label, cells in table.rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows
    )


def _latex_table(table: FilledTable) -> str:
    settings, titles = table.head
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * len(titles)}}}",
        r"\toprule",
    ]
    if len(set(settings)) > 1:
        spans = [
            rf"\multicolumn{{{len(list(group))}}}{{c}}{{{escaped(name)}}}"
            for name, group in groupby(settings)
        ]
        lines.append(f" & {' & '.join(spans)} \\\\")
    body = [["model", *titles], *([label, *(c.text for c in cells)] for label, cells in table.rows)]
    lines += [" & ".join(map(escaped, body[0])) + r" \\", r"\midrule"]
    lines += [" & ".join(map(escaped, row)) + r" \\" for row in body[1:]]
    lines += [
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{escaped(table.caption)}}}",
        r"\end{table}",
    ]
    lines += [f"% {line}" for text in _about(table) for line in text.splitlines()]
    return "\n".join(lines)
