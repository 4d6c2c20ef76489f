"""The benchmark of check, on three programs of our own."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

from benchmarks.check import by_libdrift, cases
from libdrift import config
from libdrift.advisor.loading import Releases
from libdrift.history.store import Store
from libdrift.languages.python.static import of_sources

PROGRAMS = [
    ("NN", "import pkg\npkg.f(1, c=2)"),  # found
    ("NY", "import pkg\npkg.f(1, 2)"),  # found
    ("NN", "print('nothing of it')"),  # missed
    ("YY", "import pkg\npkg.f(1)"),  # left alone
    ("YY", "import pkg\npkg.f(1, 2, 3)"),  # flagged
]


def test_rates(tmp_path: Path) -> None:
    with lzma.open(tmp_path / "cases.jsonl.xz", "wt", encoding="utf-8") as file:
        for at, (label, code) in enumerate(PROGRAMS):
            row = {"id": str(at), "library": "pkg", "api": "pkg.f", "old": "1", "new": "2"}
            file.write(json.dumps({**row, "label": label, "code": code}) + "\n")
    path = tmp_path / "history.sqlite"
    with Store.open(path) as store:
        store.add(of_sources({"pkg/__init__.py": "def f(a, b=1, c=2): ..."}, "1", "pkg"))
        store.add(of_sources({"pkg/__init__.py": "def f(a, x=0, b=1): ..."}, "2", "pkg"))
    pairs = cases(tmp_path, ["pkg"])
    tally, _, failed = by_libdrift(pairs, Releases(config.load(), path, offline=True))
    assert not failed
    assert (tally.flagged, tally.seen) == (
        {"NN": 1, "NY": 1, "YY": 1},
        {"NN": 2, "NY": 1, "YY": 2},
    )
    assert tally.f1 == 2 * 2 / (2 * 2 + 1 + 1)
    assert [case.id for case in tally.misses] == ["2", "4"]


def test_a_release_that_cannot_be_had_is_told(tmp_path: Path) -> None:
    with lzma.open(tmp_path / "cases.jsonl.xz", "wt", encoding="utf-8") as file:
        row = {"id": "0", "library": "PIL", "api": "x", "old": "1", "new": "2", "label": "NN"}
        file.write(json.dumps({**row, "code": "import PIL"}) + "\n")
    releases = Releases(config.load(), tmp_path / "none.sqlite", offline=True)
    tally, _, failed = by_libdrift(cases(tmp_path, []), releases)
    assert failed[0].startswith("pillow 1 -> 2")
    assert tally.rate("NN") == 0.0
