"""Answers that name APIs, compared with labels: which of them changed, and how. Nothing is run.

The tests of such a task are JSON: the ``labels`` (a list of full names, or an object from each to
its ``kind``, ``version`` and ``replacement``), the ``code`` that the answer is about, and its
``language``. An answer is JSON of the same shape as the labels, or names in words; what it names
beside the labels is wrong, explained or not.
"""

from __future__ import annotations

import json
import re
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from libdrift.execution.resolving import means
from libdrift.metrics.accuracies import Explanation, differences
from libdrift.records import Case, Outcome, Task, TaskKind, Tests, TestStyle
from libdrift.sandbox import Judgement

if TYPE_CHECKING:
    from libdrift.execution.courts import Judged
    from libdrift.execution.jobs import Options
    from libdrift.execution.plan import Job

_SHOWN = 5  # names in a reason
_MARKED = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_DOTTED = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_WORK = 5_000_000  # characters that are read in vain, before a text is given up
_BLOCK = re.compile(r"```json\b.*?(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_NOTHING = frozenset({"", "-", "n/a", "na", "none", "null", "nothing", "no replacement"})
_BRACKET = re.compile(r"(?<![\w)\]])[\[{]")  # that is no subscript's


class _Number(str):
    """A number as it is written: 3.10 is not 3.1."""

    __slots__ = ()


_JSON = json.JSONDecoder(strict=False, parse_float=_Number, parse_int=_Number)

Labels = Mapping[str, Explanation]


@dataclass(frozen=True, slots=True)
class Question:
    """What an answer must name: with ``explain``, how each API changed too."""

    labels: Labels
    explain: bool
    code: str = ""
    language: str = "python"

    def to_tests(self) -> str:
        """As the code of a task's tests."""
        return json.dumps(
            {
                "labels": written(self.labels, explain=self.explain),
                "code": self.code,
                "language": self.language,
            }
        )


@dataclass(frozen=True, slots=True)
class Compared:
    """What an answer has right: a line per label, and what it names beside them."""

    wrong: Mapping[str, str] = field(default_factory=dict)  # by label: why, empty where it is right
    extra: tuple[str, ...] = ()
    why: str = ""  # nothing could be compared

    @property
    def right(self) -> bool:
        return not (self.why or self.extra or any(self.wrong.values()))

    @property
    def reason(self) -> str:
        told = [f"{name}: {why}" for name, why in self.wrong.items() if why]
        if self.extra:
            told.append(f"names {_listed(self.extra)}, which did not change")
        return self.why or "; ".join(told)


def run_jobs(jobs: Sequence[Job], options: Options) -> Judged:
    """Compare every answer with its labels: each is known at once."""
    del options
    for job in jobs:
        started = time.monotonic()
        question = of_tests(job.program.tests)
        if question is None:
            yield job, Judgement(Outcome.INFRASTRUCTURE, "the task's tests are no labels", 0.0)
            continue
        found = compare(job.program.answer, question)
        cases = tuple(
            Case(name, "failed" if why else "passed") for name, why in found.wrong.items()
        )
        outcome = Outcome.PASSED if found.right else Outcome.FAILED
        seconds = round(time.monotonic() - started, 3)
        yield job, Judgement(outcome, found.reason, seconds, cases)


def compare(text: str, question: Question) -> Compared:
    """CODEMENV's strict formulas, on what can be read out of an answer. Nothing is not right."""
    told = explanations(text, explain=question.explain)
    if question.explain:
        return _explained(told, question)
    given = names_in_words(text) if told is None else list(told)
    if not given:
        return Compared(dict.fromkeys(question.labels, "not named"), why="names no API")
    meant = {name: _meant(name, question) for name in given}
    found = {label for labels in meant.values() for label in labels}
    wrong = {label: "" if label in found else "not named" for label in question.labels}
    return Compared(wrong, tuple(name for name, labels in meant.items() if not labels))


def _explained(told: Labels | None, question: Question) -> Compared:
    if told is None:
        wrong = dict.fromkeys(question.labels, "not explained")
        return Compared(wrong, why="no JSON object from APIs to what happened to them")
    wrong = dict.fromkeys(question.labels, "not explained")
    extra = []
    for name, answer in told.items():
        meant = _meant(name, question)
        if not meant:
            extra.append(name)
        for label in meant:
            # Two names for one API, that are explained in two ways: the last word counts.
            wrong[label] = ", ".join(differences(answer, question.labels[label]))
    return Compared(wrong, tuple(extra))


def _meant(name: str, question: Question) -> list[str]:
    return [
        label for label in question.labels if means(name, label, question.code, question.language)
    ]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(name[:100] for name in names[:_SHOWN]) + more


# --- questions


def of_task(task: Task) -> Question | None:
    """What a task that asks for APIs wants; ``None`` where it does not say so in JSON."""
    tests: Tests | None = next((one for one in task.tests if one.style is TestStyle.LABELS), None)
    if tests is not None:
        return of_tests(tests.code)
    explain = task.kind is TaskKind.EXPLAIN
    found = explanations(task.reference, explain=explain)
    if not found or (explain and not all(one.kind for one in found.values())):
        return None
    return Question(found, explain, task.starter, task.language)


def of_tests(text: str) -> Question | None:
    try:
        found = json.loads(text)
        labels, code, language = found["labels"], found["code"], found["language"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    told = _told(labels)
    if not told or not isinstance(code, str) or not isinstance(language, str):
        return None
    return Question(told, isinstance(labels, dict), code, language)


def written(labels: Labels, *, explain: bool) -> list[str] | dict[str, dict[str, str | None]]:
    """Labels as JSON has them."""
    if not explain:
        return list(labels)
    return {
        name: {"kind": one.kind or None, "version": one.version, "replacement": one.replacement}
        for name, one in labels.items()
    }


# --- reading answers


def explanations(text: str, *, explain: bool) -> dict[str, Explanation] | None:
    """The APIs in a text that is, or holds, JSON of them. Of several, the last one counts.

    But one that names nothing is no word against one that does, nor a list, which says what and
    not how, against an object that says both, nor what stands in words against a block of JSON.
    """
    blocks = [match.span() for match in _BLOCK.finditer(text)]
    found, best = None, (False, False, False)
    for start, given in _values(text):
        value = _unwrapped(given)
        told = _told(value)
        if told is None:
            continue
        block = bisect_right(blocks, start, key=lambda span: span[0]) - 1
        marked = block >= 0 and start < blocks[block][1]
        rank = bool(told), explain and not isinstance(value, list), marked
        if rank >= best:
            found, best = told, rank
    return found


def names_in_words(text: str) -> list[str]:
    """Names between backticks, else those with a dot."""
    called = (one.partition("(")[0].strip() for one in _MARKED.findall(text))
    marked = [name for name in called if _NAME.fullmatch(name)]
    return marked or _DOTTED.findall(text)


def _values(text: str) -> Iterator[tuple[int, Any]]:
    """Every list and object in a text that stands in no other, with its place."""
    at = work = 0
    while work < _WORK and (match := _BRACKET.search(text, at)):
        start = match.start()
        try:
            value, at = _JSON.raw_decode(text, start)
            yield start, value
        except json.JSONDecodeError as error:
            at = start + 1
            work += error.pos - start
        except RecursionError:
            return  # nobody's answer is as deep as that


def _told(value: object) -> dict[str, Explanation] | None:
    """A list of names, or an object from names to explanations; ``None`` for all else."""
    if isinstance(value, list) and all(type(name) is str for name in value):
        return {name: Explanation("") for name in value}
    if isinstance(value, dict) and all(isinstance(one, dict) for one in value.values()):
        return {name: _explanation(one) for name, one in value.items()}
    return None


def _unwrapped(value: object) -> object:
    """What stands alone in a list or an object: ``[{…}]``, ``{"changes": {…}}``."""
    if isinstance(value, list | dict) and len(value) == 1:
        (inner,) = value if isinstance(value, list) else value.values()
        named = isinstance(value, dict) and "." in next(iter(value))  # that is an API itself
        of_apis = isinstance(inner, dict) and all(isinstance(one, dict) for one in inner.values())
        of_names = isinstance(inner, list) and isinstance(value, dict)
        if inner and (of_apis or of_names) and not named:
            return inner
    return value


def _explanation(told: dict[str, object]) -> Explanation:
    def text(name: str) -> str | None:
        value = told.get(name)
        if isinstance(value, list) and len(value) == 1:
            (value,) = value
        return value if isinstance(value, str) else None

    replacement = text("replacement")
    if replacement is not None and replacement.strip().lower() in _NOTHING:
        replacement = ""
    return Explanation(text("kind") or "", replacement, text("version"))
