"""Past one machine: a Ray cluster of three nodes against this machine alone.

`verdicts`: the starter suite and GitChameleon problems whose environments are here, right and wrong
answers, are judged locally and on the cluster: every field must be the same but for what a clock
or chance decides (seconds; how many decoys were drawn). What a verdict costs is measured, too.
`kills`: the same while a node is killed (SIGKILL), twice; then the driver is, and the same command
goes on: nothing is lost, nothing is there twice.
`memory`: a worker that runs out of memory on one node is tried elsewhere; one that does so
everywhere is infrastructure.
`overhead`: processor time of all of Ray's processes and the driver for a verdict that costs nothing
itself, in batches of 500; and of real ones, against the same ones on this machine.
`flat`: resident memory of the driver from 10,000 to 200,000 verdicts into a run's folder.

    .venv/bin/python benchmarks/scale.py [--only verdicts,kills,…] [--problems 60] [--most 200000]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from libdrift import config, suites
from libdrift.environments import recipe_for
from libdrift.errors import MissingDataError
from libdrift.execution import Job, Options, RunFolder, run_jobs
from libdrift.execution.engines.distributed import DistributedEngine, MakeWorker
from libdrift.execution.engines.node_work import (
    JudgedChunk,
    NodeReport,
    NodeWorker,
    PlacedEnvironment,
    WorkReport,
)
from libdrift.execution.engines.ray_cluster import RayCluster, connect
from libdrift.jobs.scoring import ScoreOptions, score
from libdrift.records import Case, Environment, Outcome, Suite, Task, TestStyle
from libdrift.sandbox import Judgement, Limits, Program, Unprotected, choose
from libdrift.sandbox.processes import processor_seconds
from libdrift.scoring import running
from libdrift.scoring.verdicts import verdict_of

MOST_CPU = 5.0  # milliseconds a verdict
FLAT = 1.1  # the most memory at the end, by that at the beginning
SMALL = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
EATER = "LIBDRIFT_BENCH_EATER"
# What answers and their libraries print of the time, and of where things are in memory.
CLOCK = re.compile(r"\d\d:\d\d:\d\d(?:[.,]\d+)?|\b\d+\.\d+ ?m?s\b|0x[0-9a-f]+")
SECTIONS = ("verdicts", "kills", "memory", "overhead", "flat")


class Bench:
    """A cluster, and what is found."""

    def __init__(self, arguments: argparse.Namespace, scratch: Path) -> None:
        from ray import cloudpickle
        from ray.cluster_utils import Cluster

        self.arguments = arguments
        self.scratch = scratch
        self.failures: list[str] = []
        self.figures: dict[str, Any] = {}
        self.idle = 0.0
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        source = str(Path(suites.__file__).parents[2])
        os.environ["PYTHONPATH"] = os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])
        self.cluster = Cluster()
        for _ in range(3):
            self.add_node()
        connect(self.cluster.address)
        cloudpickle.register_pickle_by_value(sys.modules[__name__])

    def add_node(self) -> Any:  # noqa: ANN401  (of Ray, without a type)
        """Ray gives a node 30 s to start, which is little on a machine that does much else."""
        for last in (False, False, True):
            try:
                return self.cluster.add_node(**SMALL)
            except Exception as error:
                if last or "timed out during startup" not in str(error):
                    raise
        return None

    def close(self) -> None:
        import ray

        ray.shutdown()
        self.cluster.shutdown()

    def check(self, *, holds: bool, what: str) -> None:
        print(f"  {'ok  ' if holds else 'FAIL'} {what}", flush=True)
        if not holds:
            self.failures.append(what)

    def engine(self, worker: MakeWorker = NodeWorker) -> DistributedEngine:
        warn = lambda text: print(f"  {text[:300]}")  # noqa: E731
        return DistributedEngine(RayCluster(), warn, worker=worker)

    def kill_node(self, node: Any = None) -> None:  # noqa: ANN401  (of Ray, without a type)
        """Any but the first, the head, which holds what the cluster knows."""
        chosen = node or self.cluster.list_all_nodes()[-1]
        self.cluster.remove_node(chosen, allow_graceful=False)


# --- answers


def answers(suite: Suite, tasks: Sequence[Task], path: Path) -> Path:
    """Of each task its reference, and one that is wrong."""
    rows = []
    for number, task in enumerate(tasks):
        wrong = task.wrong.code if task.wrong else tasks[number - 1].reference
        rows += [{"task_id": task.id, "answer": text} for text in (task.reference, wrong)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(f"  {suite.name}: {len(tasks)} tasks, {len(rows)} answers")
    return path


def given(bench: Bench) -> list[tuple[Suite, Path]]:
    settings = config.load(bench.arguments.data)
    starter = suites.load("starter", settings)
    found = [(starter, answers(starter, list(starter.tasks.values()), bench.scratch / "s.jsonl"))]
    try:
        whole = suites.load("gitchameleon", settings)
    except MissingDataError as error:
        print(f"  without GitChameleon: {error}")
        return found
    here = [
        task
        for task in whole.tasks.values()
        if (settings.environments / recipe_for(task.environment).key / "environment.json").exists()
    ]
    # From everywhere in the data, not the first library alone.
    step = max(1, len(here) // bench.arguments.problems)
    chosen = here[::step][: bench.arguments.problems]
    return [*found, (whole, answers(whole, chosen, bench.scratch / "g.jsonl"))]


def verdicts(run: Path) -> dict[tuple[str, ...], dict[str, Any]]:
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for line in (run / "verdicts.jsonl").read_text().splitlines():
        row = json.loads(line)
        key = (row["task_id"], str(row["sample"]), row["split"])
        if key in found:
            raise SystemExit(f"{key} is there twice in {run}")
        proof = re.sub(r"\(\d+\)", "(n)", row["proof"] or "")
        log = CLOCK.sub("…", row["log"])
        found[key] = {**row, "seconds": 0, "proof": proof, "log": log}
    return found


def compare(bench: Bench, one: Path, other: Path, what: str) -> None:
    ours, theirs = verdicts(one), verdicts(other)
    different = [key for key in ours if ours[key] != theirs.get(key)]
    for key in different[:5]:
        pairs = zip(ours[key].items(), theirs.get(key, {}).values(), strict=False)
        print(f"    {key}: {[(name, a, b) for (name, a), b in pairs if a != b]}"[:600])
    same = ours.keys() == theirs.keys()
    bench.check(holds=same, what=f"{what}: {len(ours)} verdicts, none lost, none twice")
    bench.check(holds=not different, what=f"{what}: all identical ({len(different)} are not)")


@contextlib.contextmanager
def judged_by(engine: DistributedEngine | None) -> Iterator[None]:
    """Score with an engine that is there already."""
    usual = running.choose_engine
    if engine is not None:
        running.choose_engine = lambda *_: engine  # type: ignore[assignment]
    try:
        yield
    finally:
        running.choose_engine = usual


def timed(suite: Suite, path: Path, out: Path, engine: DistributedEngine | None) -> None:
    before, started = processor_seconds(os.getpid()), time.monotonic()
    with judged_by(engine):
        score(suite, path, ScoreOptions(out=out))
    spent, wall = processor_seconds(os.getpid()) - before, time.monotonic() - started
    count = len(verdicts(out))
    how = "ray" if engine else "local"
    print(f"  {how}: {count} verdicts in {wall:.0f} s, {spent / count * 1e3:.0f} ms CPU each")


def same_verdicts(bench: Bench) -> None:
    for suite, path in given(bench):
        local, far = bench.scratch / f"{path.stem}-local", bench.scratch / f"{path.stem}-ray"
        timed(suite, path, local, None)
        timed(suite, path, far, bench.engine())
        compare(bench, local, far, suite.name)
        # Warm by now: what each task's tests prove is known, as in all but the first run.
        timed(suite, path, bench.scratch / f"{path.stem}-again", None)


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def killed(bench: Bench) -> None:
    suite, path = given(bench)[0]
    local = bench.scratch / "s-local"
    if not local.is_dir():
        timed(suite, path, local, None)
    total = lines(local / "verdicts.jsonl")
    out = bench.scratch / "killed"
    stop = threading.Event()
    deaths = []

    def kill() -> None:
        for share in (0.2, 0.5):
            while lines(out / "verdicts.jsonl") < share * total and not stop.is_set():
                time.sleep(0.1)
            if not stop.is_set():
                bench.kill_node()
                deaths.append(lines(out / "verdicts.jsonl"))

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        timed(suite, path, out, bench.engine())
    finally:
        stop.set()
        killer.join()
    bench.check(holds=len(deaths) == 2, what=f"nodes were killed after {deaths} of {total}")  # noqa: PLR2004
    compare(bench, local, out, "two nodes killed")
    for _ in deaths:  # not by the thread: Ray sets handlers of signals
        bench.add_node()
    driver_killed(bench, path, local, total)


def driver_killed(bench: Bench, path: Path, local: Path, total: int) -> None:
    out = bench.scratch / "driver"
    command = [sys.executable, "-m", "libdrift", "score", "starter", str(path), "--out", str(out)]
    command += ["--engine", "ray", "--address", bench.cluster.address]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while lines(out / "verdicts.jsonl") < 0.4 * total and process.poll() is None:
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    bench.check(
        holds=process.returncode == -signal.SIGKILL,
        what=f"the driver was killed after {lines(out / 'verdicts.jsonl')} of {total}",
    )
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    bench.check(holds=done.returncode == 0, what="the same command goes on to its end")
    compare(bench, local, out, "driver killed and resumed")


# --- workers that judge nothing


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
            yield JudgedChunk(((number, self.judgement(job)),))


def made_up(number: int, answer: str = "", places: int = 4) -> Job:
    """As large as jobs are."""
    place = Environment("python", "3.11", (f"numpy==1.{number % places}.0",))
    tests = f"def test_{number}():\n" + "    assert number() == 1\n" * 60
    answer = answer or f"def number():\n    return {number}\n" + "# as long as usual\n" * 40
    key = (f"task-{number}", "0", "hidden")
    return Job(key, place, Program(answer, tests, TestStyle.PYTEST, "answer"), answer)


def out_of_memory(bench: Bench) -> None:
    """A node whose monitor ends workers early: a gigabyte above what is used now."""
    memory = dict(re.findall(r"(\w+):\s+(\d+) kB", Path("/proc/meminfo").read_text()))
    total = int(memory["MemTotal"])
    used = 1 - int(memory["MemAvailable"]) / total
    os.environ[EATER] = "1"
    os.environ["RAY_memory_usage_threshold"] = f"{used + 1.2e6 / total:.3f}"  # noqa: SIM112
    os.environ["RAY_memory_monitor_refresh_ms"] = "100"  # noqa: SIM112
    try:
        short = bench.add_node()
    finally:
        for name in (EATER, "RAY_memory_usage_threshold", "RAY_memory_monitor_refresh_ms"):
            del os.environ[name]
    texts = ["there"] * 24 + ["fine"] * 200
    jobs = [made_up(number, text) for number, text in enumerate(texts)]
    losses: list[str] = []
    engine = bench.engine(worker=Eater)
    with told_of_losses(losses):
        found = {job.key: one for job, one in engine.judge(jobs, plain_options())}
    for line in losses:
        print(f"    {line[:300]}")
    bench.check(holds=bool(losses), what=f"{len(losses)} workers ran out of memory on one node")
    passed = sum(one.outcome is Outcome.PASSED for one in found.values())
    bench.check(
        holds=passed == len(jobs) == len(found),
        what=f"what they had was judged elsewhere: {passed} of {len(jobs)} verdicts",
    )
    bench.kill_node(short)
    found = dict(engine.judge([made_up(0, "everywhere"), made_up(4, "fine")], plain_options()))
    bad, fine = (one for _, one in sorted(found.items(), key=lambda item: item[0].key))
    print(f"    {bad.reason[:300]}")
    bench.check(
        holds=bad.outcome is Outcome.INFRASTRUCTURE and fine.outcome is Outcome.PASSED,
        what="what takes all memory everywhere is infrastructure, and harms no other",
    )


@contextlib.contextmanager
def told_of_losses(found: list[str]) -> Iterator[None]:
    import logging

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "is lost with" in record.getMessage():
                found.append(record.getMessage())

    handler, logger = Handler(), logging.getLogger("libdrift.execution.engines.dispatching")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def plain_options() -> Options:
    return Options(config.load(), Unprotected())


# --- what the engine costs


def idle_rate(seconds: float = 10.0) -> float:
    """Processor seconds a second that a cluster takes with nothing to do."""
    before = processor_seconds(os.getpid())
    time.sleep(seconds)
    return (processor_seconds(os.getpid()) - before) / seconds


def cost(jobs: Collection[Job], options: Options) -> tuple[float, float]:
    """Processor and clock seconds until the last verdict, workers being warm."""
    results = run_jobs(jobs, options)
    first = max(1, len(jobs) // 10)
    for _ in islice(results, first):
        pass
    before, started = processor_seconds(os.getpid()), time.monotonic()
    count = sum(1 for _ in islice(results, len(jobs) - first))
    spent, wall = processor_seconds(os.getpid()) - before, time.monotonic() - started
    results.close()
    return spent / count, wall / count


def overhead(bench: Bench) -> None:
    idle = idle_rate()
    print(f"  the cluster at rest: {idle * 1e3:.0f} ms CPU a second, all three nodes")
    options = replace(plain_options(), engine=bench.engine(worker=Scripted))
    spent, wall = cost([made_up(number, places=1) for number in range(20_000)], options)
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
            spent, wall = cost(jobs, ways)
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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--only", default=",".join(SECTIONS))
    parser.add_argument("--problems", type=int, default=60)
    parser.add_argument("--real", type=int, default=500)
    parser.add_argument("--most", type=int, default=200_000)
    parser.add_argument("--data", type=Path, default=_published())
    arguments = parser.parse_args()
    chosen: Iterable[str] = arguments.only.split(",")
    steps = dict(zip(SECTIONS, (same_verdicts, killed, out_of_memory, overhead, flat), strict=True))
    with tempfile.TemporaryDirectory(prefix="libdrift-scale-") as scratch:
        bench = Bench(arguments, Path(scratch))
        try:
            for name in chosen:
                print(f"{name}:", flush=True)
                steps[name](bench)
        finally:
            bench.close()
    print(f"{len(bench.failures)} failures" if bench.failures else "all as it should be")
    return 1 if bench.failures else 0


def _published() -> Path | None:
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return beside if beside.is_dir() else None


if __name__ == "__main__":
    sys.exit(main())
