"""Answers that name APIs, compared with labels: which of them changed, and how. Nothing is run.

The tests of such a task are JSON: the ``labels`` (a list of full names, or an object from each to
its ``kind``, ``version`` and ``replacement``), the ``code`` that the answer is about, and its
``language``; and ``also``, where a label has other full names (from each to a list of them). An
answer has the shape of the labels, or is in words; what it names beside the labels is wrong,
explained or not.
"""

from __future__ import annotations

import json
import re
import time
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from libdrift.execution import literals
from libdrift.execution.explaining import StatedChange, name_in, of_one, told_by, told_in_words
from libdrift.execution.naming import hit_words, mentions, names_in_words
from libdrift.execution.resolving import means
from libdrift.execution.standing import Subject, faults
from libdrift.metrics.accuracies import ChangeExplanation
from libdrift.records import Case, Outcome, Task, TaskKind, Tests, TestStyle
from libdrift.sandbox import Judgement

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options
    from libdrift.execution.judges import Judged
    from libdrift.execution.plan import Job

_SHOWN = 5  # names in a reason
_NEAR = 300  # characters before an object that tell what it is of
_BLOCK = re.compile(r"```json\b.*?(?:```|\Z)", re.DOTALL | re.IGNORECASE)

Labels = Mapping[str, ChangeExplanation]


@dataclass(frozen=True, slots=True)
class LabelQuestion:
    """What an answer must name: with ``explain``, how each API changed too."""

    labels: Labels
    explain: bool
    code: str = ""
    language: str = "python"
    also: Mapping[str, Sequence[str]] = field(default_factory=dict)  # a label's other full names

    def to_tests(self) -> str:
        """As the code of a task's tests."""
        told: dict[str, object] = {
            "labels": written(self.labels, explain=self.explain),
            "code": self.code,
            "language": self.language,
        }
        if self.also:
            told["also"] = {label: list(names) for label, names in self.also.items()}
        return json.dumps(told)


@dataclass(frozen=True, slots=True)
class ComparedLabels:
    """What an answer has right: a line per label, and what it names beside them."""

    wrong: Mapping[str, str] = field(default_factory=dict)  # by label: why, empty where it is right
    extra: tuple[str, ...] = ()
    why: str = ""  # nothing could be compared
    # By label that is explained: which of ``standing.PARTS`` is wrong.
    parts: Mapping[str, frozenset[str]] = field(default_factory=dict)

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


def compare(text: str, question: LabelQuestion) -> ComparedLabels:
    """CODEMENV's strict formulas, on what can be read out of an answer. Nothing is not right."""
    told = explanations(text, explain=question.explain)
    if question.explain:
        told = (told_in_words(text) or None) if told is None else told
        return _explained(told, question)
    given = names_in_words(text) if told is None else list(told)
    if told is None and not given:
        given = hit_words(text[:100_000], [label for label in question.labels if "." not in label])
    if not given:
        return ComparedLabels(dict.fromkeys(question.labels, "not named"), why="names no API")
    meant = {name: _meant(name, question) for name in given}
    found = {label for labels in meant.values() for label in labels}
    wrong = {label: "" if label in found else "not named" for label in question.labels}
    return ComparedLabels(wrong, tuple(name for name, labels in meant.items() if not labels))


def _explained(told: Mapping[str, StatedChange] | None, question: LabelQuestion) -> ComparedLabels:
    wrong = dict.fromkeys(question.labels, "not explained")
    if told is None:
        return ComparedLabels(wrong, why="no JSON object from APIs to what happened to them")
    extra = []
    parts: dict[str, frozenset[str]] = {}
    for name, answer in told.items():
        meant = _meant(name, question)
        if not meant:
            extra.append(name)
        for label in meant:
            # Two names for one API, that are explained in two ways: the last word counts.
            subject = Subject(label, question.labels[label], question.code, question.language)
            found = faults(answer, subject)
            wrong[label], parts[label] = ", ".join(found.values()), frozenset(found)
    return ComparedLabels(wrong, tuple(extra), parts=parts)


def _meant(name: str, question: LabelQuestion) -> list[str]:
    plain = name_in(name)

    def is_meant(label: str) -> bool:
        names = (label, *question.also.get(label, ()))
        return any(means(plain, one, question.code, question.language) for one in names)

    return [label for label in question.labels if is_meant(label)]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(name[:100] for name in names[:_SHOWN]) + more


# --- questions


def of_task(task: Task) -> LabelQuestion | None:
    """What a task that asks for APIs wants; ``None`` where it does not say so in JSON."""
    tests: Tests | None = next((one for one in task.tests if one.style is TestStyle.LABELS), None)
    if tests is not None:
        return of_tests(tests.code)
    explain = task.kind is TaskKind.EXPLAIN
    values = (value for _, value in literals.values(task.reference))
    found = next(filter(None, map(_labels, values)), None)
    if not found or (explain and not all(one.kind for one in found.values())):
        return None
    return LabelQuestion(found, explain, task.starter, task.language)


def of_tests(text: str) -> LabelQuestion | None:
    try:
        found = json.loads(text)
        labels, code, language = found["labels"], found["code"], found["language"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    told = _labels(labels)
    if not told or not isinstance(code, str) or not isinstance(language, str):
        return None
    return LabelQuestion(told, isinstance(labels, dict), code, language, _also(found.get("also")))


def _also(value: object) -> dict[str, tuple[str, ...]]:
    """Other names, as ``to_tests`` writes them; what is not of that shape is none."""
    if not isinstance(value, dict):
        return {}
    return {
        label: tuple(one for one in names if isinstance(one, str))
        for label, names in value.items()
        if isinstance(names, list)
    }


def _labels(value: object) -> dict[str, ChangeExplanation] | None:
    """Labels as ``written`` has them."""
    if isinstance(value, list) and all(type(name) is str for name in value):
        return {name: ChangeExplanation("") for name in value}
    if isinstance(value, dict) and all(isinstance(one, dict) for one in value.values()):
        return {name: _label(one) for name, one in value.items()}
    return None


def _label(told: Mapping[str, object]) -> ChangeExplanation:
    kind, replacement, version = (told.get(key) for key in ("kind", "replacement", "version"))
    between = told.get("between")
    bounds = None
    if isinstance(between, list) and len(between) == 2:  # noqa: PLR2004
        bounds = str(between[0]), str(between[1])
    return ChangeExplanation(
        kind if isinstance(kind, str) else "",
        replacement if isinstance(replacement, str) else None,
        version if isinstance(version, str) else None,
        bounds,
    )


def written(
    labels: Labels, *, explain: bool
) -> list[str] | dict[str, dict[str, str | list[str] | None]]:
    """Labels as JSON has them."""
    if not explain:
        return list(labels)
    return {
        name: {
            "kind": one.kind or None,
            "version": one.version,
            "replacement": one.replacement,
            **({"between": list(one.between)} if one.between else {}),
        }
        for name, one in labels.items()
    }


# --- reading answers


def explanations(text: str, *, explain: bool) -> dict[str, StatedChange] | None:
    """What a text that is, or holds, a list or an object tells. Of several, the last one counts.

    But one that names nothing is no word against one that does, nor a list, which says what and
    not how, against an object that says both, nor what stands in words against a block of JSON.
    """
    blocks = [match.span() for match in _BLOCK.finditer(text)]
    found, best = None, (False, False, False)
    for start, value in literals.values(text):
        told = _headed(text[max(0, start - _NEAR) : start], value) or told_by(value)
        if told is None:
            continue
        block = bisect_right(blocks, start, key=lambda span: span[0]) - 1
        marked = block >= 0 and start < blocks[block][1]
        rank = bool(told), explain and any(one.says for one in told.values()), marked
        if rank >= best:
            found, best = told, rank
    return found


def _headed(before: str, value: object) -> dict[str, StatedChange] | None:
    """An object that explains, behind the name of what: ``np.in1d: {…}``."""
    told = of_one(value)
    line = before.rstrip("` \n:=-—").rpartition("\n")[2][-200:]
    named = mentions(line, lines=True) if told else []
    return {named[-1].name: told} if told and named else None
