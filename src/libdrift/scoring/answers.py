"""Answers that are programs: from a file of answers, or a folder with one program a task."""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from libdrift.errors import UserError
from libdrift.metrics import trees
from libdrift.records import Attempt, LeftOut, Suite, Task, TaskKind
from libdrift.scoring import assistant
from libdrift.scoring.answer_files import FIX, AnswerFile

_BLOCKS = (
    re.compile(r"```(?:python|py)[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE),
    re.compile(r"^```[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE),
)
_FENCE = "```"
_RELEASED = re.compile(r"```python(.*?)```", re.DOTALL)
ANSWER_LIMIT = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Answers:
    attempts: tuple[Attempt, ...]
    left_out: tuple[LeftOut, ...]
    unanswered: tuple[str, ...]
    sha256: str  # of the file, or of a folder's names and contents, as they were read
    set_aside: tuple[Attempt, ...] = ()  # to tasks that were not asked for

    def only(self, task_ids: Collection[str]) -> Answers:
        """The answers to some tasks; the others are set aside, and known."""
        return replace(
            self,
            attempts=tuple(a for a in self.attempts if a.task_id in task_ids),
            unanswered=tuple(task_id for task_id in self.unanswered if task_id in task_ids),
            set_aside=tuple(a for a in self.attempts if a.task_id not in task_ids),
        )


@dataclass(frozen=True, slots=True)
class _Line:
    where: str
    number: int
    task_id: str
    answer: str
    sample: int | None


def extract_code(raw: str, *, any_fence: bool = True, language: str = "python") -> str:
    """The program in a model's text: its first block in the language, else its first, else all.

    Without ``any_fence``, as GitChameleon has it: the first block marked ``python``, else all.
    """
    if language != "python":
        return _fenced(raw, language)
    if not any_fence:
        match = _RELEASED.search(raw)
        return match[1] if match else raw
    if _FENCE in raw and _is_program(raw):
        return raw.removeprefix("\ufeff")  # whose docstrings show an example
    for block in _BLOCKS:
        match = block.search(raw)
        if match:
            return match[1]
    return raw.removeprefix("\ufeff")


_MARKS = {"rust": "rust|rs"}


def _fenced(raw: str, language: str) -> str:
    raw = raw.removeprefix("\ufeff")
    # A program may show examples in fences, in its comments and texts: it is no model's text.
    if "```" not in raw or not trees.root(trees.encoded(raw), language).has_error:
        return raw
    # At the beginning of a line only: in comments they stand behind their marks.
    for mark in (_MARKS.get(language, language), r"\w*"):
        match = re.search(
            rf"^[ \t]*```(?:{mark})[^\n]*\n(.*?)(?:^[ \t]*```|\Z)",
            raw,
            re.DOTALL | re.IGNORECASE | re.MULTILINE,
        )
        if match:
            return match[1]
    return raw


def _is_program(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes and comparisons: not ours to judge
            ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def code_of(suite: Suite, task_id: str, raw: str) -> str:
    """The program that an answer to a task makes."""
    task = suite.tasks[task_id]
    return whole(task, extract_code(raw, any_fence=suite.any_fence, language=task.language))


# What a line begins at the margin: the last such line of a prefix is what it breaks off in.
_BEGUN = {
    "python": re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)", re.MULTILINE),
    "rust": re.compile(
        r"^(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe)\s+)*"
        r"(?:fn|struct|enum|union|trait|mod)\s+(\w+)",
        re.MULTILINE,
    ),
    "java": re.compile(
        r"^(?:(?:public|final|abstract|sealed)\s+)*(?:class|interface|enum|record)\s+(\w+)",
        re.MULTILINE,
    ),
}


def whole(task: Task, code: str) -> str:
    """Code as a program: as it stands, or between the prefix and suffix that it completes.

    Models like to write all of it again. So code that opens with the prefix, or begins what the
    prefix breaks off in (the same function or class), is a whole program.
    """
    prefix, suffix = task.prefix, task.suffix
    if not prefix and not suffix:
        return code
    if prefix.strip():
        begun = _BEGUN[task.language].findall(prefix)
        again = bool(begun) and begun[-1] in _BEGUN[task.language].findall(code)
        again = again or code.lstrip().startswith(prefix.strip())
    else:
        again = bool(suffix.strip()) and code.rstrip().endswith(suffix.strip())
    return code if again else f"{prefix}{code}{suffix}"


class Flaw(StrEnum):
    """What makes an answer wrong, program or text, whatever its task is."""

    EMPTY = "empty"
    BINARY = "binary"


def flaw(raw: str) -> Flaw | None:
    """The flaw of an answer; its length is for each kind of answer to judge."""
    if not raw.strip():
        return Flaw.EMPTY
    try:
        raw.encode()
    except UnicodeEncodeError:  # a half of a sign
        return Flaw.BINARY
    return Flaw.BINARY if "\0" in raw else None


def refusal(raw: str) -> str:
    """Why an answer is not worth running; empty if it is."""
    if len(raw) > ANSWER_LIMIT and raw.strip():
        return f"the answer has {len(raw):,} characters, over the limit of {ANSWER_LIMIT:,}"
    found = flaw(raw)
    return f"the answer is {found}{', not text' if found is Flaw.BINARY else ''}" if found else ""


def read_answers(path: Path, suite: Suite) -> Answers:
    """Read an answer file or folder; what is bad is left out one by one, each with its reason."""
    try:
        if path.is_dir():
            attempts, left_out, sha256 = assistant.read(path, suite)
            fix = f"`libdrift suites export {suite.argument} DIR` shows how the files are named"
        else:
            attempts, left_out, sha256 = _read_file(path, suite)
            fix = FIX
    except OSError as error:
        raise UserError(
            f"cannot read answers from {path}: {error.strerror}", "Check its permissions"
        ) from error
    if not attempts:
        first = f" ({left_out[0].where}: {left_out[0].message})" if left_out else ""
        raise UserError(f"{path} has no usable answer{first}", fix)
    answered = {attempt.task_id for attempt in attempts}
    unanswered = tuple(task_id for task_id in suite.tasks if task_id not in answered)
    return Answers(tuple(attempts), tuple(left_out), unanswered, sha256)


def _read_file(path: Path, suite: Suite) -> tuple[list[Attempt], list[LeftOut], str]:
    content = AnswerFile(path, suite)
    lines: list[_Line] = []
    left_out: list[LeftOut] = []
    for record in content.records():
        if isinstance(record, LeftOut):
            left_out.append(record)
        else:
            sample = record.sample if len(record.outputs) == 1 else None
            lines += [
                _Line(record.where, record.number, record.task_id, output, sample)
                for output in record.outputs
            ]
    kept, repeated = _samples(lines, suite)
    left_out = sorted(left_out + repeated, key=lambda item: item.line or 0)
    return kept, left_out, content.sha256


def _samples(lines: list[_Line], suite: Suite) -> tuple[list[Attempt], list[LeftOut]]:
    """Number the samples of each task, and find lines that only repeat another.

    Several lines for a task are samples, and samples may well be equal. But where a task has more
    lines than is usual for its kind, a line equal to an earlier one is a copy, not a sample.
    """
    counts = Counter(line.task_id for line in lines)
    usual = _usual(counts, suite)
    attempts: dict[tuple[str, int], Attempt] = {}
    left_out: list[LeftOut] = []
    surplus = {
        task_id: count - usual[suite.tasks[task_id].kind] for task_id, count in counts.items()
    }
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
            message = f'{what} of {line.task_id}; give each its own "sample" number'
            left_out.append(LeftOut(line.where, message, line.number))
            continue
        taken[line.task_id].add(sample)
        code = code_of(suite, line.task_id, line.answer)
        attempts[line.task_id, sample] = Attempt(line.task_id, sample, line.answer, code)
    return list(attempts.values()), left_out


def _usual(counts: Mapping[str, int], suite: Suite) -> dict[TaskKind, int]:
    """How many lines most tasks of a kind have."""
    tallies: dict[TaskKind, Counter[int]] = {}
    for task_id, count in counts.items():
        tallies.setdefault(suite.tasks[task_id].kind, Counter())[count] += 1
    return {
        kind: min(n for n, times in tally.items() if times == max(tally.values()))
        for kind, tally in tallies.items()
    }


def _free(taken: set[int]) -> int:
    number = 0
    while number in taken:
        number += 1
    return number
