"""Help that is whole, and options that every command has."""

from __future__ import annotations

import logging
import re

import pytest
import typer
from typer.testing import CliRunner

from libdrift.cli.app import app
from libdrift.cli.groups import SECTIONS

ROOT = typer.main.get_command(app)


def helped(*words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--help"])
    assert done.exit_code == 0
    return re.sub(r"\s+", " ", done.stdout)


@pytest.mark.parametrize("words", [(), ("suites",), ("history",), ("build",), ("env",)])
def test_descriptions_are_whole(words: tuple[str, ...]) -> None:
    group = ROOT
    for word in words:
        group = group.commands[word]  # type: ignore[attr-defined]
    text = helped(*words)
    commands = group.commands  # type: ignore[attr-defined]
    for name, command in commands.items():
        if not command.hidden:
            first = re.split(r"\n\n|(?<=\w)\.(?=\s|$)", command.help)[0]
            assert f"{name} {re.sub(chr(92) + 's+', ' ', first)}" in re.sub(r" +", " ", text), name


def test_commands_are_grouped_by_what_they_are_for() -> None:
    text = helped()
    assert [title for title in SECTIONS if f"{title}:" in text] == list(SECTIONS)
    listed = {name for names in SECTIONS.values() for name in names}
    assert set(ROOT.commands) <= listed, "a command stands in no section"  # type: ignore[attr-defined]
    assert "Others:" not in text


@pytest.mark.parametrize(
    ("arguments", "level"),
    [
        (["suites", "show", "starter"], logging.ERROR),
        (["-v", "suites", "show", "starter"], logging.INFO),
        (["suites", "show", "starter", "-v"], logging.INFO),
        (["suites", "--verbose", "show", "starter"], logging.INFO),
    ],
)
def test_more_is_printed_wherever_that_is_asked_for(arguments: list[str], level: int) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert logging.getLogger().level == level


@pytest.mark.parametrize("columns", [20, 40])
@pytest.mark.parametrize("words", [(), ("env", "prune")])
def test_help_keeps_to_a_narrow_terminal(
    words: tuple[str, ...], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Click's own help takes 50 columns, and a terminal breaks such lines within words."""
    monkeypatch.setenv("COLUMNS", str(columns))
    text = CliRunner().invoke(app, [*words, "--help"]).stdout
    prose = text.split("Examples:")[0] + text.split("Exit codes:")[1]
    options = prose.split("Options:")[1]
    assert max(map(len, options.splitlines())) <= columns + 4, "the longest names, at most"
    assert re.search(r"Show this\s+message and\s+exit\.", options), "no word is broken"


def test_a_question_ends_in_no_full_stop(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        ROOT.main(["scor"])
    assert "'doctor'? See `libdrift --help`" in capsys.readouterr().err
