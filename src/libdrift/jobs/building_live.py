"""Proven tasks from releases, without a model."""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from libdrift import config
from libdrift.errors import LibdriftError, UserError
from libdrift.execution.runs import provenance
from libdrift.jobs.listening import Listener
from libdrift.jobs.live_surfaces import UnreadStep, surfaces_of
from libdrift.records import Task
from libdrift.scoring import Runner, RunOptions
from libdrift.suites import task_files

if TYPE_CHECKING:
    from libdrift.build.live.building import StepOutcome
    from libdrift.build.live.evidence import Workshop
    from libdrift.build.live.gates import GateKeeper
    from libdrift.build.live.ledger import StepLedger
    from libdrift.build.live.pairs import ReleaseStep
    from libdrift.build.live.records import LiveFamily
    from libdrift.languages.python.index import Listing

_USUAL = Path("live.jsonl")
_TOP = 20


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """Which releases tasks are made from, and where they go."""

    after: date  # a series of releases that began before it is left alone
    before: date | None = None
    packages: Sequence[str] = ()
    top: int | None = None  # so many of the packages that libdrift knows as popular
    families: Sequence[str] = ()  # by default all
    steps: int | None = None  # of one package, the newest
    months: int | None = None  # that one step spans; by default from minor series to series
    limit: int | None = None  # tasks of one package and family
    seed: int = 0  # decides which ones a limit takes
    since_last: bool = False  # only series that began after those of the run before
    name: str = "live"  # of the suite
    out: Path = _USUAL
    force: bool = False
    store: Path | None = None
    running: RunOptions = field(default_factory=RunOptions)


@dataclass(slots=True)
class LiveFile:
    """A file of proven tasks: how many there are of what, and which gates dropped others."""

    path: Path
    suite: str
    tasks: int = 0
    families: Counter[str] = field(default_factory=Counter)
    packages: Counter[str] = field(default_factory=Counter)
    drafts: Counter[str] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)  # drafts that the gates saw
    dropped: Counter[str] = field(default_factory=Counter)  # drafts, by family and gate
    left_out: Counter[str] = field(default_factory=Counter)  # what became no draft
    mutants: int = 0
    told_apart: int = 0
    steps: int = 0
    troubles: list[str] = field(default_factory=list)  # steps of which nothing could be made
    absent: list[str] = field(default_factory=list)  # packages that the index does not have
    untold: list[str] = field(default_factory=list)  # those that an earlier run came upon
    vanished: list[str] = field(default_factory=list)  # releases that the index has no more
    differing: list[str] = field(default_factory=list)  # tasks that a manifest has otherwise
    manifest: Path | None = None
    seconds: float = 0.0
    processor_seconds: float = 0.0  # of this process and of all that it waited for

    def to_json(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "suite": self.suite,
            "tasks": self.tasks,
            "families": dict(self.families),
            "packages": dict(self.packages),
            "drafts": dict(self.drafts),
            "tried": dict(self.tried),
            "dropped": dict(self.dropped.most_common()),
            "left_out": dict(self.left_out.most_common()),
            "mutants": self.mutants,
            "told_apart": self.told_apart,
            "steps": self.steps,
            "troubles": self.troubles,
            "vanished": self.vanished,
            "differing": self.differing,
            "manifest": str(self.manifest) if self.manifest else None,
            "seconds": round(self.seconds, 1),
            "processor_seconds": round(self.processor_seconds, 1),
        }


def build_live(options: LiveOptions, listener: Listener | None = None) -> LiveFile:
    """Tasks from the examples of releases after a date, each proven by running it in both."""
    from libdrift.build.live.ledger import StepLedger

    listener = listener or Listener()
    families = _families(options.families)
    packages = _packages(options)
    if options.before and options.before <= options.after:
        raise UserError(
            f"--before {options.before} is not later than --after {options.after}",
            "Choose a later --before, or leave it out",
        )
    _check_out(options)
    started, spent = time.monotonic(), processor_seconds()
    ledger = StepLedger(options.out, tuple(family.value for family in families))
    if options.force and options.out.exists() and not options.since_last:
        ledger.forget()
    ledger.read()
    result = LiveFile(options.out, options.name)
    plan = _plan(packages, options, ledger, result, listener)
    try:
        opened, counted = _opened(options, ledger), listener.counting("steps")
        with opened as (workshop, keeper), counted as advance:
            for outcome in _outcomes(plan, workshop, keeper, families, options):
                advance()
                if not outcome.transient:
                    ledger.add(outcome)
                listener.note(_line(outcome))
            wanted = {step.key for _, step in plan}
            known = ledger.known if options.since_last else _only(ledger.known, wanted)
            _count(known, {step.key for is_known, step in plan if not is_known}, result)
            tasks = _chosen(known, keeper, options, result)
    except KeyboardInterrupt:
        listener.note(
            f"{ledger.path} has {len(ledger.known)} finished steps: the same command continues"
        )
        raise
    _write(tasks, known, options, result)
    result.seconds = time.monotonic() - started
    result.processor_seconds = processor_seconds() - spent
    return result


def processor_seconds() -> float:
    """So far, of this process and its children that have ended: on a busy machine, they tell."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _count(
    known: Mapping[tuple[str, str, str], StepOutcome],
    fresh: set[tuple[str, str, str]],
    result: LiveFile,
) -> None:
    """What became of all drafts. The trouble of fresh steps was told when it came."""
    from libdrift.build.live.building import tried_of

    for key, outcome in known.items():
        result.drafts += outcome.drafts
        result.tried.update({name: tried_of(outcome, name) for name in outcome.drafts})
        result.dropped += outcome.dropped
        result.left_out += outcome.left_out
        result.mutants += outcome.mutants
        result.told_apart += outcome.told_apart
        if outcome.trouble:
            line = f"{outcome.step}: {outcome.trouble}"
            result.troubles.append(line)
            result.untold += [] if key in fresh else [line]
    result.steps = len(known)


def _chosen(
    known: Mapping[tuple[str, str, str], StepOutcome],
    keeper: GateKeeper,
    options: LiveOptions,
    result: LiveFile,
) -> list[Task]:
    """The tasks of the file, in its order."""
    from libdrift.build.live.building import family_of, limited

    found = [task for outcome in known.values() for task in outcome.tasks]
    found = sorted(limited(found, options.limit, options.seed), key=lambda task: task.id)
    kept = keeper.told_apart(found)
    lost = Counter(map(family_of, found)) - Counter(map(family_of, kept))
    result.dropped += Counter({f"{family}: shuffled": n for family, n in lost.items()})
    return kept


def _write(
    tasks: Sequence[Task],
    known: Mapping[tuple[str, str, str], StepOutcome],
    options: LiveOptions,
    result: LiveFile,
) -> None:
    from libdrift.build.live.building import family_of
    from libdrift.build.live.manifests import manifest
    from libdrift.suites.recipes.manifest import written

    if not tasks:
        steps = [line for line in result.troubles if line not in result.absent]
        lost = [f"{n} {why}" for why, n in (result.dropped + result.left_out).most_common(3)]
        reasons = "; ".join([*steps[:3], *lost])
        raise UserError(
            f"no task could be proven{f' ({reasons})' if reasons else ''}",
            "Choose other packages, or an earlier --after",
        )
    result.families.update(family_of(task) for task in tasks)
    result.packages.update(task.facts.library for task in tasks)
    title = f"Proven tasks of {len(result.packages)} packages after {options.after}"
    result.tasks = task_files.write(options.out, options.name, title, tasks, provenance())
    made = manifest(options.name, title, tasks, known.values())
    result.manifest = options.out.with_suffix(".manifest.json")
    result.manifest.write_bytes(written(made))


def _only(
    known: Mapping[tuple[str, str, str], StepOutcome], wanted: set[tuple[str, str, str]]
) -> dict[tuple[str, str, str], StepOutcome]:
    return {key: outcome for key, outcome in known.items() if key in wanted}


# --- what is looked at


def _families(names: Sequence[str]) -> tuple[LiveFamily, ...]:
    from libdrift.build.live.building import MAKERS

    known = [family.value for family in MAKERS]
    for name in names:
        if name not in known:
            raise UserError(f"no family {name!r}", f"Known: {', '.join(known)}")
    return tuple(family for family in MAKERS if not names or family.value in names)


def _packages(options: LiveOptions) -> list[str]:
    if options.packages and options.top:
        raise UserError("both packages and --top are given", "Name packages, or --top N")
    if options.packages:
        return sorted(dict.fromkeys(options.packages))
    file = resources.files("libdrift.build.live").joinpath("popular.txt")
    return file.read_text("utf-8").split()[: options.top or _TOP]


def _check_out(options: LiveOptions) -> None:
    path = options.out
    if path.suffix != task_files.ENDING:
        raise UserError(
            f"{path} does not end in {task_files.ENDING}", "Write it like --out a.jsonl"
        )
    if path.exists() and not (options.force or options.since_last):
        raise UserError(
            f"{path} already exists", "Choose another --out, or add --since-last or --force"
        )
    if options.since_last and not path.with_name(f"{path.name}.ledger").is_file():
        raise UserError(f"{path} was not built here before", "Leave out --since-last")


def _plan(
    packages: Sequence[str],
    options: LiveOptions,
    ledger: StepLedger,
    result: LiveFile,
    listener: Listener,
) -> list[tuple[bool, ReleaseStep]]:
    """Every step that is wanted, and whether it is known already."""
    from libdrift.build.live.pairs import ReleaseWindow, steps
    from libdrift.languages.python.index import PackageIndex

    index = PackageIndex.configured(os.environ)
    found: list[tuple[bool, ReleaseStep]] = []
    window = ReleaseWindow(options.after, options.before, options.steps, options.months)
    try:
        for package in packages:
            try:
                listed = index.releases(package)
            except UserError as error:
                if len(packages) == 1:
                    raise
                result.absent.append(f"{package}: {error}")
                listener.warn(str(error))
                continue
            result.vanished += _vanished(package, listed, ledger)
            last = ledger.newest(package) if options.since_last else None
            for step in steps(package, listed, window):
                is_known = step.key in ledger.known
                if last is None or step.date > last or is_known:
                    found.append((is_known, step))
    finally:
        index.close()
    result.troubles += result.absent
    for line in result.vanished:
        listener.warn(line)
    return found


def _vanished(package: str, listed: Sequence[Listing], ledger: StepLedger) -> list[str]:
    there = {one.release.version for one in listed}
    known = {v for name, old, new in ledger.known if name == package for v in (old, new)}
    return [f"{package} {version} is gone from the index" for version in sorted(known - there)]


# --- the work


@contextmanager
def _opened(options: LiveOptions, ledger: StepLedger) -> Iterator[tuple[Workshop, GateKeeper]]:
    from libdrift.build.live.gates import GateKeeper
    from libdrift.build.live.gates.likeness import KnownTasks
    from libdrift.execution import Silent

    settings = config.load()
    runner = Runner(settings, options.running).with_progress(Silent())
    known = KnownTasks.with_published(settings)
    for outcome in ledger.known.values():
        for task in outcome.tasks:
            known.add(task)
    yield workshop_with(runner.backend, settings), GateKeeper(runner, prompt_of, known)


def workshop_with(backend: Any, settings: config.Settings) -> Workshop:  # noqa: ANN401
    from libdrift.advisor.proving import rewriter
    from libdrift.build.live.evidence import Workshop

    return Workshop(settings, backend, rewriter)


def prompt_of(task: Task) -> str:
    """All that a model is sent of a task, by the usual strategy."""
    from libdrift import suites
    from libdrift.evals.options import EvalOptions
    from libdrift.evals.plain_prompts import plain
    from libdrift.records import Suite
    from libdrift.suites.benchmarks import Asking

    if task.gap is not None and not task.tests:
        shown = suites.prompt_for(Suite(task.suite, task.suite, ""), task, Asking())
        return f"{shown.system}\n{shown.user}\n{shown.text}"
    asked = plain(task, EvalOptions())
    return f"{asked.system}\n{asked.user}"


def _outcomes(
    plan: Sequence[tuple[bool, ReleaseStep]],
    workshop: Workshop,
    keeper: GateKeeper,
    families: tuple[LiveFamily, ...],
    options: LiveOptions,
) -> Iterator[StepOutcome]:
    from libdrift.build.live.building import StepOutcome, WantedTasks, built

    wanted = WantedTasks(families, options.limit, options.seed)
    missing: defaultdict[str, list[ReleaseStep]] = defaultdict(list)
    for is_known, step in plan:
        if not is_known:
            missing[step.package].append(step)
    for package, steps in missing.items():
        pairs = surfaces_of(package, steps, options.store, options.running.workers)
        for step in steps:
            pair = pairs[step.key]
            if isinstance(pair, UnreadStep):
                yield StepOutcome(step, trouble=pair.reason, transient=pair.transient)
                continue
            try:
                yield built(step, pair, workshop, keeper, wanted)
            except LibdriftError as error:
                yield StepOutcome(step, trouble=str(error), transient=True)


def _line(outcome: StepOutcome) -> str:
    from libdrift.build.live.building import family_of, tried_of

    if outcome.trouble:
        return f"{outcome.step}: {outcome.trouble.splitlines()[0][:200]}"
    kept = Counter(family_of(task) for task in outcome.tasks)
    parts = [f"{name} {count} of {tried_of(outcome, name)}" for name, count in kept.items()]
    total = sum(tried_of(outcome, name) for name in outcome.drafts)
    over = sum(outcome.drafts.values()) - total
    told = f": {', '.join(parts)}" if parts else ""
    beyond = f"; {over:,} over the limit" if over else ""
    spent = f"{outcome.seconds:.0f} s"
    return f"{outcome.step}: {len(outcome.tasks)} of {total} drafts hold{told}{beyond}; {spent}"
