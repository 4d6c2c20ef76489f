"""Commands that a page or a report shows, parsed by the real command line and not run."""

from __future__ import annotations

import re
import shlex
from functools import cache
from typing import Any

import typer

from libdrift.cli.app import app
from libdrift.evals.strategies import kind_of, options_of

# What stands for something of the reader's.
_STANDS_FOR = {"RUN…": "run", "YYYY-MM-DD": "2024-06-30", "N": "1"}


@cache
def parsed(command: str) -> str:
    """The name of the command, such as ``suites stats``; an error if it would not be taken.

    Options of strategies are checked too.
    """
    first, *words = shlex.split(re.sub(r"\s+#.*", "", command))
    assert first == "libdrift", command
    found: Any = _commands()
    context = None
    names: list[str] = []
    words = [_STANDS_FOR.get(word, word) for word in words]
    while True:
        context = found.make_context(found.name or "libdrift", list(words), parent=context)
        rest = [*getattr(context, "_protected_args", ()), *context.args]
        if not hasattr(found, "resolve_command") or not rest:
            break
        name, found, words = found.resolve_command(context, rest)
        names.append(name)
    assert not rest, f"{command}: {rest} is left over"
    values = context.params
    if names == ["eval"]:
        kind_of(values["strategy"])
        options_of(values["strategy"], values["given"] or ())
    return " ".join(names)


@cache
def _commands() -> Any:
    return typer.main.get_command(app)
