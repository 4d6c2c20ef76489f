"""Completion in shells: typer's own, for the shell that is named, and of the names of suites."""

from __future__ import annotations

import typer
from typer import completion

SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
_SHOW = "--show-completion"
_INSTALL = "--install-completion"


def answer(context: typer.Context, arguments: list[str]) -> None:
    """Do what ``--show-completion SHELL`` says and end; typer itself guesses the shell."""
    match arguments:
        case [option, shell, *_] if option in {_SHOW, _INSTALL} and shell in SHELLS:
            act = completion.show_callback if option == _SHOW else completion.install_callback
            # It only looks at the context's root, for the name of the program.
            act(context, None, shell)  # type: ignore[arg-type]


def suite_names(incomplete: str) -> list[str]:
    """Suites whose names begin so, by their folders: importing them would take a second a key."""
    from pathlib import Path

    folder = Path(__file__).parents[1] / "suites"
    names = sorted(path.parent.name for path in folder.glob("*/__init__.py"))
    return [name for name in names if name.startswith(incomplete)]
