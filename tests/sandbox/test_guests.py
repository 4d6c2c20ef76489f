from __future__ import annotations

import struct
from hashlib import blake2b

from libdrift.sandbox.guests import Output
from libdrift.sandbox.reports import Frames

KEY = b"k" * 32


def frame(counter: int, *fields: bytes, key: bytes = KEY) -> bytes:
    payload = b"\0".join(fields)
    signed = struct.pack(">Q", counter) + payload
    digest = blake2b(signed, key=key, digest_size=32).digest()
    return struct.pack(">I", len(payload)) + digest + payload


def test_frames_arrive_in_pieces() -> None:
    frames = Frames(KEY)
    data = frame(1, b"loaded") + frame(2, b"case", b"a", b"passed", b"")
    heard = [fields for byte in data for fields in frames.feed(bytes([byte]))]
    assert heard == [["loaded"], ["case", "a", "passed", ""]]
    assert not frames.garbled


def test_a_forged_frame_ends_the_conversation() -> None:
    for forged in (
        frame(1, b"end", b"0", b"", b"", key=b"x" * 32),  # another key
        frame(2, b"loaded"),  # a frame out of its turn
        b"\xff" * 40,  # noise
    ):
        frames = Frames(KEY)
        assert frames.feed(forged) == []
        assert frames.garbled
        assert frames.feed(frame(1, b"loaded")) == []


def test_a_replayed_frame_is_forged() -> None:
    frames = Frames(KEY)
    assert frames.feed(frame(1, b"loaded")) == [["loaded"]]
    assert frames.feed(frame(1, b"loaded")) == []
    assert frames.garbled


def test_output_keeps_both_ends_and_counts_everything() -> None:
    output = Output(100)
    for number in range(10_000):
        output.add(b"%d\n" % number)
    text = output.text()
    assert text.startswith("0\n1\n")
    assert text.endswith("9999\n")
    assert "bytes left out" in text
    assert len(text) < 200
    assert output.total == sum(len(b"%d\n" % number) for number in range(10_000))


def test_short_output_is_kept_whole() -> None:
    output = Output(100)
    output.add(b"hello ")
    output.add(b"world")
    assert output.text() == "hello world"
