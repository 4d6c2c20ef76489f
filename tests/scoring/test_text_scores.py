from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.metrics.completions import Scores
from libdrift.metrics.modes import Mode
from libdrift.scoring.text_scores import AtK, Graded, TextJudge, odd, reference_of
from tests.scoring.texts import text_suite

TASKS = text_suite().tasks


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.id)
def test_a_reference_is_right_and_another_name_is_not(task) -> None:  # noqa: ANN001
    judge = TextJudge(task, Mode.FIXED)
    assert judge.grade(task.reference).em
    wrong = judge.grade(task.reference.replace("circle", "ring"))
    assert not wrong.em
    right = judge.grade(task.reference)
    if right.completion is not None and right.completion.rules is not None:
        assert (right.completion.ism, right.completion.pm) == (1, 1)
        assert right.completion.cdc
        assert wrong.completion is not None
        assert not wrong.completion.cdc
    if right.expression is not None:
        assert right.expression.ids.f1 == 1
        assert wrong.expression is not None
        assert wrong.expression.ids.f1 < 1


def test_the_answer_of_a_model_is_found_between_its_tags() -> None:
    judge = TextJudge(TASKS["token"], Mode.RELEASED)
    assert judge.grade("Sure: <start>circle<end>").em
    assert not judge.grade("circle").em
    assert odd(TASKS["token"], "circle", Mode.RELEASED).startswith("no <start> and <end>")
    assert odd(TASKS["token"], "circle", Mode.FIXED) == ""


@pytest.mark.parametrize(
    ("output", "why"),
    [(" \n", "empty"), ("a\0b", "binary"), ("\ud800", "binary")],
)
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.id)
def test_odd_answers_are_named_and_scored_as_wrong(task, output: str, why: str, mode: Mode) -> None:  # noqa: ANN001
    assert odd(task, output, mode) == why
    assert not TextJudge(task, mode).grade(output).em


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.id)
def test_five_megabytes_are_scored_as_the_mode_says(task) -> None:  # noqa: ANN001
    huge = f"<start>{task.reference}\n{'# more' * 850_000}<end>"
    named = odd(task, huge, Mode.FIXED)
    graded = TextJudge(task, Mode.FIXED).grade(huge)
    if task.id == "middle":  # only the first expression counts
        assert (named, graded.em) == ("", True)
    else:
        assert (named, graded.em) == ("over 100,000 characters", False)
    assert odd(task, huge, Mode.RELEASED) == ""
    assert TextJudge(task, Mode.RELEASED).grade(huge).em is (task.id not in {"token", "middle"})


def test_a_migration_is_held_to_its_old_line_only_as_released() -> None:
    task = TASKS["migration"]
    assert reference_of(task, Mode.RELEASED).line == "round = shapes.ring(2)"
    assert reference_of(task, Mode.FIXED).line == "round = shapes.circle(radius=2)"


def graded(right: int, n: int) -> list[Graded]:
    rules = [(True,) * 5] * right + [(True, False, True, True, True)] * (n - right)
    return [
        Graded(completion=Scores(em=all(item), ism=float(all(item)), pm=0.5, rules=item))
        for item in rules
    ]


def test_metrics_of_a_task() -> None:
    found = AtK((1, 2)).values(graded(1, 4))
    assert found["em@1"] == found["cdc@1"] == found["ism@1"] == 0.25
    assert found["em@2"] == found["ism@2"] == 0.5
    assert found["pm@1"] == found["pm@2"] == 0.5
    assert found["cdc_rule_2@1"] == 0.25
    assert found["cdc_rule_1@1"] == 1
    assert found["cdc_without_2@1"] == 1
    assert found["cdc_without_1@1"] == 0.25


def test_fewer_samples_than_k_say_nothing_but_as_released() -> None:
    assert AtK((3,)).values(graded(1, 2)) == {}
    released = AtK((3,), Mode.RELEASED).values(graded(0, 2))
    assert released["em@3"] == 1
    assert "ism@3" not in released


@given(st.integers(0, 8), st.integers(1, 8))
@settings(max_examples=50)
def test_more_samples_are_never_worse(right: int, n: int) -> None:
    right = min(right, n)
    found = AtK(tuple(range(1, n + 1))).values(graded(right, n))
    for metric in ("em", "ism", "pm", "cdc", "cdc_rule_2", "cdc_without_3"):
        values = [found[f"{metric}@{k}"] for k in range(1, n + 1)]
        assert values == sorted(values)
        assert 0 <= values[0] <= values[-1] <= 1
