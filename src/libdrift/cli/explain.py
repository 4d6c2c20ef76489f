from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli import upgrade_options as shared
from libdrift.cli.on_demand import mining_bar

if TYPE_CHECKING:
    from libdrift.advisor.explaining import Explanation, SymbolAt


def explain_command(
    target: Annotated[
        str, typer.Argument(help="A symbol, such as pandas.DataFrame.append, or FILE:LINE.")
    ],
    old: Annotated[
        list[str] | None,
        typer.Option("--from", help="Old version: 1.5.3, pandas==1.5.3 or a lock file."),
    ] = None,
    to: Annotated[
        list[str] | None,
        typer.Option(help="New version: 2.0.3, pandas==2.0.3 or a lock file. [default: newest]"),
    ] = None,
    as_json: common.JsonOption = False,
    offline: shared.OfflineOption = False,
    store: shared.StoreOption = None,
) -> None:
    """Explain a symbol, or the findings on one line, between two versions."""
    from libdrift.jobs.checking import CheckOptions
    from libdrift.jobs.explaining import explain

    options = CheckOptions(tuple(to or ()), tuple(old or ()), store=store, offline=offline)
    with mining_bar() as progress:
        found = explain(target, options, progress)
    if as_json:
        common.print_json([_as_json(item) for item in found])
        return
    for at, item in enumerate(found):
        print(("\n" if at else "") + "\n".join(_lines(item)))


def _as_json(item: Explanation) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(item)


def _lines(item: Explanation) -> Iterator[str]:
    from libdrift.reports.findings import since_when

    yield f"{item.symbol}: {item.package} {item.old} → {item.new}"
    for finding in item.findings:
        since = f" ({since_when(finding)})" if finding.since else ""
        yield f"  {finding.level} {finding.kind}: {finding.message}{since}"
    yield from _life(item)
    yield from _signatures(item)
    yield from _changes(item)
    for message in item.messages:
        yield f"  it says: {message}"
    if item.replacement:
        yield f"  instead: {item.replacement.path}{item.replacement.signature}"
        yield from _documentation(item.replacement)
    elif item.after:
        yield from _documentation(item.after)


def _life(item: Explanation) -> Iterator[str]:
    known = item.life
    if known is None:
        return
    before = known.mined_before(known.introduced)
    since = f"; not in {before}" if before else " or before"
    yield f"  there since: {known.introduced}{since}"
    if known.deprecated:
        since, first = known.deprecated.since, known.deprecated.first
        # Of the first release that is mined, nobody knows whether it is the first that says so.
        first += "" if known.mined_before(first) else " or before"
        yield f"  deprecated since: {since}" if since else f"  deprecated in: {first}"
    if known.removed:
        yield f"  gone in: {known.removed}; last there in {known.last_there}"


def _signatures(item: Explanation) -> Iterator[str]:
    for at in (item.before, item.after):
        if at and at.signature:
            yield f"  in {at.version}: {item.symbol.rpartition('.')[2]}{at.signature}"
    if item.before and not item.after:
        yield f"  in {item.new}: not there"


def _changes(item: Explanation) -> Iterator[str]:
    """A line each; those that say the same of many parameters together."""
    from libdrift.languages.python.wording import with_class

    alike: dict[tuple[str, str], list[str]] = {}
    for change in item.changes:
        detail = with_class(change.detail, change.path)
        text = detail.replace(f"parameter {change.parameter} ", "parameter … ")
        alike.setdefault((change.kind, text), []).append(change.parameter)
    for (kind, text), parameters in alike.items():
        many = "s" if len(parameters) > 1 else ""
        yield f"  change: {kind}: " + text.replace(
            "parameter … is" if many else "parameter … ",
            f"parameters {', '.join(parameters)} are" if many else f"parameter {parameters[0]} ",
        )


def _documentation(at: SymbolAt) -> Iterator[str]:
    if at.doc:
        yield f"  documentation: {at.doc}"
    if at.example:
        yield "  example:"
        yield from (f"    {line}" for line in at.example.splitlines())
