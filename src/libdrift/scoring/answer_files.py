"""Files of answers, for programs and texts alike: one JSON object a line, read as a stream.

A line is ``{"task_id": …, "answer": …}``, several for a task allowed, or ``{"task_id": …,
"answers": [ … ]}``. Published answer files, which say ``example_id`` or ``id`` and ``solution``,
``completion`` or ``model_output``, are read too, and so are lists of such objects, the output files
of VersiCode's own programs, which are one JSON value, and all of these compressed by gzip.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from libdrift.errors import UserError
from libdrift.metrics.cleaning import listed
from libdrift.reading import Lines, json_items, opened
from libdrift.records import LeftOut, Suite
from libdrift.scoring.output_files import is_answer, read_outputs

FIX = 'Each line must be like {"task_id": "…", "answer": "…"} or {"task_id": "…", "answers": […]}'
_SAMPLE_LIMIT = 1_000_000
_NEEDS = (
    'needs "task_id" (or "example_id", "id") and a text "answer" (or "solution", "completion"), '
    'or a list of texts "answers"'
)
_CHUNK = 1 << 20


class AnswerLine(msgspec.Struct):
    """A line, as far as it is one; further keys are nobody's business."""

    # The first name is libdrift's, the others are those of published answer files.
    task_id: str | int | None = None
    example_id: str | int | None = None
    id: str | int | None = None
    answer: str | None = None
    solution: str | None = None
    completion: str | None = None
    answers: list[str] | None = None
    model_output: str | list[str] | None = None
    sample: Annotated[int, msgspec.Meta(ge=0, lt=_SAMPLE_LIMIT)] | None = None

    @property
    def name(self) -> str:
        """Of its task; ``ValueError`` if there is none."""
        names = (self.task_id, self.example_id, self.id)
        found = next((one for one in names if one is not None), None)
        if found is None:
            raise ValueError(_NEEDS)
        return str(found)

    def outputs(self) -> list[str]:
        """Every answer of the line; ``ValueError`` says what is wrong with them."""
        if isinstance(self.model_output, str):
            return listed(self.model_output)
        texts = (self.answer, self.solution, self.completion)
        one = next((text for text in texts if text is not None), None)
        many = self.answers if self.answers is not None else self.model_output
        if one is not None:
            return [one]
        if not many:
            raise ValueError(_NEEDS)
        return list(many)


_DECODER = msgspec.json.Decoder(AnswerLine)
_PLACE = re.compile(r"byte (\d+)")


def decode(text: bytes) -> AnswerLine:
    """A line of answers; ``ValueError`` says in words what it is instead."""
    try:
        return _DECODER.decode(text)
    except msgspec.ValidationError as error:
        raise ValueError(f"not an answer ({error}); write one object per line") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if not _is_utf8(text):
            raise ValueError("not UTF-8 text; save the file as UTF-8") from error
        found = _PLACE.search(str(error))
        where = f" at column {int(found[1]) + 1}" if found else ""
        raise ValueError(f"not JSON{where}; write one object per line") from error


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """What a line, or an item of a document, says."""

    where: str  # as the reader finds it
    number: int
    task_id: str
    outputs: list[str]
    sample: int | None


@dataclass(frozen=True, slots=True)
class TextSample:
    """One answer."""

    task_id: str
    output: str
    number: int | None = None  # of the sample, where the file tells it


@dataclass(frozen=True, slots=True)
class Done:
    """No further answer to a task follows."""

    task_id: str


class AnswerFile:
    """An answer file of a suite."""

    def __init__(self, path: Path, suite: Suite, only: Collection[str] | None = None) -> None:
        """``only`` are the tasks whose answers are wanted; those to others are passed over."""
        self.path = path
        self._suite = suite
        self.only = only
        try:
            with opened(path) as file:
                head = file.read(_CHUNK).lstrip(b"\xef\xbb\xbf \t\r\n")[:4096]
            self._document = _is_document(head)
            self.sha256 = _hash_of_file(path) if self._document else _hash_of_lines(path)
        except OSError as error:
            raise UserError(
                f"cannot read answers from {path}: {error.strerror}",
                f"{FIX}; a folder of programs is read too",
            ) from error

    def records(self) -> Iterator[AnswerRecord | LeftOut]:
        """All lines or items in the order of the file; what is bad comes with its reason."""
        found = self._items() if self._document else self._lines()
        for item in found:
            wanted = isinstance(item, LeftOut) or self.only is None or item.task_id in self.only
            if wanted:
                yield item

    def stream(self) -> Iterator[TextSample | Done | LeftOut]:
        """All answers in the order of the file, so that no more than a task's need be held."""
        remaining = self._remaining()
        numbers: dict[str, set[int]] = {}  # sample numbers of tasks that are not done yet
        done: set[str] = set()
        for item in self.records():
            if isinstance(item, LeftOut):
                yield item
            elif item.task_id in done:
                yield LeftOut(item.where, f"repeats the answers to {item.task_id}", item.number)
            else:
                seen = numbers.setdefault(item.task_id, set())
                if item.sample is not None and item.sample in seen:
                    message = f"repeats sample {item.sample} of {item.task_id}"
                    yield LeftOut(item.where, message, item.number)
                else:
                    number = item.sample if len(item.outputs) == 1 else None
                    yield from (TextSample(item.task_id, output, number) for output in item.outputs)
                if item.sample is not None:
                    seen.add(item.sample)
                remaining[item.task_id] -= 1
                if remaining[item.task_id] <= 0:
                    del numbers[item.task_id]
                    done.add(item.task_id)
                    yield Done(item.task_id)

    def _remaining(self) -> Counter[str]:
        """How many lines each task has. An item of a document has all answers to its task."""
        if self._document and self._is_published():
            return Counter()
        return Counter(item.task_id for item in self.records() if isinstance(item, AnswerRecord))

    def _is_published(self) -> bool:
        """Whether a document is one of the authors' programs, and no list of answers."""
        first = next((item for _, item in json_items(self.path)), None)
        return not isinstance(first, dict) or "model_output" in first or not is_answer(first)

    def _lines(self) -> Iterator[AnswerRecord | LeftOut]:
        for number, text in enumerate(Lines(self.path), start=1):
            if text.strip():
                yield self._record(f"{self.path}:{number}", number, text)

    def _record(self, where: str, number: int, text: bytes) -> AnswerRecord | LeftOut:
        try:
            line = decode(text)
            record = AnswerRecord(where, number, line.name, line.outputs(), line.sample)
        except ValueError as error:
            return LeftOut(where, str(error), number)
        return self._known(record)

    def _items(self) -> Iterator[AnswerRecord | LeftOut]:
        for number, item in enumerate(read_outputs(self.path), start=1):
            where = f"{self.path}: item {number}"
            if isinstance(item, LeftOut):
                yield item
            elif isinstance(item, dict):
                yield self._record(where, number, msgspec.json.encode(item))
            else:
                task_id, outputs = item
                yield self._known(AnswerRecord(where, number, task_id, list(outputs), None))

    def _known(self, record: AnswerRecord) -> AnswerRecord | LeftOut:
        if record.task_id in self._suite.tasks:
            return record
        command = f"libdrift suites show {self._suite.argument}"
        message = f"unknown task {record.task_id!r}; `{command}` lists them"
        return LeftOut(record.where, message, record.number)


def _hash_of_file(path: Path) -> str:
    digest = hashlib.sha256()
    with opened(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _hash_of_lines(path: Path) -> str:
    """As of the file, but a line without end is refused, and not read to its end."""
    lines = Lines(path)
    for _ in lines:
        pass
    return lines.sha256


def _is_document(head: bytes) -> bool:
    """Whether a file is one JSON value over many lines, and not an object a line."""
    if head.startswith(b"["):
        return True
    first = head.partition(b"\n")[0].rstrip()
    opening = head.replace(b" ", b"").replace(b"\n", b"").replace(b"\r", b"").replace(b"\t", b"")
    return first == b"{" or opening.startswith(b'{"data":[')
