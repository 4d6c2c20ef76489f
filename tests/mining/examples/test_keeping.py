from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.mining.examples.keeping import KeptRuns, key_of


@pytest.mark.parametrize("end", ["time", "died: it took too long", "died: it ended"])
def test_a_fault_of_the_moment_is_not_remembered(tmp_path: Path, end: str) -> None:
    kept = KeptRuns(tmp_path / "examples.sqlite")
    late, well = (key_of("place", 0, [(code, False)]) for code in ("slow()", "quick()"))
    kept.put(late, {"statements": [], "end": end})
    kept.put(well, {"statements": [], "end": ""})
    assert list(kept.get([late, well])) == [well]
    kept.close()


def test_what_an_example_does_itself_is_remembered(tmp_path: Path) -> None:
    kept = KeptRuns(tmp_path / "examples.sqlite")
    key = key_of("place", 0, [("os.abort()", False)])
    kept.put(key, {"statements": [], "end": "died of signal 6"})
    assert kept.get([key])
    kept.close()
