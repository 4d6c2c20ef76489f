"""Every command has a page: summary, description, examples that are taken, exit codes."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from libdrift.cli import app as commands
from libdrift.cli.manual import manual, pages
from libdrift.version import __version__

ROOT: Any = typer.main.get_command(commands.app)


def walk(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in getattr(group, "commands", {}).items():
        yield " ".join((*path, name)), command
        yield from walk(command, (*path, name))


COMMANDS = dict(walk(ROOT))


def help_of(path: str) -> str:
    context = ROOT.make_context("libdrift", [], resilient_parsing=True)
    command = ROOT
    for name in path.split():
        command = command.commands[name]
        context = command.make_context(name, [], parent=context, resilient_parsing=True)
    return str(command.get_help(context))


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_a_page(path: str) -> None:
    """A new command gets one in help_pages.toml."""
    page = pages()[path]
    paragraphs = [*filter(None, (COMMANDS[path].help or "").split("\n\n")), page.about]
    assert len([*filter(None, paragraphs)]) > 1, "a summary and a description"
    assert page.examples
    shown = help_of(path)
    assert "Examples:" in shown
    assert "Exit codes:" in shown
    for example, note in page.examples:
        assert f"  {example}\n" in shown, "on a line of its own, to be pasted"
        assert f"  # {note}\n" in shown or not note
    assert " ".join(page.about.split()) in " ".join(shown.split())


@pytest.mark.parametrize("path", COMMANDS)
def test_values_are_named_one_way(path: str) -> None:
    """In capitals, or as a choice; in brackets what may be left out, dots after what is repeated."""
    command = COMMANDS[path]
    context = command.make_context("libdrift", [], resilient_parsing=True)
    assert "{" not in command.get_usage(context)
    for parameter in command.params:
        if getattr(parameter, "is_flag", False) or parameter.type.name == "choice":
            continue
        name = parameter.make_metavar(context)
        if "|" in name:  # a choice, or one of two
            continue
        assert name == name.upper(), name
        assert "…" not in name
        assert "<" not in name
        if parameter.param_type_name == "argument":
            assert name.startswith("[") is not parameter.required
            assert name.endswith("...") is (parameter.nargs == -1)


def test_no_page_is_of_a_command_that_is_gone() -> None:
    assert set(pages()) == {*COMMANDS, "libdrift"}


@pytest.mark.parametrize(
    "example", [line for page in pages().values() for line, _ in page.examples]
)
def test_examples_are_taken_by_the_parser(example: str) -> None:
    """All of its words are commands, options and values that libdrift knows."""
    program, *words = shlex.split(example)
    assert program == "libdrift"
    context, command = ROOT.make_context("libdrift", [], resilient_parsing=True), ROOT
    while words and not words[0].startswith("-") and hasattr(command, "commands"):
        below = command.commands
        if words[0] not in below:  # `history SYMBOL`
            words.insert(0, "symbol")
        name = words.pop(0)
        command = below[name]
        if not hasattr(command, "commands") or not words:
            break
        context = command.make_context(name, [], parent=context, resilient_parsing=True)
    if hasattr(command, "commands"):
        known = {option for one in command.params for option in one.opts}
        assert {word for word in words if word.startswith("-")} <= known
    else:
        command.make_context(name, words, parent=context)


def test_an_error_of_an_example_would_be_found() -> None:
    for wrong in ("libdrift data get --al", "libdrift score", "libdrift demo -j few"):
        with pytest.raises(commands._ParserError):
            test_examples_are_taken_by_the_parser(wrong)


def test_the_manual_has_all_commands_and_is_clean() -> None:
    text = manual(ROOT, __version__)
    assert text.isascii()
    for path, command in COMMANDS.items():
        assert f'.SH "libdrift {path.replace("-", chr(92) + "-")}"' in text
        assert command.help
    assert ".SH NAME" in text
    assert text.count(".nf") == text.count(".fi")
    if shutil.which("groff"):
        warned = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", "-z"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        assert not warned.stderr
