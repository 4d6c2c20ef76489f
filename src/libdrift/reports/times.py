"""What release dates do to success, as tables of text."""

from __future__ import annotations

from collections.abc import Sequence

from libdrift.analysis.over_time import CutoffEstimate, TimeReport, TwoWindows, VersionSpread
from libdrift.analysis.twin_gaps import TwinGap
from libdrift.reports.comparisons import chance, rate, share
from libdrift.reports.crossed import crossed_tables
from libdrift.reports.sheets import Sheet, without_constant

_LISTED = 20
_ESTIMATED = (
    "one drop against none, by likelihood; between: 95 %, simulated; p: outcomes exchanged over "
    "all dates, and within libraries"
)


def time_sheets(found: TimeReport, runs: Sequence[str]) -> list[Sheet]:
    sheets = [table.sheet(runs) for one in found.years for table in crossed_tables(one)]
    if found.cutoffs:
        sheets.append(_cutoffs(found.cutoffs))
    if found.windows:
        sheets.append(_windows(found.windows))
    if found.twins:
        sheets.append(_twins(found.twins))
    if found.versions:
        sheets.append(_versions(found.versions))
    return [without_constant(sheet, "run") for sheet in sheets]


def _cutoffs(found: Sequence[CutoffEstimate]) -> Sheet:
    rows = []
    for one in found:
        shares = [
            "–" if value is None else f"{100 * value:.1f}" for value in (one.before, one.after)
        ]
        chances = (chance(one.p), chance(one.p_within_libraries))
        rows.append((one.run, str(one.measure), one.told, *shares, *chances, str(one.tasks)))
    return Sheet(
        "knowledge cut-off: from which release date on answers are worse",
        ("run", "metric", "estimate", "before", "after", "p", "p within libraries", "tasks"),
        tuple(rows),
        3,
        (_ESTIMATED,),
        tuple(one.to_json() for one in found),
    )


def _windows(found: Sequence[TwoWindows]) -> Sheet:
    rows = [
        (
            one.run,
            str(one.measure),
            rate(one.before, one.measure),
            rate(one.after, one.measure),
            share(one.difference, one.low, one.high, sign=True),
            chance(one.p),
            f"{one.before.tasks} / {one.after.tasks}",
            str(one.left_out),
        )
        for one in found
    ]
    records = [
        {"run": one.run, "metric": str(one.measure), "window": window, **side.to_json()}
        for one in found
        for window, side in ((f"until {one.until}", one.before), (f"since {one.since}", one.after))
    ]
    first = found[0]
    head = ("run", "metric", "before", "after", "difference", "p", "tasks", "in the gap")
    return Sheet(
        f"releases until {first.until} and since {first.since}",
        head,
        tuple(rows),
        2,
        ("[low, high]: 95 % (Wilson, Newcombe); p: tasks exchanged between the windows",),
        tuple(records),
    )


def _twins(found: Sequence[TwinGap]) -> Sheet:
    rows = [
        (
            one.run,
            one.measure,
            f"{100 * one.before:.1f}",
            f"{100 * one.after:.1f}",
            share(one.value, one.low, one.high, sign=True),
            chance(one.p),
            str(one.pairs),
        )
        for one in found
    ]
    return Sheet(
        "negative control: tasks after a cut-off, and their twins from before it",
        ("run", "metric", "before", "after", "gap", "p", "pairs"),
        tuple(rows),
        2,
        (
            "twins: same package, family and about the length of the reference",
            "[low, high]: 95 % (pairs drawn with replacement); p: McNemar",
        ),
        tuple(one.to_json() for one in found),
    )


def _versions(found: Sequence[VersionSpread]) -> Sheet:
    rows, records = [], []
    for one in found:
        known = [(name, value) for name, value in one.versions if value.value is not None]
        best = max(known, key=lambda item: item[1].value or 0.0)
        worst = min(known, key=lambda item: item[1].value or 0.0)
        ends = [f"{name}: {100 * (value.value or 0.0):.1f}" for name, value in (worst, best)]
        tasks = sum(value.tasks for _, value in one.versions)
        rows.append(
            (
                one.run,
                str(one.measure),
                one.library,
                str(len(one.versions)),
                *ends,
                f"{100 * one.spread:.1f}",
                chance(one.p),
                str(tasks),
            )
        )
        records += [
            {
                "run": one.run,
                "metric": str(one.measure),
                "library": one.library,
                "version": name,
                **value.to_json(),
            }
            for name, value in one.versions
        ]
    others = len(rows) - _LISTED
    return Sheet(
        "bias towards a version: success over the versions of one library",
        ("run", "metric", "library", "versions", "worst", "best", "spread", "p", "tasks"),
        tuple(rows[:_LISTED]),
        3,
        (
            "p: tasks exchanged between the versions of a library",
            *([f"… and {others} more libraries, which differ less surely"] if others > 0 else []),
        ),
        tuple(records),
    )
