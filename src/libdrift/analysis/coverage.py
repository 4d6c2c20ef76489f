"""How much of a task's reference its hidden tests run, line by line: coverage.py, in the sandbox.

GitChameleon reports this number of its hidden tests (96.5 %). coverage.py is installed once per
Python version, in an environment of its own, and its files travel with each program: environments
of tasks stay as they are, and are not built a second time.
"""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from libdrift.environments import Failed, Ready, build_all
from libdrift.errors import InfrastructureError
from libdrift.execution import Job, Options, run_jobs
from libdrift.records import Environment, Outcome, Split, Task, TestStyle
from libdrift.sandbox import Judgement, Program

_TOOL = "coverage"
_MARK = "libdrift coverage: "
# Tests run in a process of their own: the one that programs share refuses to be traced.
_DRIVER = """\
import base64, io, json, os, subprocess, sys, tempfile, zipfile

folder = tempfile.mkdtemp()
tool = os.path.join(folder, "tool")
zipfile.ZipFile(io.BytesIO(base64.b64decode({tool!r}))).extractall(tool)
module, answer, tests = {module!r}, {answer!r}, {tests!r}
for name, text in ((module + ".py", answer), ("test_answer.py", tests)):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
environ = dict(os.environ, COVERAGE_FILE=os.path.join(folder, "data"))
environ["PYTHONPATH"] = folder + os.pathsep + tool
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
    asked = {task.id: task for task in tasks if _tests(task, split)}
    if not asked:
        return SuiteCoverage(suite, split, ())
    tools = _tools({task.environment.runtime for task in asked.values()}, options)
    jobs = {name: _job(task, split, tools) for name, task in asked.items()}
    found: dict[str, TaskCoverage] = {}
    with closing(run_jobs(list(jobs.values()), options)) as results:
        for job, judgement in results:
            task_id = job.key[0]
            found[task_id] = read(asked[task_id], judgement)
    return SuiteCoverage(suite, split, tuple(found[name] for name in asked if name in found))


def _tests(task: Task, split: Split) -> str:
    """The module of tests; empty for what cannot be measured."""
    tests = next((one for one in task.tests if one.split is split), None)
    if task.language != "python" or tests is None or not task.reference.strip():
        return ""
    return tests.code if tests.style is TestStyle.PYTEST else ""


def _job(task: Task, split: Split, tools: Mapping[str, str]) -> Job:
    script = _DRIVER.format(
        module=task.module,
        answer=task.reference,
        tests=_tests(task, split),
        tool=tools[task.environment.runtime],
        mark=_MARK,
    )
    program = Program(script, "pass\n", TestStyle.SCRIPT, "measuring", signals=True)
    return Job((task.id, "coverage", split.value), task.environment, program)


def _tools(runtimes: Iterable[str], options: Options) -> dict[str, str]:
    """The files of coverage.py for each Python version, as text."""
    places = [Environment("python", runtime, (_TOOL,)) for runtime in sorted(runtimes)]
    found = {}
    for place, built in build_all(places, options.settings, workers=options.workers).items():
        if isinstance(built, Failed):
            raise InfrastructureError(
                f"coverage.py cannot be installed for Python {place.runtime}: {built.reason}",
                "Choose tasks of other versions with --task, or try again later",
            )
        found[place.runtime] = _packed(built)
    return found


def _packed(place: Ready) -> str:
    """Its source alone: the compiled part is for one version, and a tracer in Python is there."""
    (package,) = (place.folder / "venv").glob(f"lib/python*/site-packages/{_TOOL}")
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(Path(package).glob("*.py")):
            archive.write(file, f"{_TOOL}/{file.name}")
    return base64.b64encode(held.getvalue()).decode()


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
