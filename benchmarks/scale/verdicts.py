"""Verdicts of the cluster beside those of this machine, with kills and without."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.scale.cluster import Bench
from libdrift import config, suites
from libdrift.environments import recipe_for
from libdrift.errors import MissingDataError
from libdrift.execution.engines.distributed import DistributedEngine
from libdrift.jobs.scoring import ScoreOptions, score
from libdrift.records import Suite, Task
from libdrift.scoring import running

# What answers and their libraries print of the time, and of where things are in memory.
CLOCK = re.compile(r"\d\d:\d\d:\d\d(?:[.,]\d+)?|\b\d+\.\d+ ?m?s\b|0x[0-9a-f]+")


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


def timed(
    bench: Bench, suite: Suite, path: Path, out: Path, engine: DistributedEngine | None = None
) -> None:
    before, started = bench.used(), time.monotonic()
    with judged_by(engine):
        score(suite, path, ScoreOptions(out=out))
    spent, wall = bench.used() - before, time.monotonic() - started
    count = len(verdicts(out))
    how = "ray" if engine else "local"
    print(f"  {how}: {count} verdicts in {wall:.0f} s, {spent / count * 1e3:.0f} ms CPU each")


def same_verdicts(bench: Bench) -> None:
    for suite, path in given(bench):
        local, far = bench.scratch / f"{path.stem}-local", bench.scratch / f"{path.stem}-ray"
        timed(bench, suite, path, local)
        timed(bench, suite, path, far, bench.engine())
        compare(bench, local, far, suite.name)
        # Warm by now: what each task's tests prove is known, as in all but the first run.
        timed(bench, suite, path, bench.scratch / f"{path.stem}-again")


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def killed(bench: Bench) -> None:
    suite, path = given(bench)[0]
    local = bench.scratch / "s-local"
    if not local.is_dir():
        timed(bench, suite, path, local)
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
        timed(bench, suite, path, out, bench.engine())
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
