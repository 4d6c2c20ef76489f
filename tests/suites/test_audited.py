from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift import __version__, suites
from libdrift.errors import UserError
from libdrift.records import Outcome, Split, Suite
from libdrift.scoring import AuditResult, SplitResult
from libdrift.suites import audited
from tests.conftest import make_task

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


SUITE = Suite("made", "Made", "here", {str(n): make_task(str(n), n) for n in range(3)})


def test_an_audit_is_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "made" / "verified.json"
    path.parent.mkdir()
    audited.write(path, SUITE, RESULTS)
    kept = json.loads(path.read_text("utf-8"))
    assert (kept["schema_version"], kept["suite"], kept["libdrift"]) == (1, "made", __version__)
    assert all(len(entry.pop("content")) == 16 for entry in kept["tasks"].values())
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


def test_ones_own_list_is_read_for_the_tasks_as_they_are(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "own.json"
    audited.write(path, SUITE, [*RESULTS[:2], replace(RESULTS[0], task_id="2")])
    assert [t for t, item in audited.read_file(path, SUITE).items() if item.verified] == ["0", "2"]
    assert not caplog.records
    part = replace(SUITE, tasks={"0": SUITE.tasks["0"]})
    assert list(audited.read_file(path, part)) == ["0"]
    other = replace(SUITE, tasks={**SUITE.tasks, "0": make_task("0", 7)})
    assert list(audited.read_file(path, other)) == ["1", "2"]
    assert "changed since are not verified: 1" in caplog.text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read"),
        ("{}", "is not a list of verified tasks"),
        ("\xff", "is not a list of verified tasks"),
        ({"suite": "other"}, r"is a list for other \(format 1\), not for made"),
        ({"schema_version": 9}, r"is a list for made \(format 9\), not for made"),
        ({"tasks": {}}, "has no current task of made"),
    ],
)
def test_a_list_that_is_no_use_is_the_callers_mistake(
    tmp_path: Path, content: str | dict[str, object] | None, message: str
) -> None:
    path = tmp_path / "own.json"
    if isinstance(content, dict):
        audited.write(path, SUITE, RESULTS)
        content = json.dumps({**json.loads(path.read_text("utf-8")), **content})
    if content is not None:
        path.write_text(content, encoding="latin-1")
    with pytest.raises(UserError, match=message):
        audited.read_file(path, SUITE)


@pytest.mark.parametrize("name", suites.names())
def test_shipped_lists_can_be_read(name: str) -> None:
    found = audited.read(name)
    assert all(item.task_id == task_id for task_id, item in found.items())
    # A task without a reason passes; one with a reason does not.
    assert all(not item.reasons for item in found.values() if item.verified)


def test_the_starter_suite_ships_none() -> None:
    assert audited.read("starter") == {}
