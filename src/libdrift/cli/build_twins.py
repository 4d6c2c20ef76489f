"""`libdrift build twins`: a negative control for tasks after a cut-off."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from libdrift.cli import common
from libdrift.showing import counted, relative


def twins(
    tasks: Annotated[
        Path,
        typer.Argument(help="FILE.jsonl or DIR/ with tasks of releases before and after the date."),
    ],
    cutoff: Annotated[
        datetime,
        typer.Option(formats=["%Y-%m-%d"], help="Releases after this date count as new."),
    ],
    out: Annotated[Path | None, typer.Option("--out", help="The file to write.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    as_json: common.JsonOption = False,
) -> None:
    """Pair tasks from after a cut-off date with similar tasks from before it.

    Both tasks of a pair have the same package and family, and references of similar length.
    `libdrift report RUN --time` reports the difference in success, with its interval.
    """
    from libdrift.jobs.twinning import build_twins

    built = build_twins(tasks, cutoff.date(), out, force=force)
    if as_json:
        common.print_json(built.to_json())
        return
    where = relative(built.path)
    print(f"{counted(built.pairs, 'pair')} of twins in {where}")
    common.note(f"left out: {built.alone:,} after {built.cutoff} without a twin")
    common.note(f"left out: {built.unused:,} up to {built.cutoff} that are no twins")
    common.note(
        f"to measure the difference: libdrift eval {where} --model MODEL, then "
        f"libdrift report RUN --time"
    )
