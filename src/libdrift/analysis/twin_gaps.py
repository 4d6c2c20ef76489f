"""Tasks after a cut-off against their twins from before it: the gap that dates leave.

Twins are of one package, one family and about one length. The difference is paired: its interval is
of pairs drawn with replacement, its test McNemar's exact one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from libdrift.analysis.comparing import paired_interval, task_means
from libdrift.analysis.measuring import Measure
from libdrift.analysis.observing import ObservedRun
from libdrift.metrics.paired import mcnemar, signs

ALL = "all families"


@dataclass(frozen=True, slots=True)
class TwinGap:
    run: str
    measure: str
    pairs: int  # of which both have an answer
    before: float
    after: float
    value: float  # after less before
    low: float | None
    high: float | None
    p: float

    def to_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "measure": self.measure,
            "pairs": self.pairs,
            "before": self.before,
            "after": self.after,
            "gap": self.value,
            "low": self.low,
            "high": self.high,
            "p": self.p,
        }


def twin_gaps(run: ObservedRun, measures: Sequence[Measure]) -> list[TwinGap]:
    """By each measure, and over all of them where there are several; nothing without twins."""
    twins = {row.task_id: row.facts["twin"] for row in run.observations if "twin" in row.facts}
    every: list[tuple[float, float]] = []
    found: list[TwinGap] = []
    for measure in measures:
        means = task_means(measure.of(run.observations), measure.metric)
        pairs = [
            (means[twin], means[task_id])
            for task_id, twin in twins.items()
            if task_id in means and twin in means
        ]
        every += pairs
        if pairs:
            found.append(_gap(run.label, str(measure), pairs))
    if len(found) > 1:
        found.append(_gap(run.label, ALL, every))
    return found


def _gap(run: str, measure: str, pairs: Sequence[tuple[float, float]]) -> TwinGap:
    differences = [after - before for before, after in pairs]
    low, high = paired_interval(pairs)
    return TwinGap(
        run,
        measure,
        len(pairs),
        sum(before for before, _ in pairs) / len(pairs),
        sum(after for _, after in pairs) / len(pairs),
        sum(differences) / len(pairs),
        low,
        high,
        mcnemar(*signs(differences)),
    )
