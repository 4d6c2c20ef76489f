"""Help of groups of commands, with whole descriptions, and options that every command has."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from typer.core import TyperGroup, TyperOption

from libdrift.cli.manual import PagedGroup

_WHOLE = 10_000  # characters of a description: none is cut
_CLICK_WIDTH = 50  # columns that click's help takes at least
_LEAST_WIDTH = 18  # and ours
# What each command is for. One that stands nowhere is listed last.
SECTIONS = {
    "Ask models": ("eval", "strategies", "retrieval"),
    "Judge answers": ("score", "judge", "audit", "report", "view"),
    "Look up releases": ("mine", "history", "diff", "docs", "surface"),
    "Build tasks": ("build",),
    "Check and migrate code": ("check", "explain", "migrate", "mcp", "mcp-bench"),
    "Manage": ("demo", "doctor", "suites", "data", "env", "help"),
}


def narrow_width() -> int | None:
    """Columns of help on a narrow terminal, where click would write 50; elsewhere it chooses."""
    columns = shutil.get_terminal_size().columns
    return max(columns - 2, _LEAST_WIDTH) if columns < _CLICK_WIDTH + 2 else None


class DescribedGroup(PagedGroup):
    """A group whose commands are listed with all that their first sentence says."""

    sections: ClassVar[dict[str, tuple[str, ...]]] = {}

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (click's own)
        rows = {
            name: command.get_short_help_str(_WHOLE)
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None and not command.hidden
        }
        named = {name for names in self.sections.values() for name in names}
        rest = tuple(name for name in rows if name not in named)
        title = "Others" if self.sections else "Commands"
        # One width for all of them: descriptions stand below one another.
        width = max(map(len, rows), default=0)
        for heading, names in {**self.sections, title: rest}.items():
            listed = [(name.ljust(width), rows[name]) for name in names if name in rows]
            if listed:
                with formatter.section(heading):
                    formatter.write_dl(listed)


def be_verbose(*, verbose: bool) -> None:
    """Choose what is logged on stderr."""
    logging.basicConfig(format=f"{'%(name)s' if verbose else 'libdrift'}: %(message)s")
    logging.getLogger().setLevel(logging.INFO if verbose else logging.ERROR)
    # A log that cannot be written is not worth a trace in the middle of what a person reads.
    logging.raiseExceptions = verbose
    # What of a benchmark's data or answers could not be used: who reads its numbers must know.
    for room in ("libdrift.suites", "libdrift.scoring"):
        logging.getLogger(room).setLevel(logging.NOTSET if verbose else logging.WARNING)


def add_verbose(group: TyperGroup) -> None:
    """Let every command below a group take `-v`, which the group takes before it."""

    def louder(_ctx: Any, _parameter: Any, value: bool) -> None:  # noqa: ANN401
        if value:
            be_verbose(verbose=True)

    for command in _below(group):
        command.params.append(
            TyperOption(
                param_decls=["--verbose", "-v"],
                is_flag=True,
                default=False,
                expose_value=False,
                callback=louder,
                help="Print more on stderr.",
            )
        )


# What stands for the value of an option, by what is read from it.
_VALUES = {
    "str": "TEXT",
    "path": "PATH",
    "int": "N",
    "int range": "N",
    "float": "NUMBER",
    "float range": "NUMBER",
    "datetime": "DATE",
}


def name_values(group: TyperGroup) -> None:
    """Let all commands below a group name their values one way.

    In capitals: SUITE. What may be left out stands in brackets, what may be repeated before dots.
    """
    for command in _below(group):
        for parameter in command.params:
            if parameter.param_type_name == "argument":
                parameter.metavar = _argument(parameter)
                # Typer would put braces around it in the first line of a page, and only there.
                parameter.make_metavar = _always(parameter.metavar)
            elif parameter.metavar is None and not getattr(parameter, "is_flag", False):
                parameter.metavar = _VALUES.get(parameter.type.name)


def _always(name: str) -> Callable[..., str]:
    return lambda *_, **__: name


def _argument(parameter: Any) -> str:  # noqa: ANN401  (click's own)
    given = (parameter.metavar or "").replace("…", "...")
    if " " in given:  # a whole line of its own
        return given
    repeated = parameter.nargs == -1 or given.endswith("...")
    name = given.removesuffix("...")
    name = name[1:-1] if name.startswith("[") else name
    name = name or parameter.name.replace("_", "-").upper()
    name = name.removesuffix("S") if repeated and not given else name
    name = name if parameter.required else f"[{name}]"
    return f"{name}..." if repeated else name


def _below(group: TyperGroup) -> Iterator[Any]:
    for command in group.commands.values():
        yield command
        if isinstance(command, TyperGroup):
            yield from _below(command)
