"""What reaches a terminal of foreign text."""

from __future__ import annotations

import io
import json
import sys

import pytest

from libdrift.cli import common
from libdrift.cli.streams import Filtered, filter_streams
from libdrift.cli.terminal import Terminal
from libdrift.showing import in_a_line, shortened, shown

EVIL = (
    "\x1b[2J\x1b]0;title\x07\x1b[31mred\x9b1A\r\b\x7f\u202eevil\u2066\u2069\u200f\u061c\u2028\ud800"
)


def test_nothing_acts_and_nothing_is_lost() -> None:
    safe = shown(EVIL)
    assert safe.isprintable()
    assert json.loads(f'"{safe}"') == EVIL
    assert shown("a\tb\n…é😀") == "a\tb\n…é😀"
    assert in_a_line("a\nb\x1b") == "a b\\u001b"


def test_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    filter_streams()
    filter_streams()
    assert isinstance(sys.stdout, Filtered)
    assert sys.stdout.stream is out  # once
    sys.stdout.write(f"{EVIL}\n")
    common.print_json({"name": EVIL})
    assert shown(out.getvalue()) == out.getvalue()
    first, _, rest = out.getvalue().partition("\n")
    assert first == shown(EVIL)
    assert json.loads(rest) == {"name": EVIL}


@pytest.mark.parametrize("colours", [True, False])
def test_tables_and_notes(monkeypatch: pytest.MonkeyPatch, *, colours: bool) -> None:
    from rich.table import Table

    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", Filtered(out))
    table = Table("name")
    table.add_row(EVIL)
    console = Terminal(force_terminal=colours, width=400)
    console.print(table)
    console.print(f"[bold]{shown('x')}[/bold] {EVIL}", markup=True)
    text = out.getvalue()
    assert shown(EVIL)[:10] in text
    assert "\x1b[2J" not in text
    assert not set(text) & set("\x07\x9b\r\u202e\u2066\ud800")
    assert ("\x1b[" in text) is colours  # Rich's own, and only where they belong


@pytest.mark.parametrize(
    ("text", "longest"),
    [("x" * 1_000_000, 301), ("a " * 1_000_000, 4003), (f"unknown task '{'x' * 500}'. Try y", 330)],
)
def test_a_message_can_be_read(text: str, longest: int) -> None:
    """A name may be a megabyte; what is said of it must not be."""
    found = in_a_line(text)
    assert "…" in found
    assert len(found) <= longest
    assert found.endswith(text[-20:])
    assert shortened("a" * 400) == "a" * 400
