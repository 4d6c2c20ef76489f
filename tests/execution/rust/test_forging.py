"""What passes of suspects are worth."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from libdrift.execution.rust.forging import Suspects, is_suspect
from libdrift.execution.rust.proving import RustProofs
from libdrift.execution.rust.units import Unit
from libdrift.records import Case, Environment, Outcome
from libdrift.sandbox import Judgement

PLACE = Environment("rust", "1.84.0", ())
REFERENCE = "fn f(n: u8) -> u8 { n }"
TYPE = "struct A; " + REFERENCE
LOUD = "fn f(n: u8) -> u8 { std::process::exit(0) }"
FUNCTIONS = {"t": "assert_eq!(f(3), 3);", "u": "assert!(f(4) == 4);", "v": "assert!(g(f(x)));"}
TESTS = " ".join(f"#[test] fn {name}() {{ {body} }}" for name, body in FUNCTIONS.items())

Judge = Callable[[Unit], Judgement]


def told(failed: set[str], outcome: Outcome | None = None, reason: str = "") -> Judgement:
    cases = tuple(Case(name, "failed" if name in failed else "passed") for name in FUNCTIONS)
    return Judgement(outcome or (Outcome.FAILED if failed else Outcome.PASSED), reason, 0.0, cases)


def rightly(unit: Unit) -> Judgement:
    """Fails exactly the functions that are not as they were written, or only written otherwise."""
    texts = unit.tests.split("#[test] ")[1:]
    same = {name: (body, f"((g(f(x))) == true)") for name, body in FUNCTIONS.items()}  # noqa: F541
    return told(
        {name for name, text in zip(FUNCTIONS, texts, strict=True)
         if not any(part in text for part in same[name])}
    )  # fmt: skip


def concluded(
    answer: str, judge: Judge, reference: Judge = rightly
) -> tuple[Judgement, Counter[str]]:
    """The verdict on an answer, and how often it was run on which tests."""
    unit = Unit(PLACE, answer, TESTS, REFERENCE, ("core::iter::Iterator::sum",))
    assert is_suspect(unit)
    proofs = RustProofs([unit])
    steps = proofs.steps()
    due = next(steps)
    with contextlib.suppress(StopIteration):
        while True:
            due = steps.send({one: reference(one) for one in due})
    suspects = Suspects([unit], proofs)
    ran: Counter[str] = Counter()
    while due := suspects.due():
        assert all(one.apis == unit.apis for one in due)  # the compiler's own words tell nothing
        ran.update(one.tests for one in due)
        for _, judgement in suspects.hear({one: judge(one) for one in due}):
            verdict = judgement
    return verdict, ran


def always(judgement: Judgement) -> Judge:
    return lambda _: judgement


def otherwise(real: Judge, decoy: Judge) -> Judge:
    """Somebody who knows a decoy when it is seen."""
    return lambda unit: (decoy if rightly(unit).outcome is Outcome.FAILED else real)(unit)


GARBLED = Judgement(Outcome.FAILED, "tampered: the report has a test, or its summary, twice", 0.0)
ENDED = Judgement(Outcome.ERROR, "ended before its tests did (exit status 0)", 0.0)
REFUSED = Judgement(Outcome.ERROR, "does not compile: line 1: no", 0.0)
TOO_NEW = Judgement(Outcome.FAILED, "uses a, stable since 1.90", 0.0)


@pytest.mark.parametrize(
    ("judge", "outcome", "reason"),
    [
        (rightly, Outcome.PASSED, ""),
        (always(told(set())), Outcome.FAILED, "tampered: passes tests with other"),
        (otherwise(rightly, always(GARBLED)), Outcome.FAILED, "tampered or unsteady"),
        (otherwise(rightly, always(ENDED)), Outcome.FAILED, "tampered or unsteady"),
        (otherwise(rightly, always(told(set(FUNCTIONS)))), Outcome.FAILED, "tampered or unsteady"),
        (otherwise(rightly, always(told(set(), Outcome.FAILED))), Outcome.FAILED, "tampered or"),
        # An answer that is only wrong is told how.
        (always(told({"u"}, reason="u: no")), Outcome.FAILED, "u: no"),
        (always(REFUSED), Outcome.ERROR, "does not compile"),
        (always(TOO_NEW), Outcome.FAILED, "uses a"),
        (always(Judgement(Outcome.TIMEOUT, "late", 0.0)), Outcome.TIMEOUT, "late"),
    ],
)
def test_suspects(judge: Judge, outcome: Outcome, reason: str) -> None:
    for _ in range(10):  # the order is another one each time
        judgement, _ = concluded(LOUD, judge)
        assert judgement.reason.startswith(reason)
        assert judgement.outcome is outcome


@pytest.mark.parametrize(
    ("answer", "outcome", "reason"),
    [
        # Where there is no proof, only what cannot act on its tests has passed.
        (TYPE, Outcome.PASSED, ""),
        (LOUD, Outcome.FAILED, "cannot be told from a forgery"),
    ],
)
@pytest.mark.parametrize("reference", [always(told(set())), always(told({"t"})), always(GARBLED)])
def test_without_proof(answer: str, outcome: Outcome, reason: str, reference: Judge) -> None:
    judgement, ran = concluded(answer, always(told(set())), reference)
    assert (judgement.outcome, ran.total()) == (outcome, 1)
    assert judgement.reason.startswith(reason)
    assert judgement.proof == ("none" if outcome is Outcome.PASSED else None)


def test_a_reference_that_could_not_be_run_proves_nothing() -> None:
    trouble = Judgement(Outcome.INFRASTRUCTURE, "no room", 0.0)
    judgement, _ = concluded(TYPE, always(told(set())), always(trouble))
    assert judgement == trouble


def test_runs_are_many_and_in_any_order() -> None:
    places, decoys = set(), set()
    for _ in range(40):
        judgement, ran = concluded(TYPE, rightly)
        assert ran.total() >= 5
        decoys.add(int(str(judgement.proof).removeprefix("decoys(").removesuffix(")")))
        texts = list(ran)
        assert "== true" in "".join(texts)
        places.add(next(at for at, text in enumerate(texts) if not told_changed(text)))
    assert len(places) > 2
    assert max(decoys) >= 3


def told_changed(text: str) -> set[str]:
    return {case.name for case in rightly(Unit(PLACE, "", text)).cases if case.outcome == "failed"}


def test_each_function_is_changed_in_some_decoys_and_not_in_others() -> None:
    seen: Mapping[str, Counter[bool]] = {name: Counter() for name in FUNCTIONS}
    _, ran = concluded(TYPE, rightly)
    for text, times in ran.items():
        for name in FUNCTIONS:
            seen[name][name in told_changed(text)] += times
    assert all(both[True] >= 2 and both[False] >= 2 for both in seen.values())
