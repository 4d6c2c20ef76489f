"""Explanations part by part, and where locating and migrating disagree."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType

import pytest

from libdrift import config
from libdrift.records import Attempt, Outcome, Split, Suite, Verdict
from libdrift.suites import codemenv
from libdrift.suites.codemenv.parts import answer_parts, explain_parts, inconsistency
from tests.suites.codemenv.samples import easy, hard


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    folder = tmp_path / "codemenv"
    folder.mkdir()
    (folder / "python_easy.jsonl").write_text(json.dumps(easy("e")) + "\n")
    (folder / "python_hard.jsonl").write_text(json.dumps(hard("h")) + "\n")
    return codemenv.load(config.load(tmp_path))


RIGHT = {"kind": "deprecated", "version": "2.0", "replacement": "numpy.vstack"}


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ({"numpy.row_stack": RIGHT}, set()),
        ({"numpy.row_stack": {**RIGHT, "kind": "added"}}, {"kind"}),
        ({"numpy.row_stack": {**RIGHT, "version": "0.9"}}, {"version"}),
        ({"numpy.row_stack": {**RIGHT, "replacement": "numpy.nothing_at_all"}}, {"replacement"}),
        ({"numpy.row_stack": RIGHT, "numpy.zeros": RIGHT}, {"named"}),
        ({"numpy.zeros": RIGHT}, {"named", "kind", "version", "replacement"}),
    ],
)
def test_each_part_is_right_or_wrong_on_its_own(
    told: dict[str, dict[str, str]], wrong: set[str], suite: Suite
) -> None:
    text = json.dumps(told)
    found = {
        score.metric: score.value
        for score in explain_parts(suite, [Attempt("e/explain", 0, text, text)])
        if score.group == "all"
    }
    assert {name.removeprefix("explain_") for name, value in found.items() if not value} == wrong
    assert set(found) == {f"explain_{name}" for name in ("named", "kind", "version", "replacement")}


def test_difficulties_are_counted_apart(suite: Suite) -> None:
    text = json.dumps({"numpy.row_stack": RIGHT})
    scores = explain_parts(
        suite, [Attempt("e/explain", 0, text, text), Attempt("h/explain", 0, "{}", "{}")]
    )
    kinds = {one.group: one.value for one in scores if one.metric == "explain_kind"}
    assert kinds == {"all": 0.5, "difficulty=easy": 1.0, "difficulty=hard": 0.0}


def test_each_answer_has_its_parts(suite: Suite) -> None:
    text = json.dumps({"numpy.row_stack": {**RIGHT, "kind": "added"}})
    (one,) = answer_parts(
        suite, [Attempt("e/explain", 2, text, text), Attempt("e/locate", 0, "", "")]
    )
    assert (one.task_id, one.sample) == ("e/explain", 2)
    assert one.values == {
        "explain_named": 1.0, "explain_kind": 0.0, "explain_version": 1.0, "explain_replacement": 1.0,
    }  # fmt: skip


def _verdict(task_id: str, *, passed: bool) -> Verdict:
    outcome = Outcome.PASSED if passed else Outcome.FAILED
    return Verdict(task_id, 0, Split.HIDDEN, outcome, "")


def test_inconsistency_is_of_samples_that_were_asked_for_both(suite: Suite) -> None:
    both = MappingProxyType({**suite.tasks})
    verdicts = [
        _verdict("e/locate", passed=True),
        _verdict("e/migrate", passed=False),
        _verdict("h/locate", passed=False),
        _verdict("h/migrate", passed=True),
    ]
    found = {
        (one.metric, one.group): one.value
        for one in inconsistency(Suite("codemenv", "", "", both), verdicts)
    }
    assert found["located_not_migrated", "all"] == 0.5
    assert found["migrated_not_located", "all"] == 0.5
    assert found["located_not_migrated", "difficulty=easy"] == 1.0
    assert found["migrated_not_located", "difficulty=easy"] == 0.0
    assert inconsistency(suite, verdicts[:1]) == []
