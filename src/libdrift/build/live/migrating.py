"""Migrate: a function that runs in one release and fails in the other, and its repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from libdrift.build.live.drafting import PreparedProgram, openings, prepare
from libdrift.build.live.measuring import CallOutcome, ProgramTrial
from libdrift.build.live.programs import FUNCTION
from libdrift.build.live.records import Draft, LiveFamily, PairEvidence, Side
from libdrift.build.live.repairs import WantedRepair, repaired
from libdrift.build.live.tasking import DraftedPair, draft_of, example_of, kind_of_change
from libdrift.mining.examples.comparing import CODE
from libdrift.records import ExampleOutcome

_REASONS = {CODE, "undefined name"}
_OUTCOMES = {Side.OLD: ExampleOutcome.FAILS, Side.NEW: ExampleOutcome.RUNS}


def drafts(evidence: PairEvidence, left_out: Counter[str] | None = None) -> Iterator[Draft]:
    """Both directions, where they hold."""
    reasons: Counter[str] = Counter() if left_out is None else left_out
    yield from evidence.once("migrate", lambda told: _drafts(evidence, told), reasons)


def _drafts(evidence: PairEvidence, left_out: Counter[str]) -> Iterator[Draft]:
    for prepared, reference, now in _repaired(evidence, left_out):
        for made in _directions(evidence, prepared, reference, now):
            yield draft_of(evidence, LiveFamily.MIGRATE, made)


def _repaired(
    evidence: PairEvidence, left_out: Counter[str]
) -> Iterator[tuple[PreparedProgram, str, CallOutcome]]:
    """Programs that fail in the other release, with what gives the same values there."""
    for side, outcome in _OUTCOMES.items():
        found = list(prepare(evidence, openings(evidence, side, [outcome]), left_out))
        now = _outcomes(evidence, side.other, found)
        wanted = [
            WantedRepair(one.code, one.calls, one.values, side.other, told[0])
            for one, told in zip(found, now, strict=True)
        ]
        fails = [told[0].error and told[0].reason in _REASONS for told in now]
        kept = [at for at, failing in enumerate(fails) if failing]
        left_out["it does not fail in the other release"] += len(found) - len(kept)
        made = repaired(evidence, [wanted[at] for at in kept])
        left_out["nothing was found that gives the same"] += made.count("")
        for at, reference in zip(kept, made, strict=True):
            if reference:
                yield found[at], reference, now[at][0]


def _outcomes(
    evidence: PairEvidence, side: Side, found: Sequence[PreparedProgram]
) -> list[list[CallOutcome]]:
    return evidence.bench.measure(side, [ProgramTrial(one.code, one.calls) for one in found])


def _directions(
    evidence: PairEvidence, prepared: PreparedProgram, reference: str, now: CallOutcome
) -> Iterator[DraftedPair]:
    """From the program to its repair; and back, where the repair fails in the first release."""
    side = prepared.opening.side
    change = kind_of_change(evidence, prepared.opening.symbol)
    there = _problem(evidence, prepared, side.other, now)
    yield DraftedPair(prepared, prepared.code, reference, side.other, there, change)
    trial = ProgramTrial(reference, prepared.calls)
    back = evidence.bench.measure(side, [trial])[0][0]
    if back.error and back.reason in _REASONS:
        words = _problem(evidence, prepared, side, back)
        yield DraftedPair(prepared, reference, prepared.code, side, words, change)


def _problem(
    evidence: PairEvidence, prepared: PreparedProgram, target: Side, now: CallOutcome
) -> str:
    here, there = evidence.release(target), evidence.release(target.other)
    return (
        f"The function `{FUNCTION}` works with {there.package} {there.version}. With "
        f"{here.package} {here.version} it raises {now.error}. Rewrite it for "
        f"{here.package} {here.version}: for the same arguments it must return what it returns "
        f"with {there.version}, of the same type. "
        f"For example, {example_of(prepared)}. "
        f"Other arguments of the same kind are tried as well."
    )
