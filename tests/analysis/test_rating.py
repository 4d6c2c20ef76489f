"""Metrics over rows are those of a run's own scores; what is counted is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.analysis.measuring import Measure, chosen_measures, measures_of
from libdrift.analysis.rating import NOTHING, metrics_of, rated
from libdrift.errors import UserError
from libdrift.metrics.identifiers import Comparison, Overlap, Tally
from libdrift.metrics.modes import Mode
from libdrift.metrics.rates import success_rate
from tests.analysis.runs import row, text_row

OUTCOMES = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(st.booleans(), min_size=1, max_size=4), min_size=1
)


@given(outcomes=OUTCOMES)
def test_success_is_the_rate_that_runs_have(outcomes: dict[str, list[bool]]) -> None:
    rows = [
        row(task_id, float(right), sample)
        for task_id, samples in outcomes.items()
        for sample, right in enumerate(samples)
    ]
    found, expected = rated(rows, "hidden"), success_rate(outcomes)
    assert found.value == pytest.approx(expected.value)
    assert found.stderr == pytest.approx(expected.stderr)
    assert (found.answers, found.tasks) == (expected.n, len(outcomes))
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.high - found.low > 0.1  # eight tasks never tell more


def test_one_answer_has_an_interval_that_means_something() -> None:
    found = rated([row("a", 1.0)], "hidden")
    assert (found.value, found.stderr, found.high) == (1.0, 0.0, 1.0)
    assert found.low == pytest.approx(0.2065, abs=1e-4)


def test_identifiers_are_ratios_of_sums() -> None:
    counts = [(3, 1, 0), (0, 2, 4)]
    tally = Tally(Mode.FIXED)
    rows = []
    for at, (tp, fp, fn) in enumerate(counts):
        overlap = Overlap(same=False, tp=tp, fp=fp, fn=fn)
        tally.add([Comparison(em=False, ids=overlap, names=overlap, similarity=0.5)])
        rows.append(text_row(str(at), "middle", em=0.0, f1_macro=overlap.f1, tp=tp, fp=fp, fn=fn))
    for metric in ("f1", "precision", "recall"):
        rate = getattr(tally.micro(), metric)
        found = rated(rows, metric)
        assert (found.value, found.stderr) == (rate.value, rate.stderr)
    assert rated(rows, "f1_macro").value == tally.macro().f1.value
    assert metrics_of(rows) == ["em", "f1", "precision", "recall", "f1_macro"]


def test_what_nobody_measured_is_nothing() -> None:
    assert rated([row("a")], "hidden") is NOTHING
    assert rated([], "f1") is NOTHING or rated([], "f1").value is None


def test_texts_are_measured_level_by_level() -> None:
    rows = [text_row("a", "block", em=1.0, cdc=0.0), text_row("b", "token", em=0.0), row("c", 1.0)]
    assert [str(one) for one in measures_of(rows)] == [
        "hidden", "token em", "block em", "block cdc",
    ]  # fmt: skip
    assert Measure("em", "block").rate(rows).value == 1
    assert chosen_measures(rows, ["cdc"]) == [Measure("cdc", "block")]
    with pytest.raises(UserError, match="--metric ism: no answer has this metric"):
        chosen_measures(rows, ["ism"])
