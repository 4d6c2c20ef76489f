"""One pipeline for programs and texts: answers are read, judged into a folder, and summarised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

from libdrift.errors import UserError
from libdrift.execution import Options, RunFolder
from libdrift.metrics.modes import Expected, Mode
from libdrift.records import Attempt, LeftOut, Score, Suite, Verdict
from libdrift.scoring import descriptions, programs, text_runs
from libdrift.scoring.answer_files import AnswerFile
from libdrift.scoring.answers import Answers, read_answers
from libdrift.scoring.expectations import expecting, has_outputs
from libdrift.scoring.hits import hit_rates
from libdrift.scoring.measures import AnswerMeasures, write_measures
from libdrift.scoring.rates import scores
from libdrift.scoring.run_tasks import write_tasks
from libdrift.scoring.running import RunListener, Runner
from libdrift.scoring.summary import Summary, summarise, summarise_texts
from libdrift.scoring.text_scores import AtK
from libdrift.scoring.verdicts import proven, score_attempts
from libdrift.showing import counted, relative

_TOLD = 20  # answers left out that are said one by one, of those that are judged by their text
_USUAL = 5


@dataclass(frozen=True, slots=True)
class Numbers:
    """Which numbers are made of verdicts, beyond those that every run has."""

    ks: tuple[int, ...] = ()  # pass@k, and metrics on text; empty: what is usual for the answers
    mode: Mode = Mode.FIXED  # of metrics on text
    cutoff: date | None = None  # also what was released up to this date, and after
    verified: AbstractSet[str] = field(default_factory=frozenset)  # tasks that an audit proved
    only_verified: bool = False
    only_proven: bool = False  # only verdicts of tests that prove a pass
    expected: Expected = Expected.MEASURED  # of scripts whose output is compared
    own: tuple[OwnScores, ...] = ()  # what the benchmark's own paper measures beside tests
    own_measures: tuple[OwnMeasures, ...] = ()  # the same of single answers
    only: AbstractSet[str] | None = None  # tasks of a sample: answers to others are passed over

    @property
    def at(self) -> AtK:
        return AtK(self.ks or (1,), self.mode)


OwnScores = Callable[[Suite, Sequence[Attempt], Sequence[Verdict], Numbers], list[Score]]
OwnMeasures = Callable[[Suite, Sequence[Attempt], Sequence[Verdict]], Iterable[AnswerMeasures]]


def judged_by_text(suite: Suite) -> bool:
    return any(task.gap is not None for task in suite.tasks.values())


def score_file(
    suite: Suite, path: Path, out: Path | None, numbers: Numbers, runner: Runner
) -> Summary:
    """Judge an answer file or folder into its run's folder; the same call goes on from there."""
    if judged_by_text(suite):
        if numbers.only_verified:
            raise no_list(suite)
        if numbers.only_proven:
            raise _no_proofs(suite)
        return _score_texts(suite, path, out, numbers, runner)
    answers = _usable(suite, path, numbers, runner.listener)
    answered = {attempt.task_id for attempt in answers.attempts}
    runner.announce(suite.tasks[name].environment for name in answered)
    judged = expecting(suite, numbers.expected, runner, answered)
    numbers = replace(numbers, ks=numbers.ks or usual_ks(answers))
    with runner.open() as options:
        identity = descriptions.fingerprint(judged, answers.attempts, options)
        folder = descriptions.folder_of(suite, path, identity, out)
        details = descriptions.program_details(options)
        if has_outputs(judged):
            details["expected"] = numbers.expected.value
        description = descriptions.described(suite, path, answers.sha256, identity, details)
        summary = conclude(judged, answers, folder, description, numbers, options, runner.listener)
    folder.write_description({**description, "summary": summary.to_json()})
    return summary


def conclude_file(
    suite: Suite,
    path: Path,
    folder: RunFolder,
    description: dict[str, Any],
    numbers: Numbers,
    runner: Runner,
) -> Summary:
    """Judge what of an answer file the folder has not judged yet, and summarise all of it."""
    if judged_by_text(suite):
        answers = AnswerFile(path, suite)
        return _conclude_texts(suite, answers, folder, description, numbers, runner)
    with runner.open() as options:
        given = read_answers(path, suite)
        return conclude(suite, given, folder, description, numbers, options, runner.listener)


def conclude(
    suite: Suite,
    answers: Answers,
    folder: RunFolder,
    description: dict[str, Any],
    numbers: Numbers,
    options: Options,
    listener: RunListener,
) -> Summary:
    """The same of programs: those without a verdict in the folder are run."""
    every = score_attempts(suite, answers.attempts, folder, description, options)
    write_tasks(folder, suite, numbers.verified, numbers.cutoff)
    verdicts = proven(every) if numbers.only_proven else every
    if len(verdicts) < len(every):
        listener.note(
            f"left out: {counted(len(every) - len(verdicts), 'verdict')} of tests that cannot "
            "prove a pass"
        )
    hits = hit_rates(suite, answers.attempts)
    single = [
        one
        for measure in numbers.own_measures
        for one in measure(suite, answers.attempts, verdicts)
    ]
    write_measures(folder, [*hits.measures, *single])
    results = [
        *scores(suite, verdicts, numbers.verified, numbers.ks, numbers.cutoff),
        *hits.scores,
    ]
    for measure in numbers.own:
        results += measure(suite, answers.attempts, verdicts, numbers)
    where = relative(folder.path)
    return summarise(where, suite, answers, verdicts, results, hits.without_truth)


def _score_texts(
    suite: Suite, path: Path, out: Path | None, numbers: Numbers, runner: Runner
) -> Summary:
    answers = AnswerFile(path, suite, numbers.only)
    if numbers.only is not None:
        kept = {name: task for name, task in suite.tasks.items() if name in numbers.only}
        suite = replace(suite, tasks=MappingProxyType(kept))
    at = numbers.at
    identity = descriptions.text_fingerprint(suite, answers, at)
    folder = descriptions.folder_of(suite, path, identity, out)
    details = {"mode": at.mode.value, "k": list(at.ks)}
    description = descriptions.described(suite, path, answers.sha256, identity, details)
    summary = _conclude_texts(suite, answers, folder, description, numbers, runner)
    folder.write_description({**description, "summary": summary.to_json()})
    return summary


def _conclude_texts(
    suite: Suite,
    answers: AnswerFile,
    folder: RunFolder,
    description: dict[str, Any],
    numbers: Numbers,
    runner: Runner,
) -> Summary:
    """Compare texts; what also has tests is run as well, in the same folder."""
    with runner.listener.counting("tasks") as advance:
        run = text_runs.judge(
            suite, answers, folder, description, numbers.at, numbers.cutoff, advance
        )
    _tell(run.left_out, run.left_out_count, runner.listener)
    attempts = programs.attempts(suite, answers) if suite.environments else []
    verdicts: list[Verdict] = []
    if attempts:
        runner.announce(suite.tasks[attempt.task_id].environment for attempt in attempts)
        with runner.open() as options:
            verdicts = score_attempts(suite, attempts, folder, description, options)
    write_tasks(folder, suite, numbers.verified, numbers.cutoff)
    run.scores = (*run.scores, *scores(suite, verdicts, ks=numbers.ks, cutoff=numbers.cutoff))
    return summarise_texts(relative(folder.path), suite, run, verdicts)


def usual_ks(answers: Answers) -> tuple[int, ...]:
    """1, 5 and the number of samples a task, where there are several."""
    counts = Counter(attempt.task_id for attempt in answers.attempts)
    most = max(counts.values(), default=1)
    if most == 1:
        return ()
    return tuple(sorted({1, most, *([_USUAL] if most > _USUAL else [])}))


def no_list(suite: Suite) -> UserError:
    return UserError(
        f"no task of {suite.name} is known to be verified",
        "Leave out --verified; or make a list with `libdrift audit … --write FILE`, where tasks "
        "have tests, and add --audited FILE",
    )


def _no_proofs(suite: Suite) -> UserError:
    return UserError(
        f"answers to {suite.name} are judged by text and have no proofs",
        "Leave out --proven",
    )


def _usable(suite: Suite, path: Path, numbers: Numbers, listener: RunListener) -> Answers:
    """The answers of a file or folder, or those to verified tasks; what is left out is said."""
    answers = read_answers(path, suite)
    for item in answers.left_out:
        listener.warn(f"{item.where} left out: {item.message}")
    if numbers.only is not None:
        answers = replace(answers.only(numbers.only), set_aside=())
        if not answers.attempts:
            raise UserError(
                f"{path} has no answer to a task of the sample", "Draw a larger one with --sample"
            )
    if not numbers.only_verified:
        return answers
    if not numbers.verified:
        raise no_list(suite)
    restricted = answers.only(numbers.verified)
    if not restricted.attempts:
        raise UserError(
            f"{path} has no answer to a verified task of {suite.name}", "Leave out --verified"
        )
    return restricted


def _tell(left_out: Sequence[LeftOut], count: int, listener: RunListener) -> None:
    for item in left_out[:_TOLD]:
        listener.warn(f"{item.where} left out: {item.message}")
    if count > _TOLD:
        listener.warn(f"… and {counted(count - _TOLD, 'more answer')} left out")
