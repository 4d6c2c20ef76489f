"""What a data set holds, in the tables that papers print of one: counts by every fact, and lengths.

A *sample* is what several tasks may be about: code to look through, explain and migrate is one
sample and three tasks. Counts are of both where they differ.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from libdrift.history import versions
from libdrift.records import Split, Suite, Task, TestStyle
from libdrift.scoring.groups import facts_of

TableCell = str | int | float | None

# One table each, where a suite's tasks differ in it.
SINGLE = (
    "kind",
    "language",
    "library",
    "year",
    "category",
    "change",
    "lifecycle",
    "level",
    "source",
    "scenario",
    "access",
    "difficulty",
    "direction",
    "step",
    "incompatibilities",
    "style",
    "domain",
    "topic",
    "test_type",
    "runtime",
)
# Tables of two facts, where tasks differ in both.
CROSSED = (
    ("library", "year"),
    ("library", "category"),
    ("library", "lifecycle"),
    ("library", "access"),
    ("library", "scenario"),
    ("library", "difficulty"),
    ("library", "direction"),
    ("language", "level"),
    ("source", "level"),
    ("category", "level"),
    ("year", "category"),
    ("difficulty", "direction"),
    ("difficulty", "incompatibilities"),
)
_TEST = re.compile(r"^\s*(?:async\s+)?def\s+test|#\[\s*(?:\w+\s*::\s*)*test\b", re.MULTILINE)
_TOKEN = re.compile(r"\w+|[^\w\s]")
# The upper ends of the groups that logic is counted in; the last has no end.
_LOGIC = ((0, "0"), (2, "1–2"), (5, "3–5"), (10, "6–10"))
_MOST_LOGIC = "over 10"


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table of a data set. The first columns are names, ``keys`` of them; the others numbers."""

    name: str  # library, library by year, lengths …
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    keys: int = 1

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SuiteStatistics:
    suite: str
    title: str
    source: str
    tasks: int
    samples: int
    totals: Mapping[str, int]  # libraries, versions, environments, symbols …
    tables: tuple[DataTable, ...]

    def table(self, name: str) -> DataTable | None:
        return next((table for table in self.tables if table.name == name), None)

    def to_json(self) -> dict[str, Any]:
        return {
            "suite": self.suite,
            "title": self.title,
            "source": self.source,
            "tasks": self.tasks,
            "samples": self.samples,
            "totals": dict(self.totals),
            "tables": [table.to_json() for table in self.tables],
        }


@dataclass(frozen=True, slots=True)
class _Known:
    """A task with what is counted of it."""

    task: Task
    facts: Mapping[str, str]
    sample: str


def statistics(suite: Suite) -> SuiteStatistics:
    """The tables of a data set; a table with nothing to tell is not there."""
    known = [_Known(task, facts_of(task), _sample(task)) for task in suite.tasks.values()]
    samples = len({item.sample for item in known})
    several = samples < len(known)
    single = [name for name in SINGLE if name != "level" or _has_levels(known)]
    tables = [
        _libraries(known),
        *(_counted(known, (name,), several=several) for name in single),
        *(_counted(known, pair, several=several) for pair in CROSSED),
        _lengths(known),
        _tests(known),
        _documents(known),
        _logic(known),
    ]
    return SuiteStatistics(
        suite=suite.name,
        title=suite.title,
        source=suite.source,
        tasks=len(known),
        samples=samples,
        totals=_totals(suite, known),
        tables=tuple(table for table in tables if table is not None),
    )


def _has_levels(known: Sequence[_Known]) -> bool:
    """Whether levels tell more than the kinds of tasks do."""
    return {item.facts["level"] for item in known} != {item.facts["kind"] for item in known}


def _sample(task: Task) -> str:
    return task.id.removesuffix(f"/{task.kind}")


def _totals(suite: Suite, known: Sequence[_Known]) -> dict[str, int]:
    found = {
        "libraries": len({item.facts.get("library") for item in known}),
        "versions": len({item.facts.get("version") for item in known}),
        "environments": len(suite.environments),
        "symbols": len({(task.facts.library, task.facts.symbol) for task in suite.tasks.values()}),
        "documents": len({url for task in suite.tasks.values() for url in task.facts.documents}),
    }
    return {name: count for name, count in found.items() if count}


def _counted(known: Sequence[_Known], names: tuple[str, ...], *, several: bool) -> DataTable | None:
    """How many tasks have each value, or each pair of values; the largest number first."""
    counts: Counter[tuple[str, ...]] = Counter()
    samples: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for item in known:
        if all(name in item.facts for name in names):
            key = tuple(item.facts[name] for name in names)
            counts[key] += 1
            if several:
                samples[key].add(item.sample)
    if any(len({key[place] for key in counts}) < 2 for place in range(len(names))):  # noqa: PLR2004
        return None
    order = _in_order if set(names) & {"year", "incompatibilities"} else _largest
    rows = [
        (*key, count, *([len(samples[key])] if several else ())) for key, count in order(counts)
    ]
    without = len(known) - sum(counts.values())
    if without and len(names) == 1:
        rows.append(("not known", without, *([None] if several else ())))
    columns = (*names, "tasks", *(["samples"] if several else ()))
    title = f"Tasks by {' and '.join(names)}"
    return DataTable(" by ".join(names), title, columns, tuple(rows), len(names))


_Counts = Mapping[tuple[str, ...], int]


def _largest(counts: _Counts) -> list[tuple[tuple[str, ...], int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _in_order(counts: _Counts) -> list[tuple[tuple[str, ...], int]]:
    return sorted(counts.items())


def _libraries(known: Sequence[_Known]) -> DataTable | None:
    """What is there of each library: versions from the oldest to the newest, and their days."""
    found: defaultdict[str, list[Task]] = defaultdict(list)
    for item in known:
        found[item.task.facts.library].append(item.task)
    rows = []
    for library, tasks in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        names = sorted({task.facts.version for task in tasks if task.facts.version}, key=_order)
        days = sorted({task.facts.release_date for task in tasks if task.facts.release_date})
        ends = (names[0], names[-1]) if names else (None, None)
        dates = (days[0].isoformat(), days[-1].isoformat()) if days else (None, None)
        rows.append((library, len(tasks), len(names), *ends, *dates))
    columns = ("library", "tasks", "versions", "oldest", "newest", "from", "to")
    return DataTable("libraries", "Libraries and their versions", columns, tuple(rows))


def _order(version: str) -> Any:  # noqa: ANN401  (whatever versions are ordered by)
    return versions.order(version.lstrip("<>=!~^ "))


# --- lengths


_PARTS: dict[str, Callable[[Task], str]] = {
    "problem": lambda task: task.problem,
    "starting code": lambda task: task.starter,
    "code before the gap": lambda task: _around(task)[0],
    "code behind the gap": lambda task: _around(task)[1],
    "few lines behind it": lambda task: task.gap.near if task.gap else "",
    "reference": lambda task: task.reference,
    "hidden tests": lambda task: _tests_of(task, Split.HIDDEN),
    "visible tests": lambda task: _tests_of(task, Split.VISIBLE),
}


def _around(task: Task) -> tuple[str, str]:
    """The code on both sides of a gap; nothing where there is none."""
    mask = task.gap.mask if task.gap else ""
    if not mask or mask not in task.starter:
        return "", ""
    before, _, behind = task.starter.partition(mask)
    return before, behind


def _tests_of(task: Task, split: Split) -> str:
    skipped = {TestStyle.LABELS}
    found = (tests.code for tests in task.tests if tests.split is split)
    return "\n".join(found) if {tests.style for tests in task.tests}.isdisjoint(skipped) else ""


def _lengths(known: Sequence[_Known]) -> DataTable:
    """Characters, lines and tokens (names, numbers and signs) of what tasks are made of."""
    rows: list[tuple[TableCell, ...]] = []
    levels = list(dict.fromkeys(item.facts["level"] for item in known))
    for level in levels:
        tasks = [item.task for item in known if item.facts["level"] == level]
        for part, read in _PARTS.items():
            texts = [text for task in tasks if (text := read(task)).strip()]
            if texts:
                tokens = [sum(1 for _ in _TOKEN.finditer(text)) for text in texts]
                lines = fmean(text.strip("\n").count("\n") + 1 for text in texts)
                characters = fmean(map(len, texts))
                rows.append((level, part, len(texts), *_spread(tokens), lines, characters))
    columns = (
        "level",
        "part",
        "tasks",
        "tokens, mean",
        "median",
        "90 %",
        "longest",
        "lines, mean",
        "characters, mean",
    )
    return DataTable("lengths", "Lengths of prompts, references and tests", columns, tuple(rows), 2)


def _spread(numbers: Iterable[int]) -> tuple[float, float, int, int]:
    ordered = sorted(numbers)
    at = min(len(ordered) - 1, round(0.9 * (len(ordered) - 1)))
    return fmean(ordered), median(ordered), ordered[at], ordered[-1]


def _tests(known: Sequence[_Known]) -> DataTable | None:
    """How many tests tasks have: functions, or one where all of it is a script."""
    rows: list[tuple[TableCell, ...]] = []
    for split in Split:
        counts = [
            max(1, len(_TEST.findall(tests.code)))
            for item in known
            for tests in item.task.tests
            if tests.split is split and tests.style is not TestStyle.LABELS
        ]
        if counts:
            rows.append((split.value, len(counts), sum(counts), *_spread(counts)))
    columns = ("split", "tasks", "tests", "mean", "median", "90 %", "most")
    return DataTable("tests", "Tests of tasks", columns, tuple(rows)) if rows else None


def _documents(known: Sequence[_Known]) -> DataTable | None:
    counts = Counter(len(item.task.facts.documents) for item in known)
    if set(counts) == {0}:
        return None
    return DataTable(
        "documents", "Documents that tasks refer to", ("documents", "tasks"), _numbered(counts)
    )


def _logic(known: Sequence[_Known]) -> DataTable | None:
    """Logic nodes of published solutions."""
    counts: Counter[str] = Counter()
    for item in known:
        nodes = item.task.facts.logic
        if nodes is not None:
            counts[next((name for most, name in _LOGIC if nodes <= most), _MOST_LOGIC)] += 1
    if not counts:
        return None
    names = [*(name for _, name in _LOGIC), _MOST_LOGIC]
    rows = tuple((name, counts[name]) for name in names if counts[name])
    return DataTable(
        "logic", "Tasks by logic nodes of the solution", ("logic nodes", "tasks"), rows
    )


def _numbered(counts: Mapping[int, int]) -> tuple[tuple[TableCell, ...], ...]:
    return tuple(sorted(counts.items()))
