"""``libdrift surface``: what one mined release offers, and how that is known."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli.on_demand import NoMineOption, on_demand
from libdrift.cli.streams import is_narrow
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.records import Surface

_SHOWN = 10  # gaps, before "and so many more"


def surface_command(
    package: Annotated[str, typer.Argument(help="A package, as `libdrift mine` takes it.")],
    version: Annotated[
        str, typer.Argument(help="A release; for a series such as 1.5, its newest.")
    ],
    store: Annotated[
        Path | None, typer.Option(help="History file. [default: the file in the data folder]")
    ] = None,
    no_mine: NoMineOption = False,
    as_json: common.JsonOption = False,
) -> None:
    """Describe a release's public API: what it has, how that is known, and what may be missing.

    A release that is not mined yet is mined first.
    """
    from libdrift.jobs.histories import surface

    with on_demand(no_mine) as ways:
        found = surface(package, version, store, ways)
    if as_json:
        import msgspec

        text = msgspec.json.encode(found).decode()
        print(json.dumps(json.loads(text)) if is_narrow(sys.stdout) else text)
    else:
        print("\n".join(_lines(found)))


def _lines(found: Surface) -> list[str]:
    kinds = Counter(symbol.kind.value for symbol in found.symbols.values())
    seen = Counter(how.value for symbol in found.symbols.values() for how in symbol.provenance)
    origin = found.origin
    paths = counted(sum(1 for _ in found.walk()), "public path")
    state = "complete" if origin.complete else "incomplete"
    imported = f"release {origin.runtime}" if origin.runtime else "nothing"
    return [
        f"{found.release}  {paths}, {counted(len(found.symbols), 'symbol')}, {state}",
        f"  kinds     {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}",
        f"  known by  {', '.join(f'{how} {count}' for how, count in seen.most_common())}",
        f"  from      {origin.artifact or 'this machine'}  {origin.digest}",
        f"  imported  {imported}"
        + (f"; conditions read for Python {origin.python}" if origin.python else ""),
        *_listed("unread", origin.unread),
        *_listed("gaps", origin.gaps, origin.runtime and f"closed by import of {origin.runtime}:"),
    ]


def _listed(title: str, items: Sequence[str], remark: str = "") -> list[str]:
    if not items:
        return []
    shown = [*([remark] if remark else []), *items[:_SHOWN]]
    if len(items) > _SHOWN:
        shown.append(f"… and {len(items) - _SHOWN} more (--json)")
    return [f"  {title if at == 0 else '':8}  {item}" for at, item in enumerate(shown)]
