"""What kind of failure a migration is: the paper's three classes, read from the verdict.

A *CallError* still calls what the target does not have: its log tells of a name that the library
lacks there, or of a label that is missing or takes no such arguments. A *RunError* is any other
exception, exit or limit. A *WrongAnswer* has run, and prints something else.

To the paper, a RunError does not end. So those that a limit stopped are told from those that end in
an exception of another kind, too, and each class is counted for each difficulty.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from libdrift.execution.outputs import STDERR, caught_errors
from libdrift.metrics.accuracies import api_name
from libdrift.metrics.rates import success_rate
from libdrift.metrics.trees import identifiers
from libdrift.records import Attempt, Outcome, Score, Suite, Task, TaskKind, TestStyle, Verdict
from libdrift.scoring.measures import AnswerMeasures
from libdrift.scoring.rates import part_of

CALL, RUN, WRONG = "CallError", "RunError", "WrongAnswer"
CLASSES = (CALL, RUN, WRONG)
UNENDING, EXCEPTION = "does not end", "other exception"

_QUOTED = "[`'\"\u2018]?"
# What the library itself lacks: its name, and the name that is missing.
_LACKS = (
    re.compile(rf"module {_QUOTED}(?P<root>\w+)[\w.]*{_QUOTED} has no attribute"),
    re.compile(rf"cannot import name .* from {_QUOTED}(?P<root>\w+)"),
    re.compile(rf"No module named {_QUOTED}(?P<root>\w+)\."),
    re.compile(r"[`'](?P<root>\w+)\.[\w.]+[`'] was removed"),
)
# Python 2 does not tell of which module.
_SOME_MODULE = "'module' object has no attribute"
# What any object lacks, or any call is refused for.
_MISSING = re.compile(
    rf"(?:has no attribute|cannot import name|No module named|name) {_QUOTED}(?P<name>[\w.]+)"
)
_REFUSED = re.compile(
    r"(?P<name>\w+)\(\) (?:got an unexpected|got multiple|missing \d|takes|takes no|"
    r"got some positional)"
)


def error_class(task: Task, code: str, verdict: Verdict) -> str | None:
    """The class of a failure; ``None`` for a pass, and where the machine failed."""
    if verdict.outcome is Outcome.PASSED or not verdict.outcome.graded:
        return None
    printed, _, complaints = verdict.log.partition(STDERR)
    lines = [verdict.reason, *printed.splitlines()]
    if verdict.outcome is not Outcome.FAILED:
        lines += complaints.splitlines()  # of one that has run to its end, they are warnings
    if any(_is_call(line, task, code) for line in lines):
        return CALL
    if verdict.outcome is not Outcome.FAILED or caught_errors(printed):
        return RUN
    return WRONG


def run_error(verdict: Verdict) -> str:
    """Which of the two a ``RunError`` is."""
    return UNENDING if verdict.outcome is Outcome.TIMEOUT else EXCEPTION


def _is_call(line: str, task: Task, code: str) -> bool:
    """Whether a line of a log is about a call of something that the target does not have."""
    for pattern in _LACKS:
        found = pattern.search(line)
        root = api_name(f"{found['root']}.").rstrip(".") if found else ""
        # Some packages call themselves by an inner name: tensorflow_core.
        if root == task.facts.library or root.startswith(f"{task.facts.library}_"):
            return True
    labels = {name.rpartition(".")[2] for name in task.facts.api_calls}
    if _SOME_MODULE in line or any(
        name.rpartition(".")[2] in labels for name in _names(_MISSING, line)
    ):
        return True
    refused = labels.intersection(_names(_REFUSED, line))
    return bool(refused) and not refused.isdisjoint(identifiers(code, task.language))


def _names(pattern: re.Pattern[str], line: str) -> Iterator[str]:
    return (found["name"] for found in pattern.finditer(line))


def error_classes(
    suite: Suite, attempts: Iterable[Attempt], verdicts: Iterable[Verdict]
) -> list[Score]:
    """Of all answers to migrations that run: the share that fails with each class."""
    shares: defaultdict[tuple[str, str, str], defaultdict[str, list[bool]]] = defaultdict(
        lambda: defaultdict(list)
    )
    part = part_of(suite)
    for verdict, found in _classified(suite, attempts, verdicts):
        task = suite.tasks[verdict.task_id]
        kind = run_error(verdict) if found == RUN else None
        told = {("error_rate", name): name == found for name in CLASSES}
        told |= {("run_error_rate", name): name == kind for name in (UNENDING, EXCEPTION)}
        for (metric, name), holds in told.items():
            for group in _groups(task, name):
                shares[metric, part(verdict), group][verdict.task_id].append(holds)
    return [
        success_rate(values).score(metric, split, group)
        for (metric, split, group), values in shares.items()
    ]


def answer_errors(
    suite: Suite, attempts: Iterable[Attempt], verdicts: Iterable[Verdict]
) -> Iterator[AnswerMeasures]:
    """The class of each migration that fails, as a fact of its answer: not the exception's."""
    for verdict, found in _classified(suite, attempts, verdicts):
        if found is not None:
            yield AnswerMeasures(verdict.task_id, verdict.sample, facts={"error": found})


def _classified(
    suite: Suite, attempts: Iterable[Attempt], verdicts: Iterable[Verdict]
) -> Iterator[tuple[Verdict, str | None]]:
    codes = {(attempt.task_id, attempt.sample): attempt.code for attempt in attempts}
    for verdict in verdicts:
        task = suite.tasks[verdict.task_id]
        if verdict.outcome.graded and _runs(task):
            code = codes.get((verdict.task_id, verdict.sample), "")
            yield verdict, error_class(task, code, verdict)


def _groups(task: Task, error: str) -> list[str]:
    difficulty = task.facts.difficulty
    found = [f"error={error}"]
    return [*found, f"error={error}, {difficulty}"] if difficulty else found


def _runs(task: Task) -> bool:
    styles = {tests.style for tests in task.tests}
    return task.kind is TaskKind.MIGRATE and TestStyle.OUTPUT in styles
