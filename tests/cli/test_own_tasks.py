"""A file of tasks stands wherever a suite's name does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift.cli.app import app
from libdrift.errors import UserError
from libdrift.suites import task_files
from tests.conftest import make_task


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two tasks, the second of which its own reference fails."""
    monkeypatch.chdir(tmp_path)
    good, bad = (replace(make_task(name, n), wrong=None) for name, n in (("good", 1), ("bad", 2)))
    lines = [good, replace(bad, reference="def number():\n    return 3\n")]
    task_files.write(tmp_path / "own.jsonl", "own", "Own", lines, {})
    return tmp_path / "own.jsonl"


def invoke(*arguments: str) -> dict[str, object]:
    done = CliRunner().invoke(app, [*arguments, "--json"], catch_exceptions=False)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_what_an_audit_wrote_is_what_verified_means(tasks: Path) -> None:
    audit = invoke("audit", "own.jsonl", "--write", "own.json")
    assert (audit["suite"], audit["verified"]) == ("own", 1)
    answers = [
        {"task_id": name, "answer": f"def number():\n    return {number}\n"}
        for name, number in (("good", 1), ("bad", 3))
    ]
    Path("a.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    scored = invoke("score", "own.jsonl", "a.jsonl", "--verified", "--audited", "own.json")
    assert (scored["tasks"], scored["unverified"]) == (1, {"answers": 1, "tasks": 1})
    groups = {
        row["group"]: row["value"]
        for row in invoke("score", "own.jsonl", "a.jsonl", "--audited", "own.json")["scores"]  # type: ignore[attr-defined]
        if row["split"] == "hidden"
    }
    assert (groups["all"], groups["verified"]) == (0.5, 1.0)
    with pytest.raises(UserError, match="no task of own is known to be verified"):
        invoke("score", "own.jsonl", "a.jsonl", "--verified")
