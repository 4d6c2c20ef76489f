"""``libdrift surface``: what one mined release offers, and how that is known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from libdrift.cli import common

_SHOWN = 10  # gaps, before "and so many more"


def surface(
    package: Annotated[str, typer.Argument(help="A mined package.")],
    version: Annotated[str, typer.Argument(help="One of its mined releases.")],
    store: Annotated[Path | None, typer.Option(help="The history file.")] = None,
    as_json: common.JsonOption = False,
) -> None:
    """Say what a release offers, how that is known, and what may be missing."""
    from libdrift.cli.history import opened

    with opened(store) as history:
        found = history.surface(package, version)
    if as_json:
        import msgspec

        print(msgspec.json.encode(found).decode())
        return
    kinds = Counter(symbol.kind.value for symbol in found.symbols.values())
    seen = Counter(how.value for symbol in found.symbols.values() for how in symbol.provenance)
    origin = found.origin
    paths = sum(1 for _ in found.walk())
    state = "complete" if origin.complete else "incomplete"
    print(f"{found.release}  {paths} public paths, {len(found.symbols)} symbols, {state}")
    print(f"  kinds     {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}")
    print(f"  known by  {', '.join(f'{how} {count}' for how, count in seen.most_common())}")
    print(f"  from      {origin.artifact or 'this machine'}  {origin.digest}")
    imported = f"release {origin.runtime}" if origin.runtime else "nothing"
    print(f"  imported  {imported}; conditions read for Python {origin.python}")
    for title, items in (("unread", origin.unread), ("gaps", origin.gaps)):
        for number, item in enumerate(items[:_SHOWN]):
            print(f"  {title if number == 0 else '':8}  {item}")
        if len(items) > _SHOWN:
            print(f"            … and {len(items) - _SHOWN} more (--json)")
