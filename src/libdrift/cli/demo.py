from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli.tables import print_table

if TYPE_CHECKING:
    from libdrift.records import Suite
    from libdrift.scoring import Summary

# Seconds for each file's answers: attacks that only waste time need not waste the reader's.
_FLOORS = {"reference": 15.0, "wrong-version": 15.0, "hostile": 3.0}
_MEANING = {
    "reference": "right for the pinned version: all must pass",
    "wrong-version": "right for another version: none may pass",
    "hostile": "forgeries and attacks: none may pass",
    "smollm2": "a small model's own, made just now: some may pass",
}
_ASKED = 3
_QUICK = 2  # tasks
_TOKENS = 120  # of an answer: a few seconds on one core


def demo(
    workers: common.WorkersOption = 2,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Only correct and wrong-version answers, for two tasks."),
    ] = False,
    as_json: common.JsonOption = False,
) -> None:
    """Judge correct, outdated and hostile answers to the starter suite, and those of a model.

    The model is small and runs on this machine. Its score does not matter: it shows the whole path
    from question to verdict.
    """
    from rich.table import Table

    from libdrift import suites
    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.scoring import ScoreOptions, score
    from libdrift.records import Outcome
    from libdrift.reports.score_tables import percent
    from libdrift.scoring import RunOptions

    suite = suites.load("starter", common.settings())
    if quick:
        suite = replace(suite, tasks=dict(list(suite.tasks.items())[:_QUICK]))
    common.note(
        f"{len(suite.tasks)} tasks in {len(suite.environments)} exact-version environments; "
        "the first run builds them"
    )
    summaries = {}
    for name, path in _write_answers(suite, Path("runs", "demo"), quick=quick).items():
        running = RunOptions(workers=workers, floor=_FLOORS[name])
        summaries[name] = score(suite, path, ScoreOptions(running=running), TerminalListener())
    if not quick:
        summaries |= _ask(workers)
    if as_json:
        common.print_json({name: summary.to_json() for name, summary in summaries.items()})
    else:
        table = Table("answers", "n", "hidden %", "visible %", "what they are", title="starter")
        for name, summary in summaries.items():
            hidden, visible = summary.rate("hidden"), summary.rate("visible")
            table.add_row(
                name, str(summary.attempts), percent(hidden), percent(visible), _MEANING[name]
            )
        print_table(table)
        for summary in summaries.values():
            print(f"run: {summary.run}")
    if any(summary.count(Outcome.INFRASTRUCTURE) for summary in summaries.values()):
        common.note("some answers could not be judged; `libdrift doctor` shows what is missing")
        raise typer.Exit(3)


def _ask(workers: int) -> dict[str, Summary]:
    """Let the embedded model answer a few tasks; nothing where it cannot be had."""
    from libdrift.cli.listening import TerminalListener
    from libdrift.errors import LibdriftError
    from libdrift.jobs.evaluating import EvaluateOptions, asking_for, evaluate
    from libdrift.scoring import RunOptions

    asking = asking_for("smollm2", max_tokens=_TOKENS)
    options = EvaluateOptions(asking, limit=_ASKED, running=RunOptions(workers=workers))
    try:
        found = evaluate("starter", "smollm2", options, TerminalListener())
    except LibdriftError as error:
        common.note(f"no model was asked: {error}")
        return {}
    return {"smollm2": found.summary} if found.summary else {}


def _write_answers(suite: Suite, folder: Path, *, quick: bool) -> dict[str, Path]:
    """The answer files, as anyone would bring them."""
    from libdrift.sandbox.hostile import corpus, entry_of

    tasks = list(suite.tasks.values())
    hostile = [(tasks[i % len(tasks)], program) for i, program in enumerate(corpus())]
    rows = {
        "reference": [(task.id, task.reference) for task in tasks],
        "wrong-version": [(task.id, task.wrong.code) for task in tasks if task.wrong],
        "hostile": [(task.id, program.against(entry_of(task))) for task, program in hostile],
    }
    if quick:
        del rows["hostile"]
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for name, answers in rows.items():
        lines = [json.dumps({"task_id": task_id, "answer": code}) for task_id, code in answers]
        paths[name] = folder / f"{name}.jsonl"
        paths[name].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths
