from __future__ import annotations

import socket

from libdrift.sandbox.reports import Frames, GuestReport, hear
from tests.sandbox.test_guests import KEY, frame


def test_nothing_in_a_report_speaks_to_a_terminal() -> None:
    report, (ours, theirs) = GuestReport(), socket.socketpair()
    with ours, theirs:
        data = frame(1, b"case", b"a\x1b[31mb", b"failed", b"\x1b]0;title\x07bad\xc2\x9b\r\tnews")
        hear(report, Frames(KEY), data, ours)
    assert report.phases == [("ab", "call", "failed", "]0;titlebad\tnews")]
    assert not report.garbled
