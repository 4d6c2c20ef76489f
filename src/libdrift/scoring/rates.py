"""From verdicts to scores: success rates and pass@k, over all tasks and by group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date

from libdrift.metrics.rates import rate_at_k, success_rate
from libdrift.records import Outcome, Score, Suite, Verdict
from libdrift.scoring.groups import counted_as, groups, kinds_are_apart, part
from libdrift.scoring.verdicts import proven


def part_of(suite: Suite) -> Callable[[Verdict], str]:
    """What a verdict is counted under: its split, or the kind of task where not all are programs.

    Numbers of different kinds do not compare, and have no mean that says anything. That an answer
    compiles is less than that it works, and has a place of its own.
    """
    mixed = kinds_are_apart(suite)
    return lambda verdict: counted_as(suite.tasks[verdict.task_id], verdict.split, mixed=mixed)


def scores(
    suite: Suite,
    verdicts: Iterable[Verdict],
    verified: Collection[str] = (),
    ks: Sequence[int] = (),
    cutoff: date | None = None,
) -> list[Score]:
    """Success rates per split: over all, the verified and the proven, and by every known fact.

    Proven are the verdicts of tests that prove a pass.

    And pass@k for each of ``ks``, over the tasks that have as many samples; with ``cutoff``, also
    for what was released up to that date and after.
    """
    tables: dict[tuple[str, str], defaultdict[str, list[bool]]] = {}
    split_of = part_of(suite)
    graded = [verdict for verdict in verdicts if verdict.outcome.graded]
    sure = {(v.task_id, v.split) for v in proven(graded)}
    for verdict in graded:
        task = suite.tasks[verdict.task_id]
        named = [*groups(task, cutoff)]
        if task.id in verified:
            named.append("verified")
            named += [f"verified part={name}"] if (name := part(task)) else []
        if verdict.proof is not None:
            named.append(f"proof={verdict.proof.partition('(')[0]}")
            named += ["proven"] if (task.id, verdict.split) in sure else []
        for group in named:
            table = tables.setdefault((split_of(verdict), group), defaultdict(list))
            table[task.id].append(verdict.outcome is Outcome.PASSED)
    found = []
    for (split, group), outcomes in sorted(tables.items(), key=_all_first):
        rates = {"success_rate": success_rate(outcomes)}
        rates |= {f"pass@{k}": rate_at_k(outcomes, k) for k in ks}
        found += [rate.score(metric, split, group) for metric, rate in rates.items()]
    return found


def _all_first(item: tuple[tuple[str, str], object]) -> tuple[str, bool, bool, bool, str]:
    (split, group), _ = item
    return split, group != "all", group != "verified", group != "proven", group
