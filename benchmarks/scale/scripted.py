"""Workers that judge nothing: the driver, Ray and messages are real."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator, Sequence

from libdrift import config
from libdrift.execution import Job, Options
from libdrift.execution.engines.node_work import (
    JudgedChunk,
    NodeReport,
    PlacedEnvironment,
    WorkReport,
)
from libdrift.records import Case, Environment, Outcome, TestStyle
from libdrift.sandbox import Judgement, Program, Unprotected

EATER = "LIBDRIFT_BENCH_EATER"


class Scripted:
    """Stands in for the judge on a node: the driver, Ray and messages are real."""

    def __init__(self, order: object) -> None:
        del order

    def check(self) -> Iterator[WorkReport]:
        yield NodeReport("here")

    def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
        yield PlacedEnvironment(None)
        for start in range(0, len(jobs), 64):
            numbers = range(start, min(start + 64, len(jobs)))
            yield JudgedChunk(tuple((number, self.judgement(jobs[number])) for number in numbers))

    def judgement(self, job: Job) -> Judgement:
        cases = tuple(Case(f"test_{n}", "passed") for n in range(3))
        log = f"{job.key[0]} " * 100
        return Judgement(Outcome.PASSED, "", 0.1, cases, log, proof=None)

    def close(self) -> Iterator[WorkReport]:
        yield PlacedEnvironment(None)


class Eater(Scripted):
    """Takes all memory that it gets, of some answers."""

    def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
        yield PlacedEnvironment(None)
        for number, job in enumerate(jobs):
            here = EATER in os.environ
            if job.program.answer == "everywhere" or (job.program.answer == "there" and here):
                # Far below what this machine has, whatever the monitor does.
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
                eaten = []
                for _ in range(60):
                    eaten.append(b"x" * (50 << 20))
                    time.sleep(0.1)
                raise MemoryError("3 GB are not enough")
            if job.program.answer == "there":
                time.sleep(1.0)  # the other nodes leave some to the one that is short of memory
            yield JudgedChunk(((number, self.judgement(job)),))


def made_up(number: int, answer: str = "", places: int = 4) -> Job:
    """As large as jobs are."""
    place = Environment("python", "3.11", (f"numpy==1.{number % places}.0",))
    tests = f"def test_{number}():\n" + "    assert number() == 1\n" * 60
    answer = answer or f"def number():\n    return {number}\n" + "# as long as usual\n" * 40
    key = (f"task-{number}", "0", "hidden")
    return Job(key, place, Program(answer, tests, TestStyle.PYTEST, "answer"), answer)


def plain_options() -> Options:
    return Options(config.load(), Unprotected())
