"""What `libdrift doctor` says of what is kept on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from libdrift.cli import common

if TYPE_CHECKING:
    from libdrift.jobs.stores import StoreState


def found_stores(runs: Path, *, deep: bool) -> list[StoreState]:
    from libdrift.jobs.stores import check_stores

    with common.progress_bar() as bar:
        shown = bar.add_task("stores", total=None, note="")

        def begin(name: str, total: int) -> None:
            bar.update(shown, total=total, note=name)

        found = []
        for one in check_stores(common.settings(), runs, deep=deep, begin=begin):
            found.append(one)
            bar.advance(shown)
        return found


def stores_as_json(found: list[StoreState]) -> list[dict[str, Any]]:
    return [
        {
            "store": one.name,
            "place": str(one.place),
            "detail": one.detail,
            "damaged": [
                {"place": str(bad.place), "why": bad.why, "repair": bad.repair}
                for bad in one.damaged
            ],
        }
        for one in found
    ]


def print_stores(found: list[StoreState], *, deep: bool) -> None:
    """A row a store; what is damaged follows in lines that can be pasted."""
    from rich.table import Table

    table = Table("store", "state", "detail")
    for one in found:
        state = f"DAMAGED: {len(one.damaged)}" if one.damaged else "ok"
        table.add_row(one.name, state, one.detail)
    common.stdout().print(table)
    for one in found:
        for bad in one.damaged[:_MOST]:
            print(f"{one.name}: {bad.place}: {bad.why}\n    {bad.repair}")
        if len(one.damaged) > _MOST:
            print(f"{one.name}: and {len(one.damaged) - _MOST:,} more (--json lists all)")
    if not deep:
        common.note("quick check; `libdrift doctor --deep` reads all files")


_MOST = 10
