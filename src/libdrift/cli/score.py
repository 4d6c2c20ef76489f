from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli.expectations import Expected, ExpectedOption, expecting, has_outputs
from libdrift.cli.score_table import print_programs
from libdrift.metrics.modes import Mode

if TYPE_CHECKING:
    from libdrift.analysis.text_scores import AtK
    from libdrift.config import Settings
    from libdrift.errors import UserError
    from libdrift.execution import Answers, Options, RunFolder
    from libdrift.records import Score, Suite, Verdict
    from libdrift.reports import Summary


def score(
    suite: common.SuiteArgument,
    answers: Annotated[
        Path,
        typer.Argument(
            help='JSON lines: {"task_id": …, "answer": …}, n per task; or a folder of programs.'
        ),
    ],
    data: common.DataOption = None,
    verified: Annotated[
        bool, typer.Option("--verified", help="Only tasks that an audit has verified.")
    ] = False,
    audited: common.AuditedOption = None,
    proven: Annotated[
        bool, typer.Option("--proven", help="Only tests that prove a pass (docs/verdicts.md).")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run; by default one below ./runs.")
    ] = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    floor: common.FloorOption = common.DEFAULT_FLOOR,
    factor: common.FactorOption = common.DEFAULT_FACTOR,
    fresh: common.FreshOption = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 unless every line was used and passed.")
    ] = False,
    mode: Annotated[
        Mode,
        typer.Option(help="Of metrics on text: fixed, or released (the authors' own numbers)."),
    ] = Mode.FIXED,
    k: Annotated[
        str | None,
        typer.Option(
            "--k",
            help="pass@k and metrics on text at these numbers of samples: 1,3,10; by default 1, "
            "and of programs also 5 and as many as there are.",
        ),
    ] = None,
    expected: ExpectedOption = Expected.MEASURED,
    cutoff: common.CutoffOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Judge answers: run them in their exact environments, sandboxed, or compare their text.

    Tasks with tests are run; completions and migrations without are judged by metrics on their
    text (EM, ISM, PM, CDC, F1). The same command goes on where it was stopped.
    """
    loaded, found = _load(suite, data, answers)

    def run_options() -> AbstractContextManager[Options]:
        return common.options(found, sandbox, workers, floor=floor, factor=factor, fresh=fresh)

    asked = numbers_of_samples("1" if k is None else k, mode)
    texts = judged_by_text(loaded)
    if texts:
        from libdrift.cli.text_score import print_texts, score_texts

        if verified or audited:
            raise _no_list(loaded)
        if proven:
            raise _no_proofs(loaded)
        summary = score_texts(loaded, answers, out, asked, run_options)
    else:
        listed = verified_tasks(loaded, audited)
        given = usable(loaded, answers, listed if verified else None)
        answered = {attempt.task_id for attempt in given.attempts}
        judged = expecting(loaded, expected, run_options, answered)
        ks = asked.ks if k else usual_ks(given)
        breaking = Breaking(ks, cutoff and dated(loaded, cutoff), expected.value, listed, proven)
        with run_options() as options:
            summary = score_answers(judged, answers, given, out, options, breaking)
    if as_json:
        common.print_json(summary.to_json())
    elif texts:
        print_texts(summary, mode)
    else:
        print_programs(summary)
    leave(summary, strict=strict)


def judged_by_text(suite: Suite) -> bool:
    return any(task.gap is not None for task in suite.tasks.values())


def leave(summary: Summary, *, strict: bool) -> None:
    """End with another code where the machine failed, or where all had to be right."""
    from libdrift.records import Outcome

    if summary.count(Outcome.INFRASTRUCTURE):
        raise typer.Exit(3)
    counted = sum(sum(counts.values()) for counts in summary.outcomes.values())
    if strict and (summary.count(Outcome.PASSED) < counted or summary.left_out):
        raise typer.Exit(1)


def _load(name: str, data: Path | None, answers: Path) -> tuple[Suite, Settings]:
    from libdrift import suites
    from libdrift.errors import MissingDataError

    found = common.settings(data)
    try:
        return suites.load(name, found), found
    except MissingDataError as missing:
        if found.data:
            raise
        # Published answers are often kept beside the data that they answer.
        found = common.settings(answers.parent)
        try:
            return suites.load(name, found), found
        except MissingDataError:
            raise missing from None


def numbers_of_samples(text: str, mode: Mode) -> AtK:
    from libdrift.analysis.text_scores import AtK
    from libdrift.errors import UserError

    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) for part in parts):
        raise UserError(f"--k {text}: not numbers of samples", "Write it like --k 1,3,10")
    return AtK(tuple(dict.fromkeys(int(part) for part in parts)), mode)


@dataclass(frozen=True, slots=True)
class Breaking:
    """How numbers are broken down beyond what a suite's facts say."""

    ks: Sequence[int] = ()
    cutoff: date | None = None
    expected: str = ""  # of scripts: measured or published
    verified: AbstractSet[str] | None = None  # tasks; by default those on the suite's own list
    proven: bool = False  # only verdicts of tests that prove a pass


def usable(suite: Suite, path: Path, only: AbstractSet[str] | None = None) -> Answers:
    """The answers of a file or folder, or ``only`` to some tasks; what is left out is said."""
    from libdrift.execution import read_answers

    answers = read_answers(path, suite)
    for item in answers.left_out:
        common.warn(f"{item.where} left out: {item.message}")
    return answers if only is None else _restrict(answers, only, suite, path)


def dated(suite: Suite, cutoff: datetime) -> date:
    """A cut-off date; of releases whose dates are not known nothing can be told by it."""
    if not any(task.facts.release_date for task in suite.tasks.values()):
        common.note(f"--cutoff tells nothing: when the releases of {suite.name} came is not known")
    return cutoff.date()


def usual_ks(answers: Answers) -> list[int]:
    """1, 5 and the number of samples a task, where there are several."""
    counts = Counter(attempt.task_id for attempt in answers.attempts)
    most = max(counts.values(), default=1)
    return sorted({1, most, *([5] if most > 5 else [])}) if most > 1 else []  # noqa: PLR2004


def score_file(
    suite: Suite,
    path: Path,
    out: Path | None,
    run_options: Options,
    *,
    only_verified: bool = False,
) -> Summary:
    """Score an answer file or folder as it is, without measuring anything first."""
    answers = usable(suite, path, verified_tasks(suite) if only_verified else None)
    return score_answers(suite, path, answers, out, run_options)


def score_answers(
    suite: Suite,
    path: Path,
    answers: Answers,
    out: Path | None,
    run_options: Options,
    at: Breaking | None = None,
) -> Summary:
    """Score one answer file or folder into its run folder and summarise it."""
    from libdrift.execution import RunFolder, fingerprint
    from libdrift.execution.runs import RUNS, folder_name

    identity = fingerprint(suite, answers.attempts, run_options)
    folder = RunFolder(
        out or Path(RUNS) / folder_name(suite.name, path.resolve().stem, identity[:8])
    )
    description = _describe(suite, path, answers.sha256, identity, run_options)
    if at is not None and has_outputs(suite):
        description["expected"] = at.expected
    summary = conclude(suite, answers, folder, description, run_options, at)
    folder.write_description({**description, "summary": summary.to_json()})
    return summary


def verified_tasks(suite: Suite, audited: Path | None = None) -> set[str]:
    from libdrift import suites

    found = suites.verified(suite, audited)
    return {item.task_id for item in found.values() if item.verified}


def conclude(
    suite: Suite,
    answers: Answers,
    folder: RunFolder,
    description: dict[str, Any],
    run_options: Options,
    at: Breaking | None = None,
) -> Summary:
    """Judge what has no verdict in the folder yet, and summarise all of it."""
    from libdrift.execution import hit_rates, proven, score_attempts, scores
    from libdrift.reports import summarise

    at = at or Breaking()
    every = score_attempts(suite, answers.attempts, folder, description, run_options)
    verdicts = proven(every) if at.proven else every
    if len(verdicts) < len(every):
        common.note(f"{len(every) - len(verdicts)} verdicts of tests without proof left out")
    hits = hit_rates(suite, answers.attempts)
    verified = verified_tasks(suite) if at.verified is None else at.verified
    results = [
        *scores(suite, verdicts, verified, at.ks, at.cutoff),
        *hits.scores,
        *_own_scores(suite, answers, verdicts, at),
    ]
    where = common.relative(folder.path)
    return summarise(where, suite, answers, verdicts, results, hits.without_truth)


def _own_scores(
    suite: Suite, answers: Answers, verdicts: Sequence[Verdict], at: Breaking
) -> list[Score]:
    """What a suite's own paper measures beside tests."""
    from libdrift.records import TestStyle

    styles = {tests.style for task in suite.tasks.values() for tests in task.tests}
    found: list[Score] = []
    if TestStyle.RUST in styles:
        from libdrift.analysis.rust_scores import rust_scores

        found += rust_scores(suite, answers.attempts, verdicts, at.ks, at.cutoff)
    if TestStyle.OUTPUT in styles:
        from libdrift.analysis.error_classes import error_classes

        found += error_classes(suite, answers.attempts, verdicts)
    return found


def _no_list(suite: Suite) -> UserError:
    from libdrift.errors import UserError

    return UserError(
        f"no task of {suite.name} is known to be verified",
        "Leave out --verified; or make a list with `libdrift audit … --write FILE`, where tasks "
        "have tests, and add --audited FILE",
    )


def _no_proofs(suite: Suite) -> UserError:
    from libdrift.errors import UserError

    return UserError(
        f"answers to {suite.name} are judged by their text: there is nothing to prove",
        "Leave out --proven",
    )


def _restrict(answers: Answers, verified: AbstractSet[str], suite: Suite, path: Path) -> Answers:
    from libdrift.errors import UserError

    if not verified:
        raise _no_list(suite)
    restricted = answers.only(verified)
    if not restricted.attempts:
        raise UserError(
            f"{path} has no answer to a verified task of {suite.name}", "Leave out --verified"
        )
    return restricted


def _describe(
    suite: Suite, path: Path, sha256: str, identity: str, run_options: Options
) -> dict[str, Any]:
    """What ``run.json`` says of a run: its inputs, its settings, and where it came from."""
    from libdrift.execution.runs import provenance

    return {
        "fingerprint": identity,
        "suite": suite.name,
        "answers": {"path": str(path), "sha256": sha256},
        "sandbox": run_options.backend.name,
        "limits": asdict(run_options.limits),
        "time_factor": run_options.time_factor,
        "fresh": run_options.fresh,
        "workers": run_options.workers,
        "provenance": provenance(),
    }
