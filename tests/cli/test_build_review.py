"""``libdrift build review``: decisions from a pipe, kept, taken back, exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from libdrift.cli.app import app
from libdrift.errors import UserError
from libdrift.jobs import reviewing
from libdrift.jobs.reviewing import TaskReview
from libdrift.suites import task_files
from tests.conftest import make_task


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    task_files.write(path, "own", "Own", [make_task(f"t{n}", n) for n in range(3)], {})
    return path


def review(file: Path, said: str, *more: str, run: bool = False) -> Result:
    arguments = ["build", "review", str(file), *([] if run else ["--no-run"]), *more]
    done = CliRunner().invoke(app, arguments, input=said, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done


def test_decisions_are_kept_and_gone_on_with(file: Path) -> None:
    done = review(file, "a\nr the test is unfair\n")
    assert "1 accepted, 1 rejected, 1 open" in done.stdout
    for shown in ("Return 0.", "def number():", "hidden tests (pytest)", "off by one"):
        assert shown in done.stderr
    found = json.loads(review(file, "", "--json").stdout)
    assert found["decisions"] == {"t0": "accept", "t1": "reject"}
    lines = (file.parent / "tasks.review.jsonl").read_text().splitlines()
    assert json.loads(lines[1])["reason"] == "the test is unfair"
    done = review(file, "a\n", "--json")
    assert "[3/3] t2" in done.stderr
    assert json.loads(done.stdout)["open"] == 0


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("a\nu\n", (0, 0)),
        ("a\nu\nr no\n", (0, 1)),
        ("u\na\n", (1, 0)),
        ("a\na\nu\nu\n", (0, 0)),
        ("s\na\n", (1, 0)),
        ("s\ns\ns\n", (0, 0)),
        ("r\nr   \na\n", (1, 0)),  # a reason must be told
        ("what\na\nq\na\n", (1, 0)),
        ("A\nReject it\n", (1, 1)),
    ],
)
def test_words_of_a_reviewer(file: Path, said: str, counts: tuple[int, int]) -> None:
    found = json.loads(review(file, said, "--json").stdout)
    assert (found["accepted"], found["rejected"]) == counts


def test_undoing_is_a_line_more(file: Path) -> None:
    review(file, "a\nu\n")
    lines = (file.parent / "tasks.review.jsonl").read_text().splitlines()
    assert [json.loads(line)["decision"] for line in lines] == ["accept", "undo"]


def test_accepted_tasks_are_exported(file: Path, tmp_path: Path) -> None:
    review(file, "a\nr no\na\n")
    out = tmp_path / "accepted.jsonl"
    done = review(file, "", "--export", str(out))
    assert "2 tasks in" in done.stdout
    assert set(task_files.read(out).tasks) == {"t0", "t2"}
    with pytest.raises(UserError, match="already exists"):
        review(file, "", "--export", str(out))


def test_nobody_accepts_what_nobody_has_seen(file: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--accept-all is refused"):
        review(file, "", "--accept-all")
    with pytest.raises(UserError, match="no task was accepted"):
        review(file, "", "--export", str(tmp_path / "accepted.jsonl"))
    with pytest.raises(UserError, match="does not end in"):
        review(file, "", "--export", str(tmp_path / "accepted.json"))


def test_a_changed_task_has_no_decision(file: Path) -> None:
    review(file, "a\na\na\n")
    task_files.write(file, "own", "Own", [make_task("t0", 0), make_task("t1", 5)], {})
    assert set(TaskReview(file).decisions) == {"t0"}


def test_a_folder_of_tasks_is_reviewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(app, ["build", "init", "mine"], catch_exceptions=False)
    assert made.exit_code == 0
    assert "1 accepted, 0 rejected, 0 open" in review(Path("mine"), "a\n").stdout
    done = review(Path("mine"), "", "--export", "accepted.jsonl")
    assert (tmp_path / "mine.review.jsonl").is_file(), "beside the folder, not among the tasks"
    assert "1 task in accepted.jsonl" in done.stdout
    assert len(task_files.read(tmp_path / "accepted.jsonl").tasks) == 1


@pytest.mark.parametrize("line", ['{"task_id": 3}', f'{{"a": {"[" * 9999}{"]" * 9999}}}'])
def test_a_broken_decision_is_told(file: Path, line: str) -> None:
    (file.parent / "tasks.review.jsonl").write_text(f"{line}\n")
    with pytest.raises(UserError, match=r"review\.jsonl:1: not a decision"):
        TaskReview(file)


def test_verdicts_are_shown_by_running(file: Path) -> None:
    done = review(file, "q\n", run=True)
    assert "reference (hidden): passed" in done.stderr
    assert "wrong-version answer here (hidden): failed" in done.stderr
    (only,) = reviewing.evidence(replace(make_task("t", 1), tests=(), wrong=None))
    assert only.verdict == "nothing is run"
