from __future__ import annotations

import json
from dataclasses import replace

import pytest

from libdrift import records
from libdrift.analysis.coverage import SuiteCoverage, TaskCoverage, coverage, read
from libdrift.records import Outcome, Split, TestStyle
from libdrift.sandbox import Judgement
from tests.conftest import make_task

REFERENCE = "def half(x):\n    if x % 2:\n        raise ValueError(x)\n    return x // 2\n"
TESTS = "from answer import half\n\n\ndef test_half():\n    assert half(4) == 2\n"
TASK = replace(
    make_task("t", 1),
    reference=REFERENCE,
    tests=(records.Tests(Split.HIDDEN, TestStyle.PYTEST, TESTS),),
)


def _judged(**told: object) -> Judgement:
    line = f"libdrift coverage: {json.dumps(told)}"
    return Judgement(Outcome.PASSED, "", 0.1, log=f"warned\n{line}\n")


def test_what_the_driver_prints_is_read() -> None:
    found = read(TASK, _judged(code=0, said="", ran=[1, 2, 4], missing=[3]))
    assert (found.lines, found.covered, found.missing, found.share) == (4, 3, (3,), 0.75)


@pytest.mark.parametrize(
    ("judged", "reason"),
    [
        (_judged(code=1, said="1 failed", ran=[1], missing=[]), "its tests fail: 1 failed"),
        (_judged(code=0, said="No data"), "its tests fail: No data"),
        (Judgement(Outcome.TIMEOUT, "", 9.0), "the tests did not end"),
        (Judgement(Outcome.INFRASTRUCTURE, "no uv", 9.0), "not measured: no uv"),
    ],
)
def test_what_cannot_be_measured_says_why(judged: Judgement, reason: str) -> None:
    found = read(TASK, judged)
    assert (found.share, found.reason) == (None, reason)


def test_the_share_is_of_all_lines_and_the_mean_of_tasks() -> None:
    found = SuiteCoverage(
        "small",
        Split.HIDDEN,
        (
            TaskCoverage("a", "x", 8, 8),
            TaskCoverage("b", "x", 2, 1, (2,)),
            TaskCoverage("c", "x", reason="not measured"),
        ),
    )
    assert (found.lines, found.mean) == (0.9, 0.75)
    told = found.to_json()
    assert (told["coverage"], told["measured"], len(told["tasks"])) == (0.9, 2, 3)


def test_only_python_with_a_module_of_tests_is_measured() -> None:
    others = [replace(TASK, language="rust"), replace(TASK, reference=" "), replace(TASK, tests=())]
    none = coverage("small", others, options=None)  # type: ignore[arg-type]  # nothing is run
    assert none.tasks == ()
    assert (none.lines, none.mean) == (None, None)
