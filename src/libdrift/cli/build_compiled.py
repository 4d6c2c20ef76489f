"""`libdrift build live --language rust|java`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from libdrift.cli import common
from libdrift.showing import counted, relative

if TYPE_CHECKING:
    from libdrift.jobs.building_compiled import CompiledFile, CompiledOptions

_SHOWN = 15  # reasons that are told by line


def compiled(options: CompiledOptions, *, as_json: bool) -> None:
    """Build, and tell what there is and what became none."""
    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.building_compiled import build_compiled

    _tell(build_compiled(options, TerminalListener()), as_json=as_json)


def _tell(built: CompiledFile, *, as_json: bool) -> None:
    if as_json:
        common.print_json(built.to_json())
        return
    where = relative(built.path)
    tasks, packages = counted(built.tasks, "proven task"), counted(len(built.packages), "package")
    print(f"{tasks} of {packages} in {where}")
    for family, count in built.families.most_common():
        print(f"  {family}: {count:,} of {built.drafts[family]:,} drafts")
    print(f"  hash of all: {built.hash}")
    for gate, count in built.dropped.most_common(_SHOWN):
        common.note(f"dropped: {count:,} {gate}")
    for why, count in built.left_out.most_common(_SHOWN):
        common.note(f"no draft: {count:,} {why}")
    common.note(f"prove them again: libdrift audit {where}")
