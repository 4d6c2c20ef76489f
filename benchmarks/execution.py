"""The fork server against a fresh process per answer, on GitChameleon, in one run.

The baseline is what the published harness does: ``python -m pytest -q`` on a folder with the
answer and its hidden tests, and for visible tests ``python`` on answer and test in one script; two
workers, no sandbox. libdrift does the same work with two workers, sandbox included. Both judge the
same candidates, and every verdict must be the same.

The candidates are made from the references by ``candidates.py``: about 45 % right, most of them
written with other constructs than the reference, the others wrong as models are. Answers that
never end are judged apart, with a short limit: they cost the limit and nothing else.

*Overhead* is processor time beyond what the tests themselves take to be collected and run, which
is measured apart, once a problem, on the reference, with pytest and the libraries imported before
the clock starts. All processor time is counted, of every process that either side starts.

libdrift judges everything twice: *cold*, with an empty folder for what it keeps of tasks (or the
one that ``--cache`` names, as it is), and then *warm*, with the proofs that the first run has left
there. Both are told by the clock and by processor time: on a busy machine only the second says
much.

    .venv/bin/python benchmarks/execution.py [--data DIR] [--environments 14] [--problems 5]
        [--candidates 10] [--seed 0] [--built-only] [--leave-out LIBRARY …] [--cache DIR]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from candidates import Kind, answers, endless
from execution_parts import LIMIT, environ, parts, script_seconds, show_parts
from meters import Meter, meter

from libdrift import config, suites
from libdrift.config import Settings
from libdrift.environments import Ready, build, entries, recipe_for
from libdrift.execution import Job, Options, run_jobs
from libdrift.records import Environment, Outcome, Split, Task
from libdrift.sandbox import Judgement, Limits, choose
from libdrift.scoring.verdicts import program_for

WORKERS = 2
SHORT = 5.0  # for answers that are known to loop


@dataclass(frozen=True)
class Candidate:
    task: Task
    number: int
    kind: Kind
    code: str


Key = tuple[str, int, str]


@dataclass(frozen=True)
class Side:
    """What one side needed, and what it found: verdicts by task, candidate and split."""

    wall: float
    cpu: float
    host: float
    verdicts: dict[Key, bool]
    judgements: dict[Key, Judgement] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Apart(Settings):
    """Settings whose cache is a folder of this benchmark's, but for the environments."""

    built: Path = Path()

    @property
    def environments(self) -> Path:
        return self.built


def apart(settings: Settings, cache: Path) -> Settings:
    """Whatever libdrift keeps of tasks from run to run, kept in a folder of its own."""
    kept = {item.name: getattr(settings, item.name) for item in fields(settings)}
    return Apart(**{**kept, "cache": cache}, built=settings.environments)


def chosen(
    tasks: Sequence[Task], environments: int, problems: int, leave_out: Sequence[str]
) -> list[Task]:
    """The first problems of the environments that have most."""
    groups: dict[Environment, list[Task]] = {}
    for task in tasks:
        if not any(name in str(task.environment) for name in leave_out):
            groups.setdefault(task.environment, []).append(task)
    largest = sorted(groups.values(), key=len, reverse=True)[:environments]
    return [task for group in largest for task in group[:problems]]


def built(tasks: Sequence[Task], settings: Settings) -> list[Task]:
    """The tasks whose environment is there already."""
    there = {entry.key for entry in entries(settings) if entry.status == "ready"}
    return [task for task in tasks if recipe_for(task.environment).key in there]


def candidates(tasks: Sequence[Task], count: int, seed: int) -> list[Candidate]:
    return [
        Candidate(task, number, answer.kind, answer.code)
        for task in tasks
        for number, answer in enumerate(
            answers(
                task.id,
                task.reference,
                count,
                seed=seed,
                other=task.wrong.code if task.wrong else None,
            )
        )
    ]


def looping(tasks: Sequence[Task], count: int, seed: int) -> list[Candidate]:
    """Answers that never end, each in another environment."""
    first = {task.environment: task for task in reversed(tasks)}.values()
    made = [(task, endless(task.id, task.reference, seed=seed)) for task in first]
    found = [Candidate(task, 0, answer.kind, answer.code) for task, answer in made if answer]
    return found[:count]


def own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class Ground:
    """What both sides stand on."""

    settings: Settings
    places: dict[Environment, Ready]
    used: Meter


Jobs = Sequence[tuple[Candidate, Split]]


def fresh(jobs: Jobs, ground: Ground, limit: float = LIMIT) -> Side:
    def judge(job: tuple[Candidate, Split]) -> tuple[Key, bool]:
        candidate, split = job
        task, python = candidate.task, str(ground.places[candidate.task.environment].python)
        tests = next(tests.code for tests in task.tests if tests.split is split)
        with tempfile.TemporaryDirectory() as folder:
            if split is Split.HIDDEN:
                Path(folder, f"{task.module}.py").write_text(candidate.code, encoding="utf-8")
                Path(folder, "test_sample.py").write_text(tests, encoding="utf-8")
                command = [python, "-m", "pytest", "-q", folder]
            else:
                text = f"{candidate.code}\n{tests}"
                Path(folder, "script.py").write_text(text, encoding="utf-8")
                command = [python, str(Path(folder, "script.py"))]
            try:
                done = subprocess.run(
                    command,
                    cwd=folder,
                    env=environ(ground.settings),
                    capture_output=True,
                    check=False,
                    timeout=limit,
                )
                passed = done.returncode == 0
            except subprocess.TimeoutExpired:
                passed = False
        return (task.id, candidate.number, split.value), passed

    started, before, host = time.monotonic(), ground.used(), own_cpu()
    with ThreadPoolExecutor(WORKERS) as pool:
        verdicts = dict(pool.map(judge, jobs))
    return Side(time.monotonic() - started, ground.used() - before, own_cpu() - host, verdicts)


def forked(jobs: Jobs, ground: Ground, cache: Path, limit: float = LIMIT) -> Side:
    settings = apart(ground.settings, cache)
    limits = Limits().with_time(limit)
    options = Options(settings, choose("bubblewrap", settings), limits, WORKERS)
    started, before, host = time.monotonic(), ground.used(), own_cpu()
    queue = []
    for candidate, split in jobs:
        task = candidate.task
        tests = next(tests for tests in task.tests if tests.split is split)
        key = (task.id, str(candidate.number), split.value)
        program = program_for(task, tests, candidate.code)
        queue.append(Job(key, task.environment, program, task.reference))
    judgements = {
        (job.key[0], int(job.key[1]), job.key[2]): judgement
        for job, judgement in run_jobs(queue, options)
    }
    wall, cpu = time.monotonic() - started, ground.used() - before
    verdicts = {key: one.outcome is Outcome.PASSED for key, one in judgements.items()}
    return Side(wall, cpu, own_cpu() - host, verdicts, judgements)


def compare(title: str, slow: Side, fast: Side, own: float | None) -> list[str]:
    """Print both sides; return what differs between them."""
    count = len(slow.verdicts)
    print(f"\n{title}: {count} verdicts, {sum(slow.verdicts.values())} of them passes")
    rate = (count / fast.wall) / (count / slow.wall)
    for name, side in (("fresh pytest process", slow), ("libdrift", fast)):
        print(
            f"  {name:22} {side.wall:7.1f} s  {count / side.wall:6.2f} verdicts/s  "
            f"{1000 * side.cpu / count:6.0f} ms processor time a verdict, "
            f"{1000 * side.host / count:.0f} ms of it in the process that judges"
        )
    if own is not None:
        over_slow, over_fast = slow.cpu / count - own, fast.cpu / count - own
        print(f"  the tests' own collection and bodies: {1000 * own:.0f} ms a verdict")
        print(
            f"  overhead a verdict: {1000 * over_slow:.0f} ms fresh, {1000 * over_fast:.0f} ms "
            f"libdrift: {over_slow / over_fast:.1f} times smaller"
        )
    print(f"  verdicts per second: {rate:.2f} times as many, by the clock")
    print(f"  verdicts per second of processor time: {slow.cpu / fast.cpu:.2f} times as many")
    differing = [key for key, passed in slow.verdicts.items() if fast.verdicts.get(key) != passed]
    print(f"  verdicts that differ: {len(differing)}")
    for key in differing[:10]:
        judged = fast.judgements.get(key)
        said = f"{judged.outcome.value} {judged.reason[:150]}" if judged else "no verdict"
        print(f"    {key}: fresh {'passed' if slow.verdicts[key] else 'failed'}, libdrift {said}")
    return [str(key) for key in differing]


def show_mix(jobs: Jobs, slow: Side, fast: Side) -> None:
    """Print what was judged, by what it was meant to be and how the baseline found it."""
    meant: Counter[Kind] = Counter()
    right: Counter[Kind] = Counter()
    seconds: dict[str, list[float]] = {}
    for candidate, split in jobs:
        key = (candidate.task.id, candidate.number, split.value)
        passed = slow.verdicts[key]
        meant[candidate.kind] += 1
        right[candidate.kind] += passed
        seconds.setdefault("passed" if passed else "failed", []).append(
            fast.judgements[key].seconds
        )
    count, passes = len(jobs), sum(slow.verdicts.values())
    print(f"  right by the baseline: {passes / count:.0%} of {count}")
    for kind, number in meant.most_common():
        print(f"    {kind.value:28} {number:5}, of which pass {right[kind]:5}")
    passed_by = [one for one in fast.judgements.values() if one.outcome is Outcome.PASSED]
    proofs = Counter(str(one.proof).partition("(")[0] for one in passed_by)
    print(
        "  passes by proof: "
        + ", ".join(f"{name}: {number}" for name, number in proofs.most_common())
    )
    for name, values in sorted(seconds.items()):
        mean = 1000 * statistics.mean(values)
        print(f"  time of an answer's own run, {name:14} {mean:5.0f} ms mean, of {len(values)}")


def measure(title: str, jobs: Jobs, ground: Ground, cache: Path, own: float | None) -> list[str]:
    """Judge on both sides, by libdrift twice: with nothing kept, and with what it has kept."""
    cache.mkdir(parents=True, exist_ok=True)
    slow = fresh(jobs, ground)
    differing = []
    for number in (1, 2):
        kept = sum(1 for path in cache.rglob("*") if path.is_file())
        fast = forked(jobs, ground, cache)
        state = "warm" if kept else "cold"
        name = f"{title}, {state}: run {number}, {kept} files kept from before"
        differing += compare(name, slow, fast, own)
        if number == 1:
            show_mix(jobs, slow, fast)
    return differing


def measure_endless(found: Collection[Candidate], ground: Ground, cache: Path) -> list[str]:
    jobs = [(candidate, Split.HIDDEN) for candidate in found]
    cache.mkdir(parents=True, exist_ok=True)
    slow, fast = fresh(jobs, ground, SHORT), forked(jobs, ground, cache, SHORT)
    return compare(f"answers that never end, limit {SHORT:g} s", slow, fast, None)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with published data")
    parser.add_argument("--environments", type=int, default=14)
    parser.add_argument("--problems", type=int, default=5, help="of each environment")
    parser.add_argument("--candidates", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0, help="of the candidates")
    parser.add_argument("--endless", type=int, default=2, help="answers that loop for ever")
    parser.add_argument("--leave-out", nargs="*", default=(), help="libraries not to use")
    parser.add_argument("--built-only", action="store_true", help="build no environment")
    parser.add_argument("--cache", type=Path, help="folder for what libdrift keeps of tasks")
    return parser.parse_args()


def main() -> int:
    given = parse_arguments()
    settings = config.load()
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    settings = replace(settings, data=given.data or settings.data or beside)
    every: Sequence[Task] = list(suites.load("gitchameleon", settings).tasks.values())
    if given.built_only:
        every = built(every, settings)
    tasks = chosen(every, given.environments, given.problems, given.leave_out)
    places = {}
    for environment in dict.fromkeys(task.environment for task in tasks):
        place = build(environment, settings)
        if not isinstance(place, Ready):
            sys.exit(f"{environment}: {place.reason}")
        places[environment] = place
    libraries = sorted({task.facts.library for task in tasks})
    print(f"{len(tasks)} problems in {len(places)} environments, {WORKERS} workers on each side")
    print(f"libraries: {', '.join(libraries)}; seed {given.seed}")
    # The first pass also brings every file into memory, for both sides.
    own = show_parts([parts(task, places[task.environment], settings) for task in tasks])
    scripts = [script_seconds(task, places[task.environment], settings) for task in tasks]
    own_visible = statistics.mean(scripts)
    many = [(c, Split.HIDDEN) for c in candidates(tasks, given.candidates, given.seed)]
    once = [(c, split) for c in candidates(tasks, 1, given.seed) for split in Split]
    loops = looping(tasks, given.endless, given.seed)
    with meter() as used, tempfile.TemporaryDirectory() as folder:
        ground, cache = Ground(settings, places, used), given.cache or Path(folder)
        title = f"{given.candidates} candidates a problem, hidden tests"
        differing = measure(title, many, ground, cache / "many", own)
        title = "one candidate a problem, hidden and visible tests"
        differing += measure(title, once, ground, cache / "once", (own + own_visible) / 2)
        if loops:
            differing += measure_endless(loops, ground, cache / "endless")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
