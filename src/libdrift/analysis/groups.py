"""The groups that a task is counted in, for breakdowns."""

from __future__ import annotations

from libdrift.records import Task, TaskKind


def level(task: Task) -> str:
    """What is asked for: token, line, block or middle (of a line), or a migration.

    Numbers of different levels do not compare: each is reported apart.
    """
    if task.kind is TaskKind.MIGRATE:
        return TaskKind.MIGRATE.value
    return task.facts.granularity or task.kind.value


def groups(task: Task) -> tuple[str, ...]:
    """``all``, and one ``name=value`` for every fact that is known."""
    facts = task.facts
    known = {
        "library": facts.library,
        "version": f"{facts.library} {facts.version}" if facts.version else None,
        "year": str(facts.release_date.year) if facts.release_date else None,
        "source": facts.source,
        "category": facts.category,
        "change": facts.change and facts.change.value,
        "lifecycle": facts.lifecycle,
        "access": facts.access,
        "scenario": facts.scenario,
        "language": task.language,
        "direction": facts.direction,
        "step": facts.step,
    }
    return ("all", *(f"{name}={value}" for name, value in known.items() if value))
