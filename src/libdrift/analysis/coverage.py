"""How much of a task's reference its hidden tests run, line by line: coverage.py, in the sandbox.

GitChameleon reports this number of its hidden tests (96.5 %). An environment of its own is built
for it, which is the task's and has coverage.py besides: the task's own stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any

from libdrift.execution import Job, Options, run_jobs
from libdrift.records import Environment, Outcome, Split, Task, TestStyle
from libdrift.sandbox import Judgement, Program

_TOOL = "coverage"
_MARK = "libdrift coverage: "
# Tests run in a process of their own: the one that programs share refuses to be traced.
_DRIVER = """\
import json, os, subprocess, sys, tempfile

folder = tempfile.mkdtemp()
module, answer, tests = {module!r}, {answer!r}, {tests!r}
for name, text in ((module + ".py", answer), ("test_answer.py", tests)):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
environ = dict(os.environ, COVERAGE_FILE=os.path.join(folder, "data"), PYTHONPATH=folder)
python = [sys.executable, "-m", "coverage"]
asked = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_answer.py"]
ran = subprocess.run(
    python + ["run", "--include", os.path.join(folder, module + ".py")] + asked,
    cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
)
told = subprocess.run(
    python + ["json", "-q", "-o", "told.json"],
    cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
)
found = {{"code": ran.returncode, "said": ran.stdout.decode("utf-8", "replace")[-500:]}}
if told.returncode == 0:
    with open(os.path.join(folder, "told.json")) as file:
        (one,) = json.load(file)["files"].values()
    found["ran"], found["missing"] = one["executed_lines"], one["missing_lines"]
else:
    found["said"] = found["said"] + told.stdout.decode("utf-8", "replace")[-500:]
print({mark!r} + json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class TaskCoverage:
    """Of one task: lines of its reference that its tests run, and those that they do not."""

    task_id: str
    library: str
    lines: int | None = None  # None: it could not be measured
    covered: int | None = None
    missing: tuple[int, ...] = ()
    reason: str = ""  # why it could not

    @property
    def share(self) -> float | None:
        return self.covered / self.lines if self.lines and self.covered is not None else None


@dataclass(frozen=True, slots=True)
class SuiteCoverage:
    suite: str
    split: Split
    tasks: tuple[TaskCoverage, ...]

    @property
    def lines(self) -> float | None:
        """Over all lines of all tasks: what the paper reports."""
        known = [task for task in self.tasks if task.lines]
        total = sum(task.lines or 0 for task in known)
        return sum(task.covered or 0 for task in known) / total if total else None

    @property
    def mean(self) -> float | None:
        """The mean over tasks."""
        shares = [share for task in self.tasks if (share := task.share) is not None]
        return fmean(shares) if shares else None

    def to_json(self) -> dict[str, Any]:
        return {
            "suite": self.suite,
            "split": self.split.value,
            "coverage": self.lines,
            "mean": self.mean,
            "measured": sum(task.share is not None for task in self.tasks),
            "tasks": [{**asdict(task), "share": task.share} for task in self.tasks],
        }


def coverage(
    suite: str, tasks: Iterable[Task], options: Options, split: Split = Split.HIDDEN
) -> SuiteCoverage:
    """Run each task's reference with its tests, traced; every Python task with such tests."""
    jobs: dict[str, Job] = {}
    asked: dict[str, Task] = {}
    for task in tasks:
        job = _job(task, split)
        if job is not None:
            jobs[task.id], asked[task.id] = job, task
    found: dict[str, TaskCoverage] = {}
    if not jobs:
        return SuiteCoverage(suite, split, ())
    with closing(run_jobs(list(jobs.values()), options)) as results:
        for job, judgement in results:
            task_id = job.key[0]
            found[task_id] = read(asked[task_id], judgement)
    return SuiteCoverage(suite, split, tuple(found[name] for name in asked if name in found))


def _job(task: Task, split: Split) -> Job | None:
    tests = next((one for one in task.tests if one.split is split), None)
    if task.language != "python" or tests is None or not task.reference.strip():
        return None
    if tests.style is not TestStyle.PYTEST:
        return None
    script = _DRIVER.format(module=task.module, answer=task.reference, tests=tests.code, mark=_MARK)
    program = Program(script, "pass\n", TestStyle.SCRIPT, "measuring", signals=True)
    return Job((task.id, "coverage", split.value), _with_tool(task.environment), program)


def _with_tool(place: Environment) -> Environment:
    return replace(place, requirements=(*place.requirements, _TOOL))


def read(task: Task, judgement: Judgement) -> TaskCoverage:
    """What the driver printed."""
    none = TaskCoverage(task.id, task.facts.library)
    line = next(
        (one for one in judgement.log.splitlines() if one.startswith(_MARK)),
        None,
    )
    if line is None:
        why = judgement.reason or "the tests did not end"
        if judgement.outcome is Outcome.INFRASTRUCTURE:
            why = f"not measured: {why}"
        return replace(none, reason=why[:300])
    told = json.loads(line.removeprefix(_MARK))
    if "ran" not in told or told["code"] != 0:
        return replace(none, reason=f"its tests fail: {told['said'][-200:].strip()}")
    ran, missing = told["ran"], told["missing"]
    return replace(none, lines=len(ran) + len(missing), covered=len(ran), missing=tuple(missing))
