"""What runs scored, as tables; and single verdicts, with what their programs said."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from libdrift.analysis.crossing import cross, facts_asked
from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.run_files import RunFiles, folder_of, run_folders, told_apart
from libdrift.analysis.selecting import facts_of_all
from libdrift.errors import UserError
from libdrift.execution import RunFolder
from libdrift.execution.runs import VERDICTS, command_of, not_a_run
from libdrift.jobs.analysing import Runs, observed
from libdrift.records import Outcome, Split, Verdict
from libdrift.reports.crossed import crossed_tables
from libdrift.reports.score_tables import Table
from libdrift.reports.sheets import Sheet
from libdrift.reports.tables import (
    ReportedRun,
    dimensions_of,
    left_unproven,
    read_run,
    tables,
    whole,
)
from libdrift.scoring.text_runs import SCORES, read
from libdrift.scoring.text_scores import Graded
from libdrift.showing import counted


@dataclass(frozen=True, slots=True)
class Report:
    runs: tuple[ReportedRun, ...]
    tables: tuple[Table, ...]
    # Of --proven: by the number of a run, why how many verdicts are left out.
    left_out: tuple[dict[str, int], ...] = ()
    notes: tuple[str, ...] = ()  # what could not be read, a line each
    folders: tuple[Path, ...] = ()  # of the runs

    @property
    def comparable(self) -> bool:
        """Whether the runs are of the same tasks."""
        return len({(run.suite, run.tasks) for run in self.runs}) == 1

    @property
    def available(self) -> list[str]:
        """The breakdowns that these runs have."""
        return dimensions_of(self.runs)

    @property
    def labels(self) -> list[str]:
        """What the runs are called, each otherwise."""
        return told_apart([run.label for run in self.runs], [run.name for run in self.runs])

    def sheets(self) -> list[Sheet]:
        return [table.sheet(self.labels) for table in self.tables]

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": [
                {
                    "run": run.name,
                    "suite": run.suite,
                    "mode": run.mode,
                    "asked": run.asked,
                    "label": label,
                }
                for run, label in zip(self.runs, self.labels, strict=True)
            ],
            "tables": [table.to_json() for table in self.tables],
            "breakdowns": self.available,
            **({"left_out": list(self.left_out)} if self.left_out else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }


def report(
    runs: Runs,
    by: Sequence[str] = (),
    where: Sequence[str] = (),
    *,
    metrics: Sequence[str] = (),
    proven: bool = False,
    data: Path | None = None,
) -> Report:
    """The tables of one or several runs, by the papers' breakdowns or by those asked for.

    ``by`` has facts, or up to three with commas: ``library,year``. ``where`` takes only the
    answers that conditions hold of: ``year>=2022``.
    """
    if proven and (by or where or metrics):
        raise UserError(
            "--proven works only on all tasks together", "Leave out --by, or use --by proof"
        )
    read, sources, notes = _read_all(list(runs))
    known = Report(read, (), notes=notes, folders=tuple(map(_path, sources)))
    if proven:
        left_out = tuple(left_unproven(run) for run in read)
        return replace(known, tables=tuple(whole(read, "proven")), left_out=left_out)
    asked = [facts_asked(text) for text in by]
    stored = dimensions_of(read)
    if not (where or metrics or any(len(one) > 1 or one[0] not in stored for one in asked)):
        return replace(known, tables=tuple(tables(read, [one[0] for one in asked])))
    rows = observed(sources, where, data)
    facts_known = facts_of_all([row for run in rows for row in run.observations])
    others = [fact for fact in facts_known if fact not in stored]
    found: list[Table] = []
    for facts in asked or [()]:
        for fact in facts:
            if fact not in facts_known and fact not in stored:
                raise no_breakdown(fact, [*stored, *others])
        plain = len(facts) == 1 and facts[0] in stored and not where and not metrics
        found += tables(read, facts) if plain else crossed_tables(cross(rows, facts, metrics))
    told = [note for run in rows for note in run.notes]
    return replace(known, tables=tuple(found), notes=(*notes, *told))


def _path(run: Path | ObservedRun) -> Path:
    return run.path if isinstance(run, ObservedRun) else run


def _read_all(
    runs: Sequence[str | Path | ObservedRun],
) -> tuple[tuple[ReportedRun, ...], list[Path | ObservedRun], tuple[str, ...]]:
    """Every run with what it was read from; and why others, which are only found, are left out.

    One that is named and cannot be read is an error.
    """
    found: list[ReportedRun] = []
    sources: list[Path | ObservedRun] = []
    notes = []
    for run in runs:
        named = run if isinstance(run, ObservedRun) else folder_of(Path(run))
        for source in [named] if isinstance(named, ObservedRun) else run_folders([named]):
            try:
                found.append(read_run(_path(source)))
            except UserError as error:
                if source == named:
                    raise
                notes.append(f"left out: {error}")
            else:
                sources.append(source)
                notes += _lost(_path(source))
    if not found:
        raise UserError("no run to report", notes[0] if notes else "Name the folder of a run")
    return tuple(found), sources, tuple(notes)


class _Judged(msgspec.Struct):
    """Which verdict a line of a run is."""

    task_id: str
    sample: int
    split: str


def _lost(path: Path) -> list[str]:
    """Verdicts that a run had once: its stored scores count them, and nothing else can."""
    files = RunFiles(folder_of(path))
    about = files.description()["summary"].get("outcomes_by_split") or {}
    try:
        judged = sum(sum(about.get(split, {}).values()) for split in Split)
    except (AttributeError, TypeError) as error:
        raise not_a_run(path, "its counts of outcomes are malformed") from error
    if files.has(SCORES) or not judged:  # answers compared as texts have no verdict of their own
        return []
    kept = len({(one.task_id, one.sample, one.split) for one in files.lines(VERDICTS, _Judged)})
    if kept >= judged:
        return []
    told = f"{files.folder / VERDICTS} has {kept} of {counted(judged, 'verdict')}"
    again = command_of(files.description())
    return [
        f"{told}: tables of the run's own scores count all, others these. To make them: {again}"
    ]


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
            raise UserError(f"{path} has no verdict on {task_id!r}", f"It has verdicts on {some} …")
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
