"""Tables say which standard error they show, what n counts, and what is left out."""

from __future__ import annotations

import pytest

from libdrift.metrics.rates import rate_at_k, success_rate
from libdrift.records import Score
from libdrift.reports.tables import ReportedRun, dimensions_of, left_unproven, tables, whole

ONE_EACH = {"a": [True], "b": [False], "c": [True]}
SEVERAL = {"a": [True, False], "b": [False, False], "c": [True, True]}


def run(*scores: Score) -> ReportedRun:
    return ReportedRun("run", "suite", "", scores)


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [(ONE_EACH, "± standard error: binomial"), (SEVERAL, "± standard error: clustered by task")],
)
def test_notes_name_the_error_and_what_is_counted(
    outcomes: dict[str, list[bool]], words: str
) -> None:
    (table,) = whole([run(success_rate(outcomes).score("success_rate", "hidden"))])
    error, counted = table.notes
    assert error.startswith(words)
    assert counted == "n counts answers"
    assert "*" not in table.cells()[1][0]


def test_of_pass_at_k_tasks_are_counted() -> None:
    (table,) = whole([run(rate_at_k(SEVERAL, 2).score("pass@2", "hidden"))])
    assert table.notes[1] == "n counts tasks that have at least k answers"
    (row,) = table.to_json()["rows"]
    assert (row["pass"]["n"], row["pass"]["n_counts"]) == (3, "tasks")
    assert row["pass"]["stderr_kind"] == "binomial"


def test_where_both_errors_occur_one_is_marked() -> None:
    scores = [
        success_rate(outcomes).score("success_rate", "hidden", f"library={name}")
        for name, outcomes in (("one", ONE_EACH), ("several", SEVERAL))
    ]
    (table,) = tables([run(*scores)], ["library"])
    cells = {row[0]: row[1] for row in table.cells()[1:]}
    assert not cells["one"].endswith("*")
    assert cells["several"].endswith("*")
    assert "; * clustered by task" in table.notes[0]


def test_a_run_that_does_not_say_has_no_notes() -> None:
    (table,) = whole([run(Score("success_rate", 0.5, 0.1, 4, "hidden"))])
    assert table.notes == ()


def test_only_breakdowns_that_a_run_has() -> None:
    rate = success_rate(ONE_EACH)
    groups = ["all", "library=numpy", "proof=remote", "proven"]
    found = run(*(rate.score("success_rate", "hidden", group) for group in groups))
    assert dimensions_of([found]) == ["library", "proof"]


def test_what_proven_leaves_out_is_counted_by_reason() -> None:
    numbers = {"all": 10, "proof=remote": 5, "proof=none": 3, "proven": 4}
    found = run(
        *(Score("success_rate", 0.5, None, n, "hidden", group) for group, n in numbers.items())
    )
    left = left_unproven(found)
    assert sorted(left.values()) == [1, 2, 3]
    assert left["whose tests cannot prove a pass (proof: none)"] == 3
    assert left["of answers that were not run (no proof)"] == 2
    assert left_unproven(run(Score("em@1", 0.5, None, 3, "line"))) == {}
