"""What the engine costs: processor time a verdict, and memory of the driver."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from benchmarks.meters import Meter
from benchmarks.scale.cluster import Bench
from benchmarks.scale.scripted import Scripted, made_up, plain_options
from benchmarks.scale.verdicts import lines
from libdrift import config, suites
from libdrift.execution import Job, Options, RunFolder, run_jobs
from libdrift.execution.engines.distributed import DistributedEngine
from libdrift.execution.engines.ray_cluster import RayCluster
from libdrift.records import Task
from libdrift.sandbox import Limits, choose
from libdrift.scoring.verdicts import verdict_of

MOST_CPU = 5.0  # milliseconds a verdict
FLAT = 1.1  # the most memory at the end, by that at the beginning


def idle_rate(used: Meter, seconds: float = 10.0) -> float:
    """Processor seconds a second that a cluster takes with nothing to do."""
    before = used()
    time.sleep(seconds)
    return (used() - before) / seconds


def cost(jobs: Collection[Job], options: Options, used: Meter) -> tuple[float, float]:
    """Processor and clock seconds until the last verdict, workers being warm."""
    results = run_jobs(jobs, options)
    first = max(1, len(jobs) // 10)
    for _ in islice(results, first):
        pass
    before, started = used(), time.monotonic()
    count = sum(1 for _ in islice(results, len(jobs) - first))
    spent, wall = used() - before, time.monotonic() - started
    results.close()
    return spent / count, wall / count


def overhead(bench: Bench) -> None:
    idle = idle_rate(bench.used)
    print(f"  the cluster at rest: {idle * 1e3:.0f} ms CPU a second, all three nodes")
    options = replace(plain_options(), engine=bench.engine(worker=Scripted))
    spent, wall = cost([made_up(number, places=1) for number in range(20_000)], options, bench.used)
    net = spent - wall * idle
    print(f"  scripted: {spent * 1e3:.2f} ms CPU a verdict in all, {wall * 1e3:.2f} ms clock")
    bench.check(
        holds=net * 1e3 <= MOST_CPU,
        what=f"the engine takes {net * 1e3:.2f} ms CPU a verdict (at most {MOST_CPU:g})",
    )
    settings = config.load(bench.arguments.data)
    real = Options(settings, choose("bubblewrap", settings), Limits().with_time(15), 1)
    suite = suites.load("starter", settings)
    task = next(task for task in suite.tasks.values() if task.environment.requirements)
    jobs = [real_job(task, number) for number in range(bench.arguments.real)]
    far = replace(real, engine=DistributedEngine(RayCluster(), print, 1))
    costs: dict[str, list[float]] = {"local": [], "ray": []}
    for _ in range(3):
        for how, ways in (("local", real), ("ray", far)):
            spent, wall = cost(jobs, ways, bench.used)
            costs[how].append(spent - wall * idle)  # the cluster rests beside local runs, too
    shown = {how: f"{statistics.median(one) * 1e3:.1f}" for how, one in costs.items()}
    spread = {how: f"{min(one) * 1e3:.1f}–{max(one) * 1e3:.1f}" for how, one in costs.items()}
    print(f"  real, {len(jobs)} answers by turns, ms CPU a verdict: {shown}, spread {spread}")


def real_job(task: Task, number: int) -> Job:
    from libdrift.records import Attempt
    from libdrift.scoring.verdicts import job_for

    answer = f"{task.reference}\n# {number}\n"
    return job_for(task, task.tests[0], Attempt(task.id, number, answer, answer))


def resident() -> float:
    """Megabytes of this process."""
    fields = Path("/proc/self/statm").read_text().split()
    shared = int(fields[2])  # pages of Ray's object store are the system's
    return (int(fields[1]) - shared) * os.sysconf("SC_PAGESIZE") / 1e6


class Endless(Collection[Job]):
    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Job]:
        return map(made_up, range(self.count))

    def __contains__(self, job: object) -> bool:
        return any(one == job for one in self)


def flat(bench: Bench) -> None:
    folder = RunFolder(bench.scratch / "flat")
    marks = [10_000, 50_000, 100_000, bench.arguments.most]
    sizes: dict[int, float] = {}
    options = replace(plain_options(), engine=bench.engine(worker=Scripted))
    started = time.monotonic()
    with folder.open({"fingerprint": "flat"}):
        judged = run_jobs(Endless(bench.arguments.most), options)
        for count, (job, judgement) in enumerate(judged, start=1):
            folder.append(verdict_of(job, judgement))
            if count in marks:
                sizes[count] = resident()
                wall = time.monotonic() - started
                print(f"  {count:,} verdicts: {sizes[count]:.0f} MB, {wall:.0f} s", flush=True)
    written = lines(folder.path / "verdicts.jsonl")
    bench.check(holds=written == bench.arguments.most, what=f"{written:,} verdicts are written")
    growth = max(sizes.values()) / sizes[marks[0]]
    bench.check(holds=growth <= FLAT, what=f"memory grows by a factor of {growth:.3f}")
