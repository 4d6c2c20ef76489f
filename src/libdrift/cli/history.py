from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from libdrift.cli import common
from libdrift.showing import relative

if TYPE_CHECKING:
    from libdrift.history.questions import DeprecationSpan, Life, VersionSpan
    from libdrift.history.store import Store

StoreOption = Annotated[
    Path | None, typer.Option("--store", help="The history file, if not the usual one.")
]
_HELP = ("-h", "--help")
_LIKE = 0.8  # of difflib's ratio, for a slip in a command's name


class SymbolsToo(TyperGroup):
    """What is not the name of a command is a symbol: ``libdrift history numpy.trapz``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        if args and args[0] not in self.commands and args[0] not in _HELP:
            args = ["symbol", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=SymbolsToo,
    help="The life of a symbol over all mined releases: libdrift history SYMBOL, "
    "as in: libdrift history pandas.DataFrame.append",
    no_args_is_help=True,
    rich_markup_mode=None,
    subcommand_metavar="SYMBOL | COMMAND [ARGS]...",
)


def opened(store: Path | None) -> Store:
    from libdrift.history.store import Store

    return Store.open(store or common.settings().history, readonly=True)


def as_text(data: Any) -> str:  # noqa: ANN401  (whatever JSON can hold)
    import json

    return json.dumps(data, indent=1, ensure_ascii=False)


def counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def kind_of(kind: str) -> str:
    """What a reader calls it: of some names only the name is known."""
    return "name" if kind == "unknown" else kind


@app.command("symbol")
def symbol(
    path: Annotated[
        str, typer.Argument(metavar="SYMBOL", help="As code writes it: pandas.DataFrame.append.")
    ],
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show since when a symbol is there, its deprecation and end, its signatures.

    The word `symbol` may be left out.
    """
    from libdrift.errors import UserError
    from libdrift.history.questions import life

    with opened(store) as found:
        try:
            shown = life(found, path)
        except UserError as error:
            command = _command_like(path)
            if not command:
                raise
            raise UserError(error.message, f"Did you mean: libdrift history {command}?") from error
    # Plain lines: a table's library alone would double the time that the answer takes.
    print(as_text(_life_json(shown)) if as_json else "\n".join(_life_lines(shown)))


def _command_like(word: str) -> str:
    """`libdrift history lst`: a slip in a command's name is taken for a symbol."""
    import difflib

    names = [command.name or "" for command in app.registered_commands]
    return next(iter(difflib.get_close_matches(word, names, 1, _LIKE)), "")


def _life_json(life: Life) -> dict[str, Any]:
    from libdrift.reports.changes import replacement_row

    return {
        "path": life.path,
        "package": life.package,
        "kind": str(life.kind),
        "introduced": life.introduced,
        "introduced_before": life.introduced_before,
        "deprecated": life.deprecated and _told_json(life.deprecated),
        "removed": life.removed,
        "replacement": life.replacement or None,
        "how": replacement_row(life.how) if life.how else None,
        "signatures": [
            {"from": item.first, "to": item.last, "signature": item.text}
            for item in life.signatures
        ],
        "parameters": [
            {"parameter": item.parameter, "to": item.last, **_told_json(item)}
            for item in life.told
            if item.parameter
        ],
        "warnings": [
            {"to": item.last, **_told_json(item)}
            for item in life.told
            if not item.parameter and item != life.deprecated
        ],
        "gaps": [{"removed": gap.removed, "back": gap.back} for gap in life.gaps],
        "defined": [
            {"from": item.first, "to": item.last, "id": item.text} for item in life.definitions
        ],
        "public_path": life.public_path or None,
        "unsure": list(life.unsure),
        "mined": {"first": life.mined[0], "last": life.mined[1], "releases": len(life.dates)},
    }


def _told_json(told: DeprecationSpan) -> dict[str, Any]:
    return {
        "version": told.first,
        "message": told.message,
        "since": told.since or None,
        "replacement": told.replacement or None,
        "conditional": told.conditional,
    }


def _life_lines(life: Life) -> list[str]:
    def when(version: str) -> str:
        date = life.dates.get(version)
        return f"{version} ({date})" if date else version

    first, last = life.mined
    mined = f"{len(life.dates)} mined releases, {first} to {last}" if first != last else first
    lines = [f"{life.path}  {kind_of(life.kind)} of {life.package} ({mined})"]
    if life.public_path not in {"", life.path}:
        lines.append(_line("the same as", life.public_path))
    before = ", the first mined release, or before" if life.introduced_before else ""
    lines.append(_line("introduced", when(life.introduced) + before))
    lines += [_line("gone", f"{when(gap.removed)}, back in {when(gap.back)}") for gap in life.gaps]
    if life.deprecated:
        lines.append(_line("deprecated", when(life.deprecated.first)))
        lines += [_line("", text) for text in [life.deprecated.message] if text]
        lines += [
            _line("", f"{when(item.first)}: {item.message}")
            for item in life.told
            if not item.parameter and item.message not in {"", life.deprecated.message}
        ]
    lines.append(_line("removed", when(life.removed) if life.removed else "no"))
    if life.replacement:
        lines.append(_line("use instead", life.replacement))
    lines += [
        _line("not certain", f"{version} could not be read whole and may have it, too")
        for version in life.unsure
    ]
    lines += _parameter_lines(life)
    lines += _held_lines("signatures", life.signatures)
    lines += _held_lines("defined at", life.definitions)
    return lines


def _line(title: str, text: str) -> str:
    return f"  {title:<12} {text}"


def _parameter_lines(life: Life) -> list[str]:
    lines: list[str] = []
    for item in life.told:
        if not item.parameter:
            continue
        use = f"use {item.replacement}" if item.replacement else ""
        told = "; ".join(part for part in (use, item.message) if part)
        text = f"{item.parameter}  deprecated {_stretch(item.first, item.last)}"
        lines.append(_line("" if lines else "parameters", f"{text}  {told}".rstrip()))
    return lines


def _held_lines(title: str, held: tuple[VersionSpan, ...]) -> list[str]:
    spans = [_stretch(item.first, item.last) for item in held]
    width = max(map(len, spans), default=0)
    return [
        _line(title if at == 0 else "", f"{span:<{width}}  {item.text}")
        for at, (span, item) in enumerate(zip(spans, held, strict=True))
    ]


def _stretch(first: str, last: str) -> str:
    return first if first == last else f"{first} – {last}"


@app.command("list")
def list_releases(
    package: Annotated[
        str | None, typer.Argument(help="Only this package, one line per release.")
    ] = None,
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """List mined packages and releases, and what could not be mined."""
    from libdrift.history.store import not_mined, nothing_mined

    with opened(store) as found:
        names = found.packages() if package is None else [package]
        mined = {name: found.releases(name) for name in names}
        failures = found.failures(package)
        if not failures and not any(mined.values()):
            raise not_mined(found, package) if package is not None else nothing_mined()
    if as_json:
        common.print_json(_listing_json(mined, failures))
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
        common.stdout().print(table)
    for failure in failures:
        print(f"{failure.release}: {failure.reason}")


def _listing_json(mined: dict[str, Any], failures: list[Any]) -> dict[str, Any]:
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
            for name, items in mined.items()
        ],
        "failures": [
            {
                "package": item.release.package,
                "version": item.release.version,
                "reason": item.reason,
                "tried": item.tried.isoformat(),
            }
            for item in failures
        ],
    }


@app.command("search")
def search_release(
    package: Annotated[str, typer.Argument(help="A mined package.")],
    query: Annotated[
        list[str], typer.Argument(help="Words of names, parameters or documentation.")
    ],
    at: Annotated[
        str | None, typer.Option(help="Version; by default the newest mined one.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of results.")] = 10,
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Search one release's names, parameters and documentation."""
    from dataclasses import replace

    from libdrift.errors import UserError
    from libdrift.history.questions import check_version
    from libdrift.history.spelling import spelled
    from libdrift.retrieval import words
    from libdrift.retrieval.searching import search

    text = " ".join(query)
    if not words.known(words.split(text)):
        raise UserError(
            "there is no word to search for", f"Run: libdrift history search {package} WORDS"
        )
    if at is not None:
        check_version(at)
    with opened(store) as found:
        version = found.version(package, at)
        hits = [
            replace(hit, path=spelled(hit.path, package))
            for hit in search(found, (package, version), text, common.settings().indexes, limit)
        ]
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
        common.stdout().print(table)
    print(f"{len(hits)} found in {package} {version}")


def _summary(doc: str) -> str:
    return next((line.strip() for line in doc.splitlines() if line.strip()), "")


@app.command("stats")
def show_stats(
    package: Annotated[str, typer.Argument(help="A mined package.")],
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Count what each release added, deleted, modified and left, against the one before."""
    from dataclasses import asdict

    from libdrift.history.questions import stats
    from libdrift.history.store import not_mined

    with opened(store) as found:
        rows = stats(found, package)
        if not rows:
            raise not_mined(found, package)
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
    common.stdout().print(table)


@app.command("export")
def export_parquet(
    parquet: Annotated[Path, typer.Option("--parquet", help="The folder to write to.")],
    package: Annotated[str | None, typer.Option(help="Only this package.")] = None,
    as_json: common.JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Write the history as Parquet files: releases, symbols and names."""
    from libdrift.history.store import export

    with opened(store) as found:
        written = export(found, parquet, package)
    if as_json:
        common.print_json({"files": {str(file): rows for file, rows in written.items()}})
        return
    for file, rows in written.items():
        print(f"{rows:>9,} {'row ' if rows == 1 else 'rows'}  {relative(file)}")
