from __future__ import annotations

import math
from dataclasses import replace

import pytest

from libdrift import suites
from libdrift.config import Settings
from libdrift.records import Attempt, Score, Suite
from libdrift.scoring import Hits, hit_rates
from tests.published import published


@pytest.fixture
def suite(small_suite: Suite) -> Suite:
    """Three tasks: two that call something, one whose truth calls nothing."""
    bodies = {"t0": "m.zero()", "t1": "m.one(1)", "t2": "2"}
    tasks = {}
    for task_id, body in bodies.items():
        task = small_suite.tasks[task_id]
        starter = "import mod as m\n\n\ndef number():\n    return "
        calls = ("mod.zero",) if task_id == "t0" else ()
        facts = replace(task.facts, api_calls=calls)
        tasks[task_id] = replace(task, starter=starter, reference=starter + body, facts=facts)
    return replace(small_suite, tasks=tasks)


def attempt(task_id: str, raw: str, sample: int = 0, code: str | None = None) -> Attempt:
    return Attempt(task_id, sample, raw, raw if code is None else code)


def test_both_modes_and_what_they_leave_out(suite: Suite) -> None:
    found = hit_rates(
        suite,
        [
            attempt("t0", "from mod import zero\nzero()"),
            attempt("t1", "def broken("),
            attempt("t2", "x = 1"),
        ],
    )
    # Fixed: a hit, a miss, and t2 left out. Released: t1 leaves, and t2 hits for nothing.
    kinds = {"stderr_kind": "binomial", "n_counts": "answers", "tasks": 2}
    assert found.scores == (
        Score("api_hit_rate", 0.5, math.sqrt(0.5 * 0.5 / 2), 2, **kinds),
        Score("api_hit_rate_released", 1.0, 0.0, 2, **kinds),
    )
    assert found.without_truth == 1


def test_released_mode_reads_text_by_its_own_rule(suite: Suite) -> None:
    raw = "```\nimport mod\nmod.zero()\n```"
    found = hit_rates(suite, [attempt("t0", raw, code="import mod\nmod.zero()\n")])
    assert [(s.value, s.n) for s in found.scores] == [(1.0, 1), (None, 0)]


def test_samples_of_a_task_share_its_weight(suite: Suite) -> None:
    tried = [attempt("t0", "import mod\nmod.zero()", n) for n in range(3)]
    found = hit_rates(suite, [*tried, attempt("t1", "pass")])
    assert found.scores[0].value == 0.5
    assert found.scores[0].n == 4


@pytest.mark.parametrize("raw", ["", "a\0b", "x" * 2_000_000])
def test_what_is_refused_is_a_miss(raw: str, suite: Suite) -> None:
    found = hit_rates(suite, [attempt("t0", raw)])
    assert [(s.value, s.n) for s in found.scores] == [(0.0, 1), (None, 0)]


def test_suites_without_published_calls_have_no_rate(small_suite: Suite) -> None:
    assert hit_rates(small_suite, [attempt("t0", "x = 1")]) == Hits()


@pytest.mark.published
def test_the_published_ground_truth(empty_settings: Settings) -> None:
    data = published("gitchameleon").parent
    suite = suites.load("gitchameleon", replace(empty_settings, data=data))
    found = hit_rates(suite, [attempt(task.id, task.reference) for task in suite.tasks.values()])
    fixed, released = found.scores
    assert (fixed.value, fixed.n, found.without_truth) == (1.0, 290, 38)
    assert (released.value, released.n) == (pytest.approx(277 / 328), 328)
