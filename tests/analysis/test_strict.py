from __future__ import annotations

import json
from pathlib import Path

import pytest

from libdrift.analysis import text_runs
from libdrift.analysis.strict import labels, matches, rated
from libdrift.analysis.text_answers import TextAnswers
from libdrift.analysis.text_scores import AtK
from libdrift.execution import RunFolder
from libdrift.metrics.accuracies import Explanation
from libdrift.records import Outcome, Split, Suite, TaskKind, Verdict
from tests.analysis.texts import text_suite
from tests.evals.judged import EXPLAIN, label_suite, label_task

ONE = {"numpy.in1d": Explanation("")}
TOLD = {"numpy.in1d": Explanation("deprecated", "numpy.isin")}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('["np.in1d"]', True),
        ('```json\n["numpy.in1d(ar1, ar2)"]\n```', True),
        ('The list is ["np.in1d"], and no more.', True),
        ('{"np.in1d": {"kind": "gone"}}', True),
        ('["np.in1d", "np.trapz"]', False),
        ("[]", False),
        ("`np.in1d(a, b)` is gone in `2.0`; `x = 3` stays", True),
        ("`np.in1d`: use `np.isin`", False),
        ("numpy.in1d is gone in version 2.0", True),
        ("It is numpy.in1d [see 1].", True),
        ("in1d", False),
        ("", False),
        ("\ud800 [\ud800]", False),
        ("[" * 10_000 + "]" * 10_000, False),
    ],
)
def test_names_are_read_from_json_or_words(text: str, right: bool) -> None:  # noqa: FBT001
    assert matches(TaskKind.LOCATE, text, ONE) is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"np.in1d": {"kind": "Deprecated", "replacement": "np.isin", "since": "2.0"}}', True),
        ('So: {"np.in1d": {"kind": "removed", "replacement": "np.isin"}}', True),
        ('{"np.in1d": {"kind": "added", "replacement": "np.isin"}}', False),
        ('{"np.in1d": {"kind": "deprecated"}}', False),
        ('["np.in1d"]', False),
        ("np.in1d is deprecated, use np.isin", False),
        ("", False),
    ],
)
def test_explanations_are_read_from_json(text: str, right: bool) -> None:  # noqa: FBT001
    assert matches(TaskKind.EXPLAIN, text, TOLD) is right


@pytest.mark.parametrize(
    ("kind", "reference", "names"),
    [
        (TaskKind.LOCATE, '["a.b", "a.c"]', ["a.b", "a.c"]),
        (TaskKind.LOCATE, '{"a.b": {}}', ["a.b"]),
        (TaskKind.EXPLAIN, json.dumps(EXPLAIN), ["shapes.ring"]),
        (TaskKind.EXPLAIN, '["a.b"]', None),
        (TaskKind.LOCATE, "[]", None),
        (TaskKind.LOCATE, "prose", None),
        (TaskKind.LOCATE, "[1]", None),
    ],
)
def test_labels_are_a_reference_in_json(
    kind: TaskKind, reference: str, names: list[str] | None
) -> None:
    found = labels(label_task("one", kind, reference))
    assert (None if found is None else list(found)) == names


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
    text_runs.judge(suite, TextAnswers(path, suite), folder, {"fingerprint": "x"}, AtK())
    found = rated(path, suite, folder)
    assert {(one.task.id, one.sample) for one in found.answers if not one.right} == {
        ("line", 1),
        ("token", 1),
    }
    assert len(found.answers) == 7
    assert not found.without
