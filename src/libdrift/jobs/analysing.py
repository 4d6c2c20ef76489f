"""Runs are compared, looked at over time, and their metrics correlated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from pathlib import Path

from libdrift.analysis.comparing import RunComparison, compare_runs
from libdrift.analysis.correlating import Correlations, correlate_runs, read_leaderboard
from libdrift.analysis.observing import ObservedRun, distinct, observe_all
from libdrift.analysis.over_time import TimeReport, over_time_of
from libdrift.analysis.selecting import restricted
from libdrift.errors import UserError

Runs = Iterable[str | Path | ObservedRun]


def observed(
    runs: Runs, where: Sequence[str] = (), data: Path | None = None
) -> tuple[ObservedRun, ...]:
    """Runs as rows of answers, from their folders; only the answers that conditions hold of."""
    found: list[ObservedRun] = []
    for run in runs:
        found += [run] if isinstance(run, ObservedRun) else observe_all([Path(run)], data)
    return restricted(distinct(found), where)


def compare(
    runs: Runs,
    by: Sequence[str] = (),
    where: Sequence[str] = (),
    *,
    metrics: Sequence[str] = (),
    data: Path | None = None,
) -> RunComparison:
    """Runs beside one another on the tasks that all of them answered, with tests and intervals.

    ``by`` gives differences also by the values of facts; ``where`` takes only some answers.
    """
    found = observed(runs, where, data)
    if len(found) < 2:  # noqa: PLR2004 - one run is not compared
        raise UserError("a comparison needs two runs", "Give two runs or more")
    return compare_runs(found, by, metrics)


def over_time(
    runs: Runs,
    where: Sequence[str] = (),
    *,
    metrics: Sequence[str] = (),
    cutoff: date | None = None,
    gap: timedelta = timedelta(0),
    data: Path | None = None,
) -> TimeReport:
    """Success by release date: by year, the knowledge cut-off, the spread over versions.

    With ``cutoff``, also two windows up to that date and after it, without ``gap`` on both sides.
    """
    return over_time_of(observed(runs, where, data), metrics, cutoff, gap)


def correlate(
    runs: Runs,
    where: Sequence[str] = (),
    *,
    leaderboard: str | Path | None = None,
    data: Path | None = None,
) -> Correlations:
    """How metrics go together, over the tasks of a run and over runs.

    ``leaderboard`` is a CSV file of names of models or runs, and their values elsewhere.
    """
    told = None if leaderboard is None else read_leaderboard(Path(leaderboard))
    return correlate_runs(observed(runs, where, data), told)
