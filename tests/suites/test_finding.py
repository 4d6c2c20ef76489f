from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.errors import MissingDataError
from libdrift.suites.finding import Oddities, find


def test_the_first_folder_that_holds_it(tmp_path: Path, empty_settings: Settings) -> None:
    data = tmp_path / "data"
    settings = replace(empty_settings, data=data)
    places = [data / "s", data, empty_settings.cache / "data/s"]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
        (place / "x").touch()
    for place in places:
        assert find(settings, "s", "S", lambda folder: (folder / "x").exists()) == place
        (place / "x").unlink()
    with pytest.raises(MissingDataError, match="no S data in ") as caught:
        find(settings, "s", "S", lambda folder: (folder / "x").exists())
    assert "into DIR/s, then pass --data DIR" in caught.value.fix


def test_oddities_are_counted_and_the_first_are_named(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    odd = Oddities()
    odd.warn(logging.getLogger("x"), "S")
    assert not caplog.records
    for number in range(5):
        odd.add("items left out", f"item {number}")
    for _ in range(2):
        odd.add("files without items", "a.json")
    odd.warn(logging.getLogger("x"), "S")
    (record,) = caplog.records
    assert record.getMessage() == (
        "S: 5 items left out (item 0, item 1, item 2, …); 2 files without items (a.json, …)"
    )
