"""One style of tables, on any width, with colour where it means something."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest
from rich.table import Table

from libdrift.cli.tables import BAD, marked, print_marked, print_table


class Screen(io.StringIO):
    encoding = "utf-8"

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Screen]:
    def make(*, terminal: bool, **environ: str) -> Screen:
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.delenv("NO_COLOR", raising=False)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        made = Screen(terminal=terminal)
        monkeypatch.setattr(sys, "stdout", made)
        return made

    return make


def table() -> Table:
    made = Table("piece", "state", "detail", title="all")
    made.add_row("uv", marked("ok"), "found at a place that has a long name")
    made.add_row("a [b]", marked("failed: no network", "failed"), "–")
    return made


def test_a_narrow_terminal_has_a_paragraph_a_row(screen: Callable[..., Screen]) -> None:
    shown = screen(terminal=False, COLUMNS="20")
    print_table(table())
    assert shown.getvalue() == (
        "all\npiece: uv\nstate: ok\ndetail: found at a place that has a long name\n\n"
        "piece: a [b]\nstate: failed: no network\ndetail: –\n\n"
    )


@pytest.mark.parametrize(
    ("terminal", "environ", "coloured"),
    [(True, {}, True), (False, {}, False), (True, {"NO_COLOR": "1"}, False)],
)
def test_colour_only_where_it_is_wanted(
    screen: Callable[..., Screen], environ: dict[str, str], *, terminal: bool, coloured: bool
) -> None:
    shown = screen(terminal=terminal, **environ)
    print_table(table())
    print_marked("a.py:1: error gone: x", {": error ": BAD})
    text = shown.getvalue()
    assert ("\x1b[32mok" in text) == coloured  # green
    assert ("31m: error " in text) == coloured  # red
    assert "┏" in text


def test_a_marked_line_is_never_broken(screen: Callable[..., Screen]) -> None:
    shown = screen(terminal=True, COLUMNS="20", NO_COLOR="1")
    line = f"a.py:1: error gone: {'x ' * 40}[bold]"
    print_marked(line, {": error ": BAD})
    assert line in shown.getvalue()
