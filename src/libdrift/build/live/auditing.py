"""The gates once more, from a file of tasks alone."""

from __future__ import annotations

from collections.abc import Iterable

from libdrift.build.live.building import family_of
from libdrift.build.live.gates import GateKeeper, PromptMaker
from libdrift.build.live.gates.likeness import KnownTasks
from libdrift.execution import Options
from libdrift.records import Task
from libdrift.scoring import AuditResult


def is_live(tasks: Iterable[Task]) -> bool:
    """Whether all tasks were built here: then the gates hold for them."""
    found = [bool(family_of(task)) for task in tasks]
    return bool(found) and all(found)


def audit(tasks: Iterable[Task], options: Options, prompt: PromptMaker) -> list[AuditResult]:
    """Every gate for every task."""
    keeper = GateKeeper(options, prompt, KnownTasks.with_published(options.settings))
    found = []
    for verdict in keeper.judge(list(tasks)):
        score = verdict.mutation
        told = f"{score.told_apart} of {score.mutants} mutants told apart" if score else ""
        reason = f"{verdict.gate}: {verdict.why}" if verdict.gate else f"all gates hold; {told}"
        if verdict.transient:
            reason = f"not proven: {verdict.why}"
        found.append(AuditResult(verdict.task.id, verified=not verdict.gate, reason=reason))
    return found
