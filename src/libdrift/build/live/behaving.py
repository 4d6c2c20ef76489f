"""Behave: a function that gives something else in the other release, and what gives the same."""

from __future__ import annotations

from collections.abc import Iterator

from libdrift.build.live.drafting import PreparedProgram, openings, prepare
from libdrift.build.live.measuring import CallOutcome, ProgramTrial
from libdrift.build.live.programs import FUNCTION
from libdrift.build.live.records import Draft, LiveFamily, PairEvidence, Side
from libdrift.build.live.repairs import WantedRepair, repaired
from libdrift.build.live.tasking import DraftedPair, draft_of
from libdrift.records import ChangeKind, ExampleOutcome

_OUTCOMES = (ExampleOutcome.DIFFERS, ExampleOutcome.SPELLED)


def drafts(evidence: PairEvidence) -> Iterator[Draft]:
    """Make the function give in one release what it gives in the other: both ways."""
    for target in (Side.NEW, Side.OLD):
        found = list(prepare(evidence, openings(evidence, target.other, _OUTCOMES)))
        trials = [ProgramTrial(one.code, one.calls) for one in found]
        now = evidence.bench.measure(target, trials)
        differing = [
            (prepared, outcomes)
            for prepared, outcomes in zip(found, now, strict=True)
            if _differs(prepared.values[0], outcomes[0])
        ]
        wanted = [
            WantedRepair(one.code, one.calls, one.values, target, outcomes[0])
            for one, outcomes in differing
        ]
        made = repaired(evidence, wanted)
        for (prepared, outcomes), reference in zip(differing, made, strict=True):
            if reference:
                yield _draft(evidence, prepared, outcomes[0], reference)


def _differs(value: str, now: CallOutcome) -> bool:
    return not now.error and now.value != value


def _draft(
    evidence: PairEvidence, prepared: PreparedProgram, now: CallOutcome, reference: str
) -> Draft:
    target = prepared.opening.side.other
    here, there = evidence.release(target), evidence.release(target.other)
    other = f"`{now.value}`" if now.value else "a value of another type"
    problem = (
        f"With {there.package} {there.version}, `{prepared.calls[0]}` returns "
        f"`{prepared.values[0]}`. With {here.package} {here.version} the same function returns "
        f"{other}. Change `{FUNCTION}` so that with {here.package} {here.version} it returns "
        f"what it returns with {there.version}, of the same type, for these and for other "
        f"arguments of the same kind. It still has to use {here.package} for its result."
    )
    made = DraftedPair(prepared, prepared.code, reference, target, problem, ChangeKind.BEHAVIOUR)
    return draft_of(evidence, LiveFamily.BEHAVE, made)
