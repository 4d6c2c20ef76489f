"""Answers that are judged by their text, read as a stream: no more than a task's are held.

A file has one JSON object a line: ``{"task_id": …, "answer": …}``, several for a task, or
``{"task_id": …, "answers": [ … ]}``. The output files of VersiCode's own programs are read too.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from libdrift.errors import UserError
from libdrift.metrics.cleaning import listed
from libdrift.records import LeftOut, Suite
from libdrift.scoring.output_files import read_outputs

_FIX = 'Each line must be like {"task_id": "…", "answer": "…"} or {"task_id": "…", "answers": […]}'
_CHUNK = 1 << 20


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


class _Line(msgspec.Struct):
    """A line, as far as it is one; further keys are nobody's business."""

    # The first name is libdrift's, the others are those of published answer files.
    task_id: str | int | None = None
    example_id: str | int | None = None
    id: str | int | None = None
    answer: str | None = None
    solution: str | None = None
    answers: list[str] | None = None
    model_output: str | list[str] | None = None
    sample: int | None = None

    @property
    def name(self) -> str | None:
        found = next((x for x in (self.task_id, self.example_id, self.id) if x is not None), None)
        return None if found is None else str(found)

    def outputs(self) -> list[str]:
        """Every answer of the line; ``ValueError`` says what is wrong with them."""
        if isinstance(self.model_output, str):
            return listed(self.model_output)
        one = self.answer if self.answer is not None else self.solution
        many = self.answers if self.answers is not None else self.model_output
        if one is not None:
            return [one]
        if not many:
            raise ValueError('needs "task_id" and a text "answer", or a list of texts "answers"')
        return list(many)


@dataclass(frozen=True, slots=True)
class _Record:
    where: str
    number: int
    task_id: str
    outputs: list[str]
    sample: int | None


class TextAnswers:
    """An answer file of a suite."""

    def __init__(self, path: Path, suite: Suite) -> None:
        self.path = path
        self._suite = suite
        try:
            with path.open("rb") as file:
                digest = hashlib.sha256()
                head = b""
                while chunk := file.read(_CHUNK):
                    head = head or chunk.lstrip(b"\xef\xbb\xbf \t\r\n")[:4096]
                    digest.update(chunk)
        except OSError as error:
            raise UserError(f"cannot read answers from {path}: {error.strerror}", _FIX) from error
        self.sha256 = digest.hexdigest()
        self._document = _is_document(head)

    def stream(self) -> Iterator[TextSample | Done | LeftOut]:
        """All answers in the order of the file; what is bad comes as such, with its reason."""
        remaining = self._remaining()
        numbers: dict[str, set[int]] = {}  # sample numbers of tasks that are not done yet
        done: set[str] = set()
        for item in self._document_items() if self._document else self._lines():
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
        if self._document:
            return Counter()
        return Counter(item.task_id for item in self._lines() if isinstance(item, _Record))

    def _lines(self) -> Iterator[_Record | LeftOut]:
        decoder = msgspec.json.Decoder(_Line)
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                text = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
                if text:
                    yield self._record(f"{self.path}:{number}", number, text, decoder)

    def _record(
        self, where: str, number: int, text: bytes, decoder: msgspec.json.Decoder[_Line]
    ) -> _Record | LeftOut:
        try:
            line = decoder.decode(text)
            name, outputs = line.name, line.outputs()
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            return LeftOut(where, f"not an answer ({error})", number)
        if name is None:
            return LeftOut(where, 'needs "task_id"', number)
        return self._known(_Record(where, number, name, outputs, line.sample))

    def _document_items(self) -> Iterator[_Record | LeftOut]:
        for number, item in enumerate(read_outputs(self.path), start=1):
            if isinstance(item, LeftOut):
                yield item
            else:
                task_id, outputs = item
                where = f"{self.path}: item {number}"
                yield self._known(_Record(where, number, task_id, list(outputs), None))

    def _known(self, record: _Record) -> _Record | LeftOut:
        if record.task_id in self._suite.tasks:
            return record
        command = f"libdrift suites show {self._suite.name}"
        message = f"unknown task {record.task_id!r}; `{command}` lists them"
        return LeftOut(record.where, message, record.number)


def _is_document(head: bytes) -> bool:
    """Whether a file is one JSON value over many lines, and not an object a line."""
    if head.startswith(b"["):
        return True
    first = head.partition(b"\n")[0].rstrip()
    opening = head.replace(b" ", b"").replace(b"\n", b"").replace(b"\r", b"").replace(b"\t", b"")
    return first == b"{" or opening.startswith(b'{"data":[')
