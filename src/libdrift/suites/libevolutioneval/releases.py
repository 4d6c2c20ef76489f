"""When the versions of the data came out, as the package index has it: for breakdowns by year."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

DATES: Mapping[tuple[str, str], date] = MappingProxyType(
    {
        # Not in the index any more: the day of the project's own release note.
        ("torch", "0.4.0"): date(2018, 4, 24),
        ("torch", "1.1.0"): date(2019, 4, 30),
        ("torch", "1.2.0"): date(2019, 8, 8),
        ("torch", "1.4.0"): date(2020, 1, 15),
        ("torch", "1.6.0"): date(2020, 7, 28),
        ("torch", "1.8.0"): date(2021, 3, 4),
        ("torch", "1.10.0"): date(2021, 10, 21),
        ("torch", "1.12.0"): date(2022, 6, 28),
        ("torch", "1.13.0"): date(2022, 10, 28),
        ("torch", "2.0.0"): date(2023, 3, 15),
        ("torch", "2.2.0"): date(2024, 1, 30),
        ("matplotlib", "3.0.3"): date(2019, 3, 1),
        ("matplotlib", "3.2.0"): date(2020, 3, 4),
        ("matplotlib", "3.3.4"): date(2021, 1, 28),
        ("matplotlib", "3.5.2"): date(2022, 5, 3),
        ("matplotlib", "3.6.3"): date(2023, 1, 12),
        ("matplotlib", "3.8.3"): date(2024, 2, 15),
    }
)
