from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli.groups import DescribedGroup
from libdrift.cli.on_demand import NoMineOption, PackageOption, on_demand
from libdrift.cli.tables import print_table
from libdrift.showing import counted, relative

if TYPE_CHECKING:
    from libdrift.jobs.stored import RemovedReleases, StoredPackages

StoreOption = Annotated[
    Path | None,
    typer.Option("--store", help="History file. [default: the file in the data folder]"),
]
_HELP = ("-h", "--help")
_LIKE = 0.8  # of difflib's ratio, for a slip in a command's name


class SymbolsToo(DescribedGroup):
    """What is not the name of a command is a symbol: ``libdrift history numpy.trapz``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        if args and args[0] not in self.commands and args[0] not in _HELP:
            args = ["symbol", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=SymbolsToo,
    help="Show a symbol in all mined releases: libdrift history SYMBOL, for "
    "example: libdrift history "
    "pandas.DataFrame.append",
    no_args_is_help=True,
    rich_markup_mode=None,
    subcommand_metavar="SYMBOL | COMMAND [ARGS]...",
)


@app.command("symbol")
def symbol(
    path: Annotated[
        str, typer.Argument(metavar="SYMBOL", help="Name as used in code: pandas.DataFrame.append.")
    ],
    package: PackageOption = None,
    no_mine: NoMineOption = False,
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show in which releases a symbol exists, when it was deprecated and removed, and its
    signatures.

    The word `symbol` may be left out. If the package is not mined yet, the last release of every
    minor series is mined first.
    """
    from libdrift.cli.lives import life_json, life_lines
    from libdrift.errors import UserError
    from libdrift.jobs.histories import history_of

    command = _command_like(path)
    try:
        with on_demand(no_mine or bool(command)) as ways:  # nothing is mined for a slip
            shown = history_of(path, store, ways, package)
    except UserError as error:
        if not command:
            raise
        raise UserError(error.message, f"Did you mean: libdrift history {command}?") from error
    # Plain lines: a table's library alone would double the time that the answer takes.
    if as_json:
        common.print_json(life_json(shown))
    else:
        print("\n".join(life_lines(shown)))


def _command_like(word: str) -> str:
    """`libdrift history lst`: a slip in a command's name is taken for a symbol."""
    import difflib

    names = [command.name or "" for command in app.registered_commands]
    return next(iter(difflib.get_close_matches(word, names, 1, _LIKE)), "")


@app.command("list")
def list_releases(
    package: Annotated[
        str | None, typer.Argument(help="Only this package, one line per release.")
    ] = None,
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """List mined packages and releases, and releases that could not be mined."""
    from libdrift.jobs.stored import stored

    found = stored(package, store)
    mined, failures = found.releases, found.failures
    if as_json:
        common.print_json(_listing_json(found))
        return
    from rich.table import Table

    if package:
        table = Table("version", "date", "mined", "read", "imported", "not read")
        for item in mined[package]:
            table.add_row(
                item.release.version,
                str(item.release.date or "–"),
                f"{item.mined:%Y-%m-%d %H:%M}",
                counted(item.origin.files, "file"),
                item.origin.runtime or "–",
                counted(len(item.origin.unread), "file") if item.origin.unread else "–",
            )
    else:
        table = Table("package", "releases", "first", "last", "failed")
        for name, items in mined.items():
            failed = sum(item.release.package == name for item in failures)
            ends = [f"{item.release.version} ({item.release.date or '–'})" for item in items]
            table.add_row(name, str(len(items)), ends[0], ends[-1], str(failed or "–"))
    if table.row_count:
        print_table(table)
    for failure in failures:
        print(f"{failure.release}: {failure.reason}")


def _listing_json(found: StoredPackages) -> dict[str, Any]:
    return {
        "packages": [
            {
                "package": name,
                "releases": [
                    {
                        "version": item.release.version,
                        "date": item.release.date and item.release.date.isoformat(),
                        "mined": item.mined.isoformat(),
                        "artifact": item.origin.artifact,
                        "digest": item.origin.digest,
                        "runtime": item.origin.runtime or None,
                        "complete": item.origin.complete,
                        "unread": list(item.origin.unread),
                        "gaps": list(item.origin.gaps),
                    }
                    for item in items
                ],
            }
            for name, items in found.releases.items()
        ],
        "failures": [
            {
                "package": item.release.package,
                "version": item.release.version,
                "reason": item.reason,
                "tried": item.tried.isoformat(),
            }
            for item in found.failures
        ],
    }


@app.command("search")
def search_command(
    package: Annotated[str, typer.Argument(help="A mined package.")],
    query: Annotated[list[str], typer.Argument(help="Words to search for.")],
    at: Annotated[str | None, typer.Option(help="Version. [default: newest mined release]")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of results.")] = 10,
    no_mine: NoMineOption = False,
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Search the names, parameters and documentation of one release."""
    from libdrift.jobs.stored import search_release

    with on_demand(no_mine) as ways:
        found = search_release(package, " ".join(query), at, limit, store, ways)
    hits, version = found.hits, found.version
    if as_json:
        rows = [
            {
                "path": hit.path,
                "kind": str(hit.symbol.kind),
                "signature": None if hit.symbol.signature is None else str(hit.symbol.signature),
                "summary": _summary(hit.symbol.doc),
                "score": round(hit.score, 3),
            }
            for hit in hits
        ]
        common.print_json({"package": package, "version": version, "hits": rows})
        return
    from rich.table import Table
    from rich.text import Text

    table = Table("path", "kind", "what it says")
    for hit in hits:
        table.add_row(hit.path, hit.symbol.kind, Text(_summary(hit.symbol.doc)))
    if hits:
        print_table(table)
    print(f"{len(hits)} found in {package} {version}")


def _summary(doc: str) -> str:
    return next((line.strip() for line in doc.splitlines() if line.strip()), "")


@app.command("stats")
def show_stats(
    package: Annotated[str, typer.Argument(help="A mined package.")],
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Count the symbols that each release added, removed, modified and left unchanged."""
    from dataclasses import asdict

    from libdrift.jobs.stored import count_releases

    rows = count_releases(package, store)
    if as_json:
        common.print_json({"package": package, "releases": [asdict(row) for row in rows]})
        return
    from rich.table import Table

    table = Table("version", "date")
    for title in ("total", "new", "deleted", "modified", "consistent"):
        table.add_column(title, justify="right")
    for row in rows:
        counts = (row.total, row.new, row.deleted, row.modified, row.consistent)
        shown = ("–" if count is None else str(count) for count in counts)
        table.add_row(row.version, row.date or "–", *shown)
    print_table(table)


@app.command("export")
def export_parquet(
    parquet: Annotated[Path, typer.Option("--parquet", help="Folder to write to.")],
    package: Annotated[str | None, typer.Option(help="Only this package.")] = None,
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Write the history as Parquet files: releases, symbols and names."""
    from libdrift.jobs.stored import export_tables

    written = export_tables(parquet, package, store)
    if as_json:
        common.print_json({"files": {str(file): rows for file, rows in written.items()}})
        return
    for file, rows in written.items():
        print(f"{rows:>9,} {'row ' if rows == 1 else 'rows'}  {relative(file)}")


@app.command("remove")
def remove_command(
    what: Annotated[
        str, typer.Argument(metavar="PACKAGE[==VERSION]", help="A package, or one release of it.")
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Remove a package or a release from the history, and free its disk space."""
    from libdrift.jobs.stored import removable, remove_releases

    package, mark, version = what.partition("==")
    asked = (package.strip(), version.strip() if mark else None, store)
    if not yes:
        _confirm(removable(*asked))
    removed = remove_releases(*asked)
    if as_json:
        common.print_json(
            {
                "package": removed.package,
                "versions": list(removed.versions),
                "failures": list(removed.failures),
                "freed": removed.freed,
            }
        )
    else:
        print(f"removed {_removed(removed)}; {removed.freed / 1e6:.1f} MB freed")


def _confirm(found: RemovedReleases) -> None:
    import sys

    from libdrift.errors import UserError

    what = _removed(found)
    if not sys.stdin.isatty():
        raise UserError(f"{what} would be removed from the history", "Add --yes to do it")
    if not typer.confirm(f"Remove {what} from the history?", err=True):
        raise UserError("nothing was removed")


def _removed(found: RemovedReleases) -> str:
    parts = [counted(len(found.versions), "release")] if found.versions else []
    parts += [counted(len(found.failures), "failure")] if found.failures else []
    one = [*found.versions, *found.failures]
    name = f"{found.package} {one[0]}" if len(one) == 1 else found.package
    return f"{name} ({', '.join(parts)})"
