"""What a release's date does to success: a cut-off, versions that are preferred, two windows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from libdrift.analysis.comparing import task_means
from libdrift.analysis.crossing import CrossedBreakdown, cross
from libdrift.analysis.measuring import Measure, measures_of
from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.rating import AMOUNTS, RATIOS, RatedMetric
from libdrift.analysis.selecting import natural, release_of
from libdrift.analysis.twin_gaps import TwinGap, twin_gaps
from libdrift.errors import UserError
from libdrift.metrics.change_points import change_point
from libdrift.metrics.paired import difference_interval
from libdrift.metrics.spread import permuted_difference, spread
from libdrift.records import Observation, TaskKind

FEWEST = 20  # tasks with a date: of fewer no change of a share can be told from chance
_SURE = 0.05
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}


@dataclass(frozen=True, slots=True)
class CutoffEstimate:
    """The date from which on a run does worse, if one can be told."""

    run: str
    measure: Measure
    tasks: int  # whose release has a date
    told: str  # what can be said, in a sentence
    date: str | None = None  # the first release date after the drop
    low: str | None = None
    high: str | None = None
    before: float | None = None
    after: float | None = None
    p: float | None = None
    p_within_libraries: float | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "measure": str(self.measure),
            "tasks": self.tasks,
            "told": self.told,
            "date": self.date,
            "low": self.low,
            "high": self.high,
            "before": self.before,
            "after": self.after,
            "p": self.p,
            "p_within_libraries": self.p_within_libraries,
        }


@dataclass(frozen=True, slots=True)
class VersionSpread:
    """How far success differs over the versions of one library."""

    run: str
    measure: Measure
    library: str
    versions: tuple[tuple[str, RatedMetric], ...]  # in the order of versions
    spread: float  # the best version's value less the worst's
    p: float  # of versions that differ as much or more where they do not matter

    def to_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "measure": str(self.measure),
            "library": self.library,
            "versions": {version: one.to_json() for version, one in self.versions},
            "spread": self.spread,
            "p": self.p,
        }


@dataclass(frozen=True, slots=True)
class TwoWindows:
    """Releases before a date and after it, without those within a gap around it."""

    run: str
    measure: Measure
    until: str  # the last day of the first window
    since: str  # the first day of the second one
    before: RatedMetric
    after: RatedMetric
    difference: float | None  # after less before
    low: float | None
    high: float | None
    p: float | None
    left_out: int  # tasks within the gap

    def to_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "measure": str(self.measure),
            "until": self.until,
            "since": self.since,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "left_out": self.left_out,
        }


@dataclass(frozen=True, slots=True)
class TimeReport:
    years: tuple[CrossedBreakdown, ...]  # by year, and by year within kinds of change
    cutoffs: tuple[CutoffEstimate, ...]
    versions: tuple[VersionSpread, ...]
    windows: tuple[TwoWindows, ...] = ()
    twins: tuple[TwinGap, ...] = ()  # of tasks that have one from before a cut-off

    def to_json(self) -> dict[str, Any]:
        return {
            "years": [one.to_json() for one in self.years],
            "cutoff_estimates": [one.to_json() for one in self.cutoffs],
            "version_spread": [one.to_json() for one in self.versions],
            "windows": [one.to_json() for one in self.windows],
            "twins": [one.to_json() for one in self.twins],
        }


def read_gap(text: str) -> timedelta:
    """``90d``, ``12w``, ``6m`` (of 30 days) or ``1y``."""
    found = re.fullmatch(r"\s*(\d{1,5})\s*([dwmy]?)\s*", text.casefold())
    if found is None:
        raise UserError(f"--gap {text}: not a length of time", "Write it in days, like --gap 90d")
    return timedelta(days=int(found[1]) * _DAYS[found[2] or "d"])


def over_time_of(
    runs: Sequence[ObservedRun],
    metrics: Sequence[str] = (),
    cutoff: date | None = None,
    gap: timedelta = timedelta(0),
) -> TimeReport:
    """Every analysis of dates, of each run."""
    dated = [row for run in runs for row in run.observations if "date" in row.facts]
    if not dated:
        raise UserError("no task of these runs has a release date", "Leave out --time and --cutoff")
    known = [one for one in ("change", "category") if any(one in row.facts for row in dated)]
    kinds = [["year"], *([fact, "year"] for fact in known)]
    years = tuple(cross(runs, kind, metrics) for kind in kinds)
    cutoffs, versions, windows, twins = [], [], [], []
    for run in runs:
        judging = _judging(run, metrics)
        twins += twin_gaps(run, judging)
        for measure in judging:
            cutoffs.append(cutoff_estimate(run, measure))
            versions += version_spreads(run, measure)
            if cutoff is not None:
                windows.append(two_windows(run, measure, cutoff, gap))
    return TimeReport(years, tuple(cutoffs), tuple(versions), tuple(windows), tuple(twins))


def _judging(run: ObservedRun, metrics: Sequence[str]) -> list[Measure]:
    """The measures that are shares: those asked for, or what tests and matches say."""
    usual = {"hidden", "compile", "em", "cdc", *(kind.value for kind in TaskKind)}
    return [
        one
        for one in measures_of(run.observations)
        if one.metric not in RATIOS
        and one.metric not in AMOUNTS
        and (one.metric in metrics if metrics else one.metric in usual)
    ]


def _dated(run: ObservedRun, measure: Measure) -> list[Observation]:
    return [row for row in measure.of(run.observations) if "date" in row.facts]


def cutoff_estimate(run: ObservedRun, measure: Measure) -> CutoffEstimate:
    """From when on a run does worse, with its interval; or why that cannot be told."""
    rows = _dated(run, measure)
    means = task_means(rows, measure.metric)
    facts = {row.task_id: row.facts for row in rows}
    dates = sorted({facts[task_id]["date"] for task_id in means})
    if len(means) < FEWEST or len(dates) < 2:  # noqa: PLR2004 - before and after
        why = f"{len(means)} tasks of {len(dates)} release dates are too few to estimate a cut-off"
        return CutoffEstimate(run.label, measure, len(means), why)
    place = {day: at for at, day in enumerate(dates)}
    found = change_point(
        [place[facts[task_id]["date"]] for task_id in means],
        list(means.values()),
        [facts[task_id].get("library", "") for task_id in means],
    )
    if found is None or found.statistic == 0:
        return CutoffEstimate(
            run.label, measure, len(means), "no cut-off: later releases are not done worse"
        )
    day, low, high = (dates[at] for at in (found.position, found.low, found.high))
    if found.p > _SURE:
        told = "no cut-off can be estimated: a drop like this can occur by chance (p "
        f"= {found.p:.2f})"
        return CutoffEstimate(
            run.label, measure, len(means), told, p=found.p, p_within_libraries=found.p_within
        )
    told = f"worse from {day} on (between {low} and {high})"
    if found.p_within > _SURE:
        told += "; but not within libraries: later tasks may be of harder ones"
    return CutoffEstimate(
        run.label, measure, len(means), told, day, low, high, found.before, found.after,
        found.p, found.p_within,
    )  # fmt: skip


def version_spreads(run: ObservedRun, measure: Measure) -> list[VersionSpread]:
    """Of each library with several versions, how far they differ; widest first."""
    libraries: defaultdict[str, defaultdict[str, list[Observation]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in measure.of(run.observations):
        library, version = row.facts.get("library"), release_of(row.facts)
        if library and version and measure.metric in row.values:
            libraries[library][version].append(row)
    found = []
    for library, versions in libraries.items():
        if len(versions) < 2:  # noqa: PLR2004 - one version is not preferred to another
            continue
        ordered = sorted(versions, key=natural)
        rates = tuple((version, measure.rate(versions[version])) for version in ordered)
        values = [one.value for _, one in rates if one.value is not None]
        groups = [list(task_means(versions[name], measure.metric).values()) for name in ordered]
        found.append(
            VersionSpread(
                run.label, measure, library, rates, max(values) - min(values), spread(groups)
            )
        )
    return sorted(found, key=lambda one: (one.p, -one.spread, one.library))


def two_windows(
    run: ObservedRun, measure: Measure, cutoff: date, gap: timedelta = timedelta(0)
) -> TwoWindows:
    """Tasks of releases up to ``cutoff - gap``, and of those after ``cutoff + gap``."""
    until, after = (cutoff - gap).isoformat(), (cutoff + gap).isoformat()
    rows = _dated(run, measure)
    first = [row for row in rows if row.facts["date"] <= until]
    second = [row for row in rows if row.facts["date"] > after]
    outside = {row.task_id for row in (*first, *second)}
    sides = (measure.rate(first), measure.rate(second))
    known = [
        (one.value, one.low, one.high)
        for one in sides
        if one.value is not None and one.low is not None and one.high is not None
    ]
    difference = low = high = p = None
    if len(known) == len(sides):
        difference = known[1][0] - known[0][0]
        low, high = difference_interval(known[0], known[1])
        p = permuted_difference(
            list(task_means(first, measure.metric).values()),
            list(task_means(second, measure.metric).values()),
        )
    return TwoWindows(
        run.label,
        measure,
        until,
        (cutoff + gap + timedelta(days=1)).isoformat(),
        *sides,
        difference,
        low,
        high,
        p,
        len({row.task_id for row in rows} - outside),
    )
