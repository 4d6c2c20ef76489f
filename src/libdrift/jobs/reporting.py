"""What runs scored, as tables; and single verdicts, with what their programs said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from libdrift.errors import UserError
from libdrift.execution import RunFolder
from libdrift.records import Outcome, Split, Verdict
from libdrift.reports.tables import (
    DIMENSIONS,
    ReportedRun,
    Table,
    dimensions_of,
    left_unproven,
    read_run,
    tables,
    whole,
)
from libdrift.scoring.text_runs import SCORES, read
from libdrift.scoring.text_scores import Graded


@dataclass(frozen=True, slots=True)
class Report:
    runs: tuple[ReportedRun, ...]
    tables: tuple[Table, ...]
    # Of --proven: by the number of a run, why how many verdicts are left out.
    left_out: tuple[dict[str, int], ...] = ()

    @property
    def comparable(self) -> bool:
        """Whether the runs are of the same tasks."""
        return len({(run.suite, run.tasks) for run in self.runs}) == 1

    @property
    def available(self) -> list[str]:
        """The breakdowns that these runs have."""
        return dimensions_of(self.runs)

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": [
                {"run": run.name, "suite": run.suite, "mode": run.mode, "asked": run.asked}
                for run in self.runs
            ],
            "tables": [table.to_json() for table in self.tables],
            "breakdowns": self.available,
            **({"left_out": list(self.left_out)} if self.left_out else {}),
        }


def report(runs: Iterable[str | Path], by: Sequence[str] = (), *, proven: bool = False) -> Report:
    """The tables of one or several runs, by the papers' breakdowns or by those asked for."""
    if proven and by:
        raise UserError("--proven is of all tasks together", "Leave out --by, or use --by proof")
    read_runs = tuple(read_run(Path(path)) for path in runs)
    for name in by:
        if name not in DIMENSIONS:
            raise no_breakdown(name, dimensions_of(read_runs))
    if proven:
        left_out = tuple(left_unproven(run) for run in read_runs)
        return Report(read_runs, tuple(whole(read_runs, "proven")), left_out)
    return Report(read_runs, tuple(tables(read_runs, by)))


def no_breakdown(name: str, available: Sequence[str]) -> UserError:
    return UserError(
        f"no breakdown by {name} for these runs", f"Available: {', '.join(available) or 'none'}"
    )


@dataclass(frozen=True, slots=True)
class RunVerdicts:
    """Verdicts of a run, one by one."""

    run: str
    verdicts: tuple[Verdict, ...]
    others: int = 0  # that were asked for too, beyond a limit

    def to_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "verdicts": [asdict(verdict) for verdict in self.verdicts],
            "others": self.others,
        }


def verdicts_of(
    run: str | Path, tasks: Collection[str] = (), failures: int | None = None
) -> RunVerdicts:
    """Outcome, reason and log of every answer to some tasks, or of the first failures of a run."""
    path = Path(run)
    name = read_run(path).name
    folder = path if path.is_dir() else path.parent
    every = [*RunFolder(folder).verdicts(), *_compared(folder)]
    known = {verdict.task_id for verdict in every}
    for task_id in tasks:
        if task_id not in known:
            some = ", ".join(sorted(known)[:3])
            raise UserError(f"{path} has no verdict on {task_id!r}", f"It has those on {some} …")
    chosen = [verdict for verdict in every if not tasks or verdict.task_id in tasks]
    if failures is not None:
        chosen = [verdict for verdict in chosen if verdict.outcome is not Outcome.PASSED]
    return RunVerdicts(name, tuple(chosen[:failures]), len(chosen) - len(chosen[:failures]))


def _compared(folder: Path) -> list[Verdict]:
    """Answers that were compared as texts: an exact match has passed, of others numbers tell."""
    found = []
    for task in read(folder / SCORES):
        for number, sample in enumerate(task.samples):
            outcome = Outcome.PASSED if sample.em else Outcome.FAILED
            why = "" if sample.em else _difference(sample)
            found.append(Verdict(task.task_id, number, Split.HIDDEN, outcome, why))
    return found


def _difference(sample: Graded) -> str:
    if sample.odd:
        return f"not the reference: {sample.odd}"
    numbers = {}
    if sample.completion is not None:
        numbers = {"ISM": sample.completion.ism, "PM": sample.completion.pm}
    elif sample.expression is not None:
        numbers = {"edit similarity": sample.expression.similarity}
    told = ", ".join(f"{name} {value:.2f}" for name, value in numbers.items() if value is not None)
    return f"not the reference{f' ({told})' if told else ''}"
