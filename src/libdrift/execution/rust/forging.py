"""Answers that passed by means that could forge a verdict, and the decoys that tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from libdrift.execution.rust.decoys import Kind, decoys
from libdrift.execution.rust.features import features
from libdrift.execution.rust.plainness import reaches
from libdrift.execution.rust.units import Unit
from libdrift.records import Environment, Outcome, by_decoys
from libdrift.sandbox import Judgement

# How many of each kind are tried, to find decoys that the reference fails; and how many are used.
_TRIES = {Kind.EXPECTED: 3, Kind.CLAIM: 3, Kind.INPUT: 2, Kind.TURNED: 1}
_WANTED = 3
_PASSES_ANYTHING = "tampered: passes tests with other expectations too, as no right answer does"
_UNSTEADY = "tampered or unsteady: the same answer does not fare the same in every run"

_NO_PROOF = "cannot be told from a forgery: no decoy is failed by the reference, and it names"

_Tests = tuple[Environment, str, str]


def is_suspect(unit: Unit, judgement: Judgement) -> bool:
    """Whether a pass is not yet proof: without a reference there is nothing to prove it by."""
    return judgement.outcome is Outcome.PASSED and bool(unit.reference) and not unit.plain


class Suspects:
    def __init__(self) -> None:
        self._passed: dict[Unit, Judgement] = {}
        self._decoys: dict[_Tests, dict[Unit, Kind]] = {}

    def add(self, unit: Unit, judgement: Judgement) -> None:
        self._passed[unit] = judgement

    def proofs(self) -> list[Unit]:
        """The references on decoys: one that they fail is a decoy indeed."""
        for unit in self._passed:
            if _tests(unit) in self._decoys:
                continue
            own = features(unit.reference).declared
            made = decoys(unit.tests, own)
            some = [
                one
                for kind, tries in _TRIES.items()
                for one in [decoy for decoy in made if decoy.kind is kind][:tries]
            ]
            self._decoys[_tests(unit)] = {
                replace(unit, answer=unit.reference, tests=one.text, apis=()): one.kind
                for one in some
            }
        return [unit for found in self._decoys.values() for unit in found]

    def trials(self, proofs: Mapping[Unit, Judgement]) -> list[Unit]:
        """The suspects on the decoys that are proven."""
        return [trial for unit in self._passed for trial, _ in self._trials(unit, proofs)]

    def conclude(
        self, proofs: Mapping[Unit, Judgement], trials: Mapping[Unit, Judgement]
    ) -> Iterator[tuple[Unit, Judgement]]:
        for unit, judgement in self._passed.items():
            tried = [(proof, trials[trial]) for trial, proof in self._trials(unit, proofs)]
            trouble = [p for p in self._judged(unit, proofs) if not p.outcome.graded]
            named = reaches(unit.answer, unit.reference)
            if trouble and not tried:
                yield unit, trouble[0]
            elif named and not tried:
                reason = f"{_NO_PROOF} {named}"
                yield unit, replace(judgement, outcome=Outcome.FAILED, reason=reason, cases=())
            else:
                yield unit, _conclude(judgement, tried)

    def _judged(self, unit: Unit, proofs: Mapping[Unit, Judgement]) -> list[Judgement]:
        return [proofs[decoy] for decoy in self._decoys[_tests(unit)]]

    def _trials(self, unit: Unit, proofs: Mapping[Unit, Judgement]) -> list[tuple[Unit, Judgement]]:
        """Units that try a suspect on decoys, each with what the reference did on that one."""
        made = self._decoys[_tests(unit)]
        proven = [
            decoy
            for decoy in made
            if proofs[decoy].outcome is Outcome.FAILED and _failed(proofs[decoy])
        ]
        literal = [decoy for decoy in proven if made[decoy] is not Kind.TURNED]
        # One of each kind first: who forges one kind of assertion may be honest in another.
        firsts = {made[decoy]: decoy for decoy in reversed(literal)}.values()
        chosen = dict.fromkeys([*reversed(firsts), *literal] or proven)
        return [
            (replace(unit, tests=decoy.tests, apis=()), proofs[decoy])
            for decoy in list(chosen)[:_WANTED]
        ]


def _tests(unit: Unit) -> _Tests:
    return unit.environment, unit.tests, unit.reference


def _conclude(judgement: Judgement, tried: list[tuple[Judgement, Judgement]]) -> Judgement:
    """What a suspect's trials make of its pass; each with what the reference did there."""
    for right, ours in tried:
        if ours.outcome in (Outcome.INFRASTRUCTURE, Outcome.TIMEOUT):
            return ours
        if ours.outcome is Outcome.PASSED:
            return replace(judgement, outcome=Outcome.FAILED, reason=_PASSES_ANYTHING, cases=())
        if ours.outcome is not Outcome.FAILED or not _failed(ours) <= _failed(right):
            return replace(judgement, outcome=Outcome.FAILED, reason=_UNSTEADY)
    return replace(judgement, proof=by_decoys(len(tried)))


def _failed(judgement: Judgement) -> frozenset[str]:
    return frozenset(case.name for case in judgement.cases if case.outcome == "failed")
