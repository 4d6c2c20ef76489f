"""Which trials prove a task of a compiled language."""

from __future__ import annotations

from collections.abc import Sequence

from libdrift.build.live import compiled, java_proofs, rust_tasks
from libdrift.build.live.compiled import ProofTrial, is_compiled
from libdrift.execution import Options
from libdrift.records import Task
from libdrift.scoring import AuditResult

__all__ = ["audit_compiled", "is_compiled", "trials"]


def trials(task: Task, tasks: Sequence[Task]) -> list[ProofTrial]:
    """Those of its language."""
    known = java_proofs.trials if task.language == "java" else rust_tasks.trials
    return known(task, tasks)


def audit_compiled(tasks: Sequence[Task], options: Options) -> list[AuditResult]:
    """Every gate for every task, from a file of tasks alone."""
    return compiled.audit(tasks, trials, options)
