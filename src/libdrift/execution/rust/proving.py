"""Which changes of a task's tests its reference notices: each is proven before it is used.

A change is proven where the reference passes the test function as it is, and fails it changed, all
else being as before. Most are tried together, one in every function of a copy of the tests.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from libdrift.execution.rust.decoys import (
    ChangedPart,
    ChangedToken,
    bare,
    by_function,
    changes,
    rendered,
)
from libdrift.execution.rust.features import features
from libdrift.execution.rust.units import Unit
from libdrift.records import Environment, Outcome
from libdrift.sandbox import Judgement

_TRIES = 3  # literals of a test function that are tried at most

Tests = tuple[Environment, str, str]
Judgements = Mapping[Unit, Judgement]


def tests_of(unit: Unit) -> Tests:
    return unit.environment, unit.tests, unit.reference


@dataclass(slots=True, eq=False)
class Proof:
    """What is known of one set of tests, by what the reference does on changed ones."""

    reference: Unit  # on the tests without comments
    found: dict[str, list[ChangedToken]]  # by function
    usual: dict[str, str] = field(default_factory=dict)  # how each case of the reference's ends
    proven: dict[str, list[ChangedToken]] = field(default_factory=dict)
    trouble: Judgement | None = None

    @classmethod
    def of(cls, unit: Unit) -> Proof:
        text = bare(unit.tests)
        found = by_function(changes(text, features(unit.reference).declared))
        return cls(replace(unit, answer=unit.reference, tests=text, apis=()), found)

    def text(self, places: Mapping[ChangedToken, bool]) -> str:
        return rendered(self.reference.tests, places)

    def unit(self, places: Mapping[ChangedToken, bool]) -> Unit:
        return replace(self.reference, tests=self.text(places))

    def literals(self, attempt: int) -> dict[ChangedToken, bool]:
        """One literal changed in each function that has as many."""
        chosen = {}
        for found in self.found.values():
            some = [change for change in found if change.kind is not ChangedPart.TURNED]
            if attempt < len(some):
                chosen[some[attempt]] = True
        return chosen

    def turned(self, *, changed: bool) -> dict[ChangedToken, bool]:
        """An assertion turned round, or not, in each function where no literal tells."""
        left = (name for name in self.found if name not in self.proven)
        turned = ([c for c in self.found[name] if c.kind is ChangedPart.TURNED] for name in left)
        return {some[0]: changed for some in turned if some}

    def begin(self, told: Judgement) -> None:
        """Take what the reference does on its own tests."""
        self.trouble = None if told.outcome.graded else told
        if told.outcome is Outcome.PASSED:
            self.usual = {case.name: case.outcome for case in told.cases}

    def note(self, places: Mapping[ChangedToken, bool], told: Judgement) -> None:
        """Keep the changes that the reference has noticed, each in its own function alone."""
        cases = {case.name: case.outcome for case in told.cases}
        if told.outcome is not Outcome.FAILED or cases.keys() != self.usual.keys():
            return
        for change in places:
            name = change.function
            if self.usual.get(name) == "passed" and cases[name] == "failed":
                self.proven.setdefault(name, []).append(change)

    def note_turned(self, same: Judgement, changed: Judgement) -> None:
        cases = {case.name: case.outcome for case in same.cases}
        if same.outcome is Outcome.PASSED and cases == self.usual:
            self.note(self.turned(changed=True), changed)


class RustProofs:
    """The proofs of all tests in a sitting."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self._proofs = {tests_of(unit): Proof.of(unit) for unit in units}

    def __getitem__(self, unit: Unit) -> Proof:
        return self._proofs[tests_of(unit)]

    def steps(self) -> Generator[list[Unit], Judgements, None]:
        """The work of proving: yields what to run next, and is sent what became of it."""
        together = yield [unit for proof in self._all for unit in (proof.reference, *_tries(proof))]
        for proof in self._all:
            proof.begin(together[proof.reference])
            for unit, places in _tries(proof).items():
                proof.note(places, together[unit])
        # Changes one by one, where some together cannot be compiled.
        singles = {proof: _singles(proof, together) for proof in self._all}
        told = yield [unit for found in singles.values() for unit in found]
        for proof, found in singles.items():
            for unit, places in found.items():
                proof.note(places, told[unit])
        # Assertions turned round, for functions without a literal that tells.
        turns = {proof: _turns(proof) for proof in self._all}
        told = yield [unit for pair in turns.values() for unit in pair]
        for proof, pair in turns.items():
            if pair:
                proof.note_turned(*(told[unit] for unit in pair))

    @property
    def _all(self) -> Iterable[Proof]:
        return self._proofs.values()


def _tries(proof: Proof) -> dict[Unit, dict[ChangedToken, bool]]:
    attempts = (proof.literals(attempt) for attempt in range(_TRIES))
    return {proof.unit(places): places for places in attempts if places}


def _singles(proof: Proof, told: Judgements) -> dict[Unit, dict[ChangedToken, bool]]:
    if not proof.usual:
        return {}
    return {
        proof.unit({change: True}): {change: True}
        for unit, places in _tries(proof).items()
        if not told[unit].cases and told[unit].outcome.graded
        for change in places
    }


def _turns(proof: Proof) -> Sequence[Unit]:
    if not proof.usual or not proof.turned(changed=True):
        return ()
    return [proof.unit(proof.turned(changed=changed)) for changed in (False, True)]
