"""How mining is shown, and what questions share that mine what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common

if TYPE_CHECKING:
    from rich.progress import TaskID

    from libdrift.jobs.on_demand import OnDemand
    from libdrift.mining import Event, MiningProgress

NoMineOption = Annotated[
    bool,
    typer.Option("--no-mine", help="Refuse releases that are not mined, instead of mining them."),
]
PackageOption = Annotated[
    str | None,
    typer.Option("--package", help="The package that has SYMBOL, if its name differs."),
]


@contextmanager
def on_demand(no_mine: bool) -> Iterator[OnDemand]:
    """Mining with a bar, which costs nothing where nothing is mined."""
    from libdrift.jobs.on_demand import OnDemand

    with ExitStack() as held:
        bar: list[MiningProgress] = []

        def show(event: Event) -> None:
            if not bar:
                bar.append(held.enter_context(mining_bar()))
            bar[0](event)

        yield OnDemand(not no_mine, show, _said)


def _said(line: str) -> None:
    # Not by Rich: it alone would double the time that a quick answer takes.
    typer.echo(line, err=True)


@contextmanager
def mining_bar() -> Iterator[MiningProgress]:
    """A bar on stderr for what happens."""
    from libdrift.mining import (
        FailedRelease,
        ListedPackage,
        MinedRelease,
        RunningExamples,
        Warned,
    )

    with common.progress_bar() as bar:
        line = bar.add_task("releases", total=None, note="")
        total = 0
        runs: dict[tuple[str, str, str], TaskID] = {}

        def show(event: Event) -> None:
            nonlocal total
            match event:
                case ListedPackage():
                    total += event.new
                    bar.update(line, total=total, note=event.package)
                case Warned():
                    common.warn(event.text)
                case MinedRelease() | FailedRelease():
                    bar.update(line, advance=1, note=str(event.release))
                case RunningExamples():
                    pair = (event.package, event.old, event.new)
                    if pair not in runs:
                        runs[pair] = bar.add_task("examples", total=None, note="")
                    note = f"{event.package} {event.old} → {event.new}"
                    bar.update(
                        runs[pair], completed=event.done, total=event.total or None, note=note
                    )
                case _:
                    pass

        yield show
