"""The tables of one or several runs, broken down as the papers do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

from libdrift.errors import UserError
from libdrift.records import Score
from libdrift.reports.summary import percent

# What a breakdown is called, in the order of the papers' tables.
DIMENSIONS = {
    "source": "source of the code",
    "category": "kind of change",
    "change": "kind of change, in libdrift's words",
    "lifecycle": "what the version did to the API",
    "access": "direct and indirect use",
    "scenario": "controlled and realistic",
    "step": "major and minor versions of a migration",
    "direction": "direction of a migration",
    "language": "language",
    "year": "year of the release",
    "library": "library",
    "version": "version",
}
_LEVELS = ("token", "line", "block", "migrate", "middle", "hidden", "visible")
_RULES = ("core token", "compiles", "arguments", "with", "keywords")
# What stands side by side: the metrics of one table, and whether they are of k samples.
_COMPLETIONS = ("em", "ism", "pm", "cdc")
_FAMILIES = (
    ("completions and migrations", _COMPLETIONS, True),
    ("identifiers of the API expression", ("f1", "precision", "recall", "f1_macro"), False),
    ("text of the API expression", ("em", "id_em", "edit_similarity"), False),
    ("tests", ("success_rate",), False),
    ("API hit rate", ("api_hit_rate", "api_hit_rate_released"), False),
)
# What breakdowns show: the first k, and no more groups than can be read.
_BROKEN_DOWN = (_FAMILIES[0], _FAMILIES[1], _FAMILIES[3])
_MANY = 40


@dataclass(frozen=True)
class Run:
    name: str
    suite: str
    mode: str
    scores: tuple[Score, ...]

    @cached_property
    def _by_key(self) -> dict[tuple[str, str, str], Score]:
        return {(score.metric, score.split, score.group): score for score in self.scores}

    def find(self, metric: str, level: str, group: str) -> Score | None:
        return self._by_key.get((metric, level, group))


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_run(path: Path) -> Run:
    """A run from its folder."""
    file = path / "run.json" if path.is_dir() else path
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        listed = content["summary"]["scores"]
        scores = tuple(Score(**score) for score in listed)
        return Run(path.resolve().name, content["suite"], content.get("mode", ""), scores)
    except OSError as error:
        raise UserError(
            f"{path} is not a run: {error.strerror}",
            "Give the folder that `libdrift score` printed",
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"{path} has no scores: the run is not finished",
            "The `libdrift score` command that made it goes on where it was stopped",
        ) from error


def tables(runs: Sequence[Run], dimensions: Iterable[str] = ()) -> list[Table]:
    """All tasks first, then a table a dimension that tells tasks apart, then the CDC rules.

    Runs are named by their numbers, from 1 on.
    """
    chosen = tuple(dimensions)
    found = [] if chosen else whole(runs)
    for name in chosen or DIMENSIONS:
        found += _by(runs, name, asked=bool(chosen))
    if not chosen:
        found += _critical(runs, "cdc_rule_", "critical difference: each rule alone", "")
        title = "critical difference: leaving one rule out"
        found += _critical(runs, "cdc_without_", title, "no ")
    return found


def whole(runs: Sequence[Run]) -> list[Table]:
    """Over all tasks, a table for each family of metrics."""
    return [table for family in _FAMILIES for table in _family(runs, family, "", ["all"])]


def _by(runs: Sequence[Run], name: str, *, asked: bool) -> list[Table]:
    prefix = f"{name}="
    found = {s.group for run in runs for s in run.scores if s.group.startswith(prefix)}
    # A change is told by its category already, and long lists are for those who ask.
    if not asked and (len(found) < 2 or len(found) > _MANY or name == "change"):  # noqa: PLR2004
        return []
    groups = sorted(found, key=_natural)
    return [table for family in _BROKEN_DOWN for table in _family(runs, family, name, groups)]


def _family(
    runs: Sequence[Run],
    family: tuple[str, tuple[str, ...], bool],
    dimension: str,
    groups: Sequence[str],
) -> list[Table]:
    title, metrics, of_k = family
    ks = _ks(runs) if of_k else [""]
    rows = []
    for level, k, group in product(_levels(runs), ks[:1] if dimension else ks, groups):
        names = [f"{metric}@{k}" if of_k else metric for metric in metrics]
        label = group.partition("=")[2] if dimension else ""
        for number, run in enumerate(runs, start=1):
            cells = _cells(run, level, group, names)
            if cells[-1] != "–":
                rows.append((level, k, label, str(number), *cells))
    if dimension:
        title = f"{title}, by {DIMENSIONS[dimension]}"
    columns = ("level", "k", dimension, "run", *(name.replace("_", " ") for name in metrics), "n")
    return [_table(title, columns, rows)] if rows else []


def _critical(runs: Sequence[Run], prefix: str, title: str, word: str) -> list[Table]:
    rows = []
    for level, k in product(_levels(runs), _ks(runs)):
        names = [f"cdc@{k}", *(f"{prefix}{rule}@{k}" for rule in range(1, 6))]
        for number, run in enumerate(runs, start=1):
            cells = _cells(run, level, "all", names, errors=False)
            if cells[-1] != "–":
                rows.append((level, k, str(number), *cells))
    columns = ("level", "k", "run", "all five", *(word + rule for rule in _RULES), "n")
    return [_table(title, columns, rows)] if rows else []


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Without columns that say nothing: one run, one k, no value in any row."""
    kept = [
        position
        for position, name in enumerate(columns)
        if {row[position] for row in rows} != {"–"}
        and (name not in {"", "run", "k"} or len({row[position] for row in rows}) > 1)
    ]
    return Table(
        title,
        tuple(columns[position] for position in kept),
        tuple(tuple(row[position] for position in kept) for row in rows),
    )


def _cells(
    run: Run, level: str, group: str, metrics: Sequence[str], *, errors: bool = True
) -> list[str]:
    found = [run.find(metric, level, group) for metric in metrics]
    counts = [score.n for score in found if score is not None]
    values = [percent(score, error=errors) for score in found]
    return [*values, str(max(counts)) if counts else "–"]


def _levels(runs: Sequence[Run]) -> list[str]:
    found = dict.fromkeys(score.split for run in runs for score in run.scores)
    return sorted(found, key=lambda name: (_LEVELS.index(name) if name in _LEVELS else 99, name))


def _ks(runs: Sequence[Run]) -> list[str]:
    metrics = {score.metric for run in runs for score in run.scores if "@" in score.metric}
    return sorted({metric.partition("@")[2] for metric in metrics}, key=int)


def _natural(group: str) -> tuple[object, ...]:
    """Version 1.9 stands before 1.10."""
    words = group.replace(".", " ").split()
    return tuple((0, int(word), "") if word.isdecimal() else (1, 0, word) for word in words)
