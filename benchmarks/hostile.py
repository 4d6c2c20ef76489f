"""Soak the sandbox: the whole hostile corpus beside honest answers, several times over.

Every hostile program runs against both styles of tests, with an honest answer to the same tests
before it in the queue, so that attack and neighbour run side by side. Prints, per round: attacks
that passed, neighbours whose verdict changed, processes and files left. All must be 0.

    .venv/bin/python benchmarks/hostile.py --rounds 3
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from datetime import date
from pathlib import Path

from libdrift import config
from libdrift.execution import Job, Options, run_jobs
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox import Limits, Program, choose
from libdrift.sandbox.conformance import strangers
from libdrift.sandbox.hostile import corpus

HONEST = "def total(values):\n    return sum(values)\n"
NEIGHBOUR = "def total(values):\n    return sum(list(values))\n"
TESTS = {
    TestStyle.PYTEST: (
        "import math\n\nfrom answer import total\n\n\n"
        "def test_small():\n    assert total([1, 2]) == 3\n\n\n"
        "def test_float():\n    assert math.isclose(total([2.5, 1]), 3.5)\n"
    ),
    TestStyle.SCRIPT: "assert total([1, 2]) == 3\nassert total([]) == 0\n",
}
PLACE = Environment("python", "3.11", ("pytest==8.3.5",), date(2026, 6, 1))


def jobs() -> list[Job]:
    found = []
    for hostile in corpus():
        for style, tests in TESTS.items():
            attack = Program(hostile.against("total"), tests, style)
            honest = Program(NEIGHBOUR, tests, style)
            found.append(Job(("honest", hostile.name), PLACE, honest, HONEST))
            found.append(Job(("hostile", hostile.name), PLACE, attack, HONEST))
    return found


def files() -> set[Path]:
    folders = (Path(tempfile.gettempdir()), Path("/dev/shm"), Path.cwd(), Path.home())  # noqa: S108
    return {path for folder in folders if folder.is_dir() for path in folder.iterdir()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    settings = config.load()
    limits = Limits(wall_seconds=10, cpu_seconds=10)
    options = Options(settings, choose("bubblewrap", settings), limits)
    bad = 0
    for number in range(1, rounds + 1):
        # Forked first, then fresh, and so on.
        options = replace(options, fresh=number % 2 == 0)
        before, started = files(), time.monotonic()
        passed, changed, count = [], [], 0
        for job, judgement in run_jobs(jobs(), options):
            count += 1
            if job.key[0] == "hostile" and judgement.outcome is Outcome.PASSED:
                passed.append(job.key[1])
            if job.key[0] == "honest" and judgement.outcome is not Outcome.PASSED:
                changed.append((job.key[1], judgement.outcome.value, judgement.reason))
        left = sorted(map(str, files() - before))
        print(
            f"round {number} ({'fresh' if options.fresh else 'forked'}): {count} runs in "
            f"{time.monotonic() - started:.0f} s; "
            f"hostile passed {len(passed)}, neighbours changed {len(changed)}, "
            f"processes left {len(strangers())}, files left {len(left)}"
        )
        for item in (*passed, *changed, *left):
            print(f"  {item}")
        bad += len(passed) + len(changed) + len(strangers()) + len(left)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
