from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from libdrift.cli import common
from libdrift.showing import counted

_LARGE = 20_000_000  # bytes: more is slow to open


def view_command(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN…", help="Folders of runs, or a folder that contains them."),
    ],
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port on this machine; 0 picks a free one.")
    ] = 0,
    data: common.DataOption = None,
) -> None:
    """Serve runs as a web page on this machine, with full texts and live updates.

    The page is the same as that of `libdrift report RUN… --html FILE`, without its size limits.
    Ctrl-C stops the server.
    """
    from libdrift.jobs.exploring import open_explorer

    with open_explorer(runs, port, data=data) as server:
        print(server.address, flush=True)
        common.note("open it in a browser on this machine; Ctrl-C ends the server")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            common.note("ended")


def explorer_page(
    runs: Sequence[Path], out: Path, where: Sequence[str], data: Path | None, *, as_json: bool
) -> None:
    """Write the page of some runs, and say what it has."""
    from libdrift.jobs.exploring import write_explorer

    page = write_explorer(runs, out, where, data=data)
    if as_json:
        common.print_json({**asdict(page), "path": str(page.path)})
    else:
        answers, size = counted(page.answers, "answer"), page.bytes / 1e6
        print(f"{page.path}: {answers} of {counted(page.runs, 'run')}, {size:.1f} MB")
    if page.cut:
        common.note(
            f"{counted(page.cut, 'text')} cut to {page.limit:,} characters; "
            "`libdrift view` shows them in full"
        )
    if page.bytes > _LARGE:
        common.warn("the page is large and slow to open: use `libdrift view` instead")
