"""The tables of one or several runs, broken down as the papers do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, product
from pathlib import Path

import msgspec

from libdrift.analysis.run_files import label_of
from libdrift.errors import UserError
from libdrift.execution.runs import SCHEMA_VERSION, command_of, not_a_run, why_not
from libdrift.metrics.critical_diff import COUNT
from libdrift.records import UNPROVEN, Score
from libdrift.records.scores import TASKS
from libdrift.reports.score_tables import Row, Table

# What a breakdown is called, in the order of the papers' tables.
DIMENSIONS = {
    "source": "source of the code",
    "part": "difficulty and direction",
    "verified part": "difficulty and direction, of verified tasks",
    "difficulty": "difficulty",
    "error": "class of error",
    "cutoff": "released up to the cut-off date, and after",
    "origin": "standard library and crates",
    "category": "kind of change",
    "change": "kind of change, in libdrift's words",
    "lifecycle": "what the version did to the API",
    "access": "direct and indirect use",
    "scenario": "controlled and realistic",
    "step": "major and minor versions of a migration",
    "direction": "direction of a migration",
    "language": "language",
    "level": "level",
    "year": "year of the release",
    "library": "library",
    "version": "version",
    "proof": "how a pass is proven",
}
_LEVELS = "token line block locate explain migrate compile middle hidden visible".split()
_RULES = "rules: 1 core token, 2 compiles, 3 arguments, 4 with, 5 keywords"


@dataclass(frozen=True, slots=True)
class _Family:
    """Metrics that stand side by side, and whether they are of k samples."""

    title: str
    metrics: tuple[str, ...]
    of_k: bool = False
    broken_down: bool = True


_FAMILIES = (
    _Family("EM, ISM, PM, CDC", ("em", "ism", "pm", "cdc"), of_k=True),
    _Family("identifiers of the API expression", ("f1", "precision", "recall", "f1_macro")),
    _Family("text of the API expression", ("em", "id_em", "edit_similarity"), broken_down=False),
    _Family("tests", ("success_rate",)),
    _Family("pass@k", ("pass",), of_k=True),
    _Family("coverage and use of the API", ("coverage", "api_usage", "api_usage_released")),
    _Family("answers that fail", ("error_rate",)),
    _Family("API hit rate", ("api_hit_rate", "api_hit_rate_released"), broken_down=False),
)
_CRITICAL = (
    _Family(
        f"CDC, each rule alone ({_RULES})",
        ("cdc", *(f"cdc_rule_{rule}" for rule in range(1, COUNT + 1))),
        of_k=True,
    ),
    _Family(
        "CDC, leaving one rule out",
        ("cdc", *(f"cdc_without_{rule}" for rule in range(1, COUNT + 1))),
        of_k=True,
    ),
)
# Long lists, and what another breakdown says already, are for those who ask.
_ON_DEMAND = frozenset({"change", "level", "library", "version"})


# What can be wrong with a file that anybody may have written; msgspec's own is a ValueError.
_MALFORMED = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)


@dataclass(frozen=True)
class ReportedRun:
    name: str
    suite: str
    mode: str
    scores: tuple[Score, ...]
    asked: str = ""  # model and strategy, where models were asked
    tasks: int = 0
    label: str = ""  # what it is called beside others

    @cached_property
    def _by_key(self) -> dict[tuple[str, str, str], Score]:
        return {(score.metric, score.split, score.group): score for score in self.scores}

    def find(self, metric: str, level: str, group: str) -> Score | None:
        found = self._by_key.get((metric, level, group))
        if found is None and metric == "pass@1":  # of one answer a task it is the success rate
            rate = self._by_key.get(("success_rate", level, group))
            if rate is not None:
                n, what = (rate.tasks, TASKS) if rate.tasks else (rate.n, rate.n_counts)
                found = replace(rate, metric=metric, n=n, n_counts=what)
        return found


def read_run(path: Path) -> ReportedRun:
    """A run from its folder."""
    file = path / "run.json" if path.is_dir() else path
    name = path.resolve().name
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        suite, summary = str(content["suite"]), content.get("summary")
        written = content.get("schema_version", SCHEMA_VERSION)
        found = () if summary is None else summary.get("scores")
        scores = () if found is None else msgspec.convert(found, tuple[Score, ...])
        asked = ", ".join(filter(None, (content.get("model"), (summary or {}).get("strategy"))))
        tasks = int((summary or {}).get("tasks", 0))
        mode = str(content.get("mode", ""))
    except _MALFORMED as error:
        raise not_a_run(path, why_not(path, error)) from error
    if written != SCHEMA_VERSION:
        raise UserError(
            f"{path} was written by another version of libdrift (schema {written})",
            f"Read it with that version, or run it again: {command_of(content)}",
        )
    if summary is None:
        raise UserError(
            f"{path} is not finished",
            f"To resume where it stopped, run: {command_of(content)}",
        )
    if found is None:
        raise UserError(
            f"{path} has no answers",
            f"To ask for missing answers again, run: {command_of(content)}",
        )
    return ReportedRun(name, suite, mode, scores, asked, tasks, label_of(content, name))


def dimensions_of(runs: Sequence[ReportedRun]) -> list[str]:
    """The breakdowns that these runs have."""
    had = {score.group.partition("=")[0] for run in runs for score in run.scores}
    return [name for name in DIMENSIONS if name in had]


def left_unproven(run: ReportedRun) -> dict[str, int]:
    """How many verdicts the proven numbers leave out, by why: tests that prove nothing, and so on.

    From the numbers of verdicts that the run's own breakdown by proof has.
    """
    found: dict[str, int] = {}
    for split in dict.fromkeys(score.split for score in run.scores):
        n = {s.group: s.n for s in run.scores if (s.metric, s.split) == ("success_rate", split)}
        by_proof = {group: count for group, count in n.items() if group.startswith("proof=")}
        if not by_proof:
            continue
        unproven = by_proof.get(f"proof={UNPROVEN}", 0)
        whole = n.get("all", 0)
        never_run = whole - sum(by_proof.values())
        same_tests = whole - n.get("proven", 0) - unproven - never_run
        reasons = {
            "whose tests cannot prove a pass (proof: none)": unproven,
            "of answers that were not run (no proof)": never_run,
            "proven, of tests that leave other answers unproven": same_tests,
        }
        for why, count in reasons.items():
            if count:
                found[why] = found.get(why, 0) + count
    return found


def tables(runs: Sequence[ReportedRun], dimensions: Iterable[str] = ()) -> list[Table]:
    """All tasks first, then a table a dimension that tells tasks apart, then the CDC rules.

    Runs are named by their numbers, from 1 on. Numbers of different levels do not compare: each
    level has tables of its own.
    """
    chosen = tuple(dimensions)
    found = [] if chosen else whole(runs)
    for name in chosen or DIMENSIONS:
        if chosen or name not in _ON_DEMAND:
            found += _by(runs, name, least=1 if chosen else 2)
    for family in () if chosen else _CRITICAL:
        found += [replace(table, errors=False) for table in _family(runs, family, "", ["all"])]
    return found


def whole(runs: Sequence[ReportedRun], group: str = "all") -> list[Table]:
    """Over all tasks, or a group of them, a table for each level and family of metrics."""
    return [table for family in _FAMILIES for table in _family(runs, family, "", [group])]


def _by(runs: Sequence[ReportedRun], name: str, least: int) -> list[Table]:
    prefix = f"{name}="
    found = {s.group for run in runs for s in run.scores if s.group.startswith(prefix)}
    groups = sorted(found, key=_natural)
    families = [family for family in _FAMILIES if family.broken_down]
    made = [table for family in families for table in _family(runs, family, name, groups)]
    return [table for table in made if len(table.values(name)) >= least]


def _family(
    runs: Sequence[ReportedRun], family: _Family, dimension: str, groups: Sequence[str]
) -> list[Table]:
    ks = _ks(runs, family.metrics) if family.of_k else [""]
    found = []
    for level in _levels(runs):
        rows = []
        for k, group in product(ks, groups):
            names = [f"{metric}@{k}" if family.of_k else metric for metric in family.metrics]
            for number, run in enumerate(runs, start=1):
                scores = tuple(run.find(name, level, group) for name in names)
                if any(score is not None for score in scores):
                    labels = (k, group.partition("=")[2], str(number))
                    rows.append(Row(labels, scores))
        if rows:
            by = f", by {DIMENSIONS[dimension]}" if dimension else ""
            title = f"{level}: {family.title}{by}" if level else f"{family.title}{by}"
            kept = (family.of_k, bool(dimension), len(runs) > 1)
            found.append(_table(title, (("k", dimension, "run"), kept), family.metrics, rows))
    return found


def _table(
    title: str,
    labels: tuple[tuple[str, ...], tuple[bool, ...]],
    metrics: tuple[str, ...],
    rows: Sequence[Row],
) -> Table:
    """Without labels that say nothing, and without metrics that no row has."""
    names, kept = labels
    has = [any(row.scores[at] is not None for row in rows) for at in range(len(metrics))]
    return Table(
        title,
        tuple(compress(names, kept)),
        tuple(compress(metrics, has)),
        tuple(
            Row(tuple(compress(row.labels, kept)), tuple(compress(row.scores, has))) for row in rows
        ),
    )


def _levels(runs: Sequence[ReportedRun]) -> list[str]:
    found = dict.fromkeys(score.split for run in runs for score in run.scores)
    return sorted(found, key=lambda name: (_LEVELS.index(name) if name in _LEVELS else 99, name))


def _ks(runs: Sequence[ReportedRun], metrics: Sequence[str]) -> list[str]:
    known = (score.metric.partition("@") for run in runs for score in run.scores)
    return sorted({k for name, at, k in known if at and name in metrics}, key=int)


def _natural(group: str) -> tuple[object, ...]:
    """Version 1.9 stands before 1.10."""
    words = group.replace(".", " ").split()
    return tuple((0, int(word), "") if word.isdecimal() else (1, 0, word) for word in words)
