from __future__ import annotations

from datetime import date

import pytest

from libdrift.build.live.pairs import ReleaseStep
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.jobs.live_surfaces import UnreadStep, _unread
from libdrift.mining import MiningResult
from libdrift.mining.events import FailedRelease, MissingPackage
from libdrift.records import Release

STEP = ReleaseStep("pkg", "1.0", "2.0", date(2024, 1, 1))


def failed(version: str, *, transient: bool) -> MiningResult:
    event = FailedRelease(Release("python", "pkg", version), "the line is cut", transient)
    return MiningResult((), (event,), (), (), ())


def absent(error: LibdriftError) -> MiningResult:
    return MiningResult((), (), (MissingPackage("pkg", error),), (), ())


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (
            failed("1.0", transient=True),
            UnreadStep("pkg 1.0 cannot be read: the line is cut", transient=True),
        ),
        (failed("2.0", transient=False), UnreadStep("pkg 2.0 cannot be read: the line is cut")),
        (failed("0.9", transient=True), UnreadStep("its releases are gone from the index")),
        (absent(UserError("no package pkg")), UnreadStep("no package pkg")),
        (absent(InfrastructureError("no line")), UnreadStep("no line", transient=True)),
    ],
)
def test_why_releases_could_not_be_read(told: MiningResult, expected: UnreadStep) -> None:
    assert _unread(STEP, told) == expected
