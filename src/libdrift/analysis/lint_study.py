"""What linters make of answers, stage by stage: GitChameleon's study of style and success.

Each answer is taken as it is, *formatted* (imports sorted and code laid out, as isort and Black
do), and *repaired* (with safe fixes of style besides). Of each stage pylint's mean score is told,
and what changed; success is that of scoring the stage's answers, which are written as files of
answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any

from libdrift.analysis import linting
from libdrift.analysis.linting import Repaired
from libdrift.records import Attempt, Suite

GIVEN, FORMATTED, REPAIRED = "given", "formatted", "repaired"
STAGES = (GIVEN, FORMATTED, REPAIRED)


@dataclass(frozen=True, slots=True)
class LintStage:
    """Answers as they are at a stage, and what is known of them."""

    name: str
    answers: int
    changed: int  # answers that are others than they were given
    pylint: float | None  # the mean of scores from 0 to 10
    scored: int  # answers that pylint has a score for
    success: dict[str, float | None] | None = None  # by split; None: not judged

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LintStudy:
    suite: str
    stages: tuple[LintStage, ...]
    attempts: dict[str, tuple[Attempt, ...]]  # by stage

    def with_success(self, success: dict[str, dict[str, float | None]]) -> LintStudy:
        """With the success rates of each stage, by its name and the split."""
        stages = tuple(replace(one, success=success.get(one.name)) for one in self.stages)
        return replace(self, stages=stages)

    def to_json(self) -> dict[str, Any]:
        return {"suite": self.suite, "stages": [stage.to_json() for stage in self.stages]}


def study(suite: Suite, attempts: Sequence[Attempt]) -> LintStudy:
    """Format and repair Python programs, each for the Python of its task."""
    by_python: defaultdict[str, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        task = suite.tasks[attempt.task_id]
        if task.language == "python" and task.gap is None:
            by_python[task.environment.runtime].append(attempt)
    found: dict[str, list[tuple[Attempt, Repaired]]] = {FORMATTED: [], REPAIRED: []}
    for python, group in by_python.items():
        codes = [attempt.code for attempt in group]
        for name, made_of in zip(found, linting.stages(codes, python=python), strict=True):
            found[name] += zip(group, made_of, strict=True)
    given = [attempt for group in by_python.values() for attempt in group]
    before = [one.pylint_before for _, one in found[REPAIRED]]
    stages = [_stage(GIVEN, before, 0)]
    made: dict[str, tuple[Attempt, ...]] = {GIVEN: tuple(given)}
    for name, pairs in found.items():
        changed = sum(one.changed for _, one in pairs)
        stages.append(_stage(name, [one.pylint_after for _, one in pairs], changed))
        made[name] = tuple(
            Attempt(attempt.task_id, attempt.sample, one.code, one.code) for attempt, one in pairs
        )
    return LintStudy(suite.name, tuple(stages), made)


def _stage(name: str, scores: Sequence[float | None], changed: int) -> LintStage:
    known = [score for score in scores if score is not None]
    mean = fmean(known) if known else None
    return LintStage(name, len(scores), changed, mean, len(known))
