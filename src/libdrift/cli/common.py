"""What commands share: options, progress on stderr, tables and JSON on stdout."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli.completing import suite_names
from libdrift.metrics.modes import Expected
from libdrift.showing import counted, shortened

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar

    from libdrift.config import Settings
    from libdrift.environments import Failed, Ready
    from libdrift.environments.forecasts import BuildForecast
    from libdrift.evals.estimates import Estimate
    from libdrift.records import Outcome
    from libdrift.suites.selecting import RandomSample


def finite(value: float | None) -> float | None:
    """A number that can be compared: `nan` passes any limit of an option."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number")
    return value


JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
WorkersOption = Annotated[int, typer.Option("--workers", "-j", min=1, help="Parallel workers.")]
SandboxOption = Annotated[
    str, typer.Option(help="bubblewrap; or none, which protects nothing (for trusted code only).")
]
FloorOption = Annotated[
    float,
    typer.Option(
        "--time-floor",
        min=0.1,
        max=86_400,
        callback=finite,
        help="Minimum time limit per answer, in seconds.",
    ),
]
FactorOption = Annotated[
    float,
    typer.Option(
        "--time-factor",
        min=1,
        max=1000,
        callback=finite,
        help="Time limit as a multiple of the reference's time, if that is longer "
        "than --time-floor.",
    ),
]
FreshOption = Annotated[
    bool,
    typer.Option("--fresh", help="Start a new process for each answer (slower, same verdicts)."),
]
SuiteArgument = Annotated[
    str,
    typer.Argument(
        help="A suite (`libdrift suites` lists them), or your own tasks: FILE.jsonl or a folder "
        "DIR/.",
        autocompletion=suite_names,
    ),
]
TaskOption = Annotated[
    list[str] | None, typer.Option("--task", help="Only this task (repeatable).")
]
DataOption = Annotated[
    Path | None,
    typer.Option("--data", help="Folder with published data, one subfolder per suite."),
]
AuditedOption = Annotated[
    Path | None,
    typer.Option("--audited", help="Your own list of verified tasks, written by `audit --write`."),
]
CutoffOption = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"],
        help="Also report releases up to this date and later ones separately.",
    ),
]
ExpectedOption = Annotated[
    Expected,
    typer.Option(
        help="Expected output of scripts: measured (by running the original) or published (as "
        "recorded by the authors)."
    ),
]
YesOption = Annotated[
    bool,
    typer.Option("--yes", "-y", help="Build environments of more than 5 GB without asking."),
]
LARGE = 5_000_000_000  # bytes of environments, above which a person is asked
DEFAULT_FLOOR = 15.0
DEFAULT_FACTOR = 10.0


def settings(data: Path | None = None) -> Settings:
    from libdrift import config

    return config.load(data)


def stdout() -> Console:
    from libdrift.cli.terminal import Terminal

    return Terminal(soft_wrap=False)


def stderr() -> Console:
    from libdrift.cli.terminal import Terminal

    return Terminal(stderr=True, soft_wrap=True, highlight=False)


def print_json(data: Any) -> None:  # noqa: ANN401  (whatever JSON can hold)
    from libdrift.cli.streams import is_narrow

    print(json.dumps(data, indent=1, ensure_ascii=is_narrow(sys.stdout)))


def note(message: str) -> None:
    """A line for the person at the terminal; never mixed into results."""
    stderr().print(shortened(message), markup=False)


def warn(message: str) -> None:
    stderr().print(f"warning: {shortened(message)}", style="yellow", markup=False)


def exit_code_of(reasons: Iterable[str]) -> int:
    """2 where nothing but pins of releases that do not exist is the trouble, else the machine's."""
    from libdrift.environments.uv import is_wrong_pin

    return 2 if all(map(is_wrong_pin, reasons)) else 3


def leave_if_left_out(count: int) -> None:
    """Say at the end that some tasks could not be used, and let the exit code say it."""
    if count:
        noun = "task is" if count == 1 else "tasks are"
        note(f"{count} {noun} left out (see above): fix or remove them")
        raise typer.Exit(2)


@contextlib.contextmanager
def progress_bar() -> Iterator[Bar]:
    """A live display on stderr; where that is no terminal, a plain line now and then."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from libdrift.cli import progress

    columns = (
        TextColumn("{task.description:<13}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    console = stderr()
    shown = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with shown as bar, progress.told(bar, note) if bar.disable else contextlib.nullcontext():
        yield bar


class Display:
    """Progress of a run: one line for environments, one for answers with counts."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._lines: dict[str, Any] = {}
        self._counts: dict[str, int] = {}
        self._told: set[str] = set()  # why environments cannot be had

    def begin(self, stage: str, total: int) -> None:
        if total:
            self._lines[stage] = self._bar.add_task(stage, total=total, note="")

    def environment(self, built: Ready | Failed) -> None:
        from libdrift.environments import Failed

        if isinstance(built, Failed):
            again = built.reason in self._told
            self._told.add(built.reason)
            why = "the same reason" if again else built.reason
            warn(f"no environment for {built.environment}: {why}")
        self.built()

    def built(self) -> None:
        if "environments" in self._lines:  # else they are built one by one, as they are needed
            self._bar.advance(self._lines["environments"])

    def job(self, outcome: Outcome) -> None:
        self._counts[outcome] = self._counts.get(outcome, 0) + 1
        text = " ".join(f"{name} {count}" for name, count in sorted(self._counts.items()))
        self._bar.update(self._lines["answers"], advance=1, note=text)


def print_estimate(found: Estimate, model: str, asked: str, beside: str) -> None:
    """What asking would cost; ``asked`` are the words for what is counted."""
    print(asked)
    print(f"about {found.tokens_in:,} tokens in, at most {found.tokens_out:,} out")
    if found.cost is None:
        note(f"the price of {model} is unknown: give it with --price IN,OUT")
    else:
        print(f"about ${found.cost:,.2f}, if every reply has maximum length")
    note(f"an estimate: four characters per token; {beside}")


def announce_building(found: BuildForecast, *, yes: bool) -> None:
    """Say what is to be built; on a terminal, ask before it takes much disk."""
    from libdrift.cli.progress import clock

    what = f"{counted(found.missing, 'environment')} to build"
    if found.missing < found.environments:
        what += f", {found.environments - found.missing} there already"
    size = f"{found.size / 1e9:.1f} GB" if found.size >= LARGE / 50 else "less than 0.1 GB"
    note(f"{what}: about {size} of disk, {clock(found.seconds)} (an estimate)")
    if found.size > LARGE and not yes and sys.stdin.isatty() and sys.stderr.isatty():
        typer.confirm("build them?", default=True, abort=True, err=True)


def numbers_of_samples(text: str | None) -> tuple[int, ...]:
    """What ``--k 1,3,10`` says; nothing where it is not given."""
    from libdrift.errors import UserError

    parts = [part.strip() for part in text.split(",")] if text is not None else []
    if not all(part.isdecimal() and int(part) for part in parts):
        raise UserError(f"--k {text}: must be whole numbers from 1 up", "Write it like --k 1,3,10")
    return tuple(dict.fromkeys(int(part) for part in parts))


def random_sample(count: int | None, seed: int, per: str | None) -> RandomSample | None:
    """What ``--sample N --seed S --per FACT`` says; nothing where no number is given."""
    from libdrift.errors import UserError
    from libdrift.suites.selecting import RandomSample

    if count is None and per is not None:
        raise UserError(f"--per {per} draws nothing", "Add --sample N, for how many of each")
    return None if count is None else RandomSample(count, seed, per or "")
