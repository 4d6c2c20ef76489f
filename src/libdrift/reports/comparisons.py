"""Runs beside one another, and metrics that go together, as tables of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libdrift.analysis.comparing import MeasuredRuns, PairedDifference, RunComparison
from libdrift.analysis.correlating import Correlations, MetricCorrelation
from libdrift.analysis.measuring import Measure
from libdrift.analysis.rating import AMOUNTS, RatedMetric
from libdrift.metrics.correlation import Correlation
from libdrift.reports.sheets import Sheet, without_constant

_TESTED = (
    "p: McNemar's exact test on the tasks that only one run solves (of several answers a task, or "
    "of values between 0 and 1: tasks that are better in one than in the other)"
)
_DRAWN = "[low, high]: 95 %, tasks drawn with replacement; of few, Student's t"
_SOLVED = "a task is solved if at least half of its answers are right"


def comparison_sheets(found: RunComparison, discordant: int = 0) -> list[Sheet]:
    """Every table of a comparison; of the discordant tasks so many."""
    if not found.measured:
        return []
    sheets = [_side_by_side(found)]
    for group in (False, True):
        sheets += _differences(found, by_group=group)
    sheets += [sheet for one in found.measured if (sheet := _agreement(one)) is not None]
    if found.gaps:
        sheets.append(_gaps(found))
    if discordant:
        sheets += [
            _discordant(found.runs, one, discordant) for one in found.measured if one.discordant
        ]
    return sheets


def share(value: float | None, low: float | None, high: float | None, *, sign: bool = False) -> str:
    """``62.5 [30.6, 86.3]``, in per cent; with ``sign`` a difference: ``+3.1 [-2.0, +8.4]``."""
    return _number(value, low, high, scale=100, sign=sign)


def _number(
    value: float | None, low: float | None, high: float | None, *, scale: int, sign: bool
) -> str:
    if value is None:
        return "–"
    form = "+.1f" if sign else ".1f"
    told = f"{scale * value:{form}}"
    if low is not None and high is not None:
        told += f" [{scale * low:{form}}, {scale * high:{form}}]"
    return told


def rate(one: RatedMetric, measure: Measure) -> str:
    scale = 1 if measure.metric in AMOUNTS else 100
    return _number(one.value, one.low, one.high, scale=scale, sign=False)


def chance(p: float | None) -> str:
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 - three places


def _side_by_side(found: RunComparison) -> Sheet:
    rows, records = [], []
    for one in found.measured:
        rates = [rate(value, one.measure) for value in one.rated]
        answers = {value.answers for value in one.rated}
        told = " / ".join(map(str, sorted(answers)))
        tasks = f"{one.common} of {one.union}"
        rows.append((str(one.measure), *rates, tasks, told))
        records += [
            {"run": run, "metric": str(one.measure), **value.to_json()}
            for run, value in zip(found.runs, one.rated, strict=True)
        ]
    return Sheet(
        "on the tasks that every run answered",
        ("metric", *found.runs, "tasks", "answers"),
        tuple(rows),
        1,
        ("[low, high]: 95 % interval",),
        tuple(records),
    )


def _differences(found: RunComparison, *, by_group: bool) -> list[Sheet]:
    every = [
        one
        for measured in found.measured
        for one in measured.differences
        if (one.group != "all") is by_group
    ]
    if not every:
        return []
    several = len(found.runs) > 2  # noqa: PLR2004 - of two runs there is one pair
    pair = ("second", "first") if several else ()
    head = (*(("group",) if by_group else ()), "metric", *pair)
    rows = [_difference_row(one, by_group=by_group, several=several) for one in every]
    title = "difference, by group" if by_group else "difference"
    what = "second minus first" if several else f"{found.runs[1]} minus {found.runs[0]}"
    return [
        Sheet(
            f"{title}: {what}",
            (*head, "difference", "better", "worse", "p", "tasks"),
            tuple(rows),
            len(head),
            (_DRAWN, _TESTED),
            tuple(one.to_json() for one in every),
        )
    ]


def _difference_row(one: PairedDifference, *, by_group: bool, several: bool) -> tuple[str, ...]:
    scale = 1 if one.measure.metric in AMOUNTS else 100
    return (
        *((one.group,) if by_group else ()),
        str(one.measure),
        *((one.second, one.first) if several else ()),
        _number(one.value, one.low, one.high, scale=scale, sign=True),
        str(one.second_better),
        str(one.first_better),
        chance(one.p),
        str(one.tasks),
    )


def _agreement(one: MeasuredRuns) -> Sheet | None:
    if not one.agreements:
        return None
    rows, records = [], []
    for first, second, found in one.agreements:
        kappa = "–" if found.kappa is None else f"{found.kappa:.2f}"
        counts = (found.both, found.first, found.second, found.neither)
        rows.append((first, second, *map(str, counts), kappa))
        records.append({"first": first, "second": second, **found.to_json()})
    return Sheet(
        f"agreement on tasks: {one.measure}",
        ("first", "second", "both", "only first", "only second", "none", "kappa"),
        tuple(rows),
        2,
        (_SOLVED,),
        tuple(records),
    )


def _gaps(found: RunComparison) -> Sheet:
    rows = [
        (
            gap.run,
            f"{100 * gap.visible:.1f}",
            f"{100 * gap.hidden:.1f}",
            share(gap.value, gap.low, gap.high, sign=True),
            str(gap.tasks),
        )
        for gap in found.gaps
    ]
    return Sheet(
        "visible tests against hidden ones, on each run's own tasks",
        ("run", "visible", "hidden", "gap", "tasks"),
        tuple(rows),
        1,
        (_DRAWN,),
        tuple(gap.to_json() for gap in found.gaps),
    )


def _discordant(runs: Sequence[str], one: MeasuredRuns, limit: int) -> Sheet:
    shown = one.discordant[:limit]
    rows = []
    for task in shown:
        cells = [
            f"{100 * value:.0f}" + (f" ({error})" if error and value < 1 else "")
            for value, error in zip(task.shares, task.errors, strict=True)
        ]
        rows.append((task.task_id, f"{task.library} {task.version}".strip(), *cells))
    others = len(one.discordant) - len(shown)
    return Sheet(
        f"tasks that only some runs solve: {one.measure}",
        ("task", "library", *runs),
        tuple(rows),
        2,
        ("per cent of answers that are right", *([f"… and {others} more"] if others else [])),
        tuple(task.to_json(runs) for task in shown),
    )


def correlation_sheets(found: Correlations) -> list[Sheet]:
    parts = (
        ("correlation of metrics over the tasks of a run", found.within),
        ("correlation of metrics over runs", found.across),
        ("correlation with the leaderboard, over runs", found.leaderboard),
    )
    sheets = [_correlated(title, part) for title, part in parts if part]
    if found.unmatched and sheets:
        note = f"not on the leaderboard: {', '.join(found.unmatched)}"
        sheets[-1] = replace(sheets[-1], notes=(*sheets[-1].notes, note))
    return sheets


def _correlated(title: str, part: Sequence[MetricCorrelation]) -> Sheet:
    rows = [
        (one.over, one.first, one.second, _r(one.pearson), _r(one.spearman), str(one.n))
        for one in part
    ]
    found = Sheet(
        title,
        ("over", "first", "second", "Pearson", "Spearman", "n"),
        tuple(rows),
        3,
        ("[low, high]: 95 % (Fisher); –: one of the two does not vary, or there are too few",),
        tuple(record for one in part for record in _records(one)),
    )
    return without_constant(found, "over")


def _r(found: Correlation | None) -> str:
    if found is None:
        return "–"
    about = ""
    if found.low is not None and found.high is not None:
        about = f" [{found.low:.2f}, {found.high:.2f}]"
    return f"{found.value:.2f}{about}, p {chance(found.p)}"


def _records(one: MetricCorrelation) -> list[dict[str, object]]:
    told = one.to_json()
    names = ("over", "first", "second", "n")
    return [
        {**{name: told[name] for name in names}, "metric": kind, **told[kind]}
        for kind in ("pearson", "spearman")
        if told[kind] is not None
    ]
