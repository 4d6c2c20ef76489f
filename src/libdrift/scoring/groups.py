"""The groups that a task is counted in, for breakdowns."""

from __future__ import annotations

from datetime import date

from libdrift.records import Split, Suite, Task, TaskKind, TestStyle


def level(task: Task) -> str:
    """What is asked for: token, line, block or middle (of a line), or a migration.

    Numbers of different levels do not compare: each is reported apart.
    """
    if task.kind is TaskKind.MIGRATE:
        return TaskKind.MIGRATE.value
    return task.facts.granularity or task.kind.value


def part(task: Task) -> str | None:
    """The part of a benchmark whose numbers are published apart."""
    direction = task.facts.direction
    return f"{task.facts.difficulty or task.language} {direction}" if direction else None


def groups(task: Task, cutoff: date | None = None) -> tuple[str, ...]:
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
        "level": level(task),
        "difficulty": facts.difficulty,
        "direction": facts.direction,
        "part": part(task),
        "step": facts.step,
        "cutoff": side_of(task, cutoff) if cutoff is not None else None,
    }
    return ("all", *(f"{name}={value}" for name, value in known.items() if value))


def facts_of(task: Task, cutoff: date | None = None) -> dict[str, str]:
    """What is known of a task, by name: all that it is grouped by, and what is too fine for that.

    ``version`` has the library's name before it, as in ``groups``; ``release`` has it not.
    """
    facts = task.facts
    fine = {
        "kind": task.kind.value,
        "release": facts.version,
        "date": facts.release_date.isoformat() if facts.release_date else None,
        "symbol": facts.symbol,
    }
    named = (group.partition("=") for group in groups(task, cutoff) if "=" in group)
    found = {name: value for name, _, value in named}
    return found | {name: value for name, value in fine.items() if value}


def side_of(task: Task, cutoff: date) -> str | None:
    """Whether what a task is about was released up to a date, as far as that is known."""
    released = task.facts.release_date
    if released is None:
        return None
    return "before" if released <= cutoff else "after"


def kinds_are_apart(suite: Suite) -> bool:
    kinds = {task.kind for task in suite.tasks.values()}
    return bool(kinds & {TaskKind.LOCATE, TaskKind.EXPLAIN})


def counted_as(task: Task, split: Split, *, mixed: bool) -> str:
    """What a task's verdicts are counted under, in a suite of one kind or of ``mixed`` ones."""
    if not mixed:
        return split.value
    compiled = any(tests.style is TestStyle.COMPILE for tests in task.tests)
    return TestStyle.COMPILE.value if compiled else task.kind.value
