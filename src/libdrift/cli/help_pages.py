from __future__ import annotations

from typing import Annotated

import typer

from libdrift.cli.manual import manual


def help_command(
    context: typer.Context,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]...", help="Command, such as: data get.")
    ] = None,
    man: Annotated[
        bool, typer.Option("--man", help="All pages in one, in the format of `man`.")
    ] = False,
) -> None:
    """Print the help of a command, or the whole manual."""
    from libdrift.errors import UserError
    from libdrift.version import __version__

    parent = context.find_root()
    if man:
        print(manual(parent.command, __version__), end="")
        return
    found = parent.command
    shown = parent
    for name in command or ():
        below = getattr(found, "commands", {})
        if name not in below:
            raise UserError(f"there is no command {name!r}", f"See `{shown.command_path} --help`")
        found = below[name]
        shown = found.make_context(name, [], parent=shown, resilient_parsing=True)
    print(found.get_help(shown))
