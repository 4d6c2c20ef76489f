"""Two releases of a small package on disk, and an executor that runs programs beside them.

What is run is really run, in this process and without a sandbox: only programs that are written in
these tests.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from libdrift.build.recipes.gates import Gate, refused, usual_gates
from libdrift.build.recipes.places import ReleasePlaces
from libdrift.build.recipes.steps import (
    JudgeRequest,
    MadeTasks,
    ModelRequest,
    RejectedProduct,
    ScriptRequest,
    Steps,
)
from libdrift.execution import Job, labels
from libdrift.execution.outputs import Observed, ScriptRun, same_output
from libdrift.execution.substitution import Unfit, put
from libdrift.records import Environment, Outcome, Release, Surface, Task, TestStyle
from libdrift.sandbox import Judgement
from libdrift.sandbox.commands import Ended

OLD = '''
def ring(radius):
    """Give the length of a closed curve.

    .. deprecated:: 1.0
       Use :func:`pkg.circle` instead.

    >>> import pkg
    >>> print(pkg.ring(2))
    """
    return 6 * radius


def disc(radius):
    """Give the area inside of a closed curve."""
    return 3 * radius * radius


def square(side):
    """Give the area between four equal sides.

    >>> import pkg
    >>> area = pkg.square(3)
    >>> print(area)
    """
    return side * side
'''
NEW = (
    OLD.replace("def disc", "def area_of")
    .replace("ring", "circle")
    .replace(".. deprecated:: 1.0\n       Use :func:`pkg.circle` instead.", "")
    + '''

def cube(side):
    """Give the room between six equal squares."""
    return side ** 3
'''
)
BEFORE = Environment("python", "3.11", ("pkg==1.0",))
AFTER = Environment("python", "3.11", ("pkg==2.0",))


def places() -> ReleasePlaces:
    return ReleasePlaces(
        Release("pypi", "pkg", "1.0"), Release("pypi", "pkg", "2.0"), BEFORE, AFTER
    )


def surfaces() -> list[Surface]:
    from libdrift.languages.python.static import of_sources

    return [
        of_sources({"pkg/__init__.py": text}, version, "pkg")
        for version, text in (("1.0", OLD), ("2.0", NEW))
    ]


class LocalExecutor:
    """Runs scripts with one of the two releases on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = 0
        for version, text in (("1.0", OLD), ("2.0", NEW)):
            place = folder / version / "pkg"
            place.mkdir(parents=True, exist_ok=True)
            (place / "__init__.py").write_text(text, encoding="utf-8")

    def run(self, environment: Environment, script: str) -> Ended:
        self.runs += 1
        version = environment.requirements[0].partition("==")[2]
        place = str(self.folder / version)
        out, error, status = io.StringIO(), "", 0
        importlib.invalidate_caches()
        sys.path.insert(0, place)
        try:
            with contextlib.redirect_stdout(out):
                exec(compile(script, "script", "exec"), {"__name__": "__main__"})
        except Exception:  # noqa: BLE001  (whatever the program raises)
            error, status = traceback.format_exc(), 1
        finally:
            sys.path.remove(place)
            sys.modules.pop("pkg", None)
        return Ended(status, out.getvalue(), error, 0.1)

    def observe(self, runs: tuple[ScriptRun, ...]) -> Mapping[ScriptRun, Observed]:
        return {run: Observed(self.run(run.environment, run.script)) for run in runs}

    def judge(
        self, jobs: tuple[Job, ...], *, fresh: bool = False
    ) -> Mapping[tuple[str, ...], Judgement]:
        del fresh
        return {job.key: self._judged(job) for job in jobs}

    def _judged(self, job: Job) -> Judgement:
        program = job.program
        if program.style is TestStyle.LABELS:
            question = labels.of_tests(program.tests)
            assert question is not None
            right = labels.compare(program.answer, question).right
            return Judgement(Outcome.PASSED if right else Outcome.FAILED, "", 0.0)
        if program.style is TestStyle.OUTPUT:
            try:
                ended = self.run(job.environment, put(program.answer, program.tests))
            except Unfit as error:
                return Judgement(Outcome.ERROR, str(error), 0.0)
            same = ended.status == 0 and same_output(ended.stdout, program.expected or "")
            return Judgement(Outcome.PASSED if same else Outcome.FAILED, ended.stderr[-200:], 0.0)
        ended = self.run(job.environment, f"{program.answer}\n{program.tests}")
        outcome = Outcome.PASSED if ended.status == 0 else Outcome.FAILED
        return Judgement(outcome, ended.stderr.strip()[-200:], 0.0)


def driven(
    steps: Steps, replies: Mapping[str, list[str]], executor: Any
) -> tuple[MadeTasks | RejectedProduct, list[ModelRequest]]:
    """A recipe's steps to their end, with prepared replies by stage; what was asked."""
    left = {stage: list(texts) for stage, texts in replies.items()}
    asked: list[ModelRequest] = []
    sent: Any = None
    while True:
        try:
            wanted = steps.send(sent)
        except StopIteration as end:
            return end.value, asked
        match wanted:
            case ModelRequest(stage):
                asked.append(wanted)
                texts = left[stage]
                sent = texts.pop(0) if len(texts) > 1 else texts[0]
            case ScriptRequest(_, runs):
                sent = executor.observe(runs)
            case JudgeRequest(_, jobs):
                sent = executor.judge(jobs)


def made(result: MadeTasks | RejectedProduct) -> tuple[Task, ...]:
    assert isinstance(result, MadeTasks), result
    return result.tasks


def objections(task: Task, executor: Any) -> tuple[str, str] | None:
    gates: list[Gate] = usual_gates(executor)
    return refused(task, gates)
