"""Programs in answers to tasks that are judged by their text *and* by tests."""

from __future__ import annotations

from libdrift.metrics.cleaning import cleaned
from libdrift.metrics.modes import Mode
from libdrift.records import Attempt, Suite, Task
from libdrift.scoring.answer_files import AnswerFile, TextSample


def attempts(suite: Suite, answers: AnswerFile) -> list[Attempt]:
    """The answers to tasks with tests, as whole programs, in the order of the file."""
    found: list[Attempt] = []
    counts: dict[str, int] = {}
    for item in answers.stream():
        if isinstance(item, TextSample) and suite.tasks[item.task_id].tests:
            number = counts.get(item.task_id, 0) if item.number is None else item.number
            counts[item.task_id] = max(counts.get(item.task_id, 0), number + 1)
            code = program(suite.tasks[item.task_id], item.output)
            found.append(Attempt(item.task_id, number, item.output, code))
    return found


def program(task: Task, output: str) -> str:
    """An answer as a program: as it is, or filled into the task's masked code."""
    code = cleaned(output, Mode.FIXED, token=task.facts.granularity == "token")
    if task.gap is None or not task.gap.mask:
        return code
    return task.starter.replace(task.gap.mask, code)
