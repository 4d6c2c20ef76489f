"""The plan: which worker does which job next, and what can be made ready for it."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from libdrift.execution.imports import names_of, ordered
from libdrift.records import Environment
from libdrift.sandbox import Names, Program

_HELP = 4  # jobs left in an environment that make it worth a second worker's warming up


@dataclass(frozen=True, slots=True)
class Job:
    """One program to judge in one environment; ``key`` is the caller's, to know it again."""

    key: tuple[str, ...]
    environment: Environment
    program: Program
    reference: str = ""  # a right answer: it sets the time limit, and proves decoys


class Plan:
    """Jobs by environment: a worker stays with one, so that it is warmed up but once."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._lock = threading.Lock()
        self._left: dict[Environment, deque[Job]] = {}
        self._steps: dict[Job, tuple[Names, ...]] = {}
        self._at: dict[int, Environment] = {}
        groups: defaultdict[Environment, list[Job]] = defaultdict(list)
        for job in sorted(jobs, key=lambda job: (job.key[:1], job.program.tests)):
            groups[job.environment].append(job)
        for environment, group in groups.items():
            names = [names_of(job.program, job.reference) for job in group]
            order = ordered(names)
            self._left[environment] = deque(group[index] for index, _ in order)
            users: defaultdict[Names, set[str]] = defaultdict(set)
            for index, steps in order:
                for step in steps:
                    users[step].add(group[index].program.tests)
            for index, steps in order:
                # A server of its own is worth it for what more than one set of tests builds on.
                shared = (step for step in steps if len(users[step]) > 1)
                self._steps[group[index]] = (*shared, names[index])

    def take(self, worker: int) -> Job | None:
        """The next job for a worker; ``None`` when there is none that is worth its while."""
        with self._lock:
            here = self._at.get(worker)
            if here is None or not self._left[here]:
                here = self._choose(worker)
                if here is None:
                    self._at.pop(worker, None)
                    return None
                self._at[worker] = here
            return self._left[here].popleft()

    def _choose(self, worker: int) -> Environment | None:
        taken = {place for other, place in self._at.items() if other != worker}
        left = {place: len(jobs) for place, jobs in self._left.items() if jobs}
        free = [place for place in left if place not in taken]
        if free:
            return max(free, key=left.__getitem__)
        helpful = [place for place, count in left.items() if count >= _HELP]
        return max(helpful, key=left.__getitem__, default=None)

    def steps(self, job: Job) -> tuple[Names, ...]:
        """What to import ahead for a job: in steps that others share, and then all of its own."""
        return self._steps[job]
