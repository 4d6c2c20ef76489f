"""What libdrift's own rules say of each answer of a run: the number that counts.

An answer to a task with tests is right if it passes the hidden ones, a completion or migration
without tests if it matches (EM of a token or an expression, CDC of a line or more), and one that
locates or explains a change if CODEMENV's strict formula holds for what it names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import msgspec

from libdrift.analysis import text_runs
from libdrift.analysis.text_answers import Sample, TextAnswers
from libdrift.analysis.text_scores import Graded
from libdrift.execution import RunFolder, read_answers
from libdrift.metrics.accuracies import Explanation, explained, located
from libdrift.records import LeftOut, Outcome, Split, Suite, Task, TaskKind, Verdict

_UNKNOWN = "the run has no verdict on them"
_MARKED = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_DOTTED = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


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
        answers = TextAnswers(path, suite)
        found.sha256 = answers.sha256
        counts: Counter[str] = Counter()
        for item in answers.stream():
            if isinstance(item, LeftOut):
                found.left_out.append(item)
            elif isinstance(item, Sample):
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
            wanted = labels(task)
            if wanted is None:
                return "the references of their tasks have no labels"
            return matches(task.kind, text, wanted)
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


# --- locating and explaining changes


class _Told(msgspec.Struct):
    kind: str = ""
    replacement: str | None = None


_Naming = list[str] | dict[str, _Told]
_DECODER: msgspec.json.Decoder[_Naming] = msgspec.json.Decoder(_Naming)


def labels(task: Task) -> Mapping[str, Explanation] | None:
    """The APIs that changed, with what happened to each; ``None`` if the task does not tell.

    The reference is a JSON text: a list of names, or an object from each name to its ``kind`` of
    change and its ``replacement``. What else stands there is for people, and for models as judges.
    """
    found = _parsed(task.reference)
    if not found or (task.kind is TaskKind.EXPLAIN and not all(one.kind for one in found.values())):
        return None
    return found


def matches(kind: TaskKind, text: str, wanted: Mapping[str, Explanation]) -> bool:
    """CODEMENV's strict formula, on what can be read out of an answer. Nothing is not right."""
    given = _parsed(text)
    if kind is TaskKind.EXPLAIN:
        return explained(given or {}, wanted)
    return located(_named(text) if given is None else list(given), list(wanted))


def _parsed(text: str) -> dict[str, Explanation] | None:
    """The labels in a text that is, or holds, JSON of them."""
    starts = [at for at in (text.find("["), text.find("{")) if at >= 0]
    end = max(text.rfind("]"), text.rfind("}"))
    if not starts or end < min(starts):
        return None
    try:
        found = _DECODER.decode(text[min(starts) : end + 1])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    if isinstance(found, list):
        return {name: Explanation("") for name in found}
    return {name: Explanation(told.kind, told.replacement) for name, told in found.items()}


def _named(text: str) -> list[str]:
    """Names in words: those between backticks, else those with a dot."""
    called = (one.partition("(")[0].strip() for one in _MARKED.findall(text))
    marked = [name for name in called if _NAME.fullmatch(name)]
    return marked or _DOTTED.findall(text)
