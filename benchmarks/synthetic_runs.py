"""Runs of no model, as large as one likes: folders as `libdrift eval` leaves them."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from libdrift.execution import RunFolder
from libdrift.records import (
    Environment,
    Facts,
    Split,
    Suite,
    Task,
    TaskKind,
    Tests,
    TestStyle,
)
from libdrift.scoring.run_tasks import write_tasks
from libdrift.suites import task_files

SUITE = "synthetic"
_LIBRARIES = "numpy pandas scipy torch django flask sympy click attrs pillow".split()
_CATEGORIES = ("function name", "argument or attribute", "semantics or behaviour", "new feature")
_WORDS = "array frame index value result shape axis series model layer view path name".split()
_FIRST = date(2016, 1, 4)


@dataclass(frozen=True, slots=True)
class RunSize:
    tasks: int
    samples: int = 1
    answer: int = 1200  # characters, on average
    log: int = 800


def suite_of(count: int, seed: int = 0) -> Suite:
    """Tasks about releases of ten libraries over nine years."""
    chance = random.Random(seed)  # noqa: S311  (nothing is secret)
    return Suite(SUITE, "Synthetic tasks", "", {one.id: one for one in _tasks(count, chance)})


def _tasks(count: int, chance: random.Random) -> Iterator[Task]:
    for number in range(count):
        library = chance.choice(_LIBRARIES)
        version = f"{chance.randrange(1, 4)}.{chance.randrange(12)}.0"
        facts = Facts(
            library,
            version,
            release_date=_FIRST + timedelta(days=7 * chance.randrange(470)),
            symbol=f"{library}.{chance.choice(_WORDS)}_{number % 40}",
            category=chance.choice(_CATEGORIES),
            difficulty=chance.choice(("easy", "hard")),
        )
        yield Task(
            id=f"{library}-{number:06}",
            suite=SUITE,
            kind=TaskKind.GENERATE,
            language="python",
            environment=Environment("python", "3.11", (f"{library}=={version}",)),
            title=f"Task {number}",
            problem=f"Write solve(values) with {library} {version}: " + _prose(chance, 400),
            starter=f"import {library}\n\n\ndef solve(values):\n",
            reference=_program(chance, 500),
            tests=(Tests(Split.HIDDEN, TestStyle.SCRIPT, "solve([1])\n"),),
            facts=facts,
        )


def _prose(chance: random.Random, length: int) -> str:
    return " ".join(chance.choices(_WORDS, k=max(1, length // 6)))


def _program(chance: random.Random, length: int) -> str:
    lines = ["def solve(values):"]
    while sum(map(len, lines)) < length:
        first, second = chance.choices(_WORDS, k=2)
        lines.append(
            f"    {first}_{chance.randrange(10_000)} = {second}(values, {chance.random()})"
        )
    return "\n".join(lines)


def write_run(folder: Path, suite: Suite, size: RunSize, model: str, skill: float) -> None:
    """A run of `libdrift eval`: description, tasks, calls, answers, verdicts."""
    chance = random.Random(model)  # noqa: S311
    folder.mkdir(parents=True)
    run = RunFolder(folder)
    run.write_description(_description(suite, model))
    write_tasks(run, suite)
    with (
        (folder / "calls.jsonl").open("w") as calls,
        (folder / "answers.jsonl").open("w") as answers,
        (folder / "verdicts.jsonl").open("w") as verdicts,
    ):
        for task in suite.tasks.values():
            prompt = hashlib.sha256(task.id.encode()).hexdigest()[:32]
            messages = [{"role": "user", "content": f"{task.problem}\n\n{task.starter}"}]
            print(json.dumps({"prompt": prompt, "messages": messages}), file=calls)
            for sample in range(size.samples):
                place = {"task_id": task.id, "sample": sample}
                call = {**place, "prompt": prompt, **_usage(chance), "output": {"model": model}}
                print(json.dumps(call), file=calls)
                answer = _program(chance, chance.randrange(size.answer // 2, 3 * size.answer // 2))
                print(json.dumps({**place, "answer": answer}), file=answers)
                for split in ("hidden", "visible"):
                    verdict = _verdict(chance, task, skill, size.log)
                    print(json.dumps({**place, "split": split, **verdict}), file=verdicts)


def _description(suite: Suite, model: str) -> dict[str, Any]:
    return {
        "fingerprint": hashlib.sha256(model.encode()).hexdigest()[:12],
        "suite": suite.name,
        "model": model,
        "ways": {"strategy": "greedy"},
        "summary": {"tasks": len(suite.tasks), "scores": []},
        "provenance": {"libdrift": "0.1.0", "command": ["libdrift", "eval", suite.source]},
    }


def _usage(chance: random.Random) -> dict[str, Any]:
    spent = {"tokens_in": chance.randrange(200, 900), "tokens_out": chance.randrange(50, 700)}
    return {**spent, "cost": round(spent["tokens_out"] * 1e-5, 6)}


def _verdict(chance: random.Random, task: Task, skill: float, log: int) -> dict[str, Any]:
    """The later a release, the fewer answers are right."""
    released = task.facts.release_date or _FIRST
    years = (released - _FIRST).days / 365
    passed = chance.random() < skill - 0.05 * years
    outcome = "passed" if passed else chance.choice(("failed", "failed", "error", "timeout"))
    said = "" if passed else f"AttributeError: no {chance.choice(_WORDS)}_{chance.randrange(99)}"
    return {
        "outcome": outcome,
        "reason": said,
        "seconds": round(chance.random(), 3),
        "cases": [{"name": "test_solve", "outcome": outcome}],
        "log": f"{_prose(chance, log)}\n{said}" if said else "",
        "proof": "remote",
        "uses": passed,
    }


def write_suite(path: Path, suite: Suite) -> Suite:
    """The tasks as a file, and the suite that it holds."""
    task_files.write(path, suite.name, suite.title, suite.tasks.values(), {})
    return task_files.read(path)
