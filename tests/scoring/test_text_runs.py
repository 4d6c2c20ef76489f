from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from libdrift.errors import UserError
from libdrift.execution import RunFolder
from libdrift.metrics.modes import Mode
from libdrift.records import Score, Suite
from libdrift.scoring import text_runs
from libdrift.scoring.answer_files import AnswerFile
from libdrift.scoring.descriptions import text_fingerprint
from libdrift.scoring.text_scores import AtK, TextJudge
from tests.scoring.texts import text_suite


@pytest.fixture
def suite() -> Suite:
    return text_suite()


def answered(path: Path, suite: Suite) -> AnswerFile:
    """The reference of every task, then one wrong answer."""
    with path.open("w") as file:
        for task in suite.tasks.values():
            for answer in (task.reference, task.reference.replace("circle", "ring")):
                file.write(json.dumps({"task_id": task.id, "answer": answer}) + "\n")
    return AnswerFile(path, suite)


def judge(suite: Suite, answers: AnswerFile, folder: Path, at: AtK | None = None) -> Any:
    at = at or AtK()
    description = {"fingerprint": text_fingerprint(suite, answers, at)}
    return text_runs.judge(suite, answers, RunFolder(folder), description, at)


def value(scores: tuple[Score, ...], metric: str, level: str, group: str = "all") -> float | None:
    (found,) = [s for s in scores if (s.metric, s.split, s.group) == (metric, level, group)]
    return found.value


def test_levels_and_groups_are_reported_apart(tmp_path: Path, suite: Suite) -> None:
    run = judge(suite, answered(tmp_path / "a.jsonl", suite), tmp_path / "run")
    assert (run.tasks, run.attempts, run.right) == (5, 10, 5)
    for level in ("token", "line", "block", "migrate"):
        assert value(run.scores, "em@1", level) == 0.5
    assert value(run.scores, "cdc@1", "line", "year=2021") == 0.5
    assert value(run.scores, "cdc@1", "migrate", "step=major-to-major") == 0.5
    assert value(run.scores, "em@1", "token", "category=addition") == 0.5
    # Names: circle, radius (shapes is given); the wrong answer has one of them wrong.
    assert value(run.scores, "f1", "middle", "access=direct") == pytest.approx(6 / 8)
    assert value(run.scores, "precision", "middle") == pytest.approx(3 / 4)
    assert value(run.scores, "f1_macro", "middle") == pytest.approx((1 + 2 / 4) / 2)
    assert value(run.scores, "em", "middle", "lifecycle=introduced") == 0.5


def test_released_numbers_are_rounded_as_released(tmp_path: Path, suite: Suite) -> None:
    path = tmp_path / "a.jsonl"
    outputs = [".circle(radius=2)", ".ring(radius=2)", "x"]
    path.write_text(json.dumps({"task_id": "middle", "answers": outputs}))
    at = AtK(mode=Mode.RELEASED)
    run = judge(suite, AnswerFile(path, suite), tmp_path / "run", at)
    # 5 of 7 names are right, 5 of 9 found.
    assert value(run.scores, "precision", "middle") == 0.7143
    assert value(run.scores, "recall", "middle") == 0.5556
    expected = 2 * 71.43 * 55.56 / (71.43 + 55.56) / 100
    assert value(run.scores, "f1", "middle") == pytest.approx(expected, abs=1e-12)


def test_a_stopped_run_goes_on_where_it_was(
    tmp_path: Path, suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = answered(tmp_path / "a.jsonl", suite)
    whole = judge(suite, answers, tmp_path / "whole")
    judge(suite, answers, tmp_path / "run")
    scores = tmp_path / "run" / "scores.jsonl"
    kept = scores.read_bytes().split(b"\n")
    scores.write_bytes(b"\n".join(kept[:2]) + b"\n" + kept[2][:20])  # as a kill leaves it
    asked: list[str] = []
    original = TextJudge.grade

    def spy(self: TextJudge, output: str) -> Any:
        asked.append(output)
        return original(self, output)

    monkeypatch.setattr(TextJudge, "grade", spy)
    again = judge(suite, answers, tmp_path / "run")
    assert len(asked) == 6  # two tasks of five were there
    assert set(again.scores) == set(whole.scores)
    assert (again.odd, again.tasks, again.right) == (whole.odd, whole.tasks, whole.right)
    assert scores.read_bytes().count(b"\n") == 5


def test_other_answers_or_modes_are_another_run(tmp_path: Path, suite: Suite) -> None:
    answers = answered(tmp_path / "a.jsonl", suite)
    other = replace(
        suite, tasks={**suite.tasks, "line": replace(suite.tasks["line"], reference="x")}
    )
    prints = {
        text_fingerprint(suite, answers, AtK()),
        text_fingerprint(suite, answers, AtK(mode=Mode.RELEASED)),
        text_fingerprint(suite, answers, AtK((1, 3))),
        text_fingerprint(other, answers, AtK()),
    }
    assert len(prints) == 4
    judge(suite, answers, tmp_path / "run")
    with pytest.raises(UserError, match="contains another run"):
        judge(suite, answers, tmp_path / "run", AtK(mode=Mode.RELEASED))


def test_what_is_left_out_is_counted_and_nothing_usable_is_a_mistake(
    tmp_path: Path, suite: Suite
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"task_id": "line", "answer": ""}\nnonsense\n{"task_id": "who", "answer": ""}\n'
    )
    run = judge(suite, AnswerFile(path, suite), tmp_path / "run")
    assert (run.tasks, run.left_out_count, run.odd["empty"]) == (1, 2, 1)
    path.write_text("nonsense\n")
    with pytest.raises(UserError, match=r"no usable answer .*a.jsonl:1"):
        judge(suite, AnswerFile(path, suite), tmp_path / "other")


def test_a_foreign_line_of_scores_is_named(tmp_path: Path, suite: Suite) -> None:
    answers = answered(tmp_path / "a.jsonl", suite)
    judge(suite, answers, tmp_path / "run")
    (tmp_path / "run" / "scores.jsonl").write_text("nonsense\n")
    with pytest.raises(UserError, match=r"scores.jsonl:1: not a line of scores"):
        judge(suite, answers, tmp_path / "run")
