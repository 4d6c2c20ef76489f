"""From answers to numbers, for tasks that are judged by their text: nothing is run.

Completions of a token, a line or a block and migrations are judged as VersiCode does (EM, ISM, PM,
CDC), completions in the middle of a line as LibEvolutionEval does (identifiers of the first API
expression). Every sample's numbers are kept, a line a task, so that a run can be read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

import msgspec

from libdrift.metrics.at_k import (
    best_at_k,
    pass_at_k,
    released_best_at_k,
    released_pass_at_k,
)
from libdrift.metrics.cleaning import NO_ANSWER, cleaned
from libdrift.metrics.completions import LONGEST, CompletionReference, Scorer, Scores
from libdrift.metrics.critical_diff import COUNT, ablated, together, without
from libdrift.metrics.identifiers import Comparison, compare
from libdrift.metrics.modes import Mode
from libdrift.records import Task, TaskKind
from libdrift.scoring.answers import flaw

MIDDLE = "middle"  # the level of completions in the middle of a line


class Graded(msgspec.Struct, frozen=True, omit_defaults=True):
    """The numbers of one answer, of one family or the other."""

    completion: Scores | None = None
    expression: Comparison | None = None
    odd: str = ""  # why the answer cannot be right, whatever the task

    @property
    def em(self) -> bool:
        found = self.completion or self.expression
        return found is not None and found.em


class TaskScores(msgspec.Struct, frozen=True):
    """A line of ``scores.jsonl``."""

    task_id: str
    samples: tuple[Graded, ...]


class TextJudge:
    """Judges the answers to one task; what the reference needs is computed once."""

    def __init__(self, task: Task, mode: Mode) -> None:
        self._task = task
        self._mode = mode
        self._scorer = None if _in_the_middle(task) else Scorer(reference_of(task, mode), mode)

    def grade(self, output: str) -> Graded:
        """The numbers of a model's output, in which the answer is found first."""
        why = odd(self._task, output, self._mode)
        if self._scorer is not None:
            return Graded(completion=self._scorer.score(output), odd=why)
        gap = self._task.gap
        if gap is None:
            raise ValueError(f"{self._task.id} is not judged by its text")
        prompt = self._task.starter.partition(gap.mask)[0]
        return Graded(
            expression=compare(
                prompt, self._task.reference, output, gap.hint, gap.aliases, self._mode
            ),
            odd=why,
        )


def odd(task: Task, output: str, mode: Mode) -> str:
    """Why an output cannot be right, whatever the task; empty if it can."""
    found = flaw(output)
    if found is not None:
        return found.value
    if _in_the_middle(task):
        return ""
    if mode is Mode.FIXED:
        # It is the answer in the output that may be too long.
        long = len(output) > LONGEST and len(cleaned(output)) > LONGEST
        return f"over {LONGEST:,} characters" if long else ""
    untagged = cleaned(output, mode) == NO_ANSWER
    return "no <start> and <end>, which the released program demands" if untagged else ""


def reference_of(task: Task, mode: Mode) -> CompletionReference:
    """What answers are compared with. A migration is, as released, held to its *old* line."""
    gap = task.gap
    if gap is None:
        raise ValueError(f"{task.id} is not judged by its text")
    migration = task.kind is TaskKind.MIGRATE
    level = "block" if migration else task.facts.granularity
    old = migration and mode is Mode.RELEASED
    return CompletionReference(
        granularity=cast("Literal['token', 'line', 'block']", level),
        token=gap.token,
        # The released program writes N/A where it finds no line.
        line=(gap.old_line or "N/A") if old else gap.line,
        code=task.reference if level == "block" else "",
        masked=task.starter if level == "line" else "",
        mask=gap.mask,
        language=task.language,
    )


def _in_the_middle(task: Task) -> bool:
    return task.facts.granularity == MIDDLE


@dataclass(frozen=True, slots=True)
class AtK:
    """Which numbers of samples to report for, and how the estimators treat too few of them."""

    ks: tuple[int, ...] = (1,)
    mode: Mode = Mode.FIXED

    def values(self, samples: Sequence[Graded]) -> dict[str, float]:
        """The metrics of one task's completions. A ``k`` above their number has none.

        Except as released, where a task with too few samples counts as solved.
        """
        scored = [one.completion for one in samples if one.completion is not None]
        found: dict[str, float] = {}
        for k in self.ks if scored else ():
            found |= self._at(scored, k)
        return found

    def _at(self, scored: Sequence[Scores], k: int) -> dict[str, float]:
        few = len(scored) < k
        if few and self.mode is Mode.FIXED:
            return {}
        found = {f"em@{k}": self._share([one.em for one in scored], k)}
        rules = [one.rules for one in scored if one.rules is not None]
        if not rules:
            return found
        if not few:  # the released estimator divides by zero
            found[f"ism@{k}"] = self._best([one.ism or 0.0 for one in scored], k)
            found[f"pm@{k}"] = self._best([one.pm or 0.0 for one in scored], k)
            for name in ("ism_unchecked", "pm_unchecked"):
                free = [value for one in scored if (value := getattr(one, name)) is not None]
                if len(free) == len(scored):  # a run of before has none
                    found[f"{name}@{k}"] = self._best(free, k)
        found[f"cdc@{k}"] = self._share([together(item) for item in rules], k)
        for rule in range(1, COUNT + 1):
            alone = [item[rule - 1] for item in rules]
            rest = [without(item, rule) for item in rules]
            found[f"cdc_rule_{rule}@{k}"] = self._share(alone, k)
            found[f"cdc_without_{rule}@{k}"] = self._share(rest, k)
        found[f"cdc_ablated_1@{k}"] = self._share([ablated(item, 1) for item in rules], k)
        return found

    def _best(self, scores: Sequence[float], k: int) -> float:
        if self.mode is Mode.FIXED:
            return best_at_k(scores, k)
        return released_best_at_k(sorted(scores, reverse=True), k)

    def _share(self, right: Sequence[bool], k: int) -> float:
        estimate = pass_at_k if self.mode is Mode.FIXED else released_pass_at_k
        return estimate(len(right), sum(right), k)
