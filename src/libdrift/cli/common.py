"""What commands share: options, progress on stderr, tables and JSON on stdout."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar

    from libdrift.config import Settings
    from libdrift.environments import Failed, Ready
    from libdrift.execution import Options
    from libdrift.records import Outcome

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
WorkersOption = Annotated[int, typer.Option("--workers", "-j", min=1, help="Parallel workers.")]
SandboxOption = Annotated[
    str, typer.Option(help="bubblewrap, or none (which protects nothing: trusted code only).")
]
TimeoutOption = Annotated[
    float, typer.Option("--timeout", min=0.1, max=86_400, help="Seconds that one answer may take.")
]
TaskOption = Annotated[
    list[str] | None, typer.Option("--task", help="Only this task (may be repeated).")
]
DEFAULT_TIMEOUT = 30.0


def settings() -> Settings:
    from libdrift import config

    return config.load()


def stdout() -> Console:
    from rich.console import Console

    return Console(soft_wrap=False)


def stderr() -> Console:
    from rich.console import Console

    return Console(stderr=True, soft_wrap=True, highlight=False)


def print_json(data: Any) -> None:  # noqa: ANN401  (whatever JSON can hold)
    print(json.dumps(data, indent=1, ensure_ascii=False))


def note(message: str) -> None:
    """A line for the person at the terminal; never mixed into results."""
    stderr().print(message, markup=False)


def warn(message: str) -> None:
    stderr().print(f"warning: {message}", style="yellow", markup=False)


@contextlib.contextmanager
def options(sandbox: str, workers: int, timeout: float) -> Iterator[Options]:
    """Everything that running needs, with a live progress display on stderr."""
    import math

    from libdrift.execution import Options
    from libdrift.sandbox import Limits, choose

    found = settings()
    backend = choose(sandbox, found)
    if not backend.isolates:
        warn("--sandbox none: answers run with your rights and can read and change your files")
    # More processor time than time: the guest's own start costs some, and is not the answer's.
    limits = Limits(wall_seconds=timeout, cpu_seconds=math.ceil(timeout) + 10)
    with progress_bar() as bar:
        yield Options(found, backend, limits, workers, Display(bar))


@contextlib.contextmanager
def progress_bar() -> Iterator[Bar]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description:<13}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    console = stderr()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        yield bar


class Display:
    """Progress of a run: one line for environments, one for answers with counts."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._lines: dict[str, Any] = {}
        self._counts: dict[str, int] = {}

    def begin(self, stage: str, total: int) -> None:
        self._lines[stage] = self._bar.add_task(stage, total=total, note="")

    def environment(self, built: Ready | Failed) -> None:
        from libdrift.environments import Failed

        if isinstance(built, Failed):
            warn(f"no environment for {built.environment}: {built.reason}")
        self._bar.advance(self._lines["environments"])

    def job(self, outcome: Outcome) -> None:
        self._counts[outcome] = self._counts.get(outcome, 0) + 1
        text = " ".join(f"{name} {count}" for name, count in sorted(self._counts.items()))
        self._bar.update(self._lines["answers"], advance=1, note=text)


def relative(path: Path) -> str:
    """A path as the reader would type it here."""
    with contextlib.suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)
