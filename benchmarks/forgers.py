"""Run the hostile corpus against many tests, many times; nothing may pass, or harm a neighbour.

Every program runs against our own small tasks and some of the starter suite's, in both styles of
tests, forked and fresh by turns, beside honest answers to the same tests. Prints each attack that
passed, how often, and what its verdicts say; then neighbours whose verdict changed, processes and
files left, and verdicts that are larger than anybody would want to keep. All must be 0.

    .venv/bin/python benchmarks/forgers.py --rounds 10
    .venv/bin/python benchmarks/forgers.py --rounds 10 --ordinary-user     (as root)
    .venv/bin/python benchmarks/forgers.py --only 'page_cache_*' --starter 0
"""

from __future__ import annotations

import argparse
import ctypes
import os
import pwd
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatch
from pathlib import Path

from libdrift import config, suites
from libdrift.execution import Job, Options, run_jobs
from libdrift.records import Environment, Outcome, Task
from libdrift.sandbox import Judgement, Limits, Program, choose
from libdrift.sandbox.conformance import strangers, traces
from libdrift.sandbox.hostile import Hostile, corpus, entry_of

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.sandbox.lenient_targets import LENIENT
from tests.sandbox.targets import TARGETS, Target

OWN = Environment("python", "3.11", ("pytest==8.3.5",), date(2026, 6, 1))
# Of the starter suite: numbers, arrays, tables, texts, expressions, templates, exceptions.
STARTER = (
    "numpy-area-under-curve",
    "jinja2-money-filter",
    "sympy-count-equal",
    "pandas-tally-column",
    "attrs-parse-size",
    "networkx-visit-order",
)
VERDICT_LIMIT = 4 * 1024 * 1024  # bytes of cases and log
BIND, PRIVATE, RECURSIVE, NEW_MOUNTS = 4096, 1 << 18, 16384, 0x20000


@dataclass(slots=True)
class Tally:
    """What became of the attacks, by their names, and what else went wrong."""

    runs: Counter[str] = field(default_factory=Counter)
    passed: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    troubles: list[str] = field(default_factory=list)

    def take(self, job: Job, judgement: Judgement) -> None:
        kind, name, where = job.key
        if kind == "honest":
            if judgement.outcome is not Outcome.PASSED:
                self.troubles.append(
                    f"beside {name}: {judgement.outcome.value}, {judgement.reason} ({where})"
                )
            return
        self.runs[name] += 1
        if judgement.outcome is Outcome.PASSED:
            self.passed[name].append(f"{where}, {proof(judgement)}")
            print(f"  {name} passed: {self.passed[name][-1]}", flush=True)
        elif judgement.outcome is Outcome.INFRASTRUCTURE:
            self.troubles.append(f"{name}: no verdict, {judgement.reason} ({where})")
        size = len(judgement.log) + len(judgement.reason)
        size += sum(len(case.name) for case in judgement.cases)
        if size > VERDICT_LIMIT:
            self.troubles.append(f"{name}: a verdict of {size:,} bytes ({where})")


def proof(judgement: Judgement) -> str:
    """How a pass is proven, as far as the verdict says."""
    names = ("decoys", "proof", "reason")
    said = {name: getattr(judgement, name) for name in names if hasattr(judgement, name)}
    return ", ".join(f"{name}: {value}" for name, value in said.items() if value != "")


def programs(patterns: list[str]) -> list[Hostile]:
    return [
        program
        for program in corpus()
        if not patterns or any(fnmatch(program.name, pattern) for pattern in patterns)
    ]


def starter_tasks(settings: config.Settings, count: int) -> list[Task]:
    suite = suites.load("starter", settings)
    return [suite.tasks[name] for name in STARTER[:count]]


def own_targets(settings: config.Settings, patterns: list[str]) -> list[tuple[Target, Environment]]:
    """Our own tests, each with the environment that it needs."""
    known = suites.load("starter", settings).tasks
    return [
        (target, known[target.task].environment if target.task else OWN)
        for target in (*TARGETS, *LENIENT)
        if not patterns or any(fnmatch(target.entry, pattern) for pattern in patterns)
    ]


def jobs(
    attacks: list[Hostile], targets: list[tuple[Target, Environment]], tasks: list[Task]
) -> list[Job]:
    """Each attack on each set of tests, and beside it an honest answer that is not plain."""
    found = []
    for attack in attacks:
        for target, environment in targets:
            for style, tests in target.tests.items():
                where = f"{target.entry} {style.value}"
                honest = Program(target.reference + "import os\n", tests, style)
                program = Program(attack.against(target.entry), tests, style)
                if target is targets[0][0]:
                    key = ("honest", attack.name, where)
                    found.append(Job(key, environment, honest, target.reference))
                key = ("hostile", attack.name, where)
                found.append(Job(key, environment, program, target.reference))
        for task in tasks:
            code = attack.against(entry_of(task))
            for split in task.tests:
                key = ("hostile", attack.name, f"{task.id} {split.split.value}")
                program = Program(code, split.code, split.style)
                found.append(Job(key, task.environment, program, task.reference))
    return found


def one_round(found: list[Job], options: Options, tally: Tally) -> None:
    before = traces()
    for job, judgement in run_jobs(found, options):
        way = "fresh" if options.fresh else "forked"
        kind, name, where = job.key
        tally.take(replace(job, key=(kind, name, f"{where} {way}")), judgement)
    tally.troubles += [f"left: {path}" for path in traces() - before]
    tally.troubles += [f"still runs: {process}" for process in strangers()]


def become_ordinary(settings: config.Settings) -> None:
    """Start anew as nobody in particular, with what a judge needs within reach.

    Environments are nobody's own, as an ordinary user's are: an owner may do more to files, even to
    those that are mounted read-only. Interpreters often lie below a home that only its owner may
    enter. So in mounts of our own that home is an empty folder, in which only they are.
    """
    libc = ctypes.CDLL(None, use_errno=True)

    def check(result: int) -> None:
        if result:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def mount(source: str, target: Path, kind: bytes | None, flags: int, data: bytes = b"") -> None:
        check(libc.mount(source.encode(), str(target).encode(), kind, flags, data))

    home = Path.home()
    needed = {Path(sys.prefix), Path(sys.base_prefix), *interpreters(), *settings.nltk_data}
    needed |= {Path(libdrift_source()), Path(sys.executable).resolve().parent.parent}
    below = sorted(path for path in needed if path.is_relative_to(home) and path.is_dir())
    check(libc.unshare(NEW_MOUNTS))
    mount("none", Path("/"), None, RECURSIVE | PRIVATE)
    held = {path: os.open(path, os.O_PATH) for path in below}
    mount("tmpfs", home, b"tmpfs", 0, b"mode=755")
    for path, descriptor in held.items():
        if not path.is_dir():
            path.mkdir(parents=True)
            mount(f"/proc/self/fd/{descriptor}", path, None, BIND | RECURSIVE)
        os.close(descriptor)
    user = pwd.getpwnam("nobody")
    cache = Path(tempfile.gettempdir()) / "libdrift-forgers"
    cache.mkdir(mode=0o755, exist_ok=True)
    os.chown(cache, user.pw_uid, user.pw_gid)
    os.setgroups([])
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
    # Anew: a process that was root a moment ago is not treated as anybody's own.
    os.environ |= {"LIBDRIFT_CACHE": str(cache), "UV_CACHE_DIR": str(cache / "uv")}
    os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606


def interpreters() -> set[Path]:
    from libdrift.environments.interpreters import discover

    return {interpreter.prefix for interpreter in discover()}


def libdrift_source() -> str:
    import libdrift

    return str(Path(libdrift.__file__).parent.parent)


def report(tally: Tally) -> int:
    for name, count in sorted(tally.runs.items()):
        wins = tally.passed[name]
        if wins:
            told = "; ".join(f"{times} x {line}" for line, times in sorted(Counter(wins).items()))
            print(f"PASSED {len(wins)} of {count}: {name}: {told}")
    for line, times in sorted(Counter(tally.troubles).items()):
        print(f"TROUBLE {times} x {line}")
    wins = sum(map(len, tally.passed.values()))
    attacks = sum(1 for one in tally.passed.values() if one)
    print(
        f"{len(tally.runs)} attacks, {sum(tally.runs.values())} verdicts: {wins} passed "
        f"(by {attacks} attacks), {len(tally.troubles)} other troubles"
    )
    return 1 if wins or tally.troubles else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2, help="forked and fresh by turns")
    parser.add_argument("--only", action="append", default=[], help="a pattern of attacks' names")
    parser.add_argument("--targets", action="append", default=[], help="a pattern of our own tests")
    parser.add_argument("--starter", type=int, default=len(STARTER), help="how many of its tasks")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=4, help="that an answer may take")
    parser.add_argument("--way", choices=("both", "forked", "fresh"), default="both")
    parser.add_argument("--ordinary-user", action="store_true", help="if root: as nobody")
    given = parser.parse_args()
    settings = config.load()
    if given.ordinary_user and os.geteuid() == 0:
        become_ordinary(settings)
    limits = Limits(wall_seconds=given.seconds, cpu_seconds=int(given.seconds) + 1)
    options = Options(settings, choose("bubblewrap", settings), limits, given.workers)
    targets = own_targets(settings, given.targets)
    found = jobs(programs(given.only), targets, starter_tasks(settings, given.starter))
    tally = Tally()
    for number in range(1, given.rounds + 1):
        fresh = given.way == "fresh" or (given.way == "both" and number % 2 == 0)
        started = time.monotonic()
        one_round(found, replace(options, fresh=fresh), tally)
        way = "fresh" if fresh else "forked"
        print(
            f"round {number} ({way}, user {os.geteuid()}): {len(found)} runs in "
            f"{time.monotonic() - started:.0f} s; passed so far "
            f"{sum(map(len, tally.passed.values()))}",
            flush=True,
        )
    return report(tally)


if __name__ == "__main__":
    sys.exit(main())
