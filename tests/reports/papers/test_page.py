"""docs/papers.md: every table and figure, a command that exists, and a test that is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from libdrift.reports.papers import PAPERS
from libdrift.reports.papers.layout import Elsewhere
from tests.reports.papers.commands import parsed

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/papers.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (.+?) \| (.+?) \| (–|`.+?`) \| (–|`.+?`) \|$", re.MULTILINE)
# Why nothing makes an entry: it has no data, or somebody has to do it.
REASONS = ("no data", "in words", "a person is needed", "a listing")


def section(name: str) -> list[tuple[str, str, str, str]]:
    """The rows of a paper: its number, what it shows, the command and the test."""
    text = re.split(r"^### ", PAGE.partition(f"\n`{name}`:")[2], maxsplit=1, flags=re.MULTILINE)[0]
    return [(a, b, c.strip("`"), d.strip("`")) for a, b, c, d in ROW.findall(text)]


@pytest.mark.parametrize("name", PAPERS)
def test_every_entry_of_a_paper_has_its_row(name: str) -> None:
    assert [row[0] for row in section(name)] == [entry.number for entry in PAPERS[name].entries]


@pytest.mark.parametrize("name", PAPERS)
def test_every_command_exists_and_only_what_nothing_makes_has_none(name: str) -> None:
    for number, shows, command, _ in section(name):
        if command == "–":
            assert any(reason in shows for reason in REASONS), (number, shows)
        else:
            assert parsed(command), number


@pytest.mark.parametrize("name", PAPERS)
def test_rows_say_what_report_says(name: str) -> None:
    """A command of the page is the one that `report --paper` shows for the same entry."""
    rows = {row[0]: row for row in section(name)}
    for entry in PAPERS[name].entries:
        _, shows, command, _ = rows[entry.number]
        assert shows.startswith(entry.caption)
        if isinstance(entry, Elsewhere):
            assert command == (entry.command or "–")
        else:
            assert command.startswith(f"libdrift report --paper {name} RUN…")


@pytest.mark.parametrize("name", PAPERS)
def test_every_test_is_there(name: str) -> None:
    for number, _, command, test in section(name):
        assert (test == "–") is (command == "–"), number
        if test == "–":
            continue
        file, _, function = test.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert function in functions, test


def test_a_command_that_does_not_exist_is_found_out() -> None:
    """The check itself can fail: of commands, options, and options of strategies."""
    for command in (
        "libdrift nothing",
        "libdrift suites nothing",
        "libdrift report --nothing RUN…",
        "libdrift eval gitchameleon --model M --strategy rag -S nothing=1",
        "libdrift eval gitchameleon --model M --strategy nothing",
    ):
        with pytest.raises(Exception, match=r"(?i)no such|nothing"):
            parsed(command)
