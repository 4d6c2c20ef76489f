"""Which numbers compare: a metric of programs over all of them, one of texts level by level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from libdrift.analysis.rating import OF_TEXTS, RatedMetric, metrics_of, rated
from libdrift.errors import UserError
from libdrift.records import Observation

_LEVELS = "token line block migrate middle".split()


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric and, of texts, what was asked for: numbers of a token and of a block are apart."""

    metric: str
    level: str = ""

    def __str__(self) -> str:
        return f"{self.level} {self.metric}".strip()

    def of(self, observations: Iterable[Observation]) -> list[Observation]:
        """The answers that it is about."""
        if not self.level:
            return list(observations)
        return [row for row in observations if row.facts.get("level") == self.level]

    def rate(self, observations: Iterable[Observation]) -> RatedMetric:
        return rated(self.of(observations), self.metric)


def measures_of(observations: Sequence[Observation]) -> list[Measure]:
    """All measures that some answer has, programs first, then texts level by level."""
    texts = [row for row in observations if "em" in row.values]
    levels = dict.fromkeys(row.facts.get("level", "") for row in texts)
    ordered = sorted(levels, key=lambda one: (_LEVELS.index(one) if one in _LEVELS else 99, one))
    names = metrics_of(observations)
    found = [Measure(name) for name in names if name not in OF_TEXTS]
    for level in ordered:
        have = metrics_of([row for row in texts if row.facts.get("level", "") == level])
        found += [Measure(name, level) for name in have if name in OF_TEXTS]
    return found


def chosen_measures(observations: Sequence[Observation], asked: Sequence[str]) -> list[Measure]:
    """The measures of some metrics, or all; an unknown one is an error in one line."""
    every = measures_of(observations)
    for name in asked:
        if name not in {one.metric for one in every}:
            known = ", ".join(dict.fromkeys(one.metric for one in every)) or "none"
            raise UserError(f"--metric {name}: no answer has this metric", f"Available: {known}")
    return [one for one in every if not asked or one.metric in asked]
