"""The commands over a small data set of our own: score, audit, export, verified lists."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift import config, suites
from libdrift.cli.app import app
from libdrift.cli.score_table import print_summary
from libdrift.errors import UserError
from libdrift.jobs.scoring import ScoreOptions, score
from libdrift.metrics.modes import Mode
from libdrift.records import Attempt, Outcome, Split, Verdict
from libdrift.suites.audited import Audited
from tests.cli.test_cli import libdrift
from tests.suites.gitchameleon.small import PROBLEM, lines, packed

WHOLE = PROBLEM["starting_code"] + PROBLEM["solution"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    packed(tmp_path / "data/gitchameleon", PROBLEM)
    return tmp_path / "data"


def test_score_and_audit_end_to_end(data: Path, tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", {"example_id": "2", "solution": WHOLE + "# mine\n"})
    done = libdrift("score", "gitchameleon", str(path), "--data", str(data), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "API hit rate: 100.0 [20.7, 100.0] % of 1 answer (as released: 100.0" in done.stdout
    command = ["audit", "gitchameleon", "--data", str(data), "--json", "--write", "v.json"]
    done = libdrift(*command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["results"]
    assert row["verified"]
    assert row["visible"] == {"outcome": "passed", "reason": ""}
    kept = json.loads((tmp_path / "v.json").read_text())
    assert kept["tasks"]["2"].pop("content")
    assert kept["tasks"] == {"2": {"verified": True, "hidden": "", "visible": ""}}
    own = ["--data", str(data), "--verified", "--audited", "v.json", "--json"]
    done = libdrift("score", "gitchameleon", str(path), *own, cwd=tmp_path)
    assert json.loads(done.stdout)["tasks"] == 1, done.stderr


def test_data_beside_the_answers_is_found(data: Path, tmp_path: Path) -> None:
    bare = {"LIBDRIFT_DATA": ""}
    path = lines(data / "gitchameleon/mine.jsonl", {"example_id": "2", "answer": WHOLE})
    done = libdrift("score", "gitchameleon", str(path), "--json", cwd=tmp_path, **bare)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outcomes"] == {"passed": 1}
    elsewhere = lines(tmp_path / "mine.jsonl", {"example_id": "2", "answer": WHOLE})
    lost = libdrift("score", "gitchameleon", str(elsewhere), cwd=tmp_path, **bare)
    assert lost.returncode == 2
    assert "no GitChameleon data on this machine" in lost.stderr


def test_an_untouched_export_can_be_scored(data: Path, tmp_path: Path) -> None:
    command = ["suites", "export", "gitchameleon", "work", "--layout", "assistant"]
    done = libdrift(*command, "--json", cwd=tmp_path, LIBDRIFT_DATA=str(data))
    assert json.loads(done.stdout)["files"] == ["sample_2.py"]
    again = libdrift(*command, cwd=tmp_path, LIBDRIFT_DATA=str(data))
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "work is not empty" in again.stderr
    more = libdrift(*command, "--force", "--without-problem", cwd=tmp_path, LIBDRIFT_DATA=str(data))
    assert more.returncode == 0
    assert "Read the ini" not in (tmp_path / "work/sample_2.py").read_text()
    scored = libdrift(
        "score", "gitchameleon", "work", "--json", cwd=tmp_path, LIBDRIFT_DATA=str(data)
    )
    assert scored.returncode == 0, scored.stderr
    result = json.loads(scored.stdout)
    assert result["outcomes"] == {"failed": 1}
    assert result["run"].startswith("runs/gitchameleon-work-")


def test_absent_data_is_a_row_not_an_end(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LIBDRIFT_DATA", raising=False)
    runner = CliRunner()
    listed = runner.invoke(app, ["suites", "--json"])
    rows = {row["suite"]: row for row in json.loads(listed.stdout)["suites"]}
    assert rows["gitchameleon"]["tasks"] is None
    assert "--data DIR" in rows["gitchameleon"]["missing"]
    assert rows["starter"]["tasks"]
    assert "no GitChameleon data" in runner.invoke(app, ["suites"]).stdout
    assert "no GitChameleon" not in runner.invoke(app, ["suites", "--data", str(data)]).stdout
    found = runner.invoke(app, ["suites", "--json", "--data", str(data)]).stdout
    assert (
        "missing" not in {row["suite"]: row for row in json.loads(found)["suites"]}["gitchameleon"]
    )


@pytest.mark.parametrize("order", ["before", "after"])
def test_show_says_what_a_candidate_may_know(order: str, data: Path) -> None:
    where = ["--data", str(data)]
    middle = ["show", "gitchameleon", "--json"]
    command = [*where, *middle] if order == "before" else [*middle, *where]
    shown = CliRunner().invoke(app, ["suites", *command]).stdout
    (task,) = json.loads(shown)["tasks"]
    facts = task["facts"]
    assert (facts["category"], facts["tags"]) == ("argument or attribute", ["functional"])
    assert facts["documents"] == PROBLEM["docs"]
    assert set(task) == {
        *("task_id", "title", "problem", "starter", "requirements", "facts"),
        *("language", "python", "runtime"),
    }
    for secret in ("api_calls", "IniConfig(", "assert", "solution"):
        assert secret not in shown


def test_audit_does_not_work_for_an_hour_to_find_it_cannot_write(
    data: Path, tmp_path: Path
) -> None:
    where = str(tmp_path / "nowhere" / "v.json")
    command = ["audit", "gitchameleon", "--data", str(data), "--write", where]
    with pytest.raises(UserError, match="cannot write"):
        CliRunner().invoke(app, command, catch_exceptions=False)


class TestVerified:
    """Verdicts are made up here: what is shown is which tasks count."""

    @pytest.fixture(autouse=True)
    def _quick(self, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        problems = [{**PROBLEM, "example_id": str(number)} for number in range(3)]
        packed(data / "gitchameleon", *problems)
        monkeypatch.chdir(tmp_path)
        settings = replace(config.load(), data=data)
        self.suite = suites.load("gitchameleon", settings)
        self.options = ScoreOptions(data=data)
        rows = [{"task_id": n, "answer": WHOLE, "sample": s} for n in range(3) for s in range(2)]
        self.path = lines(tmp_path / "a.jsonl", *rows)
        audited = {str(n): Audited(str(n), verified=n == 0, reasons={}) for n in range(3)}
        monkeypatch.setattr("libdrift.suites.verified", lambda *_: audited)

        def judged(_: object, attempts: list[Attempt], *__: object) -> list[Verdict]:
            return [
                Verdict(a.task_id, a.sample, Split.HIDDEN, Outcome.PASSED)
                if a.task_id == "0"
                else Verdict(a.task_id, a.sample, Split.HIDDEN, Outcome.FAILED)
                for a in attempts
            ]

        monkeypatch.setattr("libdrift.scoring.pipeline.score_attempts", judged)
        monkeypatch.setattr("libdrift.execution.RunFolder.write_description", lambda *_: None)
        monkeypatch.setattr("libdrift.execution.RunFolder.write", lambda *_: None)

    def test_all_tasks_and_verified_ones_are_reported(self) -> None:
        summary = score(self.suite, self.path, self.options)
        found = {s.group: s for s in summary.scores if s.metric == "success_rate"}
        assert found["all"].value == pytest.approx(1 / 3)
        assert (found["verified"].value, found["verified"].n) == (1.0, 2)
        assert found["category=argument or attribute"].n == 6
        assert summary.unverified is None

    def test_only_verified_tasks(self, capsys: pytest.CaptureFixture[str]) -> None:
        summary = score(self.suite, self.path, replace(self.options, verified=True))
        assert (summary.tasks, summary.attempts) == (1, 2)
        assert summary.to_json()["unverified"] == {"answers": 4, "tasks": 2}
        assert summary.unanswered == ()
        print_summary(summary, Mode.FIXED)
        shown = capsys.readouterr()
        assert "left out by --verified: 4 answers to 2 unverified tasks" in shown.err
        assert "verified %" in shown.out

    def test_no_answer_to_a_verified_task(self) -> None:
        lines(self.path, {"task_id": 1, "answer": WHOLE})
        with pytest.raises(UserError, match="no answer to a verified task"):
            score(self.suite, self.path, replace(self.options, verified=True))


def test_a_suite_without_a_list_says_so(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", {"task_id": "click-sum-of-chain", "answer": "x = 1"})
    done = libdrift("score", "starter", str(path), "--verified", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no task of starter is known to be verified" in done.stderr
    assert "libdrift audit … --write FILE" in done.stderr
