from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from types import MappingProxyType

import pytest

from libdrift.config import Settings
from libdrift.records import Attempt, Case, ChangeKind, Outcome, Score, Split, Suite, Verdict
from libdrift.suites import rustevo
from libdrift.suites.rustevo.scores import (
    answer_measures,
    coverage,
    keeps_rule,
    rust_scores,
    uses_api,
)
from tests.suites.rustevo.small import packed

PASSED, FAILED, ERROR = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR


@pytest.fixture
def suite(tmp_path: Path, settings: Settings) -> Suite:
    """Task 4 of std (stabilized, 2024-03-21), and 9 of a crate (deprecated, 2023-08-11)."""
    return rustevo.load(replace(settings, data=packed(tmp_path)))


def verdict(
    task_id: str, outcome: Outcome, cases: str = "", *, sample: int = 0, uses: bool | None = None
) -> Verdict:
    """``cases`` has a letter a case, ``p`` for one that passed."""
    found = tuple(
        Case(f"tests::{at}", "passed" if letter == "p" else "failed")
        for at, letter in enumerate(cases)
    )
    return Verdict(task_id, sample, Split.HIDDEN, outcome, cases=found, uses=uses)


def attempt(task_id: str, code: str, sample: int = 0) -> Attempt:
    return Attempt(task_id, sample, code, code)


def by(scores: list[Score]) -> dict[tuple[str, str], Score]:
    return {(score.metric, score.group): score for score in scores}


@pytest.mark.parametrize(
    ("outcome", "cases", "share"),
    [(PASSED, "pp", 1.0), (FAILED, "pf", 0.5), (ERROR, "", 0.0), (Outcome.TIMEOUT, "p", 0.5)],
)
def test_coverage_is_a_share_of_what_the_tests_have(
    outcome: Outcome, cases: str, share: float, suite: Suite
) -> None:
    assert coverage(suite.tasks["4"], verdict("4", outcome, cases)) == share


def test_coverage_of_nothing_is_none(suite: Suite) -> None:
    task = suite.tasks["4"]
    tests = (replace(task.tests[0], code="// #[test]\nINCORRECT CODE"),)
    assert coverage(replace(task, tests=tests), verdict("4", ERROR)) is None
    assert coverage(suite.tasks["9"], verdict("9", ERROR)) == 0.0, "`#[tokio::test]` is one"


def test_scores_by_group(suite: Suite) -> None:
    attempts = [
        attempt("4", "// first_chunk would do"),
        attempt("4", "items.first_chunk()", 1),
        attempt("9", "0"),
    ]
    verdicts = [
        verdict("4", FAILED, "pf", uses=False),
        verdict("4", PASSED, "pp", sample=1, uses=True),
        verdict("9", ERROR),
    ]
    found = by(rust_scores(suite, attempts, verdicts, ks=(2,), cutoff=date(2023, 12, 31)))
    assert found["coverage", "all"].value == pytest.approx((0.75 + 0) / 2)
    assert found["coverage", "all"].n == 3
    first, second, third = answer_measures(suite, attempts, verdicts)
    assert (first.sample, first.values["coverage"], first.values["api_usage"]) == (0, 0.5, 0.0)
    assert (second.sample, second.values["coverage"], second.values["api_usage"]) == (1, 1.0, 1.0)
    assert "api_usage" not in third.values, "what cannot be told is no number"
    assert [one.facts["origin"] for one in (first, third)] == ["std", "crate"]
    assert found["coverage", "category=stabilized"].value == 0.75
    assert found["coverage", "library=bitflags"].value == 0.0
    assert found["api_usage", "all"].value == 0.5
    assert found["api_usage", "origin=crate"].value is None, "no answer's use is told there"
    assert found["api_usage_unknown", "origin=crate"].value == 1.0
    assert found["api_usage_released", "origin=std"].value == 1.0, "comments count as published"
    assert found["api_usage_released", "origin=crate"].value == 0.0
    assert found["success_rate", "origin=std"].value == 0.5
    assert found["coverage", "cutoff=before"].value == 0.0
    assert found["coverage", "cutoff=after"].value == 0.75
    assert found["pass@2", "origin=std"].value == 1.0
    assert found["pass@2", "origin=crate"].value is None, "one sample says nothing of two"
    assert ("success_rate", "cutoff=before") not in found, "execution's own"


def test_what_does_not_compile_uses_nothing_where_use_can_be_told(suite: Suite) -> None:
    passed = verdict("9", PASSED, "p", sample=1, uses=True)
    found = by(rust_scores(suite, [], [verdict("9", ERROR), passed]))
    assert found["api_usage", "all"].value == 0.5
    unknown = replace(passed, uses=None)
    found = by(rust_scores(suite, [], [verdict("9", ERROR), unknown]))
    assert found["api_usage", "all"].value is None, "else only failures would count"


def test_where_nobody_can_tell_an_answer_is_left_out(suite: Suite) -> None:
    found = by(rust_scores(suite, [attempt("9", "0")], [verdict("9", PASSED, "p")]))
    assert found["api_usage", "all"] == Score(
        "api_usage", None, None, 0, "hidden", n_counts="answers"
    )
    assert found["api_usage_unknown", "all"].value == 1.0


@pytest.mark.parametrize(
    ("code", "outcome", "uses"),
    [
        ("fn f() -> i32 { libc::AF_X }", PASSED, True),
        ("// AF_X\nfn f() -> i32 { 2 }", FAILED, False),
        ("const AF_X: i32 = 2;\nfn f() -> i32 { AF_X }", PASSED, False),
        ("fn f() -> i32 { libc::AF_X }", ERROR, False),
    ],
)
def test_constants_have_names_alone(
    code: str, outcome: Outcome, suite: Suite, *, uses: bool | None
) -> None:
    record = {"api": {"name": "AF_X", "type": "constant"}}
    task = replace(suite.tasks["9"], source=MappingProxyType(record))
    assert uses_api(task, code, verdict("9", outcome)) is uses
    told = False if outcome is ERROR else None
    assert uses_api(suite.tasks["4"], code, verdict("4", outcome)) is told, "methods have types"
    assert uses_api(task, "", verdict("9", outcome, uses=True)) is True


def test_errors_count_tasks_not_samples(suite: Suite) -> None:
    verdicts = [verdict("4", PASSED, "pp", sample=at) for at in range(5)]
    verdicts += [verdict("9", FAILED, "f", sample=at) for at in range(5)]
    score = by(rust_scores(suite, [], verdicts))["coverage", "all"]
    assert (score.value, score.n) == (0.5, 10)
    assert score.stderr == pytest.approx(0.5)


def test_what_is_not_known_is_none(suite: Suite) -> None:
    broken = verdict("4", Outcome.INFRASTRUCTURE)
    assert rust_scores(suite, [], []) == []
    assert rust_scores(suite, [], [broken]) == [], "the machine's trouble is nobody's failure"
    found = by(rust_scores(suite, [], [verdict("4", PASSED, "pp")], cutoff=date(2024, 3, 21)))
    assert found["api_usage_released", "all"].value is None, "without the answer's text"
    assert ("coverage", "cutoff=after") not in found
    assert found["coverage", "cutoff=before"].value == 1.0, "that day is before"


def test_tasks_without_a_record_or_a_date(suite: Suite) -> None:
    task = suite.tasks["4"]
    bare = replace(
        task,
        facts=replace(task.facts, release_date=None, category=None),
        source=MappingProxyType({}),
    )
    some = replace(suite, tasks=MappingProxyType({"4": bare}))
    attempts = [attempt("4", "first_chunk")]
    found = by(rust_scores(some, attempts, [verdict("4", PASSED, "pp")], cutoff=date(2024, 1, 1)))
    assert found["api_usage_released", "all"].value == 1.0, "by the last name of its symbol"
    assert not [group for _, group in found if group.startswith(("cutoff=", "category="))]


@pytest.mark.parametrize(
    ("note", "code", "outcome", "right"),
    [
        ("Use `fresh` instead.", "fn f() { fresh(); }", Outcome.PASSED, True),
        ("Use [`fresh`] instead.", "fn f() { fresh(); stale(); }", Outcome.PASSED, False),
        ("Deprecated in favour of `fresh`.", "fn f() { other(); }", Outcome.FAILED, False),
        ("API removed in version 2.", "fn f() { other(); }", Outcome.PASSED, True),
        ("API removed in version 2.", "fn f() { stale(); }", Outcome.PASSED, False),
        # In a comment it is not used.
        ("API removed in version 2.", "// not stale\nfn f() { other(); }", Outcome.PASSED, True),
        # What does not compile uses nothing, and leaves nothing either.
        ("API removed in version 2.", "fn f( {", Outcome.ERROR, False),
        ("API removed in version 2.", "", Outcome.FAILED, False),
        ("API removed in version 2.", "fn f() {}", Outcome.INFRASTRUCTURE, None),
    ],
)
def test_what_is_deprecated_is_to_be_left(
    note: str, code: str, outcome: Outcome, *, right: bool | None, suite: Suite
) -> None:
    first = next(iter(suite.tasks.values()))
    task = replace(
        first,
        facts=replace(first.facts, change=ChangeKind.DEPRECATED),
        source=MappingProxyType({"api": {"name": "stale", "changenote": note}}),
    )
    assert keeps_rule(task, code, Verdict(task.id, 0, Split.HIDDEN, outcome, "")) is right


def test_other_changes_are_to_be_used(suite: Suite) -> None:
    task = next(iter(suite.tasks.values()))
    for uses in (True, False, None):
        judged = Verdict(task.id, 0, Split.HIDDEN, Outcome.PASSED, "", uses=uses)
        assert keeps_rule(task, "fn f() {}", judged) is uses
