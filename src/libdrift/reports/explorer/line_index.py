"""Where in a run's files an answer is told of, so that no file is held in memory.

Files of runs grow while a run goes on: an index reads on from where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import msgspec

AnswerKey = tuple[str, int]  # of a task, and the number of the sample


class _Subject(msgspec.Struct):
    """What of a line tells what it is about."""

    task_id: str = ""
    sample: int = 0
    prompt: str = ""
    messages: list[msgspec.Raw] | None = None

    @property
    def is_prompt(self) -> bool:
        return self.messages is not None


_SUBJECT = msgspec.json.Decoder(_Subject)


def _subject(line: bytes) -> _Subject:
    try:
        return _SUBJECT.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass
    try:  # halves of surrogate pairs are JSON, but not to msgspec
        return msgspec.convert({**json.loads(line), "messages": None}, _Subject)
    except (ValueError, TypeError, RecursionError, msgspec.ValidationError):
        return _Subject()  # damaged: whoever counts answers says so


class LineIndex:
    """The lines of a file by the answer, or the prompt, that they are about."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._answers: dict[AnswerKey, tuple[int, ...]] = {}
        self._prompts: dict[str, int] = {}
        self._names: dict[str, str] = {}  # one text for each task, however many lines it has
        self._end = 0
        self._lock = Lock()

    def refresh(self) -> None:
        """Read what was added. A file that became shorter is another one: read it all."""
        with self._lock:
            try:
                size = self._path.stat().st_size
            except FileNotFoundError:
                size = 0
            if size < self._end:
                self._answers.clear()
                self._prompts.clear()
                self._end = 0
            if size == self._end:
                return
            with self._path.open("rb") as file:
                file.seek(self._end)
                for line in file:
                    if not line.endswith(b"\n"):
                        break  # it is being written
                    self._add(line)
                    self._end += len(line)

    def _add(self, line: bytes) -> None:
        subject = _subject(line)
        if subject.is_prompt:
            self._prompts[subject.prompt] = self._end
        elif subject.task_id:
            name = self._names.setdefault(subject.task_id, subject.task_id)
            key = (name, subject.sample)
            self._answers[key] = (*self._answers.get(key, ()), self._end)

    def lines(self, key: AnswerKey) -> Iterator[bytes]:
        """The lines about an answer, in the order of the file."""
        yield from self._read(self._answers.get(key, ()))

    def prompt(self, digest: str) -> bytes | None:
        """The line that has a prompt's messages."""
        start = self._prompts.get(digest)
        return None if start is None else next(self._read((start,)), None)

    def _read(self, starts: tuple[int, ...]) -> Iterator[bytes]:
        if not starts:
            return
        with self._path.open("rb") as file:
            for start in starts:
                file.seek(start)
                yield file.readline()

    def every(self) -> Iterator[bytes]:
        """All whole lines of the file, for a search."""
        if self._path.is_file():
            with self._path.open("rb") as file:
                yield from (line for line in file if line.endswith(b"\n"))
