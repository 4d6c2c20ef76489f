"""A table of scores, with what its numbers mean, as people and programs read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from libdrift.analysis.rating import AMOUNTS
from libdrift.metrics.intervals import clustered_interval, varies, wilson
from libdrift.records import Score
from libdrift.records.scores import ANSWERS, BINOMIAL, CLUSTERED, TASKS
from libdrift.reports.sheets import Sheet
from libdrift.showing import counted

_MARK = "*"
_ERRORS = {
    BINOMIAL: "binomial, one outcome per task",
    CLUSTERED: "clustered by task, since answers to one task are not independent",
}
_INTERVALS = "[low, high]: 95 % interval (Wilson), where all tasks have the same rate"


def interval_of(score: Score) -> tuple[float | None, float | None]:
    """The 95 % interval of a score; ``None`` where a run does not say of how many tasks it is."""
    if score.value is None or not score.tasks:
        return None, None
    if score.stderr_kind == BINOMIAL:
        return wilson(round(score.value * score.tasks), score.tasks)
    share = score.metric not in AMOUNTS
    return clustered_interval(score.value, score.stderr, score.tasks, share=share)


def percent(score: Score | None, *, error: bool = True) -> str:
    """A rate as people read it: ``96.4 ± 3.5``; no data is a dash, never a zero.

    Where outcomes do not vary their standard error says nothing: then the interval is shown.
    """
    if score is None or score.value is None:
        return "–"
    scale = 1 if score.metric in AMOUNTS else 100
    about = ""
    low, high = interval_of(score) if error and not varies(score.stderr) else (None, None)
    if low is not None and high is not None:
        about = f" [{scale * low:.1f}, {scale * high:.1f}]"
    elif error and score.stderr is not None:
        about = f" ± {scale * score.stderr:.1f}"
    return f"{scale * score.value:.1f}{about}"


@dataclass(frozen=True, slots=True)
class Row:
    labels: tuple[str, ...]
    scores: tuple[Score | None, ...]

    @property
    def n(self) -> int:
        return max(score.n for score in self.scores if score is not None)

    @property
    def tasks(self) -> int:
        return max(score.tasks for score in self.scores if score is not None)

    @property
    def counts(self) -> str:
        """What its numbers are made of: answers, and tasks where those are fewer."""
        of_answers = any(one is not None and one.n_counts == ANSWERS for one in self.scores)
        apart = of_answers and self.tasks and self.tasks != self.n
        return f"{self.n} ({counted(self.tasks, 'task')})" if apart else str(self.n)


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    labels: tuple[str, ...]  # of the columns before the metrics'
    metrics: tuple[str, ...]
    rows: tuple[Row, ...]
    errors: bool = True  # whether there is room for them
    remarks: tuple[str, ...] = ()  # notes beside those on its numbers

    def values(self, label: str) -> set[str]:
        at = self.labels.index(label)
        return {row.labels[at] for row in self.rows}

    def to_json(self) -> dict[str, Any]:
        rows = []
        for row in self.rows:
            scores = zip(self.metrics, row.scores, strict=True)
            found = {metric: score and _cell(score) for metric, score in scores}
            rows.append({**dict(zip(self.labels, row.labels, strict=True)), **found, "n": row.n})
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}

    def cells(self) -> list[list[str]]:
        """Heading and rows, as people read them; of errors of both kinds, one is marked."""
        head = [*self.labels, *(_heading(metric) for metric in self.metrics), "n"]
        rows = [[*row.labels, *map(self._shown, row.scores), row.counts] for row in self.rows]
        return [head, *rows]

    def _shown(self, score: Score | None) -> str:
        marked = self.errors and len(self._error_kinds) > 1
        clustered = score is not None and score.stderr_kind == CLUSTERED and varies(score.stderr)
        return percent(score, error=self.errors) + (_MARK if marked and clustered else "")

    def sheet(self, runs: Sequence[str] = ()) -> Sheet:
        """As text; several runs are columns under their names."""
        if "run" in self.labels:
            head, rows, labels = self._by_run(runs)
        else:
            head, *rows = self.cells()
            labels = len(self.labels)
        lines = tuple(tuple(row) for row in rows)
        return Sheet(self.title, tuple(head), lines, labels, self.notes, self._records(runs))

    def _by_run(self, runs: Sequence[str]) -> tuple[list[str], list[list[str]], int]:
        at = self.labels.index("run")
        keys = list(dict.fromkeys((*row.labels[:at], *row.labels[at + 1 :]) for row in self.rows))
        found = {row.labels: row for row in self.rows}
        numbers = [str(number) for number in range(1, len(runs) + 1)]
        several = len(self.metrics) > 1
        head = [*self.labels[:at], *self.labels[at + 1 :], *(["metric"] if several else [])]
        labels = len(head)
        rows = []
        for key in keys:
            places = [found.get((*key[:at], number, *key[at:])) for number in numbers]
            counts = dict.fromkeys(row.counts if row else "–" for row in places)
            for column, metric in enumerate(self.metrics):
                shown = [self._shown(row.scores[column] if row else None) for row in places]
                name = [_heading(metric)] if several else []
                rows.append([*key, *name, *shown, " / ".join(counts)])
        return [*head, *runs, "n"], rows, labels

    def _records(self, runs: Sequence[str]) -> tuple[dict[str, object], ...]:
        found = []
        for row in self.rows:
            labels: dict[str, object] = dict(zip(self.labels, row.labels, strict=True))
            if "run" in labels:
                labels["run"] = runs[int(str(labels["run"])) - 1]
            elif runs:
                labels["run"] = runs[0]
            for metric, score in zip(self.metrics, row.scores, strict=True):
                if score is not None:
                    found.append({**labels, "metric": metric, **_cell(score)})
        return tuple(found)

    @property
    def _known(self) -> list[Score]:
        return [score for row in self.rows for score in row.scores if score is not None]

    @property
    def _error_kinds(self) -> set[str]:
        return {score.stderr_kind for score in self._known if varies(score.stderr)} - {""}

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers mean: which standard error stands behind ±, and what n counts.

        Runs of an older libdrift do not say: then nothing is said here.
        """
        kinds = self._error_kinds if self.errors else set()
        found = [_ERRORS[kind] for kind in (BINOMIAL, CLUSTERED) if kind in kinds]
        text = "± standard error: " + f"; {_MARK} ".join(found)
        bare = [one for one in self._known if one.value is not None and not varies(one.stderr)]
        brackets = self.errors and any(interval_of(one)[0] is not None for one in bare)
        what = {score.n_counts for score in self._known} - {""}
        n = f"n counts {', '.join(sorted(what))}"
        if what == {TASKS}:
            n += " that have at least k answers"
        return (
            *([text] if found else []),
            *([_INTERVALS] if brackets else []),
            *([n] if what else []),
            *self.remarks,
        )


def _cell(score: Score) -> dict[str, Any]:
    low, high = interval_of(score)
    return {
        "value": score.value,
        "stderr": score.stderr,
        "stderr_kind": score.stderr_kind,
        "low": low,
        "high": high,
        "n": score.n,
        "n_counts": score.n_counts,
        "tasks": score.tasks or None,
    }


def _heading(metric: str) -> str:
    return metric.removeprefix("cdc_").replace("without", "no").replace("_", " ")
