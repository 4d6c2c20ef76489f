"""Generate: a function whose last step is something that the release brought, told in words."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType

from libdrift.build.lifecycles import Lifecycle
from libdrift.build.live.before import told_before
from libdrift.build.live.describing import tells
from libdrift.build.live.holes import Introduction, shown_without
from libdrift.build.live.missing import (
    MissingCall,
    asked_in_words,
    given_in_words,
    missing_calls,
    result_in_words,
)
from libdrift.build.live.programs import FUNCTION
from libdrift.build.live.records import Draft, LiveFamily, PairEvidence, Side
from libdrift.build.live.tasking import SUITE, difficulty, environment_for, origin, tests_of
from libdrift.build.results import veiled
from libdrift.records import Facts, Task, TaskKind

_MARK = "..."
_PER_SYMBOL = 2  # tasks about one symbol
_SHOWN = 2  # calls with their values


@dataclass(frozen=True, slots=True)
class AskedProgram:
    """What a task shows of a program, and says of it."""

    starter: str
    problem: str
    granularity: str | None = None


def drafts(evidence: PairEvidence, left_out: Counter[str] | None = None) -> Iterator[Draft]:
    """Functions that end in what is asked for."""
    reasons: Counter[str] = Counter() if left_out is None else left_out
    wanted = (
        missing for family, missing in by_family(evidence, reasons) if family is LiveFamily.GENERATE
    )
    return drafts_of(
        evidence, FamilyRules(LiveFamily.GENERATE, asked, _PER_SYMBOL), wanted, reasons
    )


@dataclass(frozen=True, slots=True)
class FamilyRules:
    """How programs of a family are asked for, and how many tasks there are about one symbol."""

    family: LiveFamily
    asked: Callable[[PairEvidence, MissingCall], AskedProgram]
    per_symbol: int


def drafts_of(
    evidence: PairEvidence,
    rules: FamilyRules,
    programs: Iterable[MissingCall],
    left_out: Counter[str],
) -> Iterator[Draft]:
    """A draft of each program, of one API no more than are wanted; why there is none is counted."""
    told: Counter[str] = Counter()
    for missing in programs:
        key = missing.introduction.key
        told[key] += 1
        if told[key] > rules.per_symbol:
            left_out["enough of its API"] += 1
            continue
        draft = draft_of_missing(evidence, rules.family, missing, rules.asked(evidence, missing))
        if draft is None:
            left_out["its name is in what is shown"] += 1
        else:
            yield draft


def by_family(
    evidence: PairEvidence, left_out: Counter[str]
) -> Iterator[tuple[LiveFamily, MissingCall]]:
    """Every program with the family that it is for.

    What ends in the call can be told in words: of one API, every other such program is generated.
    The rest is for completing.
    """
    ending: Counter[str] = Counter()
    for missing in evidence.once("missing", lambda told: missing_calls(evidence, told), left_out):
        family = LiveFamily.COMPLETE
        if missing.hole.is_last or missing.hole.follows:
            key = missing.introduction.key
            family = LiveFamily.COMPLETE if ending[key] % 2 else LiveFamily.GENERATE
            ending[key] += 1
        yield family, missing


def asked(evidence: PairEvidence, missing: MissingCall) -> AskedProgram:
    prepared, hole = missing.prepared, missing.hole
    end = hole.follows or hole.statement[1]
    starter = shown_without(prepared.code, (hole.statement[0], end), _MARK, missing.introduction)
    form = result_in_words(hole.form)
    head = f"Complete the function `{FUNCTION}` for {_release(evidence)}. What is missing at"
    parts = (
        f"{head} `{_MARK}` is {asked_in_words(evidence, missing)}",
        f"{given_in_words(missing)} Return its result{f' {form}' if form else ''}.".strip(),
        examples_in_words(missing),
        "Add the imports that you need.",
    )
    return AskedProgram(starter, "\n\n".join(parts))


def examples_in_words(missing: MissingCall) -> str:
    prepared = missing.prepared
    pairs = list(zip(prepared.calls, prepared.values, strict=True))
    # Where some values are alike, one that is not says more.
    pairs = [*pairs[:1], *sorted(pairs[1:], key=lambda pair: pair[1] == pairs[0][1])][:_SHOWN]
    shown = "".join(f"\n- `{_on_one_line(call)}` returns `{value}`" for call, value in pairs)
    return f"Examples (other arguments of the same kind are tried as well):{shown}"


def _on_one_line(call: str) -> str:
    return ast.unparse(ast.parse(call)) if "\n" in call else call


def _release(evidence: PairEvidence) -> str:
    release = evidence.release(Side.NEW)
    return f"{release.package} {release.version}"


def draft_of_missing(
    evidence: PairEvidence, family: LiveFamily, missing: MissingCall, made: AskedProgram
) -> Draft | None:
    """The task; none where something that is shown tells what is asked for."""
    asked_for = missing.introduction
    if tells(f"{made.problem}\n{made.starter}", asked_for.hidden):
        return None
    here, there = evidence.release(Side.NEW), evidence.release(Side.OLD)
    reference = missing.prepared.code
    source = {
        **origin(evidence, family, missing.prepared),
        "symbol": asked_for.key,
    }
    if asked_for.change is not None:
        source |= told_before(environment_for(evidence, Side.OLD, [reference]))
    return Draft(
        Task(
            id=f"{here.package}-{here.version}-{family.value}-{veiled(made.starter + reference)}",
            suite=SUITE,
            kind=TaskKind(family.value),
            language="python",
            environment=environment_for(evidence, Side.NEW, [reference]),
            title=f"{family.value.capitalize()} with {here.package} {here.version}",
            problem=made.problem,
            starter=made.starter,
            reference=reference,
            tests=tests_of(missing.prepared.calls, missing.prepared.values),
            facts=Facts(
                library=here.package,
                version=here.version,
                release_date=here.date,
                change=asked_for.change.kind if asked_for.change else None,
                symbol=asked_for.path,
                granularity=made.granularity,
                difficulty=difficulty(reference),
                tags=(SUITE, family.value),
                source="documentation",
                scenario="realistic",
                access="indirect" if missing.hole.receiver else "direct",
                lifecycle=_lifecycle(asked_for).value,
                from_version=there.version,
                from_date=there.date,
                style="functional",
            ),
            source=MappingProxyType({SUITE: source}),
        ),
        family,
        MappingProxyType(source),
    )


def _lifecycle(asked_for: Introduction) -> Lifecycle:
    if asked_for.change is None:
        return Lifecycle.UNCHANGED
    return Lifecycle.MODIFIED if asked_for.parameter else Lifecycle.INTRODUCED
