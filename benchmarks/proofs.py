"""How the tests of suites can judge: which share remotely, and why the others cannot.

Every reference is judged on every split of its tests. Prints how many pass, how a pass is proven,
and, of tests that do not judge remotely, why. What is proven already is taken from the cache.

    .venv/bin/python benchmarks/proofs.py [--data DIR] [--suite gitchameleon] [--suite starter]
        [--names] [--built-only] [--sample TASKS]
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from libdrift import config, suites
from libdrift.config import Settings
from libdrift.environments import entries, recipe_for
from libdrift.execution import Job, Options, run_jobs
from libdrift.execution.proofs import Proofs
from libdrift.execution.proving import Proven
from libdrift.records import Outcome, Task
from libdrift.sandbox import choose
from libdrift.scoring.verdicts import program_for


def tasks(name: str, settings: Settings, *, built_only: bool, sample: int) -> list[Task]:
    """A suite's tasks: all, or those whose environment is there, or as many drawn of them."""
    found = list(suites.load(name, settings).tasks.values())
    if built_only:
        there = {entry.key for entry in entries(settings) if entry.status == "ready"}
        found = [task for task in found if recipe_for(task.environment).key in there]
    if sample:
        found = random.Random(0).sample(found, min(sample, len(found)))  # noqa: S311
    return found


def jobs(wanted: list[Task]) -> list[Job]:
    """Each reference on each split of its tests."""
    return [
        Job(
            (task.id, "0", tests.split.value),
            task.environment,
            program_for(task, tests, task.reference),
            task.reference,
        )
        for task in wanted
        for tests in task.tests
    ]


def reason(proven: Proven) -> str:
    """Why tests do not judge remotely, without what is each task's own."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "…", proven.why_not)
    return re.sub(r"\d+", "n", text)[:90]


def show(name: str, wanted: list[Job], settings: Settings, workers: int, *, names: bool) -> None:
    started = time.monotonic()
    options = Options(settings, choose("bubblewrap", settings), workers=workers)
    passed: Counter[str] = Counter()
    proofs: Counter[str] = Counter()
    why: defaultdict[str, list[str]] = defaultdict(list)
    remote = tried = 0
    for job, judgement in run_jobs(wanted, options):
        label = f"{job.key[0]} {job.key[2]}"
        passed[job.key[2]] += judgement.outcome is Outcome.PASSED
        proofs[str(judgement.proof).partition("(")[0]] += 1
        if judgement.outcome is not Outcome.PASSED:
            print(f"  {label}: {judgement.outcome.value}, {judgement.reason[:150]}", flush=True)
        # As it was kept: of tests that judge nothing steadily, nothing is.
        proven = Proofs(settings.proofs).known(job)
        if proven is None:
            why["not kept: unsteady, or no verdict"].append(label)
        elif proven.remote:
            remote += 1
            tried += bool(proven.decoys)
            if not proven.tells:
                why["remote, but liars pass: " + ", ".join(proven.fooled_by)].append(label)
        else:
            why[reason(proven)].append(label)
    splits = Counter(job.key[2] for job in wanted)
    print(f"{name}: {len(wanted)} splits in {time.monotonic() - started:.0f} s")
    for split, count in splits.items():
        print(f"  references that pass, {split}: {passed[split]} of {count}")
    print(f"  judged remotely: {remote} ({remote / len(wanted):.1%}), {tried} of them with decoys")
    for proof, count in proofs.most_common():
        print(f"  proof {proof}: {count} ({count / len(wanted):.1%})")
    for text, labels in sorted(why.items(), key=lambda item: -len(item[1])):
        print(f"    {len(labels):4} {text}" + (f": {', '.join(labels)}" if names else ""))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with published data")
    parser.add_argument("--suite", action="append", help="which; both unless told")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--names", action="store_true", help="of tasks, behind each reason")
    parser.add_argument("--built-only", action="store_true", help="build no environment")
    parser.add_argument(
        "--sample", type=int, default=0, help="how many tasks to draw; all unless told"
    )
    given = parser.parse_args()
    settings = config.load(given.data)
    for name in given.suite or ("starter", "gitchameleon"):
        found = tasks(name, settings, built_only=given.built_only, sample=given.sample)
        show(name, jobs(found), settings, given.workers, names=given.names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
