"""What libdrift's own rules say of each answer of a run: the number that counts.

An answer to a task with tests is right if it passes the hidden ones, a completion or migration
without tests if it matches (EM of a token or an expression, CDC of a line or more), and one that
locates or explains a change if CODEMENV's strict formula holds for what it names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from libdrift.execution import RunFolder, labels
from libdrift.records import LeftOut, Outcome, Split, Suite, Task, TaskKind, Verdict
from libdrift.scoring import read_answers, text_runs
from libdrift.scoring.answer_files import AnswerFile, TextSample
from libdrift.scoring.text_scores import Graded

_UNKNOWN = "the run has no verdict on them"


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and whether it is right."""

    task: Task
    sample: int
    text: str
    right: bool


@dataclass(slots=True)
class Rated:
    """The answers of a run, and what of them is not there, with the reasons."""

    sha256: str  # of the answers, as they were read
    answers: list[Answered] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    without: Counter[str] = field(default_factory=Counter)  # why answers have no strict verdict


def rated(path: Path, suite: Suite, folder: RunFolder, limit: int | None = None) -> Rated:
    """The answers in a file, up to ``limit``, with what the run in ``folder`` says of each."""
    found = Rated("")
    known = _Known(folder)

    def kept() -> Iterator[Answered]:
        for task, sample, text in _read(path, suite, found):
            right = known.right(task, sample, text)
            if isinstance(right, str):
                found.without[right] += 1
            else:
                yield Answered(task, sample, text, right)

    found.answers.extend(islice(kept(), limit))
    return found


def _read(path: Path, suite: Suite, found: Rated) -> Iterator[tuple[Task, int, str]]:
    """Every answer, its samples numbered as the run has them."""
    if any(task.gap is not None for task in suite.tasks.values()):
        answers = AnswerFile(path, suite)
        found.sha256 = answers.sha256
        counts: Counter[str] = Counter()
        for item in answers.stream():
            if isinstance(item, LeftOut):
                found.left_out.append(item)
            elif isinstance(item, TextSample):
                yield suite.tasks[item.task_id], counts[item.task_id], item.output
                counts[item.task_id] += 1
        return
    programs = read_answers(path, suite)
    found.sha256 = programs.sha256
    found.left_out.extend(programs.left_out)
    for attempt in programs.attempts:
        yield suite.tasks[attempt.task_id], attempt.sample, attempt.raw


class _Known:
    """What a run's folder says of its answers."""

    def __init__(self, folder: RunFolder) -> None:
        self._verdicts: dict[tuple[str, int], Verdict] = {
            (verdict.task_id, verdict.sample): verdict
            for verdict in folder.verdicts()
            if verdict.split is Split.HIDDEN
        }
        scores = text_runs.read(folder.path / text_runs.SCORES)
        self._scores = {one.task_id: one.samples for one in scores}

    def right(self, task: Task, sample: int, text: str) -> bool | str:
        """Whether an answer is right, or why that is not known."""
        if task.kind in {TaskKind.LOCATE, TaskKind.EXPLAIN}:
            question = labels.of_task(task)
            if question is None:
                return "the references of their tasks have no labels"
            return labels.compare(text, question).right
        if any(tests.split is Split.HIDDEN for tests in task.tests):
            verdict = self._verdicts.get((task.id, sample))
            if verdict is not None and verdict.outcome.graded:
                return verdict.outcome is Outcome.PASSED
            return _UNKNOWN if verdict is None else "the machine failed, and not they"
        samples = self._scores.get(task.id, ())
        return _exact(samples[sample]) if sample < len(samples) else _UNKNOWN


def _exact(graded: Graded) -> bool:
    """Exact match says little of a line or more: there the core line has to hold."""
    cdc = graded.completion.cdc if graded.completion is not None else None
    return graded.em if cdc is None else cdc
