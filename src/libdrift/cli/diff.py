from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli.on_demand import NoMineOption, on_demand
from libdrift.cli.tables import BAD, print_marked

if TYPE_CHECKING:
    from libdrift.history.questions import Diff, DiffFilter
    from libdrift.records import ChangeKind

_WIDTH = 100  # columns, where the reader is a file or another program


def diff(
    package: Annotated[str, typer.Argument(help="A package, as `libdrift mine` takes it.")],
    old: Annotated[
        str,
        typer.Argument(metavar="OLD", help="Old version; for a series such as 1.5, its newest."),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="New version, in the same form.")],
    kind: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this kind: introduced, removed, deprecated, undeprecated, "
            "signature, renamed, "
            "moved, behaviour (repeatable)."
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(help="Only names at or below this path, or that match a pattern with *."),
    ] = None,
    breaking: Annotated[
        bool, typer.Option("--breaking", help="Only changes that can break working code.")
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown on stdout.")] = False,
    no_mine: NoMineOption = False,
    as_json: common.JsonOption = False,
    store: Annotated[
        Path | None, typer.Option(help="History file. [default: the file in the data folder]")
    ] = None,
) -> None:
    """List what changed between two releases; changes that break code are marked with !

    Releases that are not mined yet are mined first.
    """
    from shutil import get_terminal_size

    from libdrift.errors import UserError
    from libdrift.history.questions import DiffFilter
    from libdrift.jobs.histories import diff as compared
    from libdrift.reports import changes as report

    if markdown and as_json:
        raise UserError("--markdown and --json cannot be combined", "Give one of them")
    wanted = DiffFilter(_kinds(kind or []), path, breaking)
    with on_demand(no_mine) as ways:
        found = compared(package, old, new, wanted, store, ways)
    _note(found, wanted)
    ends = (found.package, found.old, found.new)
    if as_json:
        common.print_json(report.to_json(*ends, found.changes, found.partial))
    elif markdown:
        print(report.markdown(*ends, found.changes))
    else:
        total = f"{found.package} {found.old} → {found.new}: {report.summary(found.changes)}"
        lines = report.lines(found.changes, get_terminal_size((_WIDTH, 0)).columns)
        for line in [total, *lines, total] if lines else [total]:
            print_marked(line, {"! ": BAD} if line.startswith("! ") else {})


def _note(found: Diff, wanted: DiffFilter) -> None:
    if found.old == found.new:
        common.note(f"note: both are {found.package} {found.old}: nothing to compare")
        return
    _note_partial(found)
    _note_uncompared(found)
    _note_unseen(found, wanted)


def _note_partial(found: Diff) -> None:
    """Say which releases were read with gaps and not imported: what they lack is unknown."""
    if not found.partial:
        return
    was = "was" if len(found.partial) == 1 else "were"
    text = (
        f"note: {found.package} {' and '.join(found.partial)} {was} only read, not imported, and"
        " could not be read completely: some changes may be missing or wrong."
    )
    if found.unimported:
        text += f" Mine {'it' if len(found.partial) == 1 else 'them'} again with: libdrift mine"
        text += f" {found.package} --versions {','.join(found.unimported)} --runtime auto"
    common.note(text)


def _note_unseen(found: Diff, wanted: DiffFilter) -> None:
    """Say that only signatures were compared, where that is all that was done."""
    from libdrift.records import ChangeKind

    if not found.behaviour_seen and ChangeKind.BEHAVIOUR in wanted.kinds:
        common.note(
            "note: changes of behaviour are known only if examples were run: libdrift mine"
            f" {found.package} --versions {found.old},{found.new} --examples"
        )


def _note_uncompared(found: Diff) -> None:
    if found.uncompared:
        shown = ", ".join(found.uncompared[:3]) + (", …" if len(found.uncompared) > 3 else "")  # noqa: PLR2004
        common.note(
            f"note: not compared, as one release tells them by import and the other by its source:"
            f" {len(found.uncompared)} signatures ({shown})"
        )


def _kinds(given: Sequence[str]) -> frozenset[ChangeKind]:
    from libdrift.errors import UserError
    from libdrift.records import ChangeKind

    known = {kind.value: kind for kind in ChangeKind}
    for name in given:
        if name not in known:
            raise UserError(f"unknown kind of change '{name}'", f"Kinds: {', '.join(known)}")
    return frozenset(known[name] for name in given) or frozenset(ChangeKind)
