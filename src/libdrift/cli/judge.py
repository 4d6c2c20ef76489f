from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli import eval_options as o

if TYPE_CHECKING:
    from libdrift.evals.judge import Rules


_Target = Annotated[
    str,
    typer.Argument(
        metavar="RUN|SUITE",
        help="Folder of a run; with --tasks a suite, or your own tasks: FILE.jsonl "
        "or a folder DIR/.",
    ),
]
_Tasks = Annotated[bool, typer.Option("--tasks", help="Judge the quality of a suite's tasks.")]
_Suite = Annotated[
    Path | None,
    typer.Option(help="The file or folder of tasks, if the run was made from one."),
]
_Rules = Annotated[
    str,
    typer.Option(
        "--judge",
        metavar="own|released",
        help="Rules: own (libdrift's), or released (CODEMENV's lenient rules for locating and "
        "explaining).",
    ),
]
_Limit = Annotated[int | None, typer.Option(min=1, help="Only the first N answers or tasks.")]
_DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only count questions, tokens and cost; ask nothing.")
]
_Out = Annotated[
    Path | None,
    typer.Option(help="With --tasks: folder of the results; by default a new one in ./runs."),
]


def judge(
    target: _Target,
    model: o.Model,
    base_url: o.BaseUrl = None,
    tasks: _Tasks = False,
    suite: _Suite = None,
    rules: _Rules = "own",
    limit: _Limit = None,
    max_cost: o.MaxCost = None,
    price: o.Price = "",
    dry_run: _DryRun = False,
    at_once: o.AtOnce = None,
    retries: o.Retries = 5,
    timeout: o.Timeout = 600,
    out: _Out = None,
    data: common.DataOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Let a model judge answers or tasks, beside libdrift's own strict verdicts.

    Only the strict verdicts count; the command reports how far the judge agrees with them. Each
    judge has its own folder in the run's folder, so several can be compared. An interrupted command
    continues where it stopped and repeats no request.
    """
    from libdrift.cli import judge_table
    from libdrift.cli.listening import TerminalListener
    from libdrift.evals.running import ProviderLimits
    from libdrift.jobs.judging import JudgeOptions, Judging

    options = JudgeOptions(
        base_url,
        _rules(rules),
        limit,
        max_cost,
        price,
        suite,
        out,
        data,
        ProviderLimits(retries, timeout, at_once),
    )
    judging = Judging(target, model, options, tasks=tasks)
    if dry_run:
        judge_table.show_estimate(judging.estimate(), model, as_json=as_json)
        return
    found = judging.run(TerminalListener())
    judge_table.show(found, tasks=tasks, as_json=as_json)
    if found.summary["missing"]:
        raise typer.Exit(3)
    common.leave_if_left_out(found.summary.get("tasks_left_out_count", 0))


def _rules(name: str) -> Rules:
    from libdrift.errors import UserError
    from libdrift.evals.judge import Rules

    if name not in list(Rules):
        raise UserError(f"--judge {name}: unknown rules", f"Choose one of: {', '.join(Rules)}")
    return Rules(name)
