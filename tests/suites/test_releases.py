from __future__ import annotations

from datetime import date

import pytest

from libdrift.suites.releases import released


@pytest.mark.parametrize(
    ("package", "version", "day"),
    [
        ("torch", "1.10.0", date(2021, 10, 21)),
        ("torch", "1.10", date(2021, 10, 21)),
        ("torch", "0.4.0", date(2018, 4, 24)),  # not in the index any more
        ("matplotlib", "3.8.3", date(2024, 2, 15)),
        ("PIL", "9.0.0", date(2022, 1, 2)),
        ("python", "3.8", date(2019, 10, 14)),
        ("jdk", "11", date(2018, 9, 25)),
        ("torch", "99.0", None),
        ("no-such-package", "1.0", None),
        ("torch", "==2.x", None),
    ],
)
def test_the_day_of_a_release(package: str, version: str, day: date | None) -> None:
    assert released(package, version) == day
