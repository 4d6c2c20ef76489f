"""Gates that compare: no task is another's double, or a published benchmark's."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from libdrift import suites
from libdrift.build.live.gates.reading import grams, overlap
from libdrift.config import Settings
from libdrift.errors import LibdriftError
from libdrift.records import Task

_LOG = logging.getLogger(__name__)
_DOUBLE = 0.85  # of 8-grams in common with another task of its kind
_PUBLISHED = 0.6  # with a published one
_LEAST = 6  # 8-grams: of shorter texts, likeness says nothing


@dataclass(slots=True)
class KnownTasks:
    """Tasks that are there already: those that were kept, and published ones."""

    _own: dict[tuple[str, ...], list[frozenset[int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _published: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    published: int = 0

    @classmethod
    def with_published(cls, settings: Settings) -> KnownTasks:
        """With the references of every benchmark whose data is at hand."""
        known = cls()
        for name in suites.written():
            try:
                benchmark = suites.load(name, settings).tasks.values()
            except LibdriftError as error:
                _LOG.info("%s is not compared with: %s", name, error)
                continue
            known._add_published(benchmark)
        return known

    def _add_published(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            if task.reference and task.language == "python":
                self.published += 1
                for gram in grams(task.reference):
                    self._published[gram].append(self.published)

    def is_published(self, task: Task) -> bool:
        own = grams(task.reference)
        if len(own) < _LEAST:
            return False
        shared = Counter(number for gram in own for number in set(self._published.get(gram, ())))
        return any(count >= _PUBLISHED * len(own) for count in shared.values())

    def is_double(self, task: Task) -> bool:
        mine = grams(task.starter + task.reference)
        return any(overlap(mine, other) >= _DOUBLE for other in self._own[_key(task)])

    def add(self, task: Task) -> None:
        self._own[_key(task)].append(grams(task.starter + task.reference))


def _key(task: Task) -> tuple[str, ...]:
    """There and back are two tasks, and so are those of two families."""
    facts = task.facts
    return (facts.library, task.kind.value, *facts.tags, facts.direction or "")
