"""The ends of help pages (description, examples, exit codes), and the manual made of all pages."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

_TWO_COLUMNS = 38  # letters of a line that has names and what they mean
_EXITS = (
    ("0", "done"),
    ("2", "usage error: one line that says how to fix it"),
    ("3", "infrastructure problem: a missing tool, no network, a full disk"),
    ("130", "interrupted; run the same command to continue"),
)


@dataclass(frozen=True, slots=True)
class HelpPage:
    """What a command's help says beside its options."""

    about: str = ""
    one: str = ""  # what exit code 1 means
    examples: tuple[tuple[str, str], ...] = ()  # commands, and what they are for

    @property
    def exits(self) -> tuple[tuple[str, str], ...]:
        return (_EXITS[0], ("1", self.one), *_EXITS[1:]) if self.one else _EXITS


class PagedCommand(TyperCommand):
    """A command whose help has what its page says."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (click's own)
        super().format_help(ctx, _fitted(formatter))

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        super().format_help_text(ctx, formatter)
        _write_about(ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        _write_epilog(ctx, formatter)


class PagedGroup(TyperGroup):
    """The same for a group of commands."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (click's own)
        super().format_help(ctx, _fitted(formatter))

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        super().format_help_text(ctx, formatter)
        _write_about(ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        _write_epilog(ctx, formatter)


@cache
def pages() -> dict[str, HelpPage]:
    text = resources.files(__package__).joinpath("help_pages.toml").read_text(encoding="utf-8")
    return {name: _page(entry) for name, entry in tomllib.loads(text).items()}


def _page(entry: dict[str, Any]) -> HelpPage:
    examples = tuple((one[0], one[1] if len(one) > 1 else "") for one in entry["examples"])
    return HelpPage(entry.get("about", ""), entry.get("one", ""), examples)


def _examples(page: HelpPage) -> str:
    """A paragraph as click takes it: one that begins with a backspace is not wrapped."""
    lines = []
    for command, note in page.examples:
        lines += [f"  # {note}"] if note else []
        lines.append(f"  {command}")
    return "\n".join(["\b", "Examples:", *lines])


def add_pages(app: typer.Typer) -> None:
    """Let the help of every command and group below ``app`` end with its page."""
    for command in app.registered_commands:
        command.cls = PagedCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            group.typer_instance.info.cls = _paged(group.typer_instance.info.cls)
            add_pages(group.typer_instance)


def _paged(own: Any) -> type[TyperGroup]:  # noqa: ANN401  (a class, or typer's mark of none)
    """A group's own class, where it has one, with the end of a page."""
    if not isinstance(own, type) or own is TyperGroup:
        return PagedGroup
    if issubclass(own, PagedGroup):
        return own
    return type(own.__name__, (PagedGroup, own), {})


def _page_of(ctx: Any) -> HelpPage:  # noqa: ANN401
    names: list[str] = []
    while ctx.parent is not None:
        names.insert(0, ctx.info_name)
        ctx = ctx.parent
    return pages().get(" ".join(names) or "libdrift", HelpPage())


def _fitted(formatter: Any) -> Any:  # noqa: ANN401
    """Where two columns would break words, what a name means stands below it."""
    if formatter.width < _TWO_COLUMNS:
        formatter.write_dl = partial(formatter.write_dl, col_max=0)
    return formatter


def _write_about(ctx: Any, formatter: Any) -> None:  # noqa: ANN401
    about = _page_of(ctx).about
    if about:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(about)


def _write_epilog(ctx: Any, formatter: Any) -> None:  # noqa: ANN401
    page = _page_of(ctx)
    if page.examples:
        formatter.write_paragraph()
        formatter.write_text(_examples(page))
    with formatter.section("Exit codes"):
        formatter.write_dl(page.exits)


def manual(root: Any, version: str) -> str:  # noqa: ANN401  (a click command, which typer hides)
    """All pages as one for `man`, in roff."""
    lines = [
        f'.TH LIBDRIFT 1 "" "libdrift {version}" "libdrift"',
        ".SH NAME",
        _escaped(f"libdrift - {root.help}"),
        ".SH SYNOPSIS",
        ".B libdrift",
        r"[\-v] COMMAND [ARGUMENTS]",
        ".SH DESCRIPTION",
        "Progress and warnings go to stderr, results to stdout. Commands that print data take",
        r".BR \-\-json .",
        ".SH OPTIONS",
        *_options(root),
    ]
    for path, command in _commands(root, ()):
        lines += [f'.SH "{_escaped("libdrift " + " ".join(path))}"', *_section(path, command)]
    lines += [".SH EXIT STATUS"]
    for code, meaning in _EXITS:
        lines += [".TP", f".B {code}", _escaped(meaning)]
    return "\n".join(lines) + "\n"


def _commands(group: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401
    for name, command in getattr(group, "commands", {}).items():
        if not command.hidden:
            yield (*path, name), command
            yield from _commands(command, (*path, name))


def _section(path: tuple[str, ...], command: Any) -> list[str]:  # noqa: ANN401
    page = pages().get(" ".join(path), HelpPage())
    paragraphs = [*(command.help or "").split("\n\n"), page.about]
    lines: list[str] = []
    for text in filter(None, (" ".join(one.split()) for one in paragraphs)):
        lines += [".PP", _escaped(text)]
    lines += _options(command)
    if page.examples:
        lines += [".PP", "Examples:", ".nf"]
        for line, note in page.examples:
            lines += [_escaped(f"# {note}")] if note else []
            lines += [_escaped(line)]
        lines += [".fi"]
    if page.one:
        lines += [".PP", _escaped(f"Exit code 1 means: {page.one}.")]
    return lines


def _options(command: Any) -> list[str]:  # noqa: ANN401
    context = command.make_context("libdrift", [], resilient_parsing=True)
    lines: list[str] = []
    for parameter in command.params:
        shown = parameter.get_help_record(context)
        if shown is None and parameter.param_type_name == "argument":
            shown = (parameter.make_metavar(context), getattr(parameter, "help", "") or "")
        if shown is not None and shown[1]:
            lines += [".TP", f".B {_escaped(shown[0])}", _escaped(shown[1])]
    return lines


def _escaped(text: str) -> str:
    """Text that roff takes for text: no escapes, no request at the beginning of a line."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    plain = "".join(sign if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in plain)
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
