"""Answers that could forge a verdict, and the trials that tell whether they did.

Such an answer is judged on its tests and on decoys, in random order and each compiled anew. In
each decoy some test functions are changed and the others are not. A right answer passes the tests,
and fails in each decoy what is changed, exactly. Whoever prints a report, agrees with everything,
tosses a coin, or remembers how often it was run, would have to guess every function of every run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from libdrift.execution.rust.altering import DICE
from libdrift.execution.rust.decoys import ChangedPart, ChangedToken
from libdrift.execution.rust.plainness import reaches
from libdrift.execution.rust.proving import Proof, RustProofs
from libdrift.execution.rust.units import Unit
from libdrift.records import Outcome, by_decoys
from libdrift.sandbox import Judgement

_TRIALS = 4  # decoys for an answer at least: with its own tests, five runs
_GUESSES = 12  # and so many that it would have to guess this often whether something is changed
_MIXED = 2  # decoys at least in which some functions are changed and others are not
_PASSES_ANYTHING = "tampered: passes tests with other expectations too, as no right answer does"
_UNSTEADY = "tampered or unsteady: the same answer does not fare the same in every run"
_NO_PROOF = "cannot be told from a forgery: no decoy is failed by the reference, and it names"
_REFUSED = ("does not compile", "uses ")  # by the compiler: nothing of it ran


def is_suspect(unit: Unit) -> bool:
    """Whether a pass would be no proof: without a reference there is nothing to prove it by."""
    return bool(unit.reference) and not unit.plain


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of an answer: on its tests as they are, or on a decoy."""

    tests: str
    cases: Mapping[str, str]  # how each must end
    real: bool = False

    @property
    def is_decoy(self) -> bool:
        return "failed" in self.cases.values()

    def agrees(self, told: Judgement) -> bool:
        wanted = Outcome.FAILED if self.is_decoy else Outcome.PASSED
        return told.outcome is wanted and {c.name: c.outcome for c in told.cases} == self.cases


@dataclass(slots=True)
class _Suspect:
    unit: Unit
    proof: Proof
    runs: list[_Run]
    real: Judgement | None = None
    against: str = ""  # what was found in a decoy, before the tests themselves were run
    decoys: int = field(default=0)

    def hear(self, told: Judgement) -> Judgement | None:
        """Take what the run that was due has brought; the verdict, if it is known now."""
        run = self.runs.pop(0)
        if told.outcome in (Outcome.INFRASTRUCTURE, Outcome.TIMEOUT):
            return told
        if run.real:
            self.real = told
            if told.outcome is not Outcome.PASSED:
                return told
        elif told.outcome is not Outcome.PASSED and told.reason.startswith(_REFUSED):
            return replace(told, cases=())
        elif not run.agrees(told):
            anything = run.is_decoy and told.outcome is Outcome.PASSED
            self.against = _PASSES_ANYTHING if anything else _UNSTEADY
            # How it fares on the tests themselves is what people want to know first.
            self.runs = [left for left in self.runs if left.real]
        else:
            self.decoys += run.is_decoy
        return None if self.runs else self._verdict()

    def _verdict(self) -> Judgement:
        assert self.real is not None  # noqa: S101  (every sequence has one such run)
        if self.against:
            return replace(self.real, outcome=Outcome.FAILED, reason=self.against, cases=())
        named = "" if self.decoys else reaches(self.unit.answer, self.unit.reference)
        if self.proof.trouble is not None:
            return self.proof.trouble
        if named:
            reason = f"{_NO_PROOF} {named}"
            return replace(self.real, outcome=Outcome.FAILED, reason=reason, cases=())
        return replace(self.real, proof=by_decoys(self.decoys))


class Suspects:
    """Answers under trial: what is due is run, and what is heard of it decides what is next."""

    def __init__(self, units: Iterable[Unit], proofs: RustProofs) -> None:
        self._open = [_Suspect(unit, proofs[unit], _sequence(proofs[unit])) for unit in units]

    def due(self) -> list[Unit]:
        """The next run of each whose verdict is not known. All of them ask for the same APIs."""
        return [_due(suspect) for suspect in self._open]

    def hear(self, told: Mapping[Unit, Judgement]) -> Iterator[tuple[Unit, Judgement]]:
        """Take what the runs that were due have brought; yield verdicts."""
        still = []
        for suspect in self._open:
            verdict = suspect.hear(told[_due(suspect)])
            if verdict is None:
                still.append(suspect)
            else:
                yield suspect.unit, verdict
        self._open = still


def _due(suspect: _Suspect) -> Unit:
    return replace(suspect.unit, tests=suspect.runs[0].tests)


def _sequence(proof: Proof) -> list[_Run]:
    """An answer's own tests and its decoys, in random order."""
    if not proof.proven:
        return [_Run(proof.reference.tests, {}, real=True)]
    count = max(_TRIALS, math.ceil(_GUESSES / len(proof.proven)))
    rendering = _same(proof)
    runs = [_Run(proof.text(rendering), proof.usual, real=True)]
    for changed in _masks(list(proof.proven), count):
        places = {DICE.choice(proof.proven[name]): True for name in changed}
        cases = {name: "failed" if name in changed else how for name, how in proof.usual.items()}
        kept = {c: False for c in rendering if c.function not in changed}
        runs.append(_Run(proof.text(places | kept), cases))
    DICE.shuffle(runs)
    return runs


def _same(proof: Proof) -> dict[ChangedToken, bool]:
    """The assertions that decoys may turn round: real tests are rendered like these."""
    every = (change for found in proof.proven.values() for change in found)
    return {change: False for change in every if change.kind is ChangedPart.TURNED}


def _masks(names: list[str], count: int) -> list[set[str]]:
    """What is changed in each decoy: each function in half of them, but not all in the same ones.

    Who knows a decoy, and not what is changed in it, would fail all of it and be right.
    """
    while True:
        masks: list[set[str]] = [set() for _ in range(count)]
        for name in names:
            for at in DICE.sample(range(count), DICE.choice([count // 2, (count + 1) // 2])):
                masks[at].add(name)
        mixed = sum(0 < len(mask) < len(names) for mask in masks)
        if mixed >= _MIXED or len(names) == 1:
            return masks
