"""How good a search is: whether it finds the right documents, far up, and of no other version."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.metrics import retrieval
from libdrift.records import Task
from libdrift.retrieval.gold import gold
from libdrift.retrieval.passages import Passages, Way
from libdrift.retrieval.queries import query_for


@dataclass(frozen=True, slots=True)
class TaskSearch:
    """What was found for one task, as far as the ranks count, and what was to be found."""

    task_id: str
    release: tuple[str, str]  # library and version
    found: tuple[str, ...]
    wanted: frozenset[str]
    foreign: int  # documents that are not what the task's own release says
    seconds: float

    @property
    def hit(self) -> bool:
        return not self.wanted.isdisjoint(self.found)


@dataclass(frozen=True, slots=True)
class SearchQuality:
    """``None`` where there is no search to tell it from."""

    k: int
    searches: tuple[TaskSearch, ...]
    without_gold: tuple[str, ...]  # tasks: nothing of the release is known to be right
    not_mined: tuple[str, ...]  # tasks

    @property
    def hit(self) -> float | None:
        return _mean(float(item.hit) for item in self.searches)

    @property
    def precision(self) -> float | None:
        return _mean(
            retrieval.precision_at(self.k, item.found, item.wanted) for item in self.searches
        )

    @property
    def recall(self) -> float | None:
        return _mean(retrieval.recall_at(self.k, item.found, item.wanted) for item in self.searches)

    @property
    def mrr(self) -> float | None:
        return _mean(retrieval.reciprocal_rank(item.found, item.wanted) for item in self.searches)

    @property
    def ndcg(self) -> float | None:
        return _mean(retrieval.ndcg_at(self.k, item.found, item.wanted) for item in self.searches)

    @property
    def foreign(self) -> int:
        return sum(item.foreign for item in self.searches)

    def of(self, key: Callable[[TaskSearch], str]) -> dict[str, SearchQuality]:
        """The same of groups of searches, in the order of their names."""
        groups: dict[str, list[TaskSearch]] = {}
        for item in self.searches:
            groups.setdefault(key(item), []).append(item)
        return {name: SearchQuality(self.k, tuple(groups[name]), (), ()) for name in sorted(groups)}

    def to_json(self) -> dict[str, Any]:
        return {
            "searches": len(self.searches),
            f"hit@{self.k}": self.hit,
            f"precision@{self.k}": self.precision,
            f"recall@{self.k}": self.recall,
            f"ndcg@{self.k}": self.ndcg,
            "mrr": self.mrr,
            "of_another_version": self.foreign,
        }


def measure_searches(
    tasks: Iterable[Task], passages: Passages, store: Store, *, k: int = 3, way: Way = Way.BM25
) -> SearchQuality:
    """Search for every task, each in its own release, and compare with what is right."""
    tasks = list(tasks)
    place = {task.id: at for at, task in enumerate(tasks)}
    searches: list[TaskSearch] = []
    without: list[str] = []
    not_mined: list[str] = []
    # Release by release: what is right is told by all of a release, which takes seconds to read.
    for task in sorted(tasks, key=lambda task: (task.facts.library, task.facts.version)):
        asked = query_for(task)  # of the package as the history calls it: `rust` has `std`
        try:
            passages.prepare(asked.package, asked.version, way)
        except UserError:
            not_mined.append(task.id)
            continue
        wanted = passages.right(task, partial(gold, task, store))
        if not wanted:
            without.append(task.id)
            continue
        started = time.perf_counter()
        found = passages.search(asked, k, way)
        seconds = time.perf_counter() - started
        release = (task.facts.library, task.facts.version)
        foreign = sum(passages.is_foreign(item, task.facts.version) for item in found)
        paths = tuple(item.path for item in found)
        searches.append(TaskSearch(task.id, release, paths, wanted, foreign, seconds))
    searches.sort(key=lambda item: place[item.task_id])
    for ids in (without, not_mined):
        ids.sort(key=place.__getitem__)
    return SearchQuality(k, tuple(searches), tuple(without), tuple(not_mined))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
