"""A table as text: for a terminal, in Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "–": "--", "±": r"$\pm$", "×": r"$\times$", "→": r"$\to$", "²": r"$^2$", "≥": r"$\ge$",
    "≤": r"$\le$", "<": r"\textless{}", ">": r"\textgreater{}", "−": "$-$", "…": r"\dots{}",
}  # fmt: skip
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of texts. ``records`` have the same as data: a row for each number."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int  # columns, from the left, that are words
    notes: tuple[str, ...] = ()
    records: tuple[Mapping[str, object], ...] = ()


def without_constant(sheet: Sheet, name: str) -> Sheet:
    """Without a column of labels that says the same in every row, such as the only run's name."""
    if name not in sheet.head[: sheet.labels] or not sheet.rows:
        return sheet
    at = sheet.head.index(name)
    if len({row[at] for row in sheet.rows}) > 1:
        return sheet
    rows = tuple((*row[:at], *row[at + 1 :]) for row in sheet.rows)
    head = (*sheet.head[:at], *sheet.head[at + 1 :])
    return replace(sheet, head=head, rows=rows, labels=sheet.labels - 1)


def markdown(sheet: Sheet) -> str:
    lines = [f"\n### {sheet.title}\n", _line(sheet.head), _line(["---"] * len(sheet.head))]
    return "\n".join([*lines, *(_line(row) for row in sheet.rows)])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def latex(sheet: Sheet) -> str:
    """A ``table`` in the style of the package ``booktabs``, its notes in the caption."""
    columns = "l" * sheet.labels + "r" * (len(sheet.head) - sheet.labels)
    caption = ". ".join([escaped(sheet.title), *map(escaped, sheet.notes)])
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{caption}.}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _latex_line(sheet.head),
        r"\midrule",
        *map(_latex_line, sheet.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def _latex_line(cells: Sequence[str]) -> str:
    line = " & ".join(map(escaped, cells))
    # Behind the end of a line LaTeX takes a bracket or a star for an option of it.
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def escaped(text: str) -> str:
    """A text that LaTeX prints as it stands."""
    return _SPECIAL.sub(lambda found: _LATEX[found[0]], text)


def as_csv(sheets: Sequence[Sheet]) -> str:
    """All numbers of some tables, a row each, under the columns of all of them."""
    columns: dict[str, None] = {"table": None}
    for sheet in sheets:
        for record in sheet.records:
            columns |= dict.fromkeys(record)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(columns), lineterminator="\n")
    writer.writeheader()
    for sheet in sheets:
        for record in sheet.records:
            cells = {name: _cell(value) for name, value in record.items()}
            writer.writerow({"table": _cell(sheet.title), **cells})
    return out.getvalue()


def _cell(value: object) -> object:
    """A spreadsheet takes a text that begins like a formula for one: it is kept a text."""
    if isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"}:
        return f"'{value}"
    return value
