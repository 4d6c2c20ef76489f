from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.history.store import exporting, trials
from libdrift.history.store.exporting import export
from libdrift.records import (
    ExampleFinding,
    ExampleOutcome,
    ExampleTrial,
    Origin,
    Release,
    Surface,
)
from tests.history.small import function, klass, stored, surface

pq = pytest.importorskip("pyarrow.parquet")

ONE = replace(
    surface("1", function("pkg:f", "a", doc="Old."), klass("pkg:C"), day=date(2024, 1, 2)),
    origin=Origin("pkg-1.whl", "sha256:1", files=2, unread=("bad.py: no",)),
)
TWO = surface("2", function("pkg:f", "a", doc="\ud800", gone="Use g.", use="g"))
OTHER = Surface(Release("pypi", "other", "5"), ("other",), {}, {})


def test_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "_BATCH", 2)
    with stored(ONE, TWO, OTHER) as store:
        shown = ExampleFinding(ExampleOutcome.DIFFERS, "pkg.f", "pkg.f(1)", "1", "\ud800")
        trials.keep(store, ExampleTrial("pkg", "1", "2", "3.11.7", 1, 1, 1, 0, 0.1, 2), [shown])
        counts = export(store, tmp_path / "new" / "folder")
    tables = {file.stem: pq.read_table(file).to_pylist() for file in counts}
    assert {name: len(rows) for name, rows in tables.items()} == {
        "releases": 3,
        "symbols": 4,
        "names": 2,
        "examples": 1,
    }
    assert {file.stem: rows for file, rows in counts.items()} == {
        "releases": 3,
        "symbols": 4,
        "names": 2,
        "examples": 1,
    }
    assert tables["examples"] == [
        {
            "package": "pkg",
            "old": "1",
            "new": "2",
            "outcome": "differs",
            "path": "pkg.f",
            "example": "pkg.f(1)",
            "before": "1",
            "after": "?",
            "documented": False,
            "count": 1,
        }
    ]
    release = next(row for row in tables["releases"] if row["version"] == "1")
    assert (release["package"], release["date"], release["position"]) == ("pkg", "2024-01-02", 0)
    assert (release["artifact"], release["files"], release["complete"]) == ("pkg-1.whl", 2, False)
    assert [row for row in tables["symbols"] if row["id"] == "pkg:f"] == [
        {
            "package": "pkg",
            "path": "pkg.f",
            "id": "pkg:f",
            "public": True,
            "kind": "function",
            "signature": "(a)",
            "doc": doc,
            "deprecated": version == "2",
            "message": message,
            "replacement": use,
            "first": version,
            "last": version,
        }
        for version, doc, message, use in [("1", "Old.", None, None), ("2", "?", "Use g.", "g")]
    ]
    module = next(row for row in tables["symbols"] if row["id"] == "pkg")
    assert (module["first"], module["last"], module["signature"]) == ("1", "2", None)
    assert tables["names"][1] == {
        "package": "pkg",
        "scope": "pkg",
        "name": "f",
        "target": "pkg:f",
        "binding": "defined",
        "provenance": "static",
        "first": "1",
        "last": "2",
    }


def test_one_package(tmp_path: Path) -> None:
    with stored(ONE, OTHER) as store:
        export(store, tmp_path, "other")
        assert [
            row["package"] for row in pq.read_table(tmp_path / "releases.parquet").to_pylist()
        ] == ["other"]
        with pytest.raises(UserError, match="nothing is not mined"):
            export(store, tmp_path, "nothing")


def test_a_failure_leaves_the_old_files_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stored(ONE) as store:
        export(store, tmp_path)
        before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        assert sorted(before) == [
            "examples.parquet",
            "names.parquet",
            "releases.parquet",
            "symbols.parquet",
        ]
        store.add(TWO)
        monkeypatch.setattr(exporting, "NAMES", {"package": "no such type"})
        with pytest.raises(AttributeError):
            export(store, tmp_path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_without_pyarrow_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "find_spec", lambda _: None)
    with stored() as store, pytest.raises(UserError, match=r"pip install 'libdrift\[parquet\]'"):
        export(store, tmp_path / "x")
    assert not (tmp_path / "x").exists()
