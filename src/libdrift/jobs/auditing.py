"""The tasks of a suite are proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from libdrift import config, suites
from libdrift.errors import UserError
from libdrift.execution import Options
from libdrift.jobs.listening import Listener
from libdrift.records import LeftOutTask, Split, Suite, Task
from libdrift.scoring import AuditResult, Runner, RunOptions
from libdrift.suites import audited


@dataclass(frozen=True, slots=True)
class AuditOptions:
    tasks: Sequence[str] = ()  # by default all
    data: Path | None = None
    write: Path | None = None  # where to keep the results, as a list of verified tasks
    running: RunOptions = field(default_factory=RunOptions)


@dataclass(frozen=True, slots=True)
class Audit:
    """What was proven of which tasks."""

    suite: str
    results: tuple[AuditResult, ...]
    left_out: tuple[LeftOutTask, ...] = ()  # that could not be used, of all that were asked for

    @property
    def verified(self) -> int:
        return sum(result.verified for result in self.results)

    @property
    def unproven(self) -> bool:
        """Whether the machine failed, so that some tasks are neither verified nor refuted."""
        return bool(self.trouble)

    @property
    def trouble(self) -> list[str]:
        """What kept tasks from being proven or refuted."""
        return [one.reason for one in self.results if one.reason.startswith("not proven:")]

    def to_json(self) -> dict[str, Any]:
        return {
            "suite": self.suite,
            "tasks": len(self.results),
            "verified": self.verified,
            "tasks_left_out": [asdict(one) for one in self.left_out],
            "tasks_left_out_count": len(self.left_out),
            "results": [_row(result) for result in self.results],
        }


def audit(
    suite: str | Suite, options: AuditOptions | None = None, listener: Listener | None = None
) -> Audit:
    """Prove each task by its benchmark's own rules, or those for tests and references."""
    options = options or AuditOptions()
    settings = config.load(options.data)
    loaded = suite if isinstance(suite, Suite) else suites.load(suite, settings)
    refuse_texts(loaded)
    chosen = suites.select(loaded, list(options.tasks))
    write = options.write
    # Now, not after an hour of work.
    if write and (write.is_dir() or not write.absolute().parent.is_dir()):
        raise UserError(f"cannot write {write}", "Give a file in an existing folder")
    runner = Runner(settings, options.running, listener or Listener())
    others = [task.wrong.environment for task in chosen if task.wrong]
    runner.announce([*(task.environment for task in chosen), *others])
    with runner.open() as run_options:
        results = _audit(loaded, chosen, run_options)
    if write:
        audited.write(write, loaded, results)
    left_out = () if options.tasks else loaded.left_out
    return Audit(loaded.name, tuple(results), left_out)


def _audit(suite: Suite, chosen: Sequence[Task], run_options: Options) -> list[AuditResult]:
    """By the suite's own rules; what was built from releases goes through all its gates again."""
    from libdrift.build.live import auditing as gates
    from libdrift.build.live.compiled_proofs import audit_compiled, is_compiled

    if is_compiled(chosen):
        return audit_compiled(chosen, run_options)
    if gates.is_live(chosen):
        from libdrift.jobs.building_live import prompt_of

        return gates.audit(chosen, run_options, prompt_of)
    return suites.benchmark_of(suite).audit(chosen, run_options)


def refuse_texts(suite: Suite) -> None:
    """What is judged by its text has nothing that could be run."""
    if not suite.environments:
        raise UserError(
            f"{suite.name} has no tests to run: it is judged by its text",
            f"`libdrift score {suite.argument} ANSWERS` compares answers",
        )


def _row(result: AuditResult) -> dict[str, Any]:
    splits = {item.split: item for item in result.splits}
    row: dict[str, Any] = {
        "task_id": result.task_id,
        "verified": result.verified,
        "reason": result.reason,
    }
    for split in Split:
        item = splits.get(split)
        row[split.value] = item and {"outcome": item.outcome.value, "reason": item.reason}
    return row
