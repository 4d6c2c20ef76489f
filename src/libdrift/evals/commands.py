"""Any command-line coding assistant, on one task's file: started, watched, ended, and read back.

A command is split as a shell would, but no shell runs it: ``mytool --yes --file {path}``.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from libdrift import temporary
from libdrift.errors import UserError
from libdrift.execution.confined import Confined, ConfinedLaunch, Unconfined
from libdrift.records import Task
from libdrift.sandbox import guests, launched
from libdrift.sandbox.processes import adopt_orphans
from libdrift.sandbox.supervision import Bounds, supervise
from libdrift.scoring.answers import ANSWER_LIMIT, refusal
from libdrift.scoring.assistant import file_name, program

PLACEHOLDERS = ("path", "folder", "problem")
# Not `${path}`, which is for a shell that the command itself may start.
_PLACEHOLDER = re.compile(r"(?<!\$)\{([a-z_]+)\}")
# Colours, cursor moves and bells: a log is read as plain text.
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*\x07?|[\x00-\x08\x0b-\x1f\x7f]")
_LEAVE = 10.0  # for an assistant without a sandbox to be ended with its children
_KEPT_BYTES = 64 * 1024  # of the output: the beginning and the end
_TAIL_LINES = 20
_TAIL_CHARACTERS = 4000


class CommandEnding(StrEnum):
    """What became of an assistant's run, the first of these that holds."""

    MISSING = "missing"  # it did not start
    TIMEOUT = "timeout"
    STOPPED = "stopped"  # by the caller
    REFUSED = "refused"  # what it left is no answer: deleted, empty, a link, binary, huge
    FAILED = "failed"  # its exit code is not 0
    UNCHANGED = "unchanged"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class AssistantRun:
    """One run of an assistant. ``text`` is the file afterwards, whatever the ending."""

    ending: CommandEnding
    text: str | None  # None: there is no answer, and ``reason`` says why
    changed: bool
    reason: str  # one line; empty when all went well
    seconds: float
    exit_code: int | None  # None: it was ended, or never started
    tail: str  # the last lines of its output


def check_command(
    command: str, *, with_problem: bool = True, hold: Confined | Unconfined | None = None
) -> list[str]:
    """A command's words, its program as a full path; the caller's mistakes, before all else."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UserError(
            f"-S command {command!r} cannot be split: {str(error).lower()}",
            "Balance the quotes, as in: -S command='mytool --file {path}'",
        ) from error
    if not words or not words[0]:
        raise UserError(
            "-S command is empty", "Give the command to run: -S command='mytool --file {path}'"
        )
    if "\0" in command:
        raise UserError("-S command contains a NUL character", "Remove it")
    used = {name for word in words for name in _PLACEHOLDER.findall(word)}
    for name in sorted(used.difference(PLACEHOLDERS)):
        raise UserError(
            f"unknown placeholder {{{name}}} in -S command",
            f"Use {', '.join(f'{{{known}}}' for known in PLACEHOLDERS)}",
        )
    if "problem" in used and not with_problem:
        raise UserError(
            "{problem} is in -S command, but -S problem=false hides the problem",
            "Remove one of the two",
        )
    words[0] = _program(words[0], hold)
    for word in words[1:]:
        # A prompt may be a word, too long for a name: of the two, only this one bears it.
        if not word.startswith("/") and os.path.isfile(word):  # noqa: PTH113
            place = Path(word).absolute()
            seen = hold is None or hold.sees(place)
            raise UserError(
                f"{word} in -S command cannot be found: assistants run in their own folder",
                f"Write {place}" + ("" if seen else f", and show it with -S allow={place.parent}"),
            )
    return words


def _program(word: str, hold: Confined | Unconfined | None) -> str:
    found = shutil.which(word)
    if found is None:
        raise UserError(
            f"{word!r}, the program of -S command, is not on PATH or is not executable",
            "Install it, or write its full path",
        )
    # Links stay as they are: an interpreter knows its environment by the name it was called.
    path = Path(found).absolute()
    if hold and not (hold.sees(path) and hold.sees(path.resolve())):
        raise UserError(
            f"{path} is in a folder that the sandbox hides from assistants",
            f"Move it elsewhere, or show its folder with -S allow={path.resolve().parent}",
        )
    return str(path)


def run_command(
    command: str,
    task: Task,
    *,
    stem: str,
    with_problem: bool,
    seconds: float,
    hold: Confined | Unconfined,
    stop: threading.Event | None = None,
) -> AssistantRun:
    """Run an assistant on a task's starting code, alone in a new folder, in a file named ``stem``.

    Blocks until the assistant and all that it started have ended; ``stop`` ends them early.
    """
    words = check_command(command, with_problem=with_problem, hold=hold)
    # No argument can hold a NUL, and no answer may.
    task = replace(task, problem=task.problem.replace("\0", ""))
    before = program(task, with_problem=with_problem).encode("utf-8", "replace")
    with temporary.folder() as folder:
        file = folder / file_name(stem, task)
        file.write_bytes(before)
        work = hold.work(folder)
        values = {"path": str(work / file.name), "folder": str(work), "problem": task.problem}
        with hold.launch([_filled(word, values) for word in words], folder) as held:
            run = _Run(held, stop or threading.Event())
            run.attend(seconds)
        return _ran(run, _content(file), before)


def _filled(word: str, values: Mapping[str, str]) -> str:
    # In one pass: a problem may hold what looks like a placeholder.
    return _PLACEHOLDER.sub(lambda match: values[match[1]], word)


class _Run:
    """An assistant's process, from its start until everything that it started is gone."""

    def __init__(self, held: ConfinedLaunch, stop: threading.Event) -> None:
        self.ending: CommandEnding | None = None  # None: it ended by itself
        self.reason = ""
        self.exit_code: int | None = None
        self.seconds = 0.0
        self.output = guests.Output(_KEPT_BYTES)
        self._held = held
        self._stop = stop

    def attend(self, seconds: float) -> None:
        adopt_orphans()
        begun = time.monotonic()
        try:
            process = launched.start(self._held.launch)
        except OSError as error:  # too long, as a rule: a problem in it has no limit
            self.ending, self.reason = CommandEnding.MISSING, f"it did not start: {error.strerror}"
            return
        with process:
            try:
                self.ending = self._watch(process, begun + seconds)
            finally:
                status = self._end(process)
                self.seconds = time.monotonic() - begun
        if self.ending is CommandEnding.TIMEOUT:
            self.reason = f"no end after {seconds:g} seconds"
        elif self.ending is CommandEnding.STOPPED:
            self.reason = "stopped on request"
        elif self._held.started():
            self.exit_code = status
        else:
            last = self.tail().rpartition("\n")[2]
            self.ending, self.reason = CommandEnding.MISSING, f"it did not start: {last}"

    def _watch(self, process: subprocess.Popen[bytes], deadline: float) -> CommandEnding | None:
        assert process.stdout is not None  # noqa: S101  (PIPE was asked for)

        def add(data: bytes) -> bool:
            self.output.add(data)
            return False

        def ended() -> str:  # it may have closed its output, and go on
            return "ended" if process.poll() is not None else ""

        bounds = Bounds(self._stop, lambda: deadline, sys.maxsize, lambda: 0, ended)
        stopped_by = supervise({process.stdout.fileno(): add}, bounds)
        return {"request": CommandEnding.STOPPED, "time": CommandEnding.TIMEOUT}.get(stopped_by)

    def _end(self, process: subprocess.Popen[bytes]) -> int:
        """End whatever is left, so that nobody writes to the file any more."""
        launch = self._held.launch
        if process.poll() is None and launch.info is None:
            process.terminate()  # it ends what it started, and then itself
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_LEAVE)
        if process.poll() is None:
            launched.kill(process, launch)
        status = launched.reap(process, launch)
        assert process.stdout is not None  # noqa: S101
        os.set_blocking(process.stdout.fileno(), False)
        with contextlib.suppress(BlockingIOError):
            for _ in range(64):
                self.output.add(os.read(process.stdout.fileno(), 65536))
        return status

    def tail(self) -> str:
        plain = _CONTROL.sub("", self.output.text().replace("\r", "\n"))
        lines = [line.rstrip() for line in plain.splitlines() if line.strip()]
        return "\n".join(lines[-_TAIL_LINES:])[-_TAIL_CHARACTERS:]


def _ran(run: _Run, content: bytes | str, before: bytes) -> AssistantRun:
    text, refused = _text(content)
    changed = content != before
    ending, reason = run.ending, run.reason
    if ending is None and text is None:
        ending, reason = CommandEnding.REFUSED, refused
    elif ending is None and run.exit_code:
        ending, reason = CommandEnding.FAILED, f"exit code {run.exit_code}"
    elif ending is None and not changed:
        ending, reason = CommandEnding.UNCHANGED, "the file is as it was"
    elif refused:
        reason = f"{reason}; {refused}"
    return AssistantRun(
        ending or CommandEnding.DONE, text, changed, reason, run.seconds, run.exit_code, run.tail()
    )


def _content(path: Path) -> bytes | str:
    """A file's content, or why it is not to be read."""
    try:
        # A link is not followed (what it points at need not be the assistant's to show), and a
        # pipe is not waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return "the file was deleted"
    except OSError as error:
        linked = path.is_symlink()
        return "the file is a link now" if linked else f"cannot be read: {error.strerror}"
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return "the file is not a plain file any more"
        # No character takes more than four bytes.
        if found.st_size > 4 * ANSWER_LIMIT:
            return f"the file has {found.st_size:,} bytes, too many for an answer"
        return os.read(descriptor, found.st_size)
    finally:
        os.close(descriptor)


def _text(content: bytes | str) -> tuple[str | None, str]:
    """The answer, or none and the reason."""
    if isinstance(content, str):
        return None, content
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None, "the file is binary, or not UTF-8 text"
    refused = refusal(text)
    return (None, refused) if refused else (text, "")
