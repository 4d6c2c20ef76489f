"""Every question to a model and what came back, a line each, so that nothing is asked twice.

``calls.jsonl`` has three kinds of lines: a prompt (once, however many samples are asked of it), a
call with its output, and a call that got no answer. It is only ever appended to; a kill costs at
most the line that was being written.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from libdrift.errors import LibdriftError, write_failure
from libdrift.evals.troubles import Trouble
from libdrift.execution.runs import mend

FILE = "calls.jsonl"
logger = logging.getLogger(__name__)


class Line(msgspec.Struct, omit_defaults=True):
    """A line of the file, of whichever kind."""

    prompt: str = ""  # its digest
    messages: list[dict[str, Any]] | None = None  # of a prompt
    key: str = ""
    task_id: str = ""
    sample: int = 0
    model: str = ""
    config: dict[str, Any] | None = None
    output: dict[str, Any] | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    time: str = ""
    trouble: str = ""
    message: str = ""
    retries: int = 0  # of a session, when it ended


@dataclass(slots=True)
class Totals:
    """What all calls of a run came to."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    retries: int = 0
    # What was asked in vain, and not answered since: task and sample → kind and message.
    troubles: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)

    def usage(self, reused: int) -> dict[str, float]:
        """As a summary has it."""
        return {
            "calls": self.calls,
            "reused": reused,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "cost": round(self.cost, 6),
            "retries": self.retries,
        }

    def open_troubles(self, still: Callable[[tuple[str, int]], bool]) -> dict[str, dict[str, Any]]:
        """By kind: how many questions ``still`` have no answer, and the last of their messages."""
        found: dict[str, dict[str, Any]] = {}
        for place, (kind, message) in self.troubles.items():
            if still(place):
                count = found.get(kind, {}).get("count", 0)
                found[kind] = {"count": count + 1, "last": message}
        return found

    def add(self, line: Line) -> None:
        self.retries += line.retries
        self.tokens_in += line.tokens_in
        self.tokens_out += line.tokens_out
        self.cost += line.cost
        if line.output is not None:
            self.calls += 1
            self.troubles.pop((line.task_id, line.sample), None)
        if line.trouble:
            self.troubles[line.task_id, line.sample] = (line.trouble, line.message)


def digest(value: Any) -> str:  # noqa: ANN401  (whatever JSON can hold)
    # In ASCII: a task's text may hold what no encoding has.
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]


class Ledger:
    """The calls of a run; without a folder they are counted only."""

    def __init__(self, folder: Path | None) -> None:
        self._path = folder / FILE if folder else None
        self._file: io.BufferedWriter | None = None
        self._known: dict[str, int] = {}  # key → where its line starts
        self._prompts: set[str] = set()  # of the tasks that are being asked
        self.totals = Totals()
        self.reused = 0

    def open(self, wanted: Callable[[Line], bool]) -> None:
        """Read what is there. Only calls that are ``wanted`` are kept in mind."""
        if self._path is None:
            return
        mend(self._path)
        for start, line in self._lines():
            self.totals.add(line)
            if line.key and line.output is not None and wanted(line):
                self._known[line.key] = start
        self._file = self._path.open("ab")

    def close(self, retries: int = 0) -> None:
        if retries:
            self.add(Line(retries=retries))
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()  # which writes what a full disk has refused before
            except OSError as error:
                raise self._failure(error) from error

    def find(self, key: str) -> dict[str, Any] | None:
        """The output that a call got."""
        start = self._known.get(key)
        if start is None or self._path is None:
            return None
        with self._path.open("rb") as file:
            file.seek(start)
            line = _DECODER.decode(file.readline())
        self.reused += 1
        return line.output

    def add(self, line: Line) -> None:
        self.totals.add(line)
        self._write(line)

    def add_prompt(self, prompt: str, messages: list[dict[str, Any]]) -> None:
        """Keep a prompt, unless this one was just kept for another sample."""
        if self._file is not None and prompt not in self._prompts:
            if len(self._prompts) > _REMEMBERED:
                self._prompts.clear()
            self._prompts.add(prompt)
            self._write(Line(prompt=prompt, messages=messages))

    def trouble(self, task_id: str, sample: int, prompt: str, trouble: Trouble) -> None:
        self.add(
            Line(
                prompt=prompt,
                task_id=task_id,
                sample=sample,
                trouble=trouble.kind.value,
                message=trouble.message,
            )
        )

    def _write(self, line: Line) -> None:
        if self._file is None:
            return
        try:
            self._file.write(_encoded(line) + b"\n")
            self._file.flush()
        except OSError as error:
            raise self._failure(error) from error

    def _failure(self, error: OSError) -> LibdriftError:
        return write_failure(self._path, error, kept="answers so far are kept")

    def _lines(self) -> Iterator[tuple[int, Line]]:
        if self._path is None or not self._path.is_file():
            return
        with self._path.open("rb") as file:
            start = 0
            for text in file:
                try:
                    yield start, _DECODER.decode(text)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    # What it was about is asked again; all else is kept.
                    logger.warning("%s: not a line of calls (%s)", self._path, error)
                start += len(text)


def _encoded(line: Line) -> bytes:
    try:
        return msgspec.json.encode(line)
    except UnicodeEncodeError:  # halves of surrogate pairs, which no file takes
        text = json.dumps(msgspec.to_builtins(line), ensure_ascii=False)
        return text.encode("utf-8", "replace")


_DECODER = msgspec.json.Decoder(Line)
_REMEMBERED = 10_000
