from __future__ import annotations

import json
from pathlib import Path

import pytest

from libdrift import __version__, suites
from libdrift.execution import AuditResult, SplitResult
from libdrift.records import Outcome, Split
from libdrift.suites import audited

RESULTS = [
    AuditResult(
        "0",
        verified=True,
        reason="the reference passes",
        splits=(
            SplitResult(Split.HIDDEN, Outcome.PASSED, ""),
            SplitResult(Split.VISIBLE, Outcome.PASSED, ""),
        ),
    ),
    AuditResult(
        "1",
        verified=False,
        reason="the reference does not pass (visible): no data",
        splits=(
            SplitResult(Split.HIDDEN, Outcome.PASSED, ""),
            SplitResult(Split.VISIBLE, Outcome.ERROR, "no data"),
        ),
    ),
    AuditResult("2", verified=False, reason="has no tests"),
]


def test_an_audit_is_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "made" / "verified.json"
    path.parent.mkdir()
    audited.write(path, "made", RESULTS)
    kept = json.loads(path.read_text("utf-8"))
    assert (kept["schema_version"], kept["suite"], kept["libdrift"]) == (1, "made", __version__)
    assert kept["tasks"] == {
        "0": {"verified": True, "hidden": "", "visible": ""},
        "1": {"verified": False, "hidden": "", "visible": "no data"},
        "2": {"verified": False, "hidden": "", "visible": "", "reason": "has no tests"},
    }
    assert [item.name for item in path.parent.iterdir()] == ["verified.json"]
    monkeypatch.setattr(audited.resources, "files", lambda _: tmp_path)
    found = audited.read("made")
    assert [task_id for task_id, item in found.items() if item.verified] == ["0"]
    assert found["1"].reasons == {Split.VISIBLE: "no data"}
    assert found["2"].reasons == {}


@pytest.mark.parametrize("name", suites.names())
def test_shipped_lists_can_be_read(name: str) -> None:
    found = suites.verified(name)
    assert all(item.task_id == task_id for task_id, item in found.items())
    # A task without a reason passes; one with a reason does not.
    assert all(not item.reasons for item in found.values() if item.verified)


def test_the_starter_suite_ships_none() -> None:
    assert suites.verified("starter") == {}
