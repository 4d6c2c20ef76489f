"""What asking costs beside the model: `libdrift eval` with a model that answers at once.

The tasks are made up (a line is masked in a few lines of code); twenty samples are asked of each,
judged by their text as they come, and kept. Measured are processor seconds of the whole command,
in a fresh process, less those of the same command with one task: what is left is per generation.
The baseline is Inspect as one would use it first: an epoch a sample, on fewer items, in a fresh
process too. Peak memory is taken at half and at all of the items: it must not grow with them. At
last a run is killed, twice, and gone on with: its scores must be those of the run that was not.

    .venv/bin/python benchmarks/eval_overhead.py [--items 2000] [--samples 20]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MOST = 8.0  # milliseconds of processor time a generation
FLAT = 1.1  # the most memory that twice the items may take, by that of the fewer
BASELINE_ITEMS = 50
MODEL = """
def reply(messages, task_id, sample):
    number = int(task_id.removeprefix("item-"))
    right = f"value_{number} = shapes.area_{number}(width=2, height={number})"
    return f"<start>{right}<end>" if (number + sample) % 3 else "<start>pass<end>"
"""
BASELINE = """
import sys, runpy
from inspect_ai import Epochs, Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import match
from inspect_ai.solver import generate
count, samples, logs = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
from inspect_ai.model import ModelAPI, ModelUsage, modelapi

@modelapi(name="instant")
class Instant(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        output = ModelOutput.from_content("instant", "value = shapes.area(width=2)")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

data = [Sample(id=str(n), input="complete this code " * 40, target="value") for n in range(count)]
task = Task(dataset=data, solver=generate(), scorer=match(), epochs=Epochs(samples, "mean"))
eval(task, model="instant/x", display="none", log_dir=logs)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--samples", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder), options.items, options.samples)
    print(json.dumps(found, indent=2))
    good = found["ms_per_generation"] < MOST and found["flat"] and found["resumed_same"]
    return 0 if good else 1


def measured(folder: Path, items: int, samples: int) -> dict[str, Any]:
    (folder / "model.py").write_text(MODEL, encoding="utf-8")
    (folder / "baseline.py").write_text(BASELINE, encoding="utf-8")
    for count in (1, items // 2, items):
        write_tasks(folder / f"tasks-{count}.jsonl", count)
    one = libdrift(folder, 1, samples, "one")
    half = libdrift(folder, items // 2, samples, "half")
    whole = libdrift(folder, items, samples, "whole")
    argv = [sys.executable, str(folder / "baseline.py")]
    logs = str(folder / "baseline")
    base_one = run([*argv, "1", str(samples), logs])
    base = run([*argv, str(BASELINE_ITEMS), str(samples), logs])
    ours = 1000 * (whole["cpu"] - one["cpu"]) / ((items - 1) * samples)
    theirs = 1000 * (base["cpu"] - base_one["cpu"]) / ((BASELINE_ITEMS - 1) * samples)
    killed = killed_and_resumed(folder, items, samples)
    return {
        "items": items,
        "samples": samples,
        "ms_per_generation": round(ours, 3),
        "baseline_ms_per_generation": round(theirs, 3),
        "ratio": round(theirs / ours, 1),
        "peak_mb": {"half": round(half["mb"]), "whole": round(whole["mb"])},
        "flat": whole["mb"] <= FLAT * half["mb"],
        "kills": killed["kills"],
        "asked_again": killed["calls"] - items,
        "resumed_same": killed["scores"] == scores(folder / "run-whole"),
    }


def write_tasks(path: Path, count: int) -> None:
    from libdrift.records import Environment, Facts, Gap, Task, TaskKind
    from libdrift.suites import task_files

    def task(number: int) -> Task:
        line = f"value_{number} = shapes.area_{number}(width=2, height={number})"
        before = "".join(f"step_{n} = shapes.step({n}, {number})\n" for n in range(8))
        return Task(
            id=f"item-{number}",
            suite="overhead",
            kind=TaskKind.COMPLETE,
            language="python",
            environment=Environment("python", "", ("shapes==2.0",)),
            title="",
            problem="Compute an area.",
            starter=f"import shapes\n{before}<line_mask>\nprint(value_{number})\n",
            reference=line,
            tests=(),
            facts=Facts("shapes", "2.0", granularity="line"),
            gap=Gap(f"area_{number}", line, "<line_mask>"),
        )

    task_files.write(path, "overhead", "Made up", (task(n) for n in range(count)), {})


def command(folder: Path, items: int, samples: int, name: str) -> list[str]:
    return [
        str(Path(sys.executable).with_name("libdrift")),
        "eval",
        str(folder / f"tasks-{items}.jsonl"),
        "--model",
        f"scripted/{folder / 'model.py'}",
        "--strategy",
        "sample",
        "--samples",
        str(samples),
        "--out",
        str(folder / f"run-{name}"),
        "--json",
    ]


def libdrift(folder: Path, items: int, samples: int, name: str) -> dict[str, float]:
    return run(command(folder, items, samples, name))


def run(argv: list[str]) -> dict[str, float]:
    """Processor seconds and peak memory of a command, its children's included."""
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{argv[0]} ended with {status}")
    return {"cpu": used.ru_utime + used.ru_stime, "mb": used.ru_maxrss / 1024}


def killed_and_resumed(folder: Path, items: int, samples: int) -> dict[str, Any]:
    """A run that is killed when a third, and when two thirds of its answers are there."""
    argv = command(folder, items, samples, "killed")
    answers = folder / "run-killed" / "answers.jsonl"
    kills = 0
    for share in (1, 2):
        process = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            lines = answers.read_bytes().count(b"\n") if answers.exists() else 0
            if lines >= share * items * samples // 3:
                process.send_signal(signal.SIGKILL)
                kills += 1
                break
            time.sleep(0.2)
        process.wait()
    run(argv)
    content = json.loads((folder / "run-killed" / "run.json").read_text(encoding="utf-8"))
    return {
        "kills": kills,
        "scores": scores(folder / "run-killed"),
        "calls": content["summary"]["usage"]["calls"],
    }


def scores(folder: Path) -> dict[str, Any]:
    """Every number of a run, and every task's own."""
    summary = json.loads((folder / "run.json").read_text(encoding="utf-8"))["summary"]
    lines = sorted((folder / "scores.jsonl").read_bytes().splitlines())
    return {"scores": summary["scores"], "tasks": len(lines), "lines": hash(tuple(lines))}


if __name__ == "__main__":
    sys.exit(main())
