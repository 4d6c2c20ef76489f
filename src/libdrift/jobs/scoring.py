"""Answers are judged, and the run is summarised."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from libdrift import config, suites, temporary
from libdrift.config import Settings
from libdrift.errors import MissingDataError, UserError
from libdrift.jobs.listening import Listener
from libdrift.metrics.modes import Expected, Mode
from libdrift.records import Suite
from libdrift.scoring import (
    Numbers,
    Runner,
    RunOptions,
    Summary,
    judged_by_text,
    score_file,
)
from libdrift.scoring.expectations import has_outputs
from libdrift.scoring.pipeline import no_list
from libdrift.suites.selecting import RandomSample, drawn

STDIN = "-"  # in place of a file of answers


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    data: Path | None = None  # folder with published data, one sub-folder a suite
    verified: bool = False  # only tasks that an audit has verified
    audited: Path | None = None  # a list of verified tasks of one's own
    proven: bool = False  # only tests that prove a pass
    out: Path | None = None  # folder of the run; by default one below ./runs
    ks: tuple[int, ...] = ()  # pass@k and metrics on text at these numbers of samples
    mode: Mode = Mode.FIXED  # of metrics on text
    expected: Expected = Expected.MEASURED  # of scripts whose output is compared
    cutoff: date | None = None  # also tell what was released up to this date from what came after
    sample: RandomSample | None = None  # only tasks that are drawn at random
    running: RunOptions = field(default_factory=RunOptions)


def score(
    suite: str | Suite,
    answers: str | Path,
    options: ScoreOptions | None = None,
    listener: Listener | None = None,
) -> Summary:
    """Judge an answer file or folder (``-``: stdin): run programs, compare texts.

    The same call resumes where it stopped.
    """
    options, listener, path = options or ScoreOptions(), listener or Listener(), Path(answers)
    if str(answers) == STDIN or path.is_fifo():
        with _spooled(path) as spooled:
            return score(suite, spooled, options, listener)
    loaded, settings = _load(suite, options.data, path)
    if options.audited and judged_by_text(loaded):
        raise no_list(loaded)
    _refuse_unheeded(loaded, options)
    dated = any(task.facts.release_date for task in loaded.tasks.values())
    if options.cutoff and not dated:
        listener.note(f"--cutoff has no effect: the release dates of {loaded.name} are unknown")
    numbers = numbers_for(
        loaded,
        Numbers(
            ks=options.ks,
            mode=options.mode,
            cutoff=options.cutoff,
            only_verified=options.verified,
            only_proven=options.proven,
            expected=options.expected,
            only=_drawn(loaded, options.sample),
        ),
        options.audited,
    )
    runner = Runner(settings, options.running, listener)
    return score_file(loaded, path, options.out, numbers, runner)


@contextmanager
def _spooled(source: Path) -> Iterator[Path]:
    """What comes on stdin or by a pipe as a file: it is read more than once."""
    with temporary.folder() as folder, ExitStack() as opened:
        by_name = str(source) != STDIN
        stream = opened.enter_context(source.open("rb")) if by_name else sys.stdin.buffer
        path = folder / ("piped.jsonl" if by_name else "stdin.jsonl")
        with path.open("wb") as file:
            shutil.copyfileobj(stream, file)
        yield path


def _refuse_unheeded(suite: Suite, options: ScoreOptions) -> None:
    """An option that changes nothing is said to, before an hour of work."""
    if options.mode is not Mode.FIXED and not judged_by_text(suite):
        raise UserError(
            f"--mode {options.mode.value} is for text metrics, but answers to {suite.name} are run",
            "Leave out --mode",
        )
    if options.expected is not Expected.MEASURED and not has_outputs(suite):
        raise UserError(
            f"--expected {options.expected.value} is for tasks that compare output, and "
            f"{suite.name} has none",
            "Leave out --expected",
        )


def _drawn(suite: Suite, sample: RandomSample | None) -> frozenset[str] | None:
    if sample is None:
        return None
    return frozenset(task.id for task in drawn(list(suite.tasks.values()), sample))


def numbers_for(suite: Suite, asked: Numbers, audited: Path | None = None) -> Numbers:
    """What is asked for, with what the suite's benchmark measures and has verified."""
    from dataclasses import replace

    known = suites.benchmark_of(suite)
    return replace(
        asked,
        verified=verified_tasks(suite, audited),
        own=known.scores,
        own_measures=known.measures,
    )


def verified_tasks(suite: Suite, audited: Path | None = None) -> frozenset[str]:
    found = suites.verified(suite, audited)
    return frozenset(item.task_id for item in found.values() if item.verified)


def _load(suite: str | Suite, data: Path | None, answers: Path) -> tuple[Suite, Settings]:
    settings = config.load(data)
    if isinstance(suite, Suite):
        return suite, settings
    try:
        return suites.load(suite, settings), settings
    except MissingDataError as missing:
        if settings.data or not answers.parent.is_dir():
            raise
        # Published answers are often kept beside the data that they answer.
        settings = config.load(answers.parent)
        try:
            return suites.load(suite, settings), settings
        except MissingDataError:
            raise missing from None
