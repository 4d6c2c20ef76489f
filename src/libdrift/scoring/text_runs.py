"""Judging a whole answer file by its text, into a run's folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from libdrift.errors import UserError, write_failure
from libdrift.execution import RunFolder
from libdrift.execution.runs import mend
from libdrift.records import LeftOut, Score, Suite, Task
from libdrift.scoring.answer_files import AnswerFile, Done, TextSample
from libdrift.scoring.breakdowns import Breakdown
from libdrift.scoring.run_tasks import write_tasks
from libdrift.scoring.text_scores import AtK, Graded, TaskScores, TextJudge

SCORES = "scores.jsonl"
_KEPT = 1000  # reasons that are kept word by word; the rest is counted


@dataclass(slots=True)
class TextRun:
    """What became of an answer file."""

    tasks: int = 0
    attempts: int = 0
    right: int = 0  # exact matches
    odd: Counter[str] = field(default_factory=Counter)  # why → how many answers cannot be right
    few: Counter[int] = field(default_factory=Counter)  # k → tasks with fewer answers than that
    left_out: list[LeftOut] = field(default_factory=list)
    left_out_count: int = 0
    answered: set[str] = field(default_factory=set)
    scores: tuple[Score, ...] = ()

    def leave_out(self, item: LeftOut) -> None:
        self.left_out_count += 1
        if len(self.left_out) < _KEPT:
            self.left_out.append(item)


def judge(
    suite: Suite,
    answers: AnswerFile,
    folder: RunFolder,
    description: dict[str, Any],
    at: AtK,
    cutoff: date | None = None,
    advance: Callable[[], None] = lambda: None,
) -> TextRun:
    """Judge every answer; tasks that the folder has already are taken from there."""
    run = TextRun()
    breakdown = Breakdown(at, cutoff)
    with folder.open(description):
        write_tasks(folder, suite)
        path = folder.path / SCORES
        mend(path)
        for known in read(path):
            if known.task_id in suite.tasks:
                _count(run, known, breakdown, suite.tasks[known.task_id])
        try:
            with path.open("ab") as file:
                for scored in _judged(suite, answers, at, run):
                    file.write(msgspec.json.encode(scored) + b"\n")
                    _count(run, scored, breakdown, suite.tasks[scored.task_id])
                    advance()
        except OSError as error:
            raise write_failure(folder.path, error, kept="scores so far are kept") from error
        if not run.tasks:
            first = f" ({run.left_out[0].where}: {run.left_out[0].message})" if run.left_out else ""
            fix = f"`libdrift suites show {suite.argument}` lists the tasks"
            if answers.only is not None:
                fix = "Draw a larger sample with --sample: answers to other tasks are passed over"
            raise UserError(f"{answers.path} has no usable answer{first}", fix)
    run.scores = tuple(breakdown.scores())
    return run


def read(path: Path) -> Iterator[TaskScores]:
    """The lines of a run's ``scores.jsonl``."""
    decoder = msgspec.json.Decoder(TaskScores)
    if path.is_file():
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    yield decoder.decode(line)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    raise UserError(
                        f"{path}:{number}: not a line of scores ({error})",
                        "Delete the run's folder and score the answers again",
                    ) from error


def _judged(suite: Suite, answers: AnswerFile, at: AtK, run: TextRun) -> Iterator[TaskScores]:
    """Scores of the tasks that the run does not have yet, each as soon as its answers end."""
    before = frozenset(run.answered)
    open_: dict[str, tuple[TextJudge, list[Graded]]] = {}
    for item in answers.stream():
        if isinstance(item, LeftOut):
            run.leave_out(item)
        elif item.task_id in before:
            continue
        elif isinstance(item, TextSample):
            if item.task_id not in open_:
                task = suite.tasks[item.task_id]
                if task.gap is None:
                    continue  # it has tests: another pass runs it
                open_[item.task_id] = (TextJudge(task, at.mode), [])
            judge_, graded = open_[item.task_id]
            graded.append(judge_.grade(item.output))
        elif isinstance(item, Done) and item.task_id in open_:
            yield TaskScores(item.task_id, tuple(open_.pop(item.task_id)[1]))


def _count(run: TextRun, scored: TaskScores, breakdown: Breakdown, task: Task) -> None:
    run.tasks += 1
    run.attempts += len(scored.samples)
    run.right += sum(sample.em for sample in scored.samples)
    run.odd.update(sample.odd for sample in scored.samples if sample.odd)
    if any(sample.completion is not None for sample in scored.samples):
        run.few.update(k for k in breakdown.at.ks if len(scored.samples) < k)
    run.answered.add(scored.task_id)
    breakdown.add(task, scored.samples)
