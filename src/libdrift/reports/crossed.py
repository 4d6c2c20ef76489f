"""Breakdowns by several facts, as the same tables of scores as others."""

from __future__ import annotations

from itertools import compress

from libdrift.analysis.crossing import CrossedBreakdown
from libdrift.analysis.rating import NOTHING, RatedMetric
from libdrift.records import Score
from libdrift.records.scores import ANSWERS
from libdrift.reports.score_tables import Row, Table
from libdrift.showing import counted


def crossed_tables(found: CrossedBreakdown) -> list[Table]:
    """A table for programs, and one for each level of texts: those do not compare."""
    levels = dict.fromkeys(measure.level for measure in found.measures)
    return [table for level in levels if (table := _table(found, level)) is not None]


def _table(found: CrossedBreakdown, level: str) -> Table | None:
    mine = [measure.level == level for measure in found.measures]
    metrics = [measure.metric for measure in compress(found.measures, mine)]
    several = len(found.runs) > 1
    rows = []
    for row in found.rows:
        for number, rates in enumerate(row.rated, start=1):
            scores = tuple(
                _score(rate, metric, level)
                for rate, metric in zip(compress(rates, mine), metrics, strict=True)
            )
            if any(score is not None for score in scores):
                labels = (*row.values, *([str(number)] if several else []))
                rows.append(Row(labels, scores))
    if not rows:
        return None
    by = f"by {' and '.join(found.facts)}" if found.facts else "all answers"
    labels = (*found.facts, *(["run"] if several else []))
    has = [any(row.scores[at] is not None for row in rows) for at in range(len(metrics))]
    return Table(
        f"{level}: {by}" if level else by,
        labels,
        tuple(compress(metrics, has)),
        tuple(Row(row.labels, tuple(compress(row.scores, has))) for row in rows),
        remarks=_remarks(found),
    )


def _score(rate: RatedMetric, metric: str, level: str) -> Score | None:
    if rate is NOTHING or rate.value is None:
        return None
    return Score(
        metric, rate.value, rate.stderr, rate.answers, level, "", rate.stderr_kind, ANSWERS,
        rate.tasks,
    )  # fmt: skip


def _remarks(found: CrossedBreakdown) -> tuple[str, ...]:
    unknown = sum(found.unknown)
    if not unknown:
        return ()
    facts = " or ".join(found.facts)
    return (f"{counted(unknown, 'answer')} of unknown {facts} in no row",)
