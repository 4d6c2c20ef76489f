"""What libtest's report proves, and what it does not."""

from __future__ import annotations

import pytest

from libdrift.execution.rust.running import AnswerRun, conclude
from libdrift.records import Outcome
from libdrift.sandbox import Limits
from libdrift.sandbox.commands import Ended

CANARY = "test_0123456789ab"
GOOD = f"""
running 3 tests
test m::tests::a ... ok
test m::tests::b - should panic ... ok
test m::{CANARY} ... FAILED

failures:

---- m::{CANARY} stdout ----

thread 'm::{CANARY}' (9) panicked at b.rs:9:1:
assertion `left == right` failed

failures:
    m::{CANARY}

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.25s

"""
BAD = (
    GOOD.replace("tests::a ... ok", "tests::a ... FAILED")
    .replace("2 passed; 1 failed", "1 passed; 2 failed")
    .replace(
        "\nfailures:\n    m",
        "\n---- m::tests::a stdout ----\ntest m::tests::a ... ok\n\n"
        "thread 'm::tests::a' (8) panicked at b.rs:2:2:\nfour is not five\n\nfailures:\n    m",
        1,
    )
)
# Wrong, and then without an end: a program that notices might end itself, to be run again.
WRONG = BAD.partition("\nfailures:\n")[0]


def tried(
    text: str, status: int | None = 101, stopped_by: str = "", trouble: str = ""
) -> AnswerRun:
    ended = Ended(status, text, "", 1.5, stopped_by, trouble)
    return AnswerRun(
        ended, ("tests::a", "tests::b"), ("tests::a", "tests::b", CANARY), CANARY, "m::"
    )


@pytest.mark.parametrize(
    ("run", "outcome", "reason"),
    [
        (tried(GOOD), Outcome.PASSED, ""),
        (tried(GOOD.replace("a ... ok", "a ... chatter\nmore ok")), Outcome.PASSED, ""),
        (tried(BAD), Outcome.FAILED, "tests::a: four is not five"),
        (tried(GOOD, 0), Outcome.ERROR, "ended before its tests did (exit status 0)"),
        (tried(GOOD, 139), Outcome.ERROR, "ended before its tests did (killed by signal 11)"),
        (tried(GOOD.partition("test result")[0]), Outcome.ERROR, "ended before"),
        (tried(GOOD.replace("2 passed", "3 passed")), Outcome.ERROR, "ended before"),
        (tried(GOOD.replace("test m::tests::a ... ok\n", "")), Outcome.ERROR, "ended before"),
        (tried("", 0), Outcome.ERROR, "ended before"),
        (tried(GOOD, None, "time"), Outcome.TIMEOUT, "over the time limit of 60 s"),
        (tried(WRONG, None, "time"), Outcome.FAILED, "tests::a: failed"),
        (tried(WRONG, 137), Outcome.FAILED, "tests::a: failed"),
        (tried(WRONG, None, "memory"), Outcome.ERROR, "over the memory limit"),
        (tried(GOOD, None, "memory"), Outcome.ERROR, "over the memory limit"),
        (tried("", None, "request"), Outcome.INFRASTRUCTURE, "interrupted"),
        (tried("", None, "", "no sandbox"), Outcome.INFRASTRUCTURE, "no sandbox"),
    ],
)
def test_conclude(run: AnswerRun, outcome: Outcome, reason: str) -> None:
    judgement = conclude(run, Limits())
    assert judgement.outcome is outcome
    assert judgement.reason.startswith(reason)
    assert CANARY not in judgement.log


def test_a_canary_that_lives_is_tampering() -> None:
    text = GOOD.replace(f"{CANARY} ... FAILED", f"{CANARY} ... ok")
    text = text.replace("2 passed; 1 failed", "3 passed; 0 failed")
    assert conclude(tried(text), Limits()).reason == "tampered: a test that must fail passed"


def test_cases_are_the_tests() -> None:
    judgement = conclude(tried(BAD), Limits())
    assert [(c.name, c.outcome) for c in judgement.cases] == [
        ("tests::a", "failed"),
        ("tests::b", "passed"),
    ]
    assert judgement.seconds == 0.25


@pytest.mark.parametrize(
    "text",
    [
        GOOD + "test m::tests::a ... ok\n",
        GOOD + GOOD[GOOD.index("test result") :],
    ],
)
def test_who_says_things_twice_forges(text: str) -> None:
    judgement = conclude(tried(text), Limits())
    assert judgement.outcome is Outcome.FAILED
    assert judgement.reason.startswith("tampered: the report has a test, or its summary, twice")
    assert judgement.cases == ()


def test_nothing_to_run() -> None:
    empty = AnswerRun(Ended(101, "", "", 0.0), (), (CANARY,), CANARY, "m::")
    assert conclude(empty, Limits()).reason == "no test ran"
