"""Behave: a function that gives something else in the other release, and what gives the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from libdrift.build.live.drafting import Opening, PreparedProgram, openings, prepare
from libdrift.build.live.measuring import CallOutcome, ProgramTrial
from libdrift.build.live.programs import FUNCTION
from libdrift.build.live.records import Draft, LiveFamily, PairEvidence, Side
from libdrift.build.live.repairs import WantedRepair, repaired
from libdrift.build.live.tasking import DraftedPair, draft_of
from libdrift.build.live.telling import draft_of_telling
from libdrift.history.views import View
from libdrift.records import ChangeKind, ExampleOutcome

_OUTCOMES = (ExampleOutcome.DIFFERS, ExampleOutcome.SPELLED)
# What documentation promises nothing of is another thing on the next machine.
_OPEN = re.compile(
    r"\b(?:order(?:ing)?|results?|outcome|output|values?)\b[^.]{0,120}?\b(?:is|are|be)\b[^.]{0,20}?"
    r"\b(?:undefined|unspecified|arbitrary|(?:not|never) (?:guaranteed|specified|defined|stable))\b"
    r"|\b(?:undefined|unspecified|arbitrary) (?:order|result|value)"
    r"|\bno (?:particular|guaranteed) order\b|\bimplementation[- ](?:defined|dependent)\b"
    r"|\bplatform[- ]dependent\b",
    re.IGNORECASE,
)


def drafts(evidence: PairEvidence, left_out: Counter[str] | None = None) -> Iterator[Draft]:
    """Make the function give in one release what it gives in the other, or tell it: both ways."""
    tellings: list[Draft] = []
    reasons: Counter[str] = Counter() if left_out is None else left_out
    for target in (Side.NEW, Side.OLD):
        opened = _promised(evidence, openings(evidence, target.other, _OUTCOMES), reasons)
        found = list(prepare(evidence, opened, reasons))
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
        reasons["it gives the same in the other release"] += len(found) - len(differing)
        reasons["nothing was found that gives the same"] += made.count("")
        for (prepared, outcomes), reference in zip(differing, made, strict=True):
            if reference:
                yield _draft(evidence, prepared, outcomes[0], reference)
            telling = draft_of_telling(evidence, prepared, outcomes)
            if telling is None:
                reasons["nobody could tell its values"] += 1
            else:
                tellings.append(telling)
    yield from tellings


def _promised(
    evidence: PairEvidence, opened: Iterable[Opening], left_out: Counter[str]
) -> Iterator[Opening]:
    """Without what either release's documentation leaves open."""
    for opening in opened:
        docs = [doc for side in Side for doc in _docs(evidence.uses(side).view, opening.symbol)]
        if any(map(is_left_open, docs)):
            left_out["its documentation promises no such value"] += 1
        else:
            yield opening


def _docs(view: View, path: str) -> list[str]:
    """What is written of a symbol; of one without a word, what is of those of its name."""
    own = view.symbol(path)
    if own is not None and own.doc:
        return [own.doc]
    twins = map(view.symbol, view.by_last.get(path.rpartition(".")[2], ()))
    return [twin.doc for twin in twins if twin is not None]


def is_left_open(doc: str) -> bool:
    """Whether documentation says that a value, or its order, may be any."""
    return _OPEN.search(" ".join(doc.split())) is not None


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
