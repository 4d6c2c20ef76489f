from __future__ import annotations

from datetime import date

import pytest

from libdrift.suites.versicode.dates import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-01-31", date(2023, 1, 31)),
        (" 2023/1/31 ", date(2023, 1, 31)),
        ("2023.01.31", date(2023, 1, 31)),
        ("20230131", date(2023, 1, 31)),
        ("2023-01-31T10:00:00Z", date(2023, 1, 31)),
        ("2023-01-31 10:00:00", date(2023, 1, 31)),
        ("2023-06", date(2023, 6, 1)),
        ("2023", date(2023, 1, 1)),
        ("Jan 31, 2023", date(2023, 1, 31)),
        ("January 31st 2023", date(2023, 1, 31)),
        ("31 January 2023", date(2023, 1, 31)),
        ("Sept. 2020", date(2020, 9, 1)),
        ("2023-02-30", None),
        ("2023-13", None),
        ("0000-01-01", None),
        ("soon", None),
        ("Fri 31 2023", None),
        ("", None),
    ],
)
def test_every_spelling(text: str, expected: date | None) -> None:
    assert parse(text) == expected
