"""Progress of mining, for every command that mines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from libdrift.cli import common

if TYPE_CHECKING:
    from libdrift.mining import MiningProgress


@contextmanager
def mining_progress() -> Iterator[MiningProgress]:
    """A bar on stderr for what happens."""
    from libdrift.mining import Event, ListedPackage, MissingPackage, Warned

    with common.progress_bar() as bar:
        line = bar.add_task("releases", total=None, note="")
        total = 0

        def show(event: Event) -> None:
            nonlocal total
            match event:
                case ListedPackage():
                    total += event.new
                    bar.update(line, total=total, note=event.package)
                case Warned():
                    common.warn(event.text)
                case MissingPackage():
                    pass
                case _:
                    bar.update(line, advance=1, note=str(event.release))

        yield show
