"""The plan: which worker does which job next, and what can be made ready for it."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from libdrift.execution.imports import fitting, levels, names_of
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
        self._left: dict[Environment, deque[Job]] = defaultdict(deque)
        for job in sorted(jobs, key=lambda job: (job.key[:1], job.program.tests)):
            self._left[job.environment].append(job)
        self._at: dict[int, Environment] = {}
        self._shared: dict[Environment, dict[str, tuple[Names, Names]]] = {}
        for environment, own in self._left.items():
            tasks: defaultdict[str, list[Names]] = defaultdict(list)
            for job in own:
                tasks[job.key[0]].append(names_of(job.program, job.reference))
            self._shared[environment] = levels(tasks)

    def next(self, worker: int) -> Job | None:
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

    def levels(self, job: Job) -> tuple[Names, ...]:
        """What to import ahead for a job, in steps that others share."""
        names = names_of(job.program, job.reference)
        return fitting(names, self._shared[job.environment][job.key[0]])
