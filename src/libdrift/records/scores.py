from __future__ import annotations

from dataclasses import dataclass

# sqrt(p (1 - p) / n), of outcomes that are independent: one for each task.
BINOMIAL = "binomial"
# s / sqrt(tasks): answers to one task depend on one another, tasks do not.
CLUSTERED = "clustered"
ANSWERS, TASKS = "answers", "tasks"


@dataclass(frozen=True, slots=True)
class Score:
    """A number that can be trusted: no data is ``None``, never 0."""

    metric: str
    value: float | None
    stderr: float | None
    n: int
    split: str = ""
    group: str = "all"
    stderr_kind: str = (
        ""  # what the standard error is: BINOMIAL or CLUSTERED; empty where there is none
    )
    n_counts: str = ""  # what n counts: ANSWERS or TASKS
    tasks: int = 0  # that the answers are to; 0 where a run of an older libdrift does not say
