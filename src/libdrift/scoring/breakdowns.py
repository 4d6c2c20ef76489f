"""Scores of tasks that are judged by their text, over all of them and by group.

From sums alone: as many tasks as there are, in the memory of the groups they fall in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from libdrift.metrics.identifiers import Tally
from libdrift.metrics.modes import Mode
from libdrift.metrics.rates import Rate
from libdrift.metrics.uncertainty import RatioSums
from libdrift.records import Score, Task
from libdrift.scoring.groups import groups, level
from libdrift.scoring.text_scores import AtK, Graded


class Breakdown:
    def __init__(self, at: AtK, cutoff: date | None = None) -> None:
        self.at = at
        self._cutoff = cutoff
        self._means: dict[tuple[str, str], _Means] = {}
        self._tallies: dict[tuple[str, str], Tally] = {}

    def add(self, task: Task, samples: Sequence[Graded]) -> None:
        """All answers to one task."""
        values = self.at.values(samples)
        # The rules of the critical difference are of use over all tasks, and many.
        few = {metric: value for metric, value in values.items() if "_" not in metric}
        expressions = [one.expression for one in samples if one.expression is not None]
        what = level(task)
        for group in groups(task, self._cutoff):
            key = (what, group)
            if expressions:
                if key not in self._tallies:
                    self._tallies[key] = Tally(self.at.mode)
                self._tallies[key].add(expressions)
            else:
                if key not in self._means:
                    self._means[key] = _Means()
                self._means[key].add(values if group == "all" else few, len(samples))

    def scores(self) -> Iterator[Score]:
        for (what, group), means in self._means.items():
            for metric, sums in means.sums.items():
                rate = Rate(sums.value, sums.stderr, means.samples[metric], tasks=sums.clusters)
                yield rate.score(metric, what, group)
        for (what, group), tally in self._tallies.items():
            for metric, rate in _figures(tally):
                yield self._score(metric, rate, what, group)

    def _score(self, metric: str, rate: Rate, what: str, group: str) -> Score:
        """Fractions, also of what is released in per cent."""
        if self.at.mode is Mode.RELEASED:
            value = None if rate.value is None else round(rate.value / 100, 15)
            error = None if rate.stderr is None else rate.stderr / 100
            rate = replace(rate, value=value, stderr=error)
        return rate.score(metric, what, group)


class _Means:
    """Means over tasks: samples of one task are not independent."""

    def __init__(self) -> None:
        self.sums: dict[str, RatioSums] = {}
        self.samples: dict[str, int] = {}

    def add(self, values: dict[str, float], samples: int) -> None:
        for metric, value in values.items():
            sums = self.sums.get(metric)
            if sums is None:
                sums = self.sums[metric] = RatioSums()
            sums.add(value, 1.0)
            self.samples[metric] = self.samples.get(metric, 0) + samples


def _figures(tally: Tally) -> list[tuple[str, Rate]]:
    micro, macro = tally.micro(), tally.macro()
    return [
        ("f1", micro.f1),
        ("precision", micro.precision),
        ("recall", micro.recall),
        ("f1_macro", macro.f1),
        ("em", micro.em),
        ("id_em", micro.id_em),
        ("edit_similarity", micro.similarity),
    ]
