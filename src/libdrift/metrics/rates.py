"""Success rates with their standard errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from libdrift.metrics.at_k import pass_at_k
from libdrift.metrics.uncertainty import binomial_error, clustered_error
from libdrift.records.scores import ANSWERS, BINOMIAL, CLUSTERED, TASKS, Score


@dataclass(frozen=True, slots=True)
class Rate:
    value: float | None
    stderr: float | None
    n: int
    stderr_kind: str = CLUSTERED  # what the standard error is
    n_counts: str = ANSWERS  # what n counts
    tasks: int = 0

    def score(self, metric: str, split: str = "", group: str = "all") -> Score:
        """The rate as a run keeps it."""
        kind = "" if self.stderr is None else self.stderr_kind
        return Score(
            metric, self.value, self.stderr, self.n, split, group, kind, self.n_counts, self.tasks
        )


def success_rate(outcomes: Mapping[str, Sequence[bool]]) -> Rate:
    """Mean over tasks of the share of a task's samples that passed (pass@1), and its error.

    With one sample a task the standard error is binomial, sqrt(p(1-p)/n). With several it is
    that of the mean over tasks, s/sqrt(tasks), since samples of one task are not independent.
    ``n`` counts samples. No samples: ``None``, not 0.
    """
    shares = [sum(passed) / len(passed) for passed in outcomes.values() if passed]
    n = sum(len(passed) for passed in outcomes.values())
    if not shares:
        return Rate(None, None, 0)
    mean = sum(shares) / len(shares)
    if n == len(shares):
        return Rate(mean, binomial_error(round(sum(shares)), n), n, BINOMIAL, tasks=n)
    return Rate(mean, clustered_error([share] for share in shares), n, tasks=len(shares))


def rate_at_k(outcomes: Mapping[str, Sequence[bool]], k: int) -> Rate:
    """pass@k: the mean over tasks with at least ``k`` samples; ``n`` counts those tasks."""
    chances = [
        pass_at_k(len(passed), sum(passed), k) for passed in outcomes.values() if len(passed) >= k
    ]
    if not chances:
        return Rate(None, None, 0, n_counts=TASKS)
    n = len(chances)
    mean = sum(chances) / n
    if all(chance in {0.0, 1.0} for chance in chances):
        return Rate(mean, binomial_error(round(sum(chances)), n), n, BINOMIAL, TASKS, n)
    error = clustered_error([chance] for chance in chances)
    return Rate(mean, error, n, n_counts=TASKS, tasks=n)
