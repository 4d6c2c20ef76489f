"""The fork server against a fresh process per answer, on GitChameleon, in one run.

The baseline is what the published harness does: ``python -m pytest -q`` on a folder with the
answer and its hidden tests, and for visible tests ``python`` on answer and test in one script; two
workers, no sandbox. libdrift does the same work with two workers, sandbox included. Both judge the
same candidates, and every verdict must be the same.

*Overhead* is processor time beyond what the tests themselves take to be collected and run, which
is measured apart, once a problem, with pytest and the libraries imported before the clock starts.
All processor time is counted, of every process that either side starts.

    .venv/bin/python benchmarks/execution.py [--data DIR] [--environments 14] [--problems 5]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from libdrift import config, suites
from libdrift.environments import Ready, build
from libdrift.execution import Job, Options, run_jobs
from libdrift.execution.scoring import program_for
from libdrift.records import Environment, Outcome, Split, Task
from libdrift.sandbox import Limits, choose

# Left out: torch, for its size; librosa, whose tests are compiled by numba anew in every process,
# for seconds on end. Neither side can save that, and it would drown what is measured.
HEAVY = ("torch", "kymatio", "librosa")
WORKERS = 2
LIMIT = 120.0
# Runs inside a problem's own interpreter: what each part of a fresh verdict costs.
PARTS = """
import time
marks = [("start", time.process_time())]
import ast, pytest, sys
marks.append(("pytest import", time.process_time()))
class Clock:
    own = 0.0
    def pytest_sessionstart(self):
        marks.append(("pytest plugins", time.process_time()))
        space = {}
        for path in sys.argv[2:]:
            for node in ast.parse(open(path).read()).body:
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    names = [getattr(node, "module", None) or ""] + [a.name for a in node.names]
                    if not any(name.startswith("sample_") for name in names):
                        alone = ast.parse("")
                        alone.body = [node]
                        exec(compile(alone, path, "exec"), space)
        marks.append(("library import", time.process_time()))
    @pytest.hookimpl(hookwrapper=True)
    def pytest_collection(self):
        yield
        marks.append(("collection", time.process_time()))
    def pytest_sessionfinish(self):
        marks.append(("test bodies", time.process_time()))
pytest.main(["-q", "-p", "no:cacheprovider", sys.argv[1]], plugins=[Clock()])
for (_, before), (name, after) in zip(marks, marks[1:]):
    print("PART", name, after - before)
print("PART", "start", marks[0][1])
"""


@dataclass(frozen=True)
class Candidate:
    task: Task
    number: int
    code: str


@dataclass(frozen=True)
class Side:
    """What one side needed, and what it found: verdicts by task, candidate and split."""

    wall: float
    cpu: float
    host: float
    verdicts: dict[tuple[str, int, str], bool]


def chosen(
    tasks: Sequence[Task], environments: int, problems: int, leave_out: Sequence[str] = HEAVY
) -> list[Task]:
    """The first problems of the environments that have most."""
    groups: dict[Environment, list[Task]] = {}
    for task in tasks:
        if not any(name in str(task.environment) for name in leave_out):
            groups.setdefault(task.environment, []).append(task)
    largest = sorted(groups.values(), key=len, reverse=True)[:environments]
    return [task for group in largest for task in group[:problems]]


def candidates(tasks: Sequence[Task], count: int, wrong: int) -> list[Candidate]:
    """Right answers that differ in their text; of each ten, ``wrong`` do not load."""
    found = []
    for task in tasks:
        for number in range(count):
            code = f"{task.reference}\n# candidate {number}\n"
            if number < wrong:
                code += "1 / 0\n"
            found.append(Candidate(task, number, code))
    return found


@contextlib.contextmanager
def meter() -> Iterator[Callable[[], float]]:
    """Counts the processor time of this process and of all that it starts, in seconds."""
    # Where control groups are, the file that counts, the word of it that does, and its unit.
    for root, file, word, unit in (
        (Path("/sys/fs/cgroup/cpuacct"), "cpuacct.usage", 0, 1e-9),
        (Path("/sys/fs/cgroup"), "cpu.stat", 1, 1e-6),
    ):
        group = root / f"libdrift-{os.getpid()}"
        try:
            group.mkdir()
            if not (group / file).exists():
                group.rmdir()
                continue
            (group / "cgroup.procs").write_text(str(os.getpid()))
        except OSError:
            continue
        try:
            yield partial(_counter, group / file, word, unit)
        finally:
            (root / "cgroup.procs").write_text(str(os.getpid()))
            with contextlib.suppress(OSError):
                group.rmdir()
        return
    print("no control group can be made here: counting all of this machine's processor time")

    def busy() -> float:
        fields = Path("/proc/stat").read_text().split()[1:8]
        ticks = [int(field) for field in fields]
        return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")

    yield busy


def _counter(path: Path, word: int, unit: float) -> float:
    return float(path.read_text().split()[word]) * unit


def own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def environ() -> dict[str, str]:
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    return {"PATH": os.environ["PATH"], "MPLBACKEND": "Agg", **dict.fromkeys(names, "1")}


def fresh(
    jobs: Sequence[tuple[Candidate, Split]], places: dict[Environment, Ready], used: Meter
) -> Side:
    def judge(job: tuple[Candidate, Split]) -> tuple[tuple[str, int, str], bool]:
        candidate, split = job
        task, python = candidate.task, str(places[candidate.task.environment].python)
        tests = next(tests.code for tests in task.tests if tests.split is split)
        with tempfile.TemporaryDirectory() as folder:
            if split is Split.HIDDEN:
                Path(folder, f"{task.module}.py").write_text(candidate.code)
                Path(folder, "test_sample.py").write_text(tests)
                command = [python, "-m", "pytest", "-q", folder]
            else:
                Path(folder, "script.py").write_text(f"{candidate.code}\n{tests}")
                command = [python, str(Path(folder, "script.py"))]
            done = subprocess.run(
                command, cwd=folder, env=environ(), capture_output=True, check=False, timeout=LIMIT
            )
        return (task.id, candidate.number, split.value), done.returncode == 0

    started, before, host = time.monotonic(), used(), own_cpu()
    with ThreadPoolExecutor(WORKERS) as pool:
        verdicts = dict(pool.map(judge, jobs))
    return Side(time.monotonic() - started, used() - before, own_cpu() - host, verdicts)


def forked(jobs: Sequence[tuple[Candidate, Split]], options: Options, used: Meter) -> Side:
    started, before, host = time.monotonic(), used(), own_cpu()
    queue = []
    for candidate, split in jobs:
        task = candidate.task
        tests = next(tests for tests in task.tests if tests.split is split)
        key = (task.id, str(candidate.number), split.value)
        program = program_for(task, tests, candidate.code)
        queue.append(Job(key, task.environment, program, task.reference))
    verdicts = {
        (job.key[0], int(job.key[1]), job.key[2]): judgement.outcome is Outcome.PASSED
        for job, judgement in run_jobs(queue, options)
    }
    return Side(time.monotonic() - started, used() - before, own_cpu() - host, verdicts)


def parts(task: Task, place: Ready) -> dict[str, float]:
    """What the parts of one fresh hidden verdict cost, in processor seconds."""
    tests = next(tests.code for tests in task.tests if tests.split is Split.HIDDEN)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{task.module}.py").write_text(task.reference)
        Path(folder, "test_sample.py").write_text(tests)
        files = [str(Path(folder, name)) for name in (f"{task.module}.py", "test_sample.py")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [str(place.python), "-c", PARTS, folder, *files],
            cwd=folder,
            env=environ(),
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{task.id} cannot be timed: {done.stderr[-2000:]}")
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("PART ")]
    found = {" ".join(words[1:-1]): float(words[-1]) for words in lines}
    total = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**found, "interpreter exit": max(0.0, total - sum(found.values()))}


Meter = Callable[[], float]


def compare(title: str, slow: Side, fast: Side, own: float | None) -> list[str]:
    """Print both sides; return what differs between them."""
    count = len(slow.verdicts)
    print(f"\n{title}: {count} verdicts, {sum(slow.verdicts.values())} of them passes")
    rate = (count / fast.wall) / (count / slow.wall)
    for name, side in (("fresh pytest process", slow), ("libdrift", fast)):
        print(
            f"  {name:22} {side.wall:7.1f} s  {count / side.wall:6.2f} verdicts/s  "
            f"{1000 * side.cpu / count:6.0f} ms processor time a verdict"
        )
    if own is not None:
        over_slow, over_fast = slow.cpu / count - own, fast.cpu / count - own
        print(f"  the tests' own collection and bodies: {1000 * own:.0f} ms a verdict")
        print(
            f"  overhead a verdict: {1000 * over_slow:.0f} ms fresh, {1000 * over_fast:.0f} ms "
            f"libdrift (of which {1000 * fast.host / count:.0f} ms in libdrift's own process): "
            f"{over_slow / over_fast:.1f} times smaller"
        )
    print(f"  verdicts per second: {rate:.2f} times as many")
    differing = [key for key, passed in slow.verdicts.items() if fast.verdicts.get(key) != passed]
    print(f"  verdicts that differ: {len(differing)} {differing[:10] if differing else ''}")
    return [str(key) for key in differing]


def show_parts(found: Sequence[dict[str, float]]) -> float:
    """Print where a fresh verdict's time goes; return the tests' own share."""
    print("\nwhere a fresh hidden verdict's processor time goes (mean, median, in ms):")
    for name in dict.fromkeys(name for part in found for name in part):
        values = [1000 * part.get(name, 0.0) for part in found]
        print(f"  {name:18} {statistics.mean(values):7.0f} {statistics.median(values):7.0f}")
    own = [part.get("collection", 0.0) + part.get("test bodies", 0.0) for part in found]
    return statistics.mean(own)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with published data")
    parser.add_argument("--environments", type=int, default=14)
    parser.add_argument("--problems", type=int, default=5, help="of each environment")
    parser.add_argument("--candidates", type=int, default=10)
    parser.add_argument("--leave-out", nargs="*", default=HEAVY, help="libraries not to use")
    parser.add_argument("--wrong", type=int, default=0, help="of them, wrong ones")
    given = parser.parse_args()
    settings = config.load()
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    settings = replace(settings, data=given.data or settings.data or beside)
    suite = suites.load("gitchameleon", settings)
    every = list(suite.tasks.values())
    tasks = chosen(every, given.environments, given.problems, given.leave_out)
    places = {}
    for environment in dict.fromkeys(task.environment for task in tasks):
        place = build(environment, settings)
        if not isinstance(place, Ready):
            sys.exit(f"{environment}: {place.reason}")
        places[environment] = place
    print(f"{len(tasks)} problems in {len(places)} environments, {WORKERS} workers on each side")
    options = Options(settings, choose("bubblewrap", settings), Limits().with_time(LIMIT), WORKERS)
    # The first pass also brings every file into memory, for both sides.
    own = show_parts([parts(task, places[task.environment]) for task in tasks])
    many = [(c, Split.HIDDEN) for c in candidates(tasks, given.candidates, given.wrong)]
    once = [(c, split) for c in candidates(tasks, 1, 0) for split in Split]
    with meter() as used:
        title = f"{given.candidates} candidates a problem, hidden tests"
        differing = compare(title, fresh(many, places, used), forked(many, options, used), own)
        title = "one candidate a problem, hidden and visible tests"
        differing += compare(title, fresh(once, places, used), forked(once, options, used), None)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
