from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from libdrift.history.differences.taxonomies import BENCHMARKS
from libdrift.records import ChangeKind, Facts, Task
from libdrift.scoring.groups import FACTS, facts_of, groups, level
from tests.conftest import make_task
from tests.scoring.texts import text_suite

TASKS = text_suite().tasks


def test_a_level_is_what_is_asked_for() -> None:
    assert [level(task) for task in TASKS.values()] == [
        "token",
        "line",
        "block",
        "migrate",
        "middle",
    ]
    assert level(make_task("t", 1)) == "generate"


def test_only_what_is_known_makes_a_group() -> None:
    assert groups(TASKS["line"]) == (
        "all",
        "library=shapes",
        "version=shapes 2.0",
        "year=2021",
        "source=stackoverflow",
        "language=python",
        "level=line",
    )
    assert {"lifecycle=introduced", "access=direct"} <= set(groups(TASKS["middle"]))
    assert "step=major-to-major" in groups(TASKS["migration"])


def _of(facts: Facts) -> Task:
    return replace(make_task("t", 1), facts=facts)


def test_every_fact_has_its_name_and_place() -> None:
    whole = _of(
        Facts(
            library="numpy",
            version="2.0",
            release_date=date(2021, 8, 1),
            change=ChangeKind.RENAMED,
            symbol="shapes.ring",
            direction="old-to-new",
            granularity="line",
            difficulty="hard",
            category="renamed",
            tags=("live", "twin: t0"),
            source="stackoverflow",
            scenario="realistic",
            access="direct",
            lifecycle="introduced",
            from_version="1.0",
            step="major-to-major",
            style="functional",
            domain="web",
            incompatibilities=2,
            logic=3,
            test_type="value",
        )
    )
    known = facts_of(whole, date(2020, 1, 1))
    assert tuple(known) == FACTS
    assert (known["quarter"], known["date"]) == ("2021-Q3", "2021-08-01")
    assert (known["version"], known["from_version"]) == ("numpy 2.0", "numpy 1.0")
    assert known["topic"] == "scientific computing"
    assert (known["incompatibilities"], known["cutoff"]) == ("2", "after")
    assert {"style=functional", "domain=web", "incompatibilities=2", "test_type=value"} <= set(
        groups(whole)
    )
    # A day, or a paper's word for the change, makes no group of its own in every run.
    assert not [name for name in groups(whole) if name.startswith(("date=", "rustevo="))]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (
            {"change": ChangeKind.SIGNATURE},
            ("argument or attribute", "modified", "general", "replacement", "signature"),
        ),
        ({"lifecycle": "unchanged"}, (None, "unchanged", "general", None, None)),
        ({"change": ChangeKind.REMOVED}, (None, "deprecated", *["deprecation"] * 3)),
        ({}, (None,) * 5),
    ],
)
def test_a_change_in_the_words_of_each_paper(
    facts: dict[str, ChangeKind], expected: tuple[str | None, ...]
) -> None:
    known = facts_of(_of(Facts("shapes", "2.0", **facts)))  # type: ignore[arg-type]
    assert tuple(known.get(name) for name in BENCHMARKS) == expected


def test_a_benchmark_has_its_own_word_where_the_change_has_none_of_ours() -> None:
    task = replace(_of(Facts("shapes", "2.0", category="general")), suite="versicode")
    assert facts_of(task)["versicode"] == "general"
