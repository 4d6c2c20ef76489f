"""Tables and marked lines on stdout: one style, colour where it means something.

Rich leaves colours out where stdout is no terminal, and where NO_COLOR is set.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

GOOD, BAD, DOUBTFUL = "green", "red", "yellow"
_MEANINGS = {
    GOOD: ("ok", "yes", "ready", "passed"),
    BAD: ("MISSING", "NO", "failed", "error", "timeout", "refused"),
    DOUBTFUL: ("missing", "infrastructure", "warning"),
}
STYLES: Mapping[str, str] = {word: style for style, words in _MEANINGS.items() for word in words}
_READABLE = 9  # characters of a cell that has room for more than bits of words
FRAME = 3  # characters of a column beside its cells


def marked(text: str, word: str | None = None) -> Text:
    """A cell in the colour of a word: the text itself, or what it begins with."""
    from rich.text import Text

    return Text(text, STYLES.get(text if word is None else word, ""))


def print_table(table: Table) -> None:
    """Print a table; where a terminal is too narrow for one, a paragraph a row."""
    from libdrift.cli.common import stdout

    console = stdout()
    columns = [[_plain(column.header), *map(_plain, column.cells)] for column in table.columns]
    least = sum(min(_READABLE, max(map(len, cells))) + FRAME for cells in columns) + 1
    if least <= console.width or len(columns) == 1:
        console.print(table)
        return
    if table.title:
        print(_plain(table.title))
    for row in zip(*columns, strict=True):
        heads = (cells[0] for cells in columns)
        if row != tuple(cells[0] for cells in columns):
            print("\n".join(f"{head}: {cell}" for head, cell in zip(heads, row, strict=True)))
            print()


def print_marked(line: str, words: Mapping[str, str]) -> None:
    """A line, the first of some words in it in a colour where that can be seen."""
    if not sys.stdout.isatty():
        print(line)
        return
    from rich.text import Text

    from libdrift.cli.common import stdout

    shown = Text(line)
    for word, style in words.items():
        at = line.find(word)
        if at >= 0:
            shown.stylize(style, at, at + len(word))
            break
    stdout().print(shown, soft_wrap=True)


def _plain(cell: object) -> str:
    return getattr(cell, "plain", None) or str(cell)
