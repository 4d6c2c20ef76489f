"""A run as rows: one for each answer, with the facts of its task and the numbers it got.

Programs and texts alike, from the run's folder alone. Every analysis starts here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from libdrift import config, suites
from libdrift.analysis.failures import error_of
from libdrift.analysis.run_files import (
    AnswerNotes,
    CallLine,
    RunFiles,
    folder_of,
    label_of,
    run_folders,
    told_apart,
)
from libdrift.errors import LibdriftError
from libdrift.execution.runs import TASKS, VERDICTS, command_of
from libdrift.metrics.identifiers import Overlap
from libdrift.metrics.modes import Mode
from libdrift.records import Observation, Outcome, Split, TaskKind, Verdict
from libdrift.scoring.measures import MEASURES, AnswerMeasures
from libdrift.scoring.run_tasks import RunTask, run_tasks
from libdrift.scoring.text_runs import SCORES
from libdrift.scoring.text_scores import Graded, TaskScores

_CALLS, _ANSWERS = "calls.jsonl", "answers.jsonl"
# What only tests and the suite's own list tell: no measure of an answer says it in their place.
_JUDGED = frozenset([*Split, *TaskKind, "verified", "proof"])
_T = TypeVar("_T")
_Key = tuple[str, int]  # of a task, and the number of the sample
# Notes of strategies that are numbers. Precision and recall of texts are something else.
_NOTED = {
    "precision": "documents_precision",
    "recall": "documents_recall",
    "mrr": "documents_mrr",
    "pylint_before": "pylint_before",
    "pylint_after": "pylint_after",
    "rounds": "rounds",
}


@dataclass(frozen=True, slots=True)
class ObservedRun:
    name: str  # of its folder
    label: str  # model and strategy, or the file of answers: no two runs of a report share one
    suite: str
    mode: str  # of metrics on text
    tasks: int  # that have an answer
    provenance: Mapping[str, Any]
    observations: tuple[Observation, ...]
    path: Path
    description: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()  # what of the folder could not be read, a line each


@dataclass(slots=True)
class _Row:
    """An observation in the making."""

    outcome: Outcome | None = None
    facts: dict[str, str] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None

    def judge(self, verdict: Verdict, counted_as: str) -> None:
        """Add what a verdict says, in place of an earlier one on the same tests.

        The answer's outcome is that on hidden tests.
        """
        hidden = verdict.split is Split.HIDDEN
        passed = float(verdict.outcome is Outcome.PASSED) if verdict.outcome.graded else None
        _put(self.values, counted_as if hidden else verdict.split.value, passed)
        if not hidden:
            return
        self.outcome, self.seconds = verdict.outcome, verdict.seconds
        _put(self.values, "api_usage", None if verdict.uses is None else float(verdict.uses))
        named_only = counted_as in {TaskKind.LOCATE, TaskKind.EXPLAIN}  # nothing of it is run
        _put(self.facts, "error", None if named_only else error_of(verdict))
        _put(self.facts, "proof", verdict.proof and verdict.proof.partition("(")[0])

    def compare(self, graded: Graded, mode: str) -> None:
        """Add what was found of a text: an exact match has passed, unless tests say otherwise."""
        if self.outcome is None:
            self.outcome = Outcome.PASSED if graded.em else Outcome.FAILED
        self.values |= text_values(graded, mode)


def _put(known: dict[str, _T], name: str, value: _T | None) -> None:
    """Set what is known, and forget what is not."""
    if value is None:
        known.pop(name, None)
    else:
        known[name] = value


def observe(path: Path, data: Path | None = None) -> ObservedRun:
    """The answers of one run, read from its folder.

    ``data`` is where published data is: only runs of an older libdrift need it.
    """
    folder = folder_of(path)
    files = RunFiles(folder)
    about = files.description()
    mode = str(about.get("mode") or "")
    tasks, notes = _tasks(files, about, data)
    rows = _rows(files, tasks, mode)
    _add_usage(rows, files, about)
    name = folder.resolve().name
    observations = tuple(
        Observation(
            name,
            task_id,
            sample,
            row.outcome,
            MappingProxyType(_facts(tasks.get(task_id), row)),
            MappingProxyType(row.values),
            row.seconds,
            row.tokens_in,
            row.tokens_out,
            row.cost,
        )
        for (task_id, sample), row in rows.items()
        if row.outcome is not None
    )
    return ObservedRun(
        name,
        label_of(about, name),
        str(about["suite"]),
        mode,
        len({one.task_id for one in observations}),
        MappingProxyType(_table(about.get("provenance"))),
        observations,
        folder,
        MappingProxyType(about),
        (*notes, *files.notes),
    )


def observe_all(paths: Iterable[Path], data: Path | None = None) -> tuple[ObservedRun, ...]:
    """Several runs, each with a label of its own; a folder of runs stands for all in it."""
    return distinct([observe(path, data) for path in run_folders(list(paths))])


def distinct(runs: Sequence[ObservedRun]) -> tuple[ObservedRun, ...]:
    """The runs with labels that tell them apart."""
    labels = told_apart([run.label for run in runs], [run.name for run in runs])
    return tuple(replace(run, label=label) for run, label in zip(runs, labels, strict=True))


def text_values(graded: Graded, mode: str = Mode.FIXED.value) -> dict[str, float]:
    """The numbers of one text. ``tp``, ``fp`` and ``fn`` are counts, for micro precision and F1."""
    found: dict[str, float | None] = {"em": float(graded.em)}
    if graded.completion is not None:
        one, cdc = graded.completion, graded.completion.cdc
        found |= {
            "ism": one.ism,
            "pm": one.pm,
            "cdc": None if cdc is None else float(cdc),
            "ism_unchecked": one.ism_unchecked,
            "pm_unchecked": one.pm_unchecked,
        }
    elif graded.expression is not None:
        ids, names = graded.expression.ids, graded.expression.names
        found |= {
            "f1_macro": _share(names, mode),
            "id_em": float(ids.same),
            "edit_similarity": graded.expression.similarity,
            "tp": float(ids.tp),
            "fp": float(ids.fp),
            "fn": float(ids.fn),
        }
    return {name: value for name, value in found.items() if value is not None}


def _share(names: Overlap, mode: str) -> float:
    neither = mode != Mode.RELEASED and not (names.tp or names.fp or names.fn)
    return 1.0 if neither else names.f1  # neither has a name: they agree


def _rows(files: RunFiles, tasks: Mapping[str, RunTask], mode: str) -> dict[_Key, _Row]:
    rows: dict[_Key, _Row] = {}
    for verdict in files.lines(VERDICTS, Verdict):  # one by one: their logs may be long
        task = tasks.get(verdict.task_id)
        row = rows.setdefault((verdict.task_id, verdict.sample), _Row())
        row.judge(verdict, task.counted_as if task else Split.HIDDEN.value)
    for scored in files.lines(SCORES, TaskScores):
        for sample, graded in enumerate(scored.samples):
            rows.setdefault((scored.task_id, sample), _Row()).compare(graded, mode)
    for measured in files.lines(MEASURES, AnswerMeasures):
        row = rows.setdefault((measured.task_id, measured.sample), _Row())
        row.values |= _without_judged(measured.values)
        row.facts |= _without_judged(measured.facts)
    for noted in files.lines(_ANSWERS, AnswerNotes):
        row = rows.setdefault((noted.task_id, noted.sample), _Row())
        for name, metric in _NOTED.items():
            value = noted.notes.get(name)
            if isinstance(value, (int, float)) and abs(value) <= sys.float_info.max:
                row.values[metric] = float(value)
    return rows


def _without_judged(measured: Mapping[str, _T]) -> dict[str, _T]:
    return {name: value for name, value in measured.items() if name not in _JUDGED}


def _add_usage(rows: Mapping[_Key, _Row], files: RunFiles, about: Mapping[str, Any]) -> None:
    usage = _table(_table(about.get("summary")).get("usage"))
    priced = usage.get("cost", 0.0) is not None
    for call in files.lines(_CALLS, CallLine):
        row = rows.get((call.task_id, call.sample))
        if row is not None and (call.tokens_in or call.tokens_out):
            row.tokens_in = (row.tokens_in or 0) + call.tokens_in
            row.tokens_out = (row.tokens_out or 0) + call.tokens_out
            row.cost = (row.cost or 0.0) + call.cost if priced else None


def _table(value: object) -> dict[str, Any]:
    """A part of a description; of one that is damaged, nothing."""
    return dict(value) if isinstance(value, dict) else {}


def _facts(task: RunTask | None, row: _Row) -> dict[str, str]:
    if task is None:
        return row.facts
    return {**task.facts, **row.facts} if row.facts else task.facts  # shared by its answers


def _tasks(
    files: RunFiles, about: Mapping[str, Any], data: Path | None
) -> tuple[dict[str, RunTask], list[str]]:
    """What is known of the tasks: from the folder, or of an older run from the suite's data."""
    found = {task.task_id: task for task in files.lines(TASKS, RunTask)}
    if found or (not files.has(VERDICTS) and not files.has(SCORES)):
        return found, []
    name = str(about["suite"])
    try:
        suite = suites.load(name, config.load(data))
    except LibdriftError as error:
        again = f"to make it again: {command_of(about)}"
        return {}, [f"{files.folder}: nothing is known of its tasks ({error}); {again}"]
    verified = {one.task_id for one in suites.verified(suite).values() if one.verified}
    return {task.task_id: task for task in run_tasks(suite, verified)}, []
