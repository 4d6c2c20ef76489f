"""What was asked, answered and said of an answer: from the run's folder and what it points at.

What is not there is told in a word. A page has room for so many characters of each text, and says
so where it cuts; without a limit a text is whole.
"""

from __future__ import annotations

import contextlib
import json
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO, Any

import msgspec

from libdrift.analysis.observing import ObservedRun
from libdrift.errors import LibdriftError
from libdrift.execution.runs import VERDICTS
from libdrift.metrics.cleaning import cleaned
from libdrift.records import LeftOut, Suite, Task, Verdict
from libdrift.reports.explorer.line_index import AnswerKey, LineIndex
from libdrift.scoring import read_answers
from libdrift.scoring.answer_files import AnswerFile, TextSample
from libdrift.scoring.answers import code_of
from libdrift.scoring.text_scores import MIDDLE

ANSWERS, CALLS = "answers.jsonl", "calls.jsonl"
SuiteLookup = Callable[[ObservedRun], Suite]  # an error in one line where there is none
HistoryLookup = Callable[[str], dict[str, Any]]  # of an API's path; the same


@dataclass(frozen=True, slots=True)
class TextSources:
    """Where to look for what a run's folder does not hold."""

    suite: SuiteLookup
    history: HistoryLookup


class RunTexts:
    """The texts of one run."""

    def __init__(self, run: ObservedRun, sources: TextSources) -> None:
        self.run = run
        self._sources = sources
        self._verdicts = LineIndex(run.path / VERDICTS)
        self._calls = LineIndex(run.path / CALLS)
        self._answers = LineIndex(run.path / ANSWERS)
        self._has_answers = (run.path / ANSWERS).is_file()
        self._spool: _AnswerSpool | None = None
        self._suite: Suite | str | None = None
        self._lock = Lock()

    def refresh(self) -> None:
        """Take in what the run has added since."""
        self._has_answers = (self.run.path / ANSWERS).is_file()
        for index in (self._verdicts, self._calls, self._answers):
            index.refresh()

    def close(self) -> None:
        """Give back the disk that answers were kept on."""
        if self._spool is not None:
            self._spool.close()

    # --- the task

    @property
    def suite(self) -> Suite | str:
        """The suite, or why it is not at hand."""
        with self._lock:
            if self._suite is None:
                try:
                    self._suite = self._sources.suite(self.run)
                except LibdriftError as error:
                    self._suite = f"The tasks of {self.run.suite} are not available: {error}"
            return self._suite

    def task(self, task_id: str, limit: int | None = None) -> dict[str, Any]:
        suite = self.suite
        if isinstance(suite, str):
            return {"why": suite, "history_why": suite}
        task = suite.tasks.get(task_id)
        if task is None:
            why = f"{suite.name} has no task of this name now"
            return {"why": why, "history_why": why}
        named = {"problem": task.problem, "starter": task.starter, "reference": task.reference}
        found: dict[str, Any] = {"title": task.title}
        for name, text in named.items():
            found |= cut(name, text, limit)
        return found | self._history(task)

    def _history(self, task: Task) -> dict[str, Any]:
        if not task.facts.symbol:
            return {"history_why": "The task does not name the API that it turns on."}
        try:
            return {"history": self._sources.history(task.facts.symbol)}
        except LibdriftError as error:
            return {"history_why": f"Nothing is known of {task.facts.symbol}: {error}"}

    # --- the answer

    def answer(self, key: AnswerKey, limit: int | None = None) -> dict[str, Any]:
        """All that is known of an answer; ``prompt`` is a list of messages."""
        found: dict[str, Any] = {"verdicts": list(self._judged(key, limit))}
        if not found["verdicts"]:
            found["verdicts_why"] = "The answer was compared with the reference; nothing was run."
        text = self.text(key)
        if isinstance(text, _Absent):
            found["answer_why"] = text.why
        else:
            found |= cut("answer", text, limit)
            code = self._code(key[0], text)
            if code is not None and code != text and "answer_length" not in found:
                found["code"] = code
        messages = self._messages(key)
        if messages is None:
            found["prompt_why"] = "The run kept no prompt: its answers came from a file."
        else:
            found["prompt"] = [
                {"role": role, **cut("content", content, limit)} for role, content in messages
            ]
        return found

    def text(self, key: AnswerKey) -> str | _Absent:
        """An answer as it was given, whole."""
        if self._has_answers:
            *_, last = (None, *self._answers.lines(key))
            if last is None:
                return _Absent("The run has not kept this answer.")
            return str(_record(last).get("answer", ""))
        with self._lock:
            if self._spool is None:
                self._spool = _AnswerSpool()
        suite = self.suite
        return self._spool.find(key, self.run, suite)

    def _code(self, task_id: str, text: str) -> str | None:
        """What of an answer is held against the reference: its program, or what fills a gap."""
        suite = self.suite
        if isinstance(suite, str) or task_id not in suite.tasks:
            return None
        task = suite.tasks[task_id]
        if task.gap is None:
            return code_of(suite, task_id, text)
        level = task.facts.granularity
        return None if level == MIDDLE else cleaned(text, token=level == "token")

    def _judged(self, key: AnswerKey, limit: int | None) -> Iterator[dict[str, Any]]:
        last: dict[str, Verdict] = {}
        for line in self._verdicts.lines(key):
            # Read as whoever counts answers reads them: what is not counted is not shown.
            with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                verdict = _VERDICTS.decode(line)
                last[verdict.split] = verdict
        for verdict in last.values():
            yield {
                **{name: getattr(verdict, name) for name in _VERDICT},
                "seconds": verdict.seconds if math.isfinite(verdict.seconds) else None,
                **cut("reason", verdict.reason, limit),
                **cut("log", verdict.log, limit),
                "cases": [[one.name, one.outcome] for one in verdict.cases],
            }

    def _messages(self, key: AnswerKey) -> list[tuple[str, str]] | None:
        """What was said before the answer: of several calls, the last that was answered."""
        digest = ""
        for line in self._calls.lines(key):
            call = _record(line)
            if call.get("output") is not None or not digest:
                digest = str(call.get("prompt", ""))
        said = self._calls.prompt(digest) if digest else None
        if said is None:
            return None
        found = _record(said).get("messages") or []
        return [
            (str(one.get("role", "")), _plain(one.get("content")))
            for one in found
            if isinstance(one, dict)
        ]

    # --- a search

    def mentions(self, words: tuple[str, ...]) -> Iterator[tuple[AnswerKey, int]]:
        """Answers whose texts have some of the words: a bit for each word."""
        prompts: dict[str, int] = {}
        for index in (self._calls, self._verdicts, self._answers):
            for line in index.every():
                found = _searched(line)
                has = bits(found.text.lower(), words)
                if found.messages is not None:
                    prompts[found.prompt] = has
                elif found.task_id:
                    has |= prompts.get(found.prompt, 0)
                    if has:
                        yield (found.task_id, found.sample), has
        if not self._has_answers:
            self.text(("", 0))  # reads the file of answers
            spool = self._spool
            for key, text in spool.every() if spool else ():
                has = bits(text.lower(), words)
                if has:
                    yield key, has


def bits(text: str, words: tuple[str, ...]) -> int:
    """Which of some words a text has, a bit for each."""
    return sum(1 << at for at, word in enumerate(words) if word in text)


def cut(name: str, text: str, limit: int | None) -> dict[str, Any]:
    """A text under a name, and its length where it is cut."""
    if limit is None or len(text) <= limit:
        return {name: text}
    return {name: text[:limit], f"{name}_length": len(text)}


_VERDICT = ("split", "outcome", "proof", "uses")
_VERDICTS = msgspec.json.Decoder(Verdict)


def _record(line: bytes) -> dict[str, Any]:
    """A line of a run's file; of one that is damaged, nothing."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


class _Searched(msgspec.Struct):
    """A line of any of a run's files, and what in it is searched."""

    prompt: str = ""
    task_id: str = ""
    sample: int = 0
    messages: list[dict[str, Any]] | None = None
    answer: str = ""
    reason: str = ""
    log: str = ""

    @property
    def text(self) -> str:
        said = (_plain(one.get("content")) for one in self.messages or ())
        return "\n".join((self.answer, self.reason, self.log, *said))


_SEARCHED = msgspec.json.Decoder(_Searched)


def _searched(line: bytes) -> _Searched:
    try:
        return _SEARCHED.decode(line)
    except (msgspec.ValidationError, RecursionError):
        return _Searched()
    except msgspec.DecodeError:  # halves of surrogate pairs, or a damaged line
        try:
            return msgspec.convert(json.loads(line), _Searched)
        except (ValueError, RecursionError, msgspec.ValidationError):
            return _Searched()


def _plain(content: object) -> str:
    """What a message says; of one in parts, their texts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [
            one["text"] if isinstance(one, dict) and isinstance(one.get("text"), str) else one
            for one in content
        ]
        return "\n".join(one if isinstance(one, str) else json.dumps(one) for one in parts)
    return "" if content is None else json.dumps(content)


@dataclass(frozen=True, slots=True)
class _Absent:
    why: str


class _AnswerSpool:
    """Answers of a file that was scored, read once by the suite's own reader, kept on disk."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._places: dict[AnswerKey, tuple[int, int]] = {}
        self._why = ""
        self._lock = Lock()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def find(self, key: AnswerKey, run: ObservedRun, suite: Suite | str) -> str | _Absent:
        with self._lock:
            if self._file is None and not self._why:
                self._why = self._read(run, suite)
                if self._why:
                    self._places.clear()
                    self.close()
            if self._why:
                return _Absent(self._why)
            if key not in self._places:
                return _Absent("The file of answers has none for this task and sample.")
            return self._text(key)

    def every(self) -> Iterator[tuple[AnswerKey, str]]:
        for key in self._places:
            with self._lock:
                yield key, self._text(key)

    def _text(self, key: AnswerKey) -> str:
        start, length = self._places[key]
        if self._file is None:
            raise RuntimeError("answers are asked for before they are read")
        self._file.seek(start)
        return self._file.read(length).decode("utf-8", "surrogatepass")

    def _read(self, run: ObservedRun, suite: Suite | str) -> str:
        """Read the answers; why that cannot be, if it cannot."""
        if isinstance(suite, str):
            return suite
        about = run.description.get("answers")
        path = Path(str(about.get("path"))) if isinstance(about, dict) else None
        # A pipe or a device, which a folder from elsewhere may name, has no end.
        if path is None or not (path.is_file() or path.is_dir()):
            return f"The answers are not where they were scored: {path or 'no file is named'}"
        self._file = tempfile.TemporaryFile(prefix="libdrift-")  # noqa: SIM115  (as long as we are)
        try:
            sha256 = self._keep(path, suite)
        except LibdriftError as error:
            return f"The answers cannot be read: {error}"
        if isinstance(about, dict) and sha256 != about.get("sha256"):
            return f"{path} is not the file any more that was scored: its checksum differs"
        return ""

    def _keep(self, path: Path, suite: Suite) -> str:
        if path.is_dir() or not any(task.gap is not None for task in suite.tasks.values()):
            found = read_answers(path, suite)
            for attempt in found.attempts:
                self._add((attempt.task_id, attempt.sample), attempt.raw)
            return found.sha256
        answers = AnswerFile(path, suite)
        counts: Counter[str] = Counter()
        for item in answers.stream():
            if isinstance(item, TextSample):
                self._add((item.task_id, counts[item.task_id]), item.output)
                counts[item.task_id] += 1
            elif isinstance(item, LeftOut):
                continue
        return answers.sha256

    def _add(self, key: AnswerKey, text: str) -> None:
        if self._file is None:
            raise RuntimeError("no file to keep answers in")
        encoded = text.encode("utf-8", "surrogatepass")
        self._places[key] = (self._file.tell(), len(encoded))
        self._file.write(encoded)
