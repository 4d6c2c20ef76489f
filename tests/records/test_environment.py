from __future__ import annotations

from datetime import date

import pytest

from libdrift.records import Environment


def test_equal_pin_sets_are_one_environment() -> None:
    one = Environment("python", "3.11", ("numpy==2.0.2", "pytest==8.3.5"))
    other = Environment("python", "3.11", ("pytest==8.3.5", "  numpy==2.0.2 ", "numpy==2.0.2"))
    assert one == other
    assert one.key == other.key


@pytest.mark.parametrize(
    "other",
    [
        Environment("python", "3.12", ("numpy==2.0.2",), date(2026, 6, 1)),
        Environment("python", "3.11", ("numpy==2.0.1",), date(2026, 6, 1)),
        Environment("python", "3.11", ("numpy==2.0.2",), date(2026, 6, 2)),
        Environment("python", "3.11", ("numpy==2.0.2",), None),
    ],
)
def test_whatever_changes_the_content_changes_the_key(other: Environment) -> None:
    assert Environment("python", "3.11", ("numpy==2.0.2",), date(2026, 6, 1)).key != other.key


def test_key_is_the_same_on_every_machine() -> None:
    # Written down once: a change here orphans every environment that users have built.
    environment = Environment("python", "3.11", ("numpy==2.0.2",), date(2026, 6, 1))
    assert environment.key == "fc4360cb380b5be14da4"
