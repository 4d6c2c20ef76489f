"""What environments will cost, by those that are there."""

from __future__ import annotations

import pytest

from libdrift.config import Settings
from libdrift.environments.forecasts import BuildForecast, forecast
from libdrift.records import Environment
from tests.environments.stored import env, keep

USUAL = 150_000_000


@pytest.mark.parametrize(
    ("wanted", "workers", "found"),
    [
        ([], 2, BuildForecast(0, 0, 0, 0.0)),
        # There already, and twice.
        ([env("a==1", "t==1"), env("a==1", "t==1")], 2, BuildForecast(1, 0, 0, 0.0)),
        # Another version of what is there weighs as much; what is shared weighs nothing.
        ([env("A==2", "t==1")], 2, BuildForecast(1, 1, 500, 6.0)),
        # Nothing like it is there; one pin of two environments is one.
        ([env("x==1"), env("x==1", "t==1")], 2, BuildForecast(2, 2, USUAL, 6.0)),
        ([env("x==1"), env("x==2")], 1, BuildForecast(2, 2, 2 * USUAL, 12.0)),
        # Nothing is installed for other languages.
        ([Environment("java", "17", (), None)], 1, BuildForecast(0, 0, 0, 0.0)),
        # It cannot be built, which is said where it is tried.
        ([env("not a pin!")], 1, BuildForecast(1, 0, 0, 0.0)),
    ],
)
def test_forecast(
    wanted: list[Environment], workers: int, found: BuildForecast, empty_settings: Settings
) -> None:
    keep(env("a==1", "t==1"), empty_settings, 500, 4.0)
    keep(env("a==3", "b==1"), empty_settings, 900, 8.0)
    assert forecast(wanted, empty_settings, workers) == found


def test_without_anything_to_go_by(empty_settings: Settings) -> None:
    assert forecast([env("a==1")], empty_settings) == BuildForecast(1, 1, USUAL, 15.0)
