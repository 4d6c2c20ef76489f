"""What a guest says: signed frames, read with distrust, and what they add up to."""

from __future__ import annotations

import re
import secrets
import socket
import struct
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from typing import Any

from pydantic import TypeAdapter

# What speaks to a terminal, or turns the order of what a person reads.
_UNSEEN = re.compile(
    r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
    r"|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
# A guest that is taken over may send what it likes: it is held to what tests have to say.
_FIRST_LIMIT = 32 * 1024 * 1024  # the first frame is the guest's own: no answer is loaded yet
_FRAME_LIMIT = 1024 * 1024
_TOTAL_LIMIT = 4 * 1024 * 1024
_COUNT_LIMIT = 10_000
_NAME_LIMIT, _NOTE_LIMIT = 300, 600  # characters
# How a phase of a test may end, from the best to the worst.
_WHEN = ("setup", "call", "teardown")
# Between tests and an answer that runs elsewhere: it has ended; it says what is no value; it has
# a value that cannot travel.
TROUBLES = ("gone", "garbled", "stuck")
PHASES = ("passed", "xpassed", "xfailed", "skipped", "error", "failed")


@dataclass(frozen=True, slots=True)
class _Learned:
    """What the values of a reference are made of, as the tests' guest tells it."""

    names: list[tuple[str, str, str]]
    pins: dict[str, Any]
    code: list[str]
    changes: bool
    asked: list[tuple[str, str]]
    judged: bool
    fails_inside: bool
    empties: int
    coarse: list[str]
    hides: bool
    unsteady: list[tuple[str, str]]
    guess_bits: int


_LEARNED = TypeAdapter(_Learned)


@dataclass(slots=True)
class GuestReport:
    """What the guest has said so far, in frames whose signature was right."""

    functions: list[str] | None = None  # set by "ready"
    pad: bytes = b""
    loaded: bool = False
    unloaded: str = ""
    stopped: str = ""
    phases: list[tuple[str, str, str, str]] = field(default_factory=list)
    ended: bool = False
    done: set[int] = field(default_factory=set)
    changed: str = ""
    breaches: list[str] = field(default_factory=list)
    garbled: bool = False
    # Of tests whose answer runs elsewhere: what kind of trouble they have with it, and why.
    trouble: tuple[str, str] = ("", "")
    changes: bool = False  # whether it changes its arguments, as the reference does not
    learning: bool = False  # whether a reference is learned from: only then is there more to say
    learned: dict[str, Any] | None = None  # what the values of a reference are made of
    late: bool = False  # whether its time was over, as the guest itself saw to
    parts: list[GuestReport] = field(default_factory=list)  # of a guest that runs several answers


class Frames:
    """Splits the channel into frames and drops, for good, at the first bad signature."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._buffer = bytearray()
        self._counter = 0
        self._total = 0
        self.garbled = False

    def feed(self, data: bytes) -> list[list[str]]:
        self._buffer += data
        frames: list[list[str]] = []
        while not self.garbled and len(self._buffer) >= 36:  # noqa: PLR2004  (length + digest)
            size = struct.unpack(">I", self._buffer[:4])[0]
            first = self._counter == 0
            total = self._total + (0 if first else size)
            over = size > (_FIRST_LIMIT if first else _FRAME_LIMIT)
            if over or total > _TOTAL_LIMIT or self._counter > _COUNT_LIMIT:
                self.garbled = True
                break
            if len(self._buffer) < 36 + size:
                break
            self._total = total
            digest, payload = bytes(self._buffer[4:36]), bytes(self._buffer[36 : 36 + size])
            del self._buffer[: 36 + size]
            self._counter += 1
            signed = struct.pack(">Q", self._counter) + payload
            expected = blake2b(signed, key=self._key, digest_size=32).digest()
            if not secrets.compare_digest(digest, expected):
                self.garbled = True
                break
            frames.append([part.decode("utf-8", "replace") for part in payload.split(b"\0")])
        return frames


def hear(report: GuestReport, frames: Frames, data: bytes, channel: socket.socket) -> None:
    """Take what has arrived on the channel; the first bad frame ends the conversation."""
    for fields in frames.feed(data):
        _take(report, fields, channel)
        if report.garbled:
            break
    report.garbled |= frames.garbled


def _take(report: GuestReport, fields: list[str], channel: socket.socket) -> None:
    """Note what a frame says. Signed or not, it comes from the guest: nothing in it may raise."""
    try:
        # Reasons are shown to people: nothing in them may speak to their terminal.
        _note(report, [_UNSEEN.sub("", field) for field in fields], channel)
    except (ValueError, OSError, RecursionError):
        report.garbled = True


def _note(report: GuestReport, fields: list[str], channel: socket.socket) -> None:
    match fields:
        case ["ready", functions, pad] if report.functions is None:
            report.functions = functions.split("\n") if functions else []
            report.pad = bytes.fromhex(pad)
        case ["loaded"] if not report.loaded and len(report.phases) == 0:
            report.loaded = True
            if report.pad:  # tests whose answer runs elsewhere need no seal
                channel.sendall(struct.pack(">I", len(report.pad)) + report.pad)
        case ["unloaded", reason]:
            report.unloaded = reason[:_NOTE_LIMIT]
        case ["case", name, outcome, note] if outcome in PHASES:
            report.phases.append((name[:_NAME_LIMIT], "call", outcome, note[:_NOTE_LIMIT]))
        case ["phase", name, when, outcome, note] if outcome in PHASES and when in _WHEN:
            report.phases.append((name[:_NAME_LIMIT], when, outcome, note[:_NOTE_LIMIT]))
        case ["stopped", reason]:
            report.stopped = reason[:_NOTE_LIMIT]
        case ["end", done, changed, breaches] if not report.ended:
            report.done = {int(index) for index in done.split()}
            report.ended = True
            report.changed = changed[:_NOTE_LIMIT]
            report.breaches = breaches[:_NOTE_LIMIT].split("\n") if breaches else []
        case _:
            _note_apart(report, fields, channel)


def _note_apart(report: GuestReport, fields: list[str], channel: socket.socket) -> None:
    """What only tests say whose answers run elsewhere."""
    match fields:
        case ["apart", kind, reason] if kind in TROUBLES:
            report.trouble = (kind, reason[:_NOTE_LIMIT])
        case ["changes"]:
            report.changes = True
        case ["learned", text] if report.learning and report.learned is None:
            report.learned = asdict(_LEARNED.validate_json(text))
        case ["of", number, *rest] if rest[:1] != ["of"] and int(number) < len(report.parts):
            _note(report.parts[int(number)], rest, channel)
        case ["late"]:
            report.late = True
        case _:
            report.garbled = True
