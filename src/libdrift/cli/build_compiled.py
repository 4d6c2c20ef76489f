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


def of_drafts(tried: int, over: int) -> str:
    """Of how many: those over a limit are no failures."""
    if not tried:
        return ""
    return f" of {counted(tried, 'draft')}" + (f", {over:,} more over the limit" if over else "")


def _tell(built: CompiledFile, *, as_json: bool) -> None:
    from libdrift.jobs.building_compiled import OVER

    if as_json:
        common.print_json(built.to_json())
        return
    where = relative(built.path)
    tasks, packages = counted(built.tasks, "proven task"), counted(len(built.packages), "package")
    print(f"{tasks} of {packages} in {where}")
    for family, count in built.families.most_common():
        over = built.dropped[f"{family}: {OVER}"]
        print(f"  {family}: {count:,}{of_drafts(built.drafts[family] - over, over)}")
    print(f"  hash of all: {built.hash}")
    for gate, count in built.dropped.most_common(_SHOWN):
        common.note(f"dropped: {count:,} {gate}")
    for why, count in built.left_out.most_common(_SHOWN):
        common.note(f"no draft: {count:,} {why}")
    if built.manifest:
        common.note(f"to rebuild the same tasks: libdrift build live --manifest {built.manifest}")
    common.note(f"to verify them again: libdrift audit {where}")
