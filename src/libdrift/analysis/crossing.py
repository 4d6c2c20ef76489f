"""Numbers by one, two or three facts at once: by library and year, by difficulty and error."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from libdrift.analysis.measuring import Measure, chosen_measures
from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.rating import NOTHING, RatedMetric, rated_values
from libdrift.analysis.selecting import check_fact, facts_of_all, natural, value_of
from libdrift.errors import UserError
from libdrift.records import Observation, TaskKind

MOST_FACTS = 3
# What became of an answer is no group that answers can do well or badly in: of these the share of
# all answers is told.
RESULTS = frozenset({"error", "outcome"})
SHARE = Measure("share")
_NOT_RUN = frozenset({TaskKind.LOCATE.value, TaskKind.EXPLAIN.value})


@dataclass(frozen=True, slots=True)
class CrossedRow:
    """A group of answers: the values of the facts, and per run each measure."""

    values: tuple[str, ...]
    rated: tuple[tuple[RatedMetric, ...], ...]  # run by run, in the order of the measures


@dataclass(frozen=True, slots=True)
class CrossedBreakdown:
    facts: tuple[str, ...]
    runs: tuple[str, ...]  # their labels
    measures: tuple[Measure, ...]
    rows: tuple[CrossedRow, ...]
    unknown: tuple[int, ...] = ()  # by run: answers of which not all of the facts are known

    def to_json(self) -> dict[str, Any]:
        return {
            "by": list(self.facts),
            "rows": [
                {
                    **dict(zip(self.facts, row.values, strict=True)),
                    "runs": {
                        run: {
                            str(measure): one.to_json()
                            for measure, one in zip(self.measures, found, strict=True)
                            if one is not NOTHING
                        }
                        for run, found in zip(self.runs, row.rated, strict=True)
                    },
                }
                for row in self.rows
            ],
            "unknown": dict(zip(self.runs, self.unknown, strict=True)),
        }


def facts_asked(text: str) -> tuple[str, ...]:
    """``library,year`` as facts; an error in one line where they are too many, or none."""
    names = tuple(name for part in text.split(",") if (name := part.strip().casefold()))
    if not names or len(names) > MOST_FACTS or len(set(names)) < len(names):
        raise UserError(
            f"--by {text}: must be one to {MOST_FACTS} facts",
            "Separate them with commas, like --by library,year",
        )
    return names


def tasks_facts(runs: Sequence[ObservedRun]) -> set[str]:
    """The facts that are of tasks, and not of what became of an answer."""
    every = facts_of_all(row for run in runs for row in run.observations)
    return set(every) - RESULTS - {"proof", "run", "task"}


def cross(
    runs: Sequence[ObservedRun], facts: Sequence[str], metrics: Sequence[str] = ()
) -> CrossedBreakdown:
    """Every measure of every run, by the values of some facts. Without facts: over all answers."""
    every = [row for run in runs for row in run.observations]
    known = facts_of_all(every)
    for fact in facts:
        check_fact(fact, known, "--by")
    results = [fact for fact in facts if fact in RESULTS]
    if results:
        return _shares(runs, facts, results)
    measures = chosen_measures(every, metrics)
    grouped = [_grouped(run.observations, facts) for run in runs]
    found: dict[tuple[str, ...], None] = {}
    for groups, _ in grouped:
        found |= dict.fromkeys(groups)
    rows = [
        CrossedRow(
            values,
            tuple(
                tuple(measure.rate(groups.get(values, ())) for measure in measures)
                for groups, _ in grouped
            ),
        )
        for values in sorted(found, key=_order)
    ]
    return CrossedBreakdown(
        tuple(facts),
        tuple(run.label for run in runs),
        tuple(measures),
        tuple(rows),
        tuple(unknown for _, unknown in grouped),
    )


def _order(values: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(natural(value) for value in values)


def _grouped(
    observations: Sequence[Observation], facts: Sequence[str]
) -> tuple[dict[tuple[str, ...], list[Observation]], int]:
    found: defaultdict[tuple[str, ...], list[Observation]] = defaultdict(list)
    unknown = 0
    for row in observations:
        values = tuple(value_of(row, fact) for fact in facts)
        known = tuple(value for value in values if value is not None)
        if len(known) == len(values):
            found[known].append(row)
        else:
            unknown += 1
    return dict(found), unknown


def _shares(
    runs: Sequence[ObservedRun], facts: Sequence[str], results: Sequence[str]
) -> CrossedBreakdown:
    """Of the answers in each group of the other facts, the share with each error or outcome."""
    others = [fact for fact in facts if fact not in results]
    tables = [_shares_of(run.observations, facts, others) for run in runs]
    found: dict[tuple[str, ...], None] = {}
    for table, _ in tables:
        found |= dict.fromkeys(table)
    rows = [
        CrossedRow(values, tuple((table.get(values, NOTHING),) for table, _ in tables))
        for values in sorted(found, key=_order)
    ]
    return CrossedBreakdown(
        tuple(facts),
        tuple(run.label for run in runs),
        (SHARE,),
        tuple(rows),
        tuple(unknown for _, unknown in tables),
    )


def _shares_of(
    observations: Sequence[Observation], facts: Sequence[str], others: Sequence[str]
) -> tuple[dict[tuple[str, ...], RatedMetric], int]:
    graded = [row for row in observations if row.outcome.graded]
    if "error" in facts:  # of answers that are run
        graded = [row for row in graded if row.facts.get("kind") not in _NOT_RUN]
    groups, unknown = _grouped(graded, others)
    found = {}
    for group, rows in groups.items():
        counts = Counter(_all_values(row, facts) for row in rows)
        for values in counts:
            if values is None:  # a pass has no error
                continue
            of_task: defaultdict[str, list[float]] = defaultdict(list)
            for row in rows:
                of_task[row.task_id].append(float(_all_values(row, facts) == values))
            found[values] = rated_values(of_task)
        del group
    return found, unknown


def _all_values(row: Observation, facts: Sequence[str]) -> tuple[str, ...] | None:
    values = tuple(value_of(row, fact) for fact in facts)
    known = tuple(value for value in values if value is not None)
    return known if len(known) == len(values) else None
