from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common, completing, tables
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.jobs.fetching import ListedData

app = typer.Typer(
    help="Download, list, check and remove published data sets.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SUITE]...", help="Names of suites.", autocompletion=completing.suite_names
    ),
]
_All = Annotated[bool, typer.Option("--all", help="Every suite with a known release.")]


@app.command("get")
def get(names: _Names = None, everything: _All = False, as_json: common.JsonOption = False) -> None:
    """Download the authors' release of a benchmark, and check each file.

    An interrupted download continues where it stopped. Files are stored in libdrift's cache. If
    --data or LIBDRIFT_DATA has the same suite, that one is used.
    """
    from libdrift.cli.offering import TerminalFetchListener, print_fetched
    from libdrift.errors import InfrastructureError
    from libdrift.jobs.fetching import get_data

    rows = []
    failed: list[InfrastructureError] = []
    for name in _chosen(names, everything, "get"):
        try:
            with TerminalFetchListener() as listener:
                found = get_data(name, listener)
        except InfrastructureError as error:  # the others may be had
            failed.append(error)
            if len(names or ()) == 1:
                raise
            common.warn(str(error))
            continue
        rows.append(found.to_json())
        if not as_json:
            print_fetched(found)
    if as_json:
        common.print_json({"data": rows})
    if failed:
        raise typer.Exit(3)


@app.command("list")
def list_command(
    names: _Names = None, data: common.DataOption = None, as_json: common.JsonOption = False
) -> None:
    """List data sets: which are on this machine, and where the others come from.

    With the name of a suite: the addresses of its files, and where to put them by hand.
    """
    from rich.table import Column, Table

    from libdrift.jobs.fetching import list_data, source_of

    for name in names or ():
        source_of(name)
    found = [one for one in list_data(data) if not names or one.suite in names]
    if as_json:
        common.print_json({"data": [one.to_json() for one in found]})
        return
    if names:
        for one in found:
            _print_one(one)
        return
    table = Table("suite", "state", "MB", "licence", Column("where", overflow="fold"))
    for one in found:
        size = "–" if one.size is None else f"{one.size / 1e6:.1f}"
        table.add_row(one.suite, one.state.value, size, one.licence or "–", _place(one))
    tables.print_table(table)


@app.command("check")
def check(
    names: _Names = None,
    everything: _All = False,
    data: common.DataOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Compare data files with those that the authors published.

    Without names, checks all data that libdrift has downloaded. Exit code 1 means that a file is
    missing or differs.
    """
    from libdrift.jobs.fetching import check_data, list_data

    chosen = names or [
        one.suite
        for one in list_data(data)
        if one.target.is_dir() or (everything and one.folder is not None)
    ]
    found = [check_data(name, data) for name in chosen]
    if as_json:
        common.print_json({"checks": [one.to_json() for one in found]})
    else:
        for one in found:
            whole = one.checked - len(one.flaws)
            files = counted(one.checked, "file")
            print(f"{one.suite}: {whole} of {files} as published ({one.folder})")
            for path, flaw in one.flaws.items():
                print(f"  {path}: {flaw}")
        if not found:
            common.note("no data set is on this machine; `libdrift data list` lists them")
    if any(one.flaws for one in found):
        common.note("get the files again with: libdrift data rm SUITE; libdrift data get SUITE")
        raise typer.Exit(1)


@app.command("rm")
def remove(
    names: _Names = None,
    everything: _All = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove downloaded data sets from libdrift's cache; folders of yours are left alone."""
    from libdrift.cli.offering import agreed
    from libdrift.errors import UserError
    from libdrift.jobs.fetching import kept_size, list_data, remove_data

    chosen = _chosen(names, everything, "rm")
    places = {one.suite: one.target for one in list_data() if one.suite in chosen}
    for name in chosen:
        if not (size := kept_size(name)):
            common.note(f"{name}: no files at {places[name]}")
            continue
        question = f"Remove {size / 1e6:.1f} MB at {places[name]}?"
        answer = True if yes else agreed(question)
        if answer is None:
            raise UserError("no terminal to confirm the removal", "Add --yes")
        if answer:
            print(f"{name}: {remove_data(name) / 1e6:.1f} MB removed")


def _chosen(names: list[str] | None, everything: bool, command: str) -> list[str]:
    from libdrift.errors import UserError
    from libdrift.fetching import known_sources
    from libdrift.jobs.fetching import source_of

    if bool(names) == everything:
        raise UserError("no suite is named", f"Like: libdrift data {command} gitchameleon")
    if everything:
        return [name for name, source in known_sources().items() if source.downloads]
    for name in names or ():
        source_of(name)
    return list(dict.fromkeys(names or ()))


def _place(one: ListedData) -> str:
    if one.folder is not None:
        return str(one.folder)
    if one.state == "shipped":
        return "needs none"
    if one.downloads:
        return f"{one.repository} at {one.commit[:12]}"
    return f"not known; put it into {one.target}"


def _print_one(one: ListedData) -> None:
    print(f"{one.suite}: {one.title}, {one.state.value}: {_place(one)}")
    for label, value in (("licence", one.licence), ("cite", one.citation)):
        if value:
            print(f"  {label}: {value}")
    for url, path in one.downloads:
        print(f"  {url}\n    put it at {path}")
    if one.wanted:
        print(f"  put {one.wanted} into {one.target}")
