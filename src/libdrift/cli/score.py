from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common

if TYPE_CHECKING:
    from libdrift.execution import Options
    from libdrift.records import Suite
    from libdrift.reports import Summary


def score(
    suite: Annotated[str, typer.Argument(help="Name of a suite; `libdrift suites` lists them.")],
    answers: Annotated[
        Path, typer.Argument(help='JSON lines: {"task_id": …, "answer": …}, n per task allowed.')
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run; by default one below ./runs.")
    ] = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    timeout: common.TimeoutOption = common.DEFAULT_TIMEOUT,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 unless every line was used and passed.")
    ] = False,
    as_json: common.JsonOption = False,
) -> None:
    """Run every answer in its exact environment, sandboxed, and report success rates.

    The same command goes on where it was stopped.
    """
    from libdrift import suites
    from libdrift.records import Outcome

    loaded = suites.load(suite, common.settings())
    with common.options(sandbox, workers, timeout) as run_options:
        summary = score_file(loaded, answers, out, run_options)
    if as_json:
        common.print_json(summary.to_json())
    else:
        _print(summary)
    if summary.count(Outcome.INFRASTRUCTURE):
        raise typer.Exit(3)
    counted = sum(sum(counts.values()) for counts in summary.outcomes.values())
    if strict and (summary.count(Outcome.PASSED) < counted or summary.left_out):
        raise typer.Exit(1)


def score_file(suite: Suite, path: Path, out: Path | None, run_options: Options) -> Summary:
    """Score one answer file into its run folder and summarise it."""
    from libdrift.execution import (
        RunFolder,
        fingerprint,
        read_answers,
        score_attempts,
        scores,
    )
    from libdrift.reports import summarise

    answers = read_answers(path, suite)
    for item in answers.left_out:
        common.warn(f"{path}:{item.line} left out: {item.message}")
    identity = fingerprint(suite, answers.attempts, run_options)
    folder = RunFolder(out or Path("runs") / f"{suite.name}-{path.stem}-{identity[:8]}")
    description = _describe(suite, path, answers.sha256, identity, run_options)
    verdicts = score_attempts(suite, answers.attempts, folder, description, run_options)
    results = scores(suite, verdicts)
    summary = summarise(common.relative(folder.path), suite.name, answers, verdicts, results)
    folder.write_description({**description, "summary": summary.to_json()})
    return summary


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
        "workers": run_options.workers,
        "provenance": provenance(),
    }


def _print(summary: Summary) -> None:
    from rich.table import Table

    from libdrift.records import Outcome
    from libdrift.reports import percent

    seen = [o.value for o in Outcome if summary.count(o)]
    table = Table("split", "success %", "n", *seen, title=summary.suite)
    for split, counts in summary.outcomes.items():
        rate = summary.rate(split)
        cells = [str(counts.get(outcome, 0)) for outcome in seen]
        table.add_row(split, percent(rate), str(rate.n if rate else 0), *cells)
    common.stdout().print(table)
    print(f"run: {summary.run}")
    shown = 5
    for reason in summary.reasons[:shown]:
        common.note(reason)
    if len(summary.reasons) > shown:
        common.note(f"… and {len(summary.reasons) - shown} more in {summary.run}/verdicts.jsonl")
    if summary.left_out:
        common.note(f"{len(summary.left_out)} lines of the answer file were left out (see above)")
    if summary.unanswered:
        names = ", ".join(summary.unanswered[:3])
        more = ", …" if len(summary.unanswered) > 3 else ""  # noqa: PLR2004
        common.note(f"{len(summary.unanswered)} tasks have no answer: {names}{more}")
    if summary.undecoyed:
        common.note(f"{summary.undecoyed} passes rest on their tests alone: no decoy could be made")
    infrastructure = summary.count(Outcome.INFRASTRUCTURE)
    if infrastructure:
        common.note(
            f"{infrastructure} verdicts could not be had (infrastructure): they are in no rate; "
            f"reasons in {summary.run}/verdicts.jsonl; the same command tries them again"
        )
