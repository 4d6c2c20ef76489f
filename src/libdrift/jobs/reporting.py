"""What runs scored, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libdrift.errors import UserError
from libdrift.reports.tables import DIMENSIONS, ReportedRun, Table, read_run, tables, whole


@dataclass(frozen=True, slots=True)
class Report:
    runs: tuple[ReportedRun, ...]
    tables: tuple[Table, ...]

    @property
    def comparable(self) -> bool:
        """Whether the runs are of the same tasks."""
        return len({(run.suite, run.tasks) for run in self.runs}) == 1

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": [
                {"run": run.name, "suite": run.suite, "mode": run.mode, "asked": run.asked}
                for run in self.runs
            ],
            "tables": [table.to_json() for table in self.tables],
        }


def report(runs: Iterable[str | Path], by: Sequence[str] = (), *, proven: bool = False) -> Report:
    """The tables of one or several runs, by the papers' breakdowns or by those asked for."""
    unknown = [name for name in by if name not in DIMENSIONS]
    if unknown:
        raise UserError(
            f"no breakdown by {unknown[0]} for these runs", f"Available: {', '.join(DIMENSIONS)}"
        )
    if proven and by:
        raise UserError("--proven is of all tasks together", "Leave out --by, or use --by proof")
    read = [read_run(Path(path)) for path in runs]
    found = whole(read, "proven") if proven else tables(read, by)
    return Report(tuple(read), tuple(found))
