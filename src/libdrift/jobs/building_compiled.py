"""Proven tasks from releases of Rust, of crates and of the JDK, without a model."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from libdrift import config
from libdrift.build.live.compiled_ledger import PackageLedger, PackageTasks
from libdrift.errors import LibdriftError, UserError
from libdrift.execution.runs import provenance
from libdrift.jobs.compiled_steps import (
    JAVA,
    MORE,
    RUST,
    CompiledOptions,
    CompiledPlan,
    CompiledStep,
)
from libdrift.jobs.listening import Listener
from libdrift.records import Task
from libdrift.scoring import Runner
from libdrift.suites import task_files

if TYPE_CHECKING:
    from libdrift.execution import Options

__all__ = ["OVER", "CompiledFile", "CompiledOptions", "build_compiled"]

LANGUAGES = (RUST, JAVA)
OVER = "over the limit"  # in the place of a gate: drafts that nobody wanted any more
_ROUNDS = 3  # of proving, where there is a limit: of what seldom holds, not all is tried


@dataclass(slots=True)
class CompiledFile:
    """A file of proven tasks: how many there are of what, and why others are none."""

    path: Path
    suite: str
    tasks: int = 0
    families: Counter[str] = field(default_factory=Counter)
    packages: Counter[str] = field(default_factory=Counter)
    drafts: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)  # drafts, by gate
    left_out: Counter[str] = field(default_factory=Counter)  # what became no draft
    troubles: list[str] = field(default_factory=list)  # packages that could not be looked at
    vanished: list[str] = field(default_factory=list)  # releases that the index has no more
    manifest: Path | None = None
    hash: str = ""  # of all tasks: the same releases give the same one
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "suite": self.suite,
            "tasks": self.tasks,
            "families": dict(self.families),
            "packages": dict(self.packages),
            "drafts": dict(self.drafts),
            "dropped": dict(self.dropped.most_common()),
            "left_out": dict(self.left_out.most_common()),
            "troubles": self.troubles,
            "vanished": self.vanished,
            "manifest": str(self.manifest) if self.manifest else None,
            "hash": self.hash,
            "seconds": round(self.seconds, 1),
        }


def build_compiled(options: CompiledOptions, listener: Listener | None = None) -> CompiledFile:
    """Tasks from releases after a date, each proven by compiling and running it in both."""
    listener = listener or Listener()
    if options.language not in LANGUAGES:
        known = ", ".join(("python", *LANGUAGES))  # python has a job of its own
        raise UserError(f"no language {options.language!r}", f"Known: {known}")
    path = options.out or Path(f"live-{options.language}{task_files.ENDING}")
    _check(path, options)
    started = time.monotonic()
    result = CompiledFile(path, options.name or f"live-{options.language}")
    ledger = PackageLedger(path, f"{sorted(options.families)} {options.limit} {options.seed}")
    if options.since_last and not ledger.rows:
        raise UserError(
            f"{path} was not built here before, or with other options", "Leave out --since-last"
        )
    if options.force and path.exists() and not options.since_last:
        ledger.forget()
    with Runner(config.load(), options.running, listener).open() as run_options:
        plan = CompiledPlan(
            options, run_options, ledger, listener, result.troubles, result.vanished
        )
        rows = {row.step: row for row in ledger.rows} if options.since_last else {}
        for step in plan.steps():
            try:
                row = ledger.get(step.name) or _proven(step, options, run_options, ledger)
            except LibdriftError as error:
                result.troubles.append(f"{step.name}: {error}")
                listener.warn(f"{step.name}: {error}")
                continue
            listener.note(_line(row))
            rows[row.step] = row
        found = list(rows.values())
        tasks = _told_apart(found, result, run_options)
    _write(found, tasks, options, result)
    result.seconds = time.monotonic() - started
    return result


def _told_apart(rows: Sequence[PackageTasks], result: CompiledFile, options: Options) -> list[Task]:
    """The tasks of the file, in its order."""
    from libdrift.build.live.compiled import ANOTHERS, told_apart
    from libdrift.build.live.compiled_proofs import trials

    found = _named([task for row in rows for task in row.tasks], result.suite)
    found.sort(key=lambda task: task.id)
    kept = told_apart(found, trials, options)
    if len(kept) < len(found):
        result.dropped[ANOTHERS] += len(found) - len(kept)
    return kept


def _write(
    found: Sequence[PackageTasks],
    tasks: Sequence[Task],
    options: CompiledOptions,
    result: CompiledFile,
) -> None:
    from libdrift.build.live.compiled import content_hash, origin
    from libdrift.build.live.compiled_manifests import manifest_of_rows
    from libdrift.suites.recipes.manifest import written

    for row in found:
        result.drafts.update(row.drafts)
        result.dropped.update(row.dropped)
        result.left_out.update(row.left_out)
    if not tasks:
        reasons = [*result.troubles[:3], *(f"{n} {why}" for why, n in result.dropped.items())]
        raise UserError(
            "no task could be proven" + (f" ({'; '.join(reasons[:4])})" if reasons else ""),
            "Choose other packages, or an earlier --after",
        )
    result.families.update(str(origin(task)["family"]) for task in tasks)
    result.packages.update(task.facts.library for task in tasks)
    result.hash = content_hash(tasks)
    title = f"Proven tasks of {options.language} after {options.after}"
    result.tasks = task_files.write(result.path, result.suite, title, tasks, provenance())
    kept = {task.id for task in tasks}
    whole = [
        msgspec.structs.replace(row, tasks=tuple(one for one in row.tasks if one.id in kept))
        for row in found
    ]
    made = manifest_of_rows(result.suite, title, options.language, whole)
    result.manifest = result.path.with_suffix(".manifest.json")
    result.manifest.write_bytes(written(made))


def _line(row: PackageTasks) -> str:
    over = sum(row.dropped.get(f"{family}: {OVER}", 0) for family in row.drafts)
    beyond = f"; {over:,} over the limit" if over else ""
    tried = sum(row.drafts.values()) - over
    return f"{row.step}: {len(row.tasks)} of {tried} drafts hold{beyond}"


def _check(path: Path, options: CompiledOptions) -> None:
    if path.suffix != task_files.ENDING:
        raise UserError(
            f"{path} does not end in {task_files.ENDING}", "Write it like --out a.jsonl"
        )
    if path.exists() and not (options.force or options.since_last):
        raise UserError(
            f"{path} already exists", "Choose another --out, or add --since-last or --force"
        )


def _named(tasks: Sequence[Task], suite: str) -> list[Task]:
    return [replace(task, suite=suite) for task in tasks]


def _proven(
    step: CompiledStep, options: CompiledOptions, run_options: Options, ledger: PackageLedger
) -> PackageTasks:
    """The drafts that hold; of each family as many as are wanted, which the seed decides on."""
    from libdrift.build.live.compiled import MACHINE, origin, prove
    from libdrift.build.live.compiled_proofs import trials

    left_out: Counter[str] = Counter()
    drafts = step.drafts(left_out)
    dropped: Counter[str] = Counter()
    kept: list[Task] = []
    families = Counter(str(origin(task)["family"]) for task in drafts)
    for family in families:
        mine = [task for task in drafts if origin(task)["family"] == family]
        mine.sort(key=lambda task: task.id)
        Random(f"{options.seed} {family}").shuffle(mine)  # noqa: S311
        held: list[Task] = []
        size = options.limit + MORE if options.limit else max(1, len(mine))
        for at in range(0, len(mine), size):
            if options.limit and (len(held) >= options.limit or at >= _ROUNDS * size):
                dropped[f"{family}: {OVER}"] += len(mine) - at
                break
            found = prove(mine[at : at + size], trials, run_options)
            held += found.tasks
            for gate, count in found.dropped.items():
                dropped[f"{family}: {gate}"] += count
        if options.limit and len(held) > options.limit:
            dropped[f"{family}: {OVER}"] += len(held) - options.limit
        kept += held[: options.limit]
    row = PackageTasks(
        step.name, ledger.wanted, tuple(kept), dict(families), dict(dropped), dict(left_out),
        step.most,
    )  # fmt: skip
    if not any(MACHINE in gate for gate in dropped):  # else it is worth another try
        ledger.add(row)
    return row
