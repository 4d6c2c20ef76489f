"""Completion in shells: typer's own, for the shell that is named, and of the names of suites."""

from __future__ import annotations

import typer
from typer import completion

SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
_SHOW = "--show-completion"
_INSTALL = "--install-completion"
_MANIFESTS = "recipes"  # a folder of suites that are built, each by its manifest


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
    names = {path.parent.name for path in folder.glob("*/__init__.py")} - {_MANIFESTS}
    names |= {path.stem for path in (folder / _MANIFESTS).glob("*.json")}
    return [name for name in sorted(names) if name.startswith(incomplete)]
