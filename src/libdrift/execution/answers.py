"""Answer files: one JSON object a line, ``{"task_id": …, "answer": …}``, n per task allowed."""

from __future__ import annotations

import codecs
import hashlib
import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from libdrift.errors import UserError
from libdrift.records import Attempt, Suite

_BLOCKS = (
    re.compile(r"```(?:python|py)[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE),
    re.compile(r"^```[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE),
)
_SAMPLE_LIMIT = 1_000_000
ANSWER_LIMIT = 1024 * 1024


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line that was not used, and what to do about it."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Answers:
    attempts: tuple[Attempt, ...]
    left_out: tuple[LeftOut, ...]
    unanswered: tuple[str, ...]
    sha256: str  # of the file, as it was read


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    task_id: str
    answer: str
    sample: int | None


def extract_code(raw: str) -> str:
    """The program in a model's text: its first Python block, else its first block, else all."""
    for block in _BLOCKS:
        match = block.search(raw)
        if match:
            return match[1]
    return raw.removeprefix("\ufeff")


def refusal(raw: str) -> str:
    """Why an answer is not worth running; empty if it is."""
    if not raw.strip():
        return "the answer is empty"
    if len(raw) > ANSWER_LIMIT:
        return f"the answer has {len(raw):,} characters, over the limit of {ANSWER_LIMIT:,}"
    if "\0" in raw or any("\ud800" <= c <= "\udfff" for c in raw):
        return "the answer is binary, not text"
    return ""


def read_answers(path: Path, suite: Suite) -> Answers:
    """Read an answer file; bad lines are left out one by one, each with its reason."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(
            f"cannot read answers from {path}: {error.strerror}",
            'Give a file with lines like {"task_id": "…", "answer": "…"}',
        ) from error
    lines: list[_Line] = []
    left_out: list[LeftOut] = []
    for number, text in enumerate(content.removeprefix(codecs.BOM_UTF8).split(b"\n"), start=1):
        if not text.strip():
            continue
        parsed = _parse(number, text, suite)
        if isinstance(parsed, LeftOut):
            left_out.append(parsed)
        else:
            lines.append(parsed)
    kept, repeated = _samples(lines)
    left_out += repeated
    if not kept:
        first = f" (line {left_out[0].line}: {left_out[0].message})" if left_out else ""
        raise UserError(
            f"{path} has no usable answer{first}",
            'Each line must be like {"task_id": "…", "answer": "…"}',
        )
    answered = {attempt.task_id for attempt in kept}
    unanswered = tuple(task_id for task_id in suite.tasks if task_id not in answered)
    return Answers(
        attempts=tuple(kept),
        left_out=tuple(sorted(left_out, key=lambda o: o.line)),
        unanswered=unanswered,
        sha256=hashlib.sha256(content).hexdigest(),
    )


def _parse(number: int, text: bytes, suite: Suite) -> _Line | LeftOut:
    try:
        record = json.loads(text.decode("utf-8"))
    except UnicodeDecodeError:
        return LeftOut(number, "not UTF-8 text; save the file as UTF-8")
    except (ValueError, RecursionError) as error:
        return LeftOut(number, f"not JSON ({error}); one object a line")
    if not isinstance(record, dict):
        record = {}
    task_id, answer, sample = record.get("task_id"), record.get("answer"), record.get("sample")
    if not isinstance(task_id, (str, int)) or not isinstance(answer, str):
        return LeftOut(number, 'needs "task_id" and a text "answer"')
    if str(task_id) not in suite.tasks:
        return LeftOut(
            number, f"unknown task {task_id!r}; `libdrift suites show {suite.name}` lists them"
        )
    if sample is not None and not (type(sample) is int and 0 <= sample < _SAMPLE_LIMIT):
        return LeftOut(number, f'"sample" must be a whole number below {_SAMPLE_LIMIT:,}')
    return _Line(number, str(task_id), answer, sample)


def _samples(lines: list[_Line]) -> tuple[list[Attempt], list[LeftOut]]:
    """Number the samples of each task, and find lines that only repeat another.

    Several lines for a task are samples, and samples may well be equal. But where a task has
    more lines than is usual in the file, a line equal to an earlier one is a copy, not a sample.
    """
    counts = Counter(line.task_id for line in lines)
    tally = Counter(counts.values())
    usual = min((n for n, times in tally.items() if times == max(tally.values())), default=0)
    attempts: dict[tuple[str, int], Attempt] = {}
    left_out: list[LeftOut] = []
    surplus = {task_id: count - usual for task_id, count in counts.items()}
    seen: dict[tuple[str, str], int] = {}
    taken: defaultdict[str, set[int]] = defaultdict(set)
    for line in lines:
        if line.sample is not None:
            taken[line.task_id].add(line.sample)
    for line in lines:
        first = seen.setdefault((line.task_id, line.answer), line.number)
        copy = line.sample is None and first != line.number and surplus[line.task_id] > 0
        sample = line.sample if line.sample is not None else _free(taken[line.task_id])
        if copy or (line.task_id, sample) in attempts:
            surplus[line.task_id] -= 1
            what = f"repeats line {first}" if copy else f"repeats sample {sample}"
            left_out.append(
                LeftOut(line.number, f'{what} of {line.task_id}; give each its own "sample" number')
            )
            continue
        taken[line.task_id].add(sample)
        code = extract_code(line.answer)
        attempts[line.task_id, sample] = Attempt(line.task_id, sample, line.answer, code)
    return list(attempts.values()), left_out


def _free(taken: set[int]) -> int:
    number = 0
    while number in taken:
        number += 1
    return number
