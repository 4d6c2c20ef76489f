from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.analysis.comparing import compare_runs, paired_interval, visible_gap
from libdrift.metrics.paired import mcnemar
from libdrift.records import Observation, Outcome
from tests.analysis.runs import observed_run, outcomes, row


def test_only_tasks_that_both_answered_count() -> None:
    first = outcomes("plain", {"a": [1], "b": [0], "c": [0], "x": [0]})
    second = outcomes("rag", {"a": [1], "b": [1], "c": [0], "y": [1]})
    (found,) = compare_runs([first, second]).measured
    assert (found.common, found.union) == (3, 5)
    assert [one.value for one in found.rated] == [pytest.approx(1 / 3), pytest.approx(2 / 3)]
    (difference,) = found.differences
    assert (difference.first, difference.second) == ("plain", "rag")
    assert difference.value == pytest.approx(1 / 3)
    assert (difference.first_better, difference.second_better, difference.p) == (0, 1, 1.0)
    ((_, _, agreed),) = found.agreements
    assert (agreed.both, agreed.first, agreed.second, agreed.neither) == (1, 0, 1, 1)
    assert [one.task_id for one in found.discordant] == ["b"]


def test_by_library_and_of_three_runs() -> None:
    runs = [
        observed_run(
            [
                row(name, float(name in right), library="np" if name < "c" else "fl")
                for name in "abcd"
            ],
            label,
        )
        for label, right in (("x", "ab"), ("y", "cd"), ("z", "abcd"))
    ]
    found = compare_runs(runs, by=["library"])
    told = {(one.group, one.first, one.second): one.value for one in found.measured[0].differences}
    assert told["all", "x", "y"] == 0
    assert told["library=np", "x", "y"] == -1
    assert told["library=fl", "x", "z"] == 1
    assert len(told) == 9


@settings(max_examples=25)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_one_answer_a_task_is_mcnemars_test(pairs: list[tuple[bool, bool]]) -> None:
    runs = [
        outcomes(label, {str(at): [float(pair[side])] for at, pair in enumerate(pairs)})
        for side, label in enumerate(("x", "y"))
    ]
    (found,) = compare_runs(runs).measured
    (one,) = found.differences
    assert one.p == mcnemar(pairs.count((True, False)), pairs.count((False, True)))
    assert one.low is not None
    assert one.high is not None
    assert -1 <= one.low <= one.value + 1e-9
    assert one.value - 1e-9 <= one.high <= 1
    assert one.low < one.high


def test_equal_runs_may_still_differ_elsewhere() -> None:
    low, high = paired_interval([(1.0, 1.0), (0.0, 0.0)])
    assert low is not None
    assert high is not None
    assert low < -0.3
    assert high > 0.3


def test_two_tasks_say_little() -> None:
    assert paired_interval([(0.0, 1.0), (0.5, 1.0)]) == (-1.0, 1.0)
    low, high = paired_interval([(0.0, 2.5), (0.0, 3.5)], share=False)
    assert low is not None
    assert high is not None
    assert low < -3
    assert high > 9


def test_the_visible_gap() -> None:
    rows = [
        Observation("r", str(at), 0, Outcome.PASSED, {}, {"visible": 1.0, "hidden": float(at > 2)})
        for at in range(10)
    ]
    gap = visible_gap(observed_run([*rows, row("only hidden", 1.0)]))
    assert gap is not None
    assert (gap.tasks, gap.visible, gap.hidden) == (10, 1.0, 0.7)
    assert gap.value == pytest.approx(0.3)
    assert visible_gap(observed_run([row("a", 1.0)])) is None


def test_the_error_of_a_failed_answer_is_told() -> None:
    first = observed_run([row("a", 0.0, error="TypeError", library="np", version="np 1.0")], "x")
    second = observed_run([row("a", 1.0)], "y")
    (found,) = compare_runs([first, second]).measured
    (task,) = found.discordant
    assert (task.library, task.version, task.errors) == ("np", "1.0", ("TypeError", ""))
    assert task.to_json(["x", "y"])["solved"] == {"x": 0.0, "y": 1.0}


def test_runs_without_a_task_in_common() -> None:
    (found,) = compare_runs([outcomes("x", {"a": [1]}), outcomes("y", {"b": [1]})]).measured
    assert (found.common, found.union, found.differences) == (0, 2, ())
