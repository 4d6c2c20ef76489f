"""The groups that a task is counted in, for breakdowns."""

from __future__ import annotations

from datetime import date

from libdrift.history.differences.taxonomies import BENCHMARKS, words_of
from libdrift.records import Split, Suite, Task, TaskKind, TestStyle
from libdrift.scoring.topics import topic_of

TWIN = "twin: "  # begins the tag that names the like task from before a cut-off

# Every run keeps its scores by these. The papers' words are made of ``change``, and a day or the
# version before would be as many groups as there are tasks.
_KEPT = (
    "library",
    "version",
    "year",
    "source",
    "category",
    "change",
    "lifecycle",
    "access",
    "scenario",
    "language",
    "level",
    "difficulty",
    "direction",
    "part",
    "step",
    "style",
    "domain",
    "incompatibilities",
    "logic",
    "test_type",
    "cutoff",
)
# What ``facts_of`` may have, in its order.
FACTS = (
    "library",
    "version",
    "release",
    "year",
    "quarter",
    "date",
    "source",
    "category",
    "change",
    "lifecycle",
    "access",
    "scenario",
    "language",
    "kind",
    "level",
    "difficulty",
    "direction",
    "part",
    "step",
    "from_version",
    "style",
    "domain",
    "topic",
    "incompatibilities",
    "logic",
    "test_type",
    "runtime",
    "symbol",
    *BENCHMARKS,
    "cutoff",
    "twin",
)


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


def facts_of(task: Task, cutoff: date | None = None) -> dict[str, str]:
    """All that is known of a task, as text by name: what breakdowns and filters go by.

    ``version`` stands with its library, ``release`` without, and a paper's name for the paper's
    word for the change.
    """
    facts = task.facts
    released = facts.release_date
    known = {
        "library": facts.library,
        "version": f"{facts.library} {facts.version}" if facts.version else None,
        "release": facts.version,
        "year": str(released.year) if released else None,
        "quarter": quarter(released) if released else None,
        "date": released.isoformat() if released else None,
        "source": facts.source,
        "category": facts.category,
        "change": facts.change and facts.change.value,
        "lifecycle": facts.lifecycle,
        "access": facts.access,
        "scenario": facts.scenario,
        "language": task.language,
        "kind": task.kind.value,
        "level": level(task),
        "difficulty": facts.difficulty,
        "direction": facts.direction,
        "part": part(task),
        "step": facts.step,
        "from_version": f"{facts.library} {facts.from_version}" if facts.from_version else None,
        "style": facts.style,
        "domain": facts.domain,
        "topic": topic_of(facts.library, task.language),
        "incompatibilities": _text(facts.incompatibilities),
        "logic": _text(facts.logic),
        "test_type": facts.test_type,
        "runtime": f"{task.language} {runtime}" if (runtime := task.environment.runtime) else None,
        "symbol": facts.symbol,
        **papers_words(task),
        "cutoff": side_of(task, cutoff) if cutoff is not None else None,
        "twin": twin_of(task),
    }
    return {name: value for name, value in known.items() if value}


def twin_of(task: Task) -> str | None:
    """The task that this one is set against (``build.live.twins``)."""
    named = (tag.removeprefix(TWIN) for tag in task.facts.tags if tag.startswith(TWIN))
    return next(named, None)


def papers_words(task: Task) -> dict[str, str | None]:
    """What each of the five papers calls the change that a task turns on."""
    facts = task.facts
    found: dict[str, str | None] = {}
    if facts.change is not None:
        found |= words_of(facts.change)
    elif facts.lifecycle == "unchanged":
        found |= {"libevolutioneval": facts.lifecycle, "versicode": "general"}
    if task.suite in BENCHMARKS and not found.get(task.suite):
        found[task.suite] = facts.category
    return found


def groups(task: Task, cutoff: date | None = None) -> tuple[str, ...]:
    """``all``, and one ``name=value`` for every fact that is known and scores are kept by.

    The others can be asked for: a run that is read again is broken down by any of ``facts_of``.
    """
    known = facts_of(task, cutoff)
    kept = (name for name in _KEPT if name in known)
    return ("all", *(f"{name}={known[name]}" for name in kept))


def quarter(day: date) -> str:
    """``2021-Q3``."""
    return f"{day.year}-Q{(day.month + 2) // 3}"


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


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
