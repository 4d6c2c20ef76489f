"""One step from release to release: evidence, drafts of every family, and what the gates keep."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType

from libdrift.build.live import behaving, completing, generating, locating, migrating
from libdrift.build.live.evidence import Pair, Places, Workshop
from libdrift.build.live.gates import GateKeeper
from libdrift.build.live.pairs import ReleaseStep
from libdrift.build.live.records import Draft, DraftMaker, LiveFamily, PairEvidence
from libdrift.build.live.tasking import SUITE
from libdrift.errors import LibdriftError
from libdrift.records import Environment, Task

MAKERS: dict[LiveFamily, DraftMaker] = {
    LiveFamily.MIGRATE: migrating.drafts,
    LiveFamily.BEHAVE: behaving.drafts,
    LiveFamily.GENERATE: generating.drafts,
    LiveFamily.COMPLETE: completing.drafts,
    LiveFamily.LOCATE: locating.drafts_of_locate,
    LiveFamily.EXPLAIN: locating.drafts_of_explain,
}

UNTRIED = "over the limit"  # in the place of a gate: a draft that nobody tried
_PER_SYMBOL = 3  # tasks of one family about one symbol, in one release


@dataclass(slots=True)
class StepOutcome:
    """What came of one step; ``trouble`` says why nothing could."""

    step: ReleaseStep
    tasks: tuple[Task, ...] = ()
    drafts: Counter[str] = field(default_factory=Counter)  # by family
    dropped: Counter[str] = field(default_factory=Counter)  # by family and gate
    left_out: Counter[str] = field(default_factory=Counter)  # by family: why it is no draft
    mutants: int = 0
    told_apart: int = 0
    places: tuple[Environment, Environment] | None = None
    trouble: str = ""
    transient: bool = False  # the machine's: worth another try
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class WantedTasks:
    """What is made of a step; of more than ``limit`` of a family, the seed chooses."""

    families: tuple[LiveFamily, ...]
    limit: int | None = None
    seed: int = 0


def drafted(
    evidence: PairEvidence, families: Iterable[LiveFamily], outcome: StepOutcome | None = None
) -> Iterator[Draft]:
    """Of each family in turn, every task once; an outcome is told why there are no more."""
    seen: set[str] = set()
    for family in families:
        reasons: Counter[str] = Counter()
        try:
            for draft in MAKERS[family](evidence, reasons):
                if draft.task.id not in seen:
                    seen.add(draft.task.id)
                    yield draft
        except LibdriftError:
            if outcome is None:
                raise
            outcome.dropped[f"{family}: machine"] += 1
        if outcome is not None:
            told = {f"{family}: {why}": count for why, count in reasons.items() if count}
            outcome.left_out.update(told)


def built(
    step: ReleaseStep,
    pair: Pair,
    workshop: Workshop,
    keeper: GateKeeper,
    wanted: WantedTasks,
) -> StepOutcome:
    """All tasks of a step that hold, of those that are wanted."""
    started = time.monotonic()
    evidence = workshop.evidence(pair)
    if isinstance(evidence, str):
        return StepOutcome(step, trouble=evidence)
    outcome = StepOutcome(step, places=(evidence.places.old.environment,
                                        evidence.places.new.environment))  # fmt: skip
    try:
        found = list(drafted(evidence, wanted.families, outcome))
    finally:
        evidence.bench.close()
    outcome.drafts.update(draft.family.value for draft in found)
    chosen = limited(_varied(found), wanted.limit, wanted.seed)
    family = {draft.task.id: draft.family for draft in found}
    for name in family.keys() - {task.id for task in chosen}:
        outcome.dropped[f"{family[name]}: {UNTRIED}"] += 1
    verdicts = keeper.judge(chosen)
    kept = []
    for verdict in verdicts:
        if verdict.gate:
            outcome.dropped[f"{family[verdict.task.id]}: {verdict.gate}"] += 1
            outcome.transient |= verdict.transient
        else:
            kept.append(verdict.task)
            outcome.mutants += verdict.mutation.mutants if verdict.mutation else 0
            outcome.told_apart += verdict.mutation.told_apart if verdict.mutation else 0
    outcome.tasks = tuple(kept)
    outcome.seconds = time.monotonic() - started
    return outcome


def _varied(found: Sequence[Draft]) -> list[Task]:
    """A few of each symbol. All are drafted, so that a manifest finds each of its own again."""
    counts: Counter[tuple[str, ...]] = Counter()
    kept = []
    for draft in found:
        facts = draft.task.facts
        key = (draft.family, facts.symbol or "", facts.version)
        counts[key] += 1
        if counts[key] <= _PER_SYMBOL:
            kept.append(draft.task)
    return kept


def tried_of(outcome: StepOutcome, family: str) -> int:
    """How many drafts of a family the gates saw."""
    return outcome.drafts[family] - outcome.dropped[f"{family}: {UNTRIED}"]


def redrafted(
    pair: Pair, places: Places, workshop: Workshop, families: Sequence[LiveFamily]
) -> list[Task] | str:
    """The drafts of a step in known environments, without the gates; or why there are none."""
    evidence = workshop.evidence(pair, places)
    if isinstance(evidence, str):
        return evidence
    try:
        return [draft.task for draft in drafted(evidence, families)]
    finally:
        evidence.bench.close()


def limited(tasks: Sequence[Task], most: int | None, seed: int) -> list[Task]:
    """At most so many of a package and family: those that a seed puts first."""
    order = sorted(tasks, key=lambda task: sha256(f"{seed} {task.id}".encode()).hexdigest())
    counts: Counter[tuple[str, ...]] = Counter()
    kept: set[str] = set()
    for task in order:
        key = (task.facts.library, *task.facts.tags)
        counts[key] += 1
        if most is None or counts[key] <= most:
            kept.add(task.id)
    return [task for task in tasks if task.id in kept]


def family_of(task: Task) -> str:
    """Which family made a task; empty of one that no family did."""
    told = task.source.get(SUITE)
    return str(told.get("family", "")) if isinstance(told, dict | MappingProxyType) else ""
