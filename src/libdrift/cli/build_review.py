"""`libdrift build review`: a person accepts or rejects tasks, with the evidence beside them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.showing import counted, relative

if TYPE_CHECKING:
    from libdrift.jobs.reviewing import TaskReview
    from libdrift.records import Task
    from libdrift.scoring import RunOptions

_HELP = "a accept · r REASON reject · s later · u undo the last · v run it · q end"


def review(
    file: Annotated[Path, typer.Argument(help="Tasks: FILE.jsonl, or a folder DIR/.")],
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the accepted tasks to this file.")
    ] = None,
    accept_all: Annotated[bool, typer.Option("--accept-all", hidden=True)] = False,
    run: Annotated[
        bool, typer.Option("--run/--no-run", help="Run each task before showing it.")
    ] = True,
    who: Annotated[str, typer.Option("--who", help="Your name, recorded with each decision.")] = "",
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the exported file.")] = False,
    as_json: common.JsonOption = False,
) -> None:
    """Accept or reject tasks one by one; each is shown with its programs and their results.

    Decisions are kept beside the file, in FILE.review.jsonl; the same command continues with the
    remaining tasks. Decisions are read from the terminal, or one per line from a pipe.
    """
    from libdrift.errors import UserError
    from libdrift.jobs.reviewing import review_tasks
    from libdrift.scoring import RunOptions

    if accept_all:
        raise UserError(
            "--accept-all is refused: tasks must be reviewed by a person",
            "Review them one by one; `libdrift audit` verifies them without a person",
        )
    reviewed = review_tasks(file, who or os.environ.get("USER", ""))
    if export is None or sys.stdin.isatty():
        _ask(reviewed, RunOptions(sandbox, workers) if run else None)
    written = reviewed.export(export, force=force) if export else 0
    counts = reviewed.counts
    if as_json:
        decisions = {name: line.decision.value for name, line in reviewed.decisions.items()}
        exported = {"exported": written} if export else {}
        common.print_json({**counts.to_json(), "decisions": decisions, **exported})
        return
    print(f"{counts.accepted} accepted, {counts.rejected} rejected, {counts.open} open")
    if export:
        print(f"{counted(written, 'task')} in {relative(export)}")
    common.note(f"decisions: {relative(reviewed.decisions_file)}")


def _ask(reviewed: TaskReview, running: RunOptions | None) -> None:
    """Task after task, until none is left or somebody ends it; nothing decided is lost."""
    later: set[str] = set()
    while True:
        task = next((one for one in reviewed.waiting() if one.id not in later), None)
        if task is None:
            return
        _show(task, reviewed)
        if running is not None:
            _show_evidence(task, running)
        if not _decided(task, reviewed, later):
            return


def _decided(task: Task, reviewed: TaskReview, later: set[str]) -> bool:
    """One decision, or whatever comes in its place; whether to go on."""
    from libdrift.jobs.reviewing import ReviewDecision
    from libdrift.scoring import RunOptions

    while True:
        common.note(_HELP)
        line = sys.stdin.readline()
        if not line:
            return False
        word, _, rest = line.strip().partition(" ")
        match word.lower():
            case "a" | "accept":
                reviewed.decide(task.id, ReviewDecision.ACCEPT, rest)
                return True
            case "r" | "reject":
                if not rest.strip():
                    common.note("give a reason: r REASON")
                    continue
                reviewed.decide(task.id, ReviewDecision.REJECT, rest.strip())
                return True
            case "s" | "skip":
                later.add(task.id)
                return True
            case "u" | "undo":
                undone = reviewed.undo()
                common.note(f"undone: {undone}" if undone else "there is nothing to undo")
                if undone:
                    later.discard(undone)
                    return True
            case "v":
                _show_evidence(task, RunOptions())
            case "q" | "quit":
                return False
            case _:
                common.note(f"unknown command: {word!r}")


def _show(task: Task, reviewed: TaskReview) -> None:
    counts = reviewed.counts
    facts = task.facts
    done = counts.accepted + counts.rejected
    parts = [
        (f"[{done + 1}/{counts.tasks}] {task.id}", f"{task.kind} · {task.environment}"),
        ("change", f"{facts.change or '–'} {facts.symbol or ''}"),
        ("problem", task.problem),
        ("given code", task.starter),
        ("reference", task.reference),
        *((f"{tests.split} tests ({tests.style})", tests.code) for tests in task.tests),
    ]
    if task.wrong is not None:
        parts.append((f"wrong-version answer ({task.wrong.note})", task.wrong.code))
    console = common.stderr()
    for title, text in parts:
        console.print(f"── {title}", style="bold", markup=False)
        console.print(text.rstrip() or "–", markup=False)


def _show_evidence(task: Task, running: RunOptions) -> None:
    from libdrift.jobs.reviewing import evidence

    console = common.stderr()
    console.print("── verdicts", style="bold", markup=False)
    for one in evidence(task, running):
        console.print(f"{one.title}: {one.verdict}", markup=False)
