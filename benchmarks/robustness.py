"""Verdicts must not depend on kills, nor on what else the machine does.

``kills``: the starter suite is scored again and again, each time killed with SIGKILL at a random
moment and started anew until it is done; every final result must equal the undisturbed one, and
no process may be left. ``load``: verdicts of the starter suite and of problems of GitChameleon,
with nothing beside them and with 8 busy processes beside them, must be the same.

    .venv/bin/python benchmarks/robustness.py kills --runs 20
    .venv/bin/python benchmarks/robustness.py load [--data DIR] [--problems 60]
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from libdrift import config, suites
from libdrift.config import Settings
from libdrift.records import Suite, Task
from libdrift.sandbox.processes import descendants

BUSY = 8
# Busy as long as whoever started it is there.
LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100000))\n"
LIBDRIFT = [sys.executable, "-m", "libdrift"]
Result = dict[tuple[str, int, str], tuple[str, list[tuple[str, str]]]]


def write_answers(tasks: list[Task], path: Path) -> None:
    """To each task a right answer, and one that is wrong: for another version, or unfinished."""
    rows = []
    for task in tasks:
        wrong = task.wrong.code if task.wrong else task.starter
        rows += [(task.id, f"{task.reference}\n# right\n"), (task.id, wrong)]
    lines = [json.dumps({"task_id": task_id, "answer": code}) for task_id, code in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def command(suite: str, answers: Path, out: Path, data: Path | None) -> list[str]:
    found = [*LIBDRIFT, "score", suite, str(answers), "--out", str(out), "--json"]
    return [*found, "--data", str(data)] if data else found


def results(out: Path) -> Result:
    """What counts of a run: each verdict's outcome and its cases."""
    found: Result = {}
    for line in (out / "verdicts.jsonl").read_text(encoding="utf-8").splitlines():
        verdict = json.loads(line)
        cases = [(case["name"], case["outcome"]) for case in verdict["cases"]]
        key = (verdict["task_id"], verdict["sample"], verdict["split"])
        found[key] = (verdict["outcome"], cases)
    return found


def score(arguments: list[str]) -> dict[str, object]:
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"libdrift ended with {done.returncode}: {done.stderr[-2000:]}")
    summary = json.loads(done.stdout)
    return {"outcomes": summary["outcomes_by_split"], "scores": summary["scores"]}


def lasting(pids: list[int]) -> int:
    """How many of these processes still live ten seconds from now; the dead may lie unreaped."""

    def lives(pid: int) -> bool:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        except OSError:
            return False
        return stat.rpartition(")")[2].split()[0] != "Z"

    deadline = time.monotonic() + 10
    while any(map(lives, pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return sum(map(lives, pids))


def kills(settings: Settings, runs: int, seed: int) -> int:
    dice = random.Random(seed)  # noqa: S311  (moments, not secrets)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder, "answers.jsonl")
        write_answers(list(suites.load("starter", settings).tasks.values()), answers)
        started = time.monotonic()
        undisturbed = score(command("starter", answers, Path(folder, "undisturbed"), None))
        expected = results(Path(folder, "undisturbed"))
        seconds = time.monotonic() - started
        print(
            f"undisturbed: {len(expected)} verdicts in {seconds:.1f} s, {undisturbed['outcomes']}"
        )
        for number in range(1, runs + 1):
            out = Path(folder, f"run-{number}")
            arguments = command("starter", answers, out, None)
            moment = dice.uniform(0.0, seconds)
            process = subprocess.Popen(
                arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(moment)
            below = descendants(process.pid)
            process.send_signal(signal.SIGKILL)
            process.wait()
            kept = len(results(out)) if (out / "verdicts.jsonl").exists() else 0
            left = lasting(below)
            summary = score(arguments)
            same = results(out) == expected and summary == undisturbed
            bad += not same or bool(left)
            print(
                f"run {number}: killed after {moment:.1f} s with {kept} verdicts; "
                f"{'equal' if same else 'DIFFERENT'}, {left} processes left"
            )
    print(f"{runs} runs, {bad} that differ or leave something")
    return 1 if bad else 0


def load(settings: Settings, problems: int) -> int:
    plans: list[tuple[Suite, list[Task], Path | None]] = []
    starter = suites.load("starter", settings)
    plans.append((starter, list(starter.tasks.values()), None))
    published = suites.load("gitchameleon", settings)
    light = [task for task in published.tasks.values() if "torch" not in str(task.environment)]
    step = max(1, len(light) // problems)
    plans.append((published, light[::step][:problems], settings.data))
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for suite, tasks, data in plans:
            answers = Path(folder, f"{suite.name}.jsonl")
            write_answers(tasks, answers)
            found, times = [], []
            for busy in (0, BUSY):
                out = Path(folder, f"{suite.name}-{busy}")
                loops = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(busy)]
                started = time.monotonic()
                try:
                    score(command(suite.name, answers, out, data))
                finally:
                    for loop in loops:
                        loop.kill()
                        loop.wait()
                times.append(time.monotonic() - started)
                found.append(results(out))
            differing = [key for key in found[0] if found[0][key] != found[1].get(key)]
            bad += len(differing)
            print(
                f"{suite.name}: {len(tasks)} tasks, {len(found[0])} verdicts; "
                f"{times[0]:.0f} s idle, {times[1]:.0f} s with {BUSY} busy processes beside; "
                f"{len(differing)} differ {differing[:5] if differing else ''}"
            )
    return 1 if bad else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("kills", "load"))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--problems", type=int, default=60)
    parser.add_argument("--data", type=Path, help="folder with published data")
    given = parser.parse_args()
    settings = config.load()
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    settings = replace(settings, data=given.data or settings.data or beside)
    if given.what == "kills":
        return kills(settings, given.runs, given.seed)
    return load(settings, given.problems)


if __name__ == "__main__":
    sys.exit(main())
