from __future__ import annotations

from datetime import date

import pytest

from libdrift.build.live.pairs import ReleaseWindow, steps
from libdrift.languages.python.index import IndexFile, Listing
from libdrift.records import Release


def listing(version: str, day: str, *, wheel: bool = True, yanked: bool = False) -> Listing:
    release = Release("pypi", "pkg", version, date.fromisoformat(day))
    file = IndexFile(f"pkg-{version}", "here", wheel=wheel)
    return Listing(release, (file,), yanked=yanked, prerelease="rc" in version)


LISTED = (
    listing("1.0.0", "2023-01-01"),
    listing("1.0.1", "2023-02-01"),
    listing("1.1.0", "2023-06-01"),
    listing("1.0.2", "2023-07-01"),  # of an older series, and later
    listing("1.1.1", "2024-02-01"),
    listing("2.0.0rc1", "2024-02-15"),
    listing("2.0.0", "2024-03-01"),
    listing("2.1.0", "2024-04-01", yanked=True),
    listing("2.2.0", "2024-05-01", wheel=False),
    listing("2.3.0", "2024-06-01"),
)


@pytest.mark.parametrize(
    ("window", "found"),
    [
        (
            ReleaseWindow(date(2023, 1, 1)),
            [("1.0.2", "1.1.1"), ("1.1.1", "2.0.0"), ("2.0.0", "2.3.0")],
        ),
        # 1.1 has a release of 2024, but what it brought is older.
        (ReleaseWindow(date(2024, 1, 1)), [("1.1.1", "2.0.0"), ("2.0.0", "2.3.0")]),
        (ReleaseWindow(date(2024, 1, 1), most=1), [("2.0.0", "2.3.0")]),
        # Of what came later, nothing is known.
        (ReleaseWindow(date(2023, 1, 1), date(2024, 1, 1)), [("1.0.2", "1.1.0")]),
        (ReleaseWindow(date(2025, 1, 1)), []),
        # A year each, whatever the series.
        (ReleaseWindow(date(2023, 3, 1), months=12), [("1.0.1", "1.1.1"), ("1.1.1", "2.3.0")]),
        (ReleaseWindow(date(2023, 3, 1), months=24), [("1.0.1", "2.3.0")]),
    ],
)
def test_from_series_to_series(window: ReleaseWindow, found: list[tuple[str, str]]) -> None:
    assert [(step.old, step.new) for step in steps("pkg", LISTED, window)] == found
