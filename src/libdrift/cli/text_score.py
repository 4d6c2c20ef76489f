"""`libdrift score` for suites that are judged by their text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from libdrift.cli import common
from libdrift.metrics.modes import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from libdrift.analysis.text_answers import TextAnswers
    from libdrift.analysis.text_scores import AtK
    from libdrift.execution import Options, RunFolder
    from libdrift.records import LeftOut, Suite, Verdict
    from libdrift.reports import Summary


def score_texts(
    suite: Suite,
    path: Path,
    out: Path | None,
    at: AtK,
    run_options: Callable[[], AbstractContextManager[Options]],
) -> Summary:
    """Judge an answer file; what also has tests is run as well, in the same folder."""
    from libdrift.analysis import text_runs
    from libdrift.analysis.text_answers import TextAnswers
    from libdrift.execution import RunFolder
    from libdrift.execution.runs import RUNS, folder_name

    answers = TextAnswers(path, suite)
    identity = text_runs.fingerprint(suite, answers, at)
    name = folder_name(suite.name, path.resolve().stem, identity[:8])
    folder = RunFolder(out or Path(RUNS) / name)
    description = _describe(suite, answers, identity, at)
    summary = conclude_texts(suite, answers, folder, description, at, run_options)
    folder.write_description({**description, "summary": summary.to_json()})
    return summary


def conclude_texts(
    suite: Suite,
    answers: TextAnswers,
    folder: RunFolder,
    description: dict[str, Any],
    at: AtK,
    run_options: Callable[[], AbstractContextManager[Options]],
) -> Summary:
    """Judge what the folder has not judged yet, and summarise all of it."""
    from libdrift.analysis import text_runs
    from libdrift.execution import scores
    from libdrift.reports import summarise_texts

    with _progress() as advance:
        run = text_runs.judge(suite, answers, folder, description, at, advance)
    _tell(run.left_out, run.left_out_count)
    verdicts = _run_programs(suite, answers, folder, description, run_options)
    run.scores = (*run.scores, *scores(suite, verdicts))
    return summarise_texts(common.relative(folder.path), suite, run, verdicts)


def _run_programs(
    suite: Suite,
    answers: TextAnswers,
    folder: RunFolder,
    description: dict[str, Any],
    run_options: Callable[[], AbstractContextManager[Options]],
) -> list[Verdict]:
    from libdrift.analysis import programs
    from libdrift.execution import score_attempts

    if not suite.environments:
        return []
    attempts = programs.attempts(suite, answers)
    if not attempts:
        return []
    with run_options() as options:
        return score_attempts(suite, attempts, folder, description, options)


def _tell(left_out: list[LeftOut], count: int) -> None:
    shown = 20
    for item in left_out[:shown]:
        common.warn(f"{item.where} left out: {item.message}")
    if count > shown:
        common.warn(f"… and {count - shown} more answers left out")


def _describe(suite: Suite, answers: TextAnswers, identity: str, at: AtK) -> dict[str, Any]:
    from libdrift.execution.runs import provenance

    return {
        "fingerprint": identity,
        "suite": suite.name,
        "answers": {"path": str(answers.path), "sha256": answers.sha256},
        "mode": at.mode.value,
        "k": list(at.ks),
        "provenance": provenance(),
    }


@contextmanager
def _progress() -> Iterator[Callable[[], None]]:
    with common.progress_bar() as bar:
        line = bar.add_task("tasks", total=None, note="")
        yield lambda: bar.advance(line)


def print_texts(summary: Summary, mode: Mode) -> None:
    """The numbers over all tasks; `libdrift report` has the rest."""
    from libdrift.cli.report import print_table
    from libdrift.reports.tables import Run, whole

    for table in whole([Run(summary.run, summary.suite, "", summary.scores)]):
        print_table(table)
    print(f"run: {summary.run}")
    for reason in summary.reasons[:5]:
        common.note(reason)
    for why, count in (summary.odd or {}).items():
        common.note(f"{count} answers cannot be right: {why}")
    for k, count in (summary.few or {}).items():
        what = "count as solved, as released" if mode is Mode.RELEASED else "are in no number at it"
        common.note(f"{count} tasks have fewer than {k} answers: they {what}")
    if summary.unanswered_count:
        common.note(f"{summary.unanswered_count} tasks have no answer")
    common.note(f"breakdowns: libdrift report {summary.run}")
