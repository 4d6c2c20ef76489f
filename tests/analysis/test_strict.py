from __future__ import annotations

import json
from pathlib import Path

from libdrift.analysis.strict import rated
from libdrift.execution import RunFolder
from libdrift.records import Outcome, Split, Suite, TaskKind, Verdict
from libdrift.scoring import text_runs
from libdrift.scoring.answer_files import AnswerFile
from libdrift.scoring.text_scores import AtK
from tests.evals.judged import label_suite, label_task
from tests.scoring.texts import text_suite


def written(path: Path, *rows: tuple[str, str]) -> Path:
    lines = [json.dumps({"task_id": task_id, "answer": answer}) for task_id, answer in rows]
    path.write_text("\n".join(lines))
    return path


def test_labels_need_no_verdict_of_a_run(tmp_path: Path) -> None:
    suite = label_suite(1)
    path = written(tmp_path / "a", ("locate-0", "`shapes.ring`"), ("explain-0", "x"), ("no", "x"))
    found = rated(path, suite, RunFolder(tmp_path))
    assert [(one.task.id, one.right) for one in found.answers] == [
        ("locate-0", True),
        ("explain-0", False),
    ]
    assert len(found.left_out) == 1
    assert len(rated(path, suite, RunFolder(tmp_path), limit=1).answers) == 1
    odd = Suite("s", "", "", {"one": label_task("one", TaskKind.LOCATE, "prose")})
    found = rated(written(tmp_path / "b", ("one", "x")), odd, RunFolder(tmp_path))
    assert not found.answers
    assert dict(found.without) == {"the references of their tasks have no labels": 1}


def test_programs_have_the_verdict_of_the_hidden_tests(tmp_path: Path, small_suite: Suite) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.path.mkdir()
    for task_id, split, outcome in [
        ("t0", Split.HIDDEN, Outcome.PASSED),
        ("t1", Split.HIDDEN, Outcome.TIMEOUT),
        ("t1", Split.VISIBLE, Outcome.PASSED),
        ("t2", Split.HIDDEN, Outcome.INFRASTRUCTURE),
    ]:
        folder.append(Verdict(task_id, 0, split, outcome))
    path = written(tmp_path / "a", ("t0", "x"), ("t1", "x"), ("t2", "x"), ("t0", "unknown"))
    found = rated(path, small_suite, folder)
    assert [(one.task.id, one.right) for one in found.answers] == [("t0", True), ("t1", False)]
    assert dict(found.without) == {
        "the machine failed, and not they": 1,
        "the run has no verdict on them": 1,
    }


def test_texts_have_exact_match_or_the_core_line(tmp_path: Path) -> None:
    suite = text_suite()
    folder = RunFolder(tmp_path / "run")
    rows = [(task.id, task.reference) for task in suite.tasks.values()]
    # The name alone is an exact match to VersiCode, but no core line.
    path = written(tmp_path / "a", *rows, ("line", "circle"), ("token", "ring"))
    text_runs.judge(suite, AnswerFile(path, suite), folder, {"fingerprint": "x"}, AtK())
    found = rated(path, suite, folder)
    assert {(one.task.id, one.sample) for one in found.answers if not one.right} == {
        ("line", 1),
        ("token", 1),
    }
    assert len(found.answers) == 7
    assert not found.without
