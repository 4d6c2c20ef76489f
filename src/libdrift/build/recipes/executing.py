"""Programs of recipes and gates, run in the sandbox; what the machine is to blame for is told."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from libdrift.build.recipes.steps import MachineTrouble
from libdrift.execution import Job, Options, run_jobs
from libdrift.execution.outputs import Observed, ScriptRun, observe
from libdrift.records import Environment, Outcome, Task, Tests
from libdrift.sandbox import Judgement
from libdrift.scoring.verdicts import program_for


@dataclass(frozen=True, slots=True)
class SandboxExecutor:
    """Runs with a run's own options: environments, sandbox and time limits."""

    options: Options

    def observe(self, runs: tuple[ScriptRun, ...]) -> Mapping[ScriptRun, Observed]:
        found = observe(runs, self.options)
        for run, seen in found.items():
            # A script that takes too long is the script's fault; one that never ran is not.
            if seen.absent:
                raise MachineTrouble(f"no environment for {run.environment}: {seen.trouble}")
        return found

    def judge(
        self, jobs: tuple[Job, ...], *, fresh: bool = False
    ) -> Mapping[tuple[str, ...], Judgement]:
        options = replace(self.options, fresh=True) if fresh else self.options
        with closing(run_jobs(jobs, options)) as results:
            found = {job.key: judgement for job, judgement in results}
        for judgement in found.values():
            if judgement.outcome is Outcome.INFRASTRUCTURE:
                raise MachineTrouble(judgement.reason)
        return found


def job_of(
    key: tuple[str, ...],
    task: Task,
    tests: Tests,
    code: str,
    environment: Environment | None = None,
) -> Job:
    """A program that a task's tests judge: in the task's own environment, or in another."""
    place = environment or task.environment
    reference = task.reference if place == task.environment else ""
    return Job(key, place, program_for(task, tests, code), reference)


def passed(judgement: Judgement | None) -> bool:
    return judgement is not None and judgement.outcome is Outcome.PASSED


def told(judgement: Judgement) -> str:
    """Why a program did not pass, for the model that wrote it: the reason and its log's end."""
    log = judgement.log.strip()[-1500:]
    why = judgement.reason or judgement.outcome.value
    return f"{why}\n{log}" if log and log not in why else why


def told_of_run(seen: Observed) -> str:
    """The same of a script."""
    log = seen.ended.stderr.strip()[-1500:]
    return f"{seen.why_not}\n{log}" if log else seen.why_not
