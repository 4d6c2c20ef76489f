"""Tables of text on stdout, in the format that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from libdrift.cli import common
from libdrift.cli.tables import FRAME

if TYPE_CHECKING:
    from libdrift.reports.sheets import Sheet

_LABEL = 12  # characters of a label that even a narrow terminal shows in one line


def print_sheets(sheets: Sequence[Sheet], show: Callable[[Sheet], None]) -> None:
    """Each table; what its numbers mean is said below it, once for several that mean the same."""
    for at, sheet in enumerate(sheets):
        show(sheet)
        following = sheets[at + 1].notes if at + 1 < len(sheets) else ()
        if sheet.notes != following and sheet.notes:
            print("\n".join(sheet.notes))


def print_markdown(sheet: Sheet) -> None:
    from libdrift.reports.sheets import markdown

    print(markdown(sheet))


def print_sheet(sheet: Sheet) -> None:
    """Numbers are never cut: only labels give way to a narrow terminal."""
    from rich.table import Table as Rich

    shown = Rich()
    least = 1
    for at, name in enumerate(sheet.head):
        label = at < sheet.labels
        longest = max([len(name), *(len(row[at]) for row in sheet.rows)])
        width = min(longest, _LABEL) if label else longest
        justify: Literal["left", "right"] = "left" if label else "right"
        shown.add_column(name, overflow="fold", min_width=width, justify=justify)
        least += width + FRAME
    for row in sheet.rows:
        shown.add_row(*row)
    console = common.stdout()
    print(f"\n{sheet.title}")
    console.print(shown, width=max(console.width, least), crop=False, no_wrap=True)
