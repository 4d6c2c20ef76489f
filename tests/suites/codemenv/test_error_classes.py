"""Failures of migrations by their class: what was called, what happened, what was printed."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from libdrift import records
from libdrift.records import (
    Attempt,
    Environment,
    Facts,
    Outcome,
    Split,
    Suite,
    Task,
    TaskKind,
    TestStyle,
    Verdict,
)
from libdrift.suites.codemenv.error_classes import (
    CALL,
    RUN,
    WRONG,
    answer_errors,
    error_class,
    error_classes,
)

CODE = "import numpy as np\n\ndef f(x):\n    return np.in1d(x, [1])\n"


def task(name: str = "t", style: TestStyle = TestStyle.OUTPUT) -> Task:
    return Task(
        id=name,
        suite="made",
        kind=TaskKind.MIGRATE,
        language="python",
        environment=Environment("python", "3.9", ("numpy==2.0.0",)),
        title="",
        problem="",
        starter="",
        reference="",
        tests=(records.Tests(Split.HIDDEN, style, "", "1\n"),),
        facts=Facts("numpy", "2.0.0", api_calls=("numpy.in1d", "numpy.Index.is_old")),
    )


def verdict(
    outcome: Outcome, log: str = "", reason: str = "", name: str = "t", number: int = 0
) -> Verdict:
    return Verdict(name, number, Split.HIDDEN, outcome, reason, log=log)


@pytest.mark.parametrize(
    ("outcome", "log", "expected"),
    [
        (Outcome.PASSED, "error: module 'numpy' has no attribute 'in1d'", None),
        (Outcome.INFRASTRUCTURE, "", None),
        (Outcome.FAILED, "error: module 'numpy' has no attribute 'in1d'\n", CALL),
        (Outcome.FAILED, "error: module 'numpy.lib' has no attribute 'other'\n", CALL),
        (Outcome.FAILED, "error: module 'numpy_core.math' has no attribute 'other'\n", CALL),
        (Outcome.FAILED, "error: module 'numpylike' has no attribute 'other'\n", RUN),
        (Outcome.FAILED, "error: `np.other` was removed in the NumPy 2.0 release.\n", CALL),
        (Outcome.FAILED, "error: 'Index' object has no attribute 'is_old'\n", CALL),
        (Outcome.FAILED, "error: in1d() got an unexpected keyword argument 'kind'\n", CALL),
        (Outcome.FAILED, "error: in1d() missing 1 required positional argument: 'b'\n", CALL),
        (Outcome.ERROR, "\n--- stderr\nImportError: cannot import name 'x' from 'numpy'", CALL),
        (Outcome.ERROR, "\n--- stderr\nImportError: cannot import name 'in1d'", CALL),
        (
            Outcome.ERROR,
            "\n--- stderr\nModuleNotFoundError: No module named 'numpy.char.old'",
            CALL,
        ),
        (Outcome.FAILED, "error: 'list' object has no attribute 'shape'\n", RUN),
        (Outcome.FAILED, "error: other() missing 1 required positional argument\n", RUN),
        (Outcome.FAILED, "error: division by zero\n", RUN),
        # As Python 2 prints it.
        (
            Outcome.FAILED,
            "('error:', AttributeError(\"'module' object has no attribute 'x'\"))",
            CALL,
        ),
        (Outcome.FAILED, "('error:', ValueError('x',))", RUN),
        (Outcome.ERROR, "\n--- stderr\nModuleNotFoundError: No module named 'scipy'", RUN),
        (Outcome.ERROR, "\n--- stderr\nSyntaxError: invalid syntax", RUN),
        (Outcome.ERROR, "", RUN),
        (Outcome.TIMEOUT, "", RUN),
        (Outcome.REFUSED, "", RUN),
        (Outcome.FAILED, "2\n", WRONG),
        (Outcome.FAILED, "errors: 2\n", WRONG),
        # A program that has run to its end only warns.
        (Outcome.FAILED, "2\n\n--- stderr\nerror: module 'numpy' has no attribute 'x'\n", WRONG),
    ],
)
def test_error_class(outcome: Outcome, log: str, expected: str | None) -> None:
    assert error_class(task(), CODE, verdict(outcome, log)) == expected


def test_a_refused_call_counts_if_the_answer_makes_it() -> None:
    log = "error: in1d() takes 2 positional arguments but 3 were given\n"
    assert error_class(task(), CODE, verdict(Outcome.FAILED, log)) == CALL
    assert error_class(task(), "def f(x):\n    return x\n", verdict(Outcome.FAILED, log)) == RUN


def test_a_reason_is_enough() -> None:
    told = verdict(Outcome.ERROR, reason="AttributeError: module 'numpy' has no attribute 'in1d'")
    assert error_class(task(), CODE, told) == CALL


def test_shares() -> None:
    tasks = {"t": task(), "u": task("u"), "asked": task("asked", TestStyle.LABELS)}
    suite = Suite("made", "Made", "", MappingProxyType(tasks))
    attempts = [Attempt(name, number, CODE, CODE) for name in tasks for number in (0, 1)]
    verdicts = [
        verdict(Outcome.PASSED),
        verdict(Outcome.FAILED, "error: module 'numpy' has no attribute 'in1d'\n", number=1),
        verdict(Outcome.FAILED, "2\n", name="u"),
        verdict(Outcome.INFRASTRUCTURE, name="u", number=1),
        verdict(Outcome.FAILED, name="asked"),
    ]
    found = error_classes(suite, attempts, verdicts)
    assert {(score.metric, score.group, score.split): score.value for score in found} == {
        ("error_rate", "error=CallError", "hidden"): 0.25,
        ("error_rate", "error=RunError", "hidden"): 0.0,
        ("error_rate", "error=WrongAnswer", "hidden"): 0.5,
        ("run_error_rate", "error=does not end", "hidden"): 0.0,
        ("run_error_rate", "error=other exception", "hidden"): 0.0,
    }
    assert {score.n for score in found} == {3}
    assert error_classes(suite, attempts, []) == []
    single = {
        (one.task_id, one.sample): one.facts for one in answer_errors(suite, attempts, verdicts)
    }
    assert single == {("t", 1): {"error": CALL}, ("u", 0): {"error": WRONG}}


def test_what_does_not_end_is_told_from_what_fails_otherwise() -> None:
    of = {name: task(name) for name in "abc"}
    tasks = {
        name: replace(one, facts=replace(one.facts, difficulty="hard" if name == "c" else "easy"))
        for name, one in of.items()
    }
    suite = Suite("made", "Made", "", MappingProxyType(tasks))
    verdicts = [
        verdict(Outcome.TIMEOUT, name="a"),
        verdict(Outcome.ERROR, name="b"),
        verdict(Outcome.FAILED, "2\n", name="c"),
    ]
    found = {(one.metric, one.group): one.value for one in error_classes(suite, [], verdicts)}
    assert found["error_rate", "error=RunError"] == pytest.approx(2 / 3)
    assert found["run_error_rate", "error=does not end"] == pytest.approx(1 / 3)
    assert found["run_error_rate", "error=does not end, easy"] == 0.5
    assert found["run_error_rate", "error=other exception, hard"] == 0.0
    assert found["error_rate", "error=WrongAnswer, hard"] == 1.0
