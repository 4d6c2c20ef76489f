"""What passes of suspects are worth."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from libdrift.execution.rust.forging import Suspects, is_suspect
from libdrift.execution.rust.units import Unit
from libdrift.records import Case, Environment, Outcome
from libdrift.sandbox import Judgement

PLACE = Environment("rust", "1.84.0", ())
REFERENCE = "fn f(n: u8) -> u8 { n }"
TYPE = "struct A; " + REFERENCE
LOUD = "fn f(n: u8) -> u8 { std::process::exit(0) }"
TESTS = "#[test] fn t() { assert_eq!(f(3), 3); assert!(f(4) == 4); }"
PASSED = Judgement(Outcome.PASSED, "", 0.0, (Case("t", "passed"),))
FAILED = Judgement(Outcome.FAILED, "t: failed", 0.0, (Case("t", "failed"),))


def concluded(
    answer: str, proof: Judgement, trial: Judgement
) -> tuple[Judgement, Mapping[Unit, Judgement]]:
    unit = Unit(PLACE, answer, TESTS, REFERENCE)
    assert is_suspect(unit, PASSED)
    suspects = Suspects()
    suspects.add(unit, PASSED)
    proofs = dict.fromkeys(suspects.proofs(), proof)
    trials = dict.fromkeys(suspects.trials(proofs), trial)
    [(_, judgement)] = suspects.conclude(proofs, trials)
    return judgement, trials


@pytest.mark.parametrize(
    ("answer", "proof", "trial", "outcome", "reason"),
    [
        (TYPE, FAILED, FAILED, Outcome.PASSED, ""),
        (TYPE, FAILED, PASSED, Outcome.FAILED, "tampered: passes tests with other"),
        (LOUD, FAILED, FAILED, Outcome.PASSED, ""),
        # Where there is no proof, only what cannot act on its tests has passed.
        (TYPE, PASSED, FAILED, Outcome.PASSED, ""),
        (LOUD, PASSED, FAILED, Outcome.FAILED, "cannot be told from a forgery"),
    ],
)
def test_suspects(
    answer: str, proof: Judgement, trial: Judgement, outcome: Outcome, reason: str
) -> None:
    judgement, trials = concluded(answer, proof, trial)
    assert judgement.outcome is outcome
    assert judgement.reason.startswith(reason)
    assert len(trials) == (3 if proof is FAILED else 0)
    assert judgement.cases == (PASSED.cases if outcome is Outcome.PASSED else ())


def test_assertions_are_turned_round_only_where_no_literal_tells() -> None:
    _, trials = concluded(TYPE, FAILED, FAILED)
    assert not any("assert_ne" in one.tests or "(!(" in one.tests for one in trials)
