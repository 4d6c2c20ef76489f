from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli import eval_options as o
from libdrift.showing import relative

if TYPE_CHECKING:
    from libdrift.evals.judge import Rules


def judge(
    target: Annotated[
        str,
        typer.Argument(
            metavar="RUN|SUITE",
            help="Folder of a run; with --tasks a suite or FILE.jsonl of tasks.",
        ),
    ],
    model: o.Model,
    base_url: o.BaseUrl = None,
    tasks: Annotated[
        bool, typer.Option("--tasks", help="Judge the quality of a suite's tasks.")
    ] = False,
    suite: Annotated[
        Path | None,
        typer.Option(help="The file of tasks that the run answers, if it was made from a file."),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            "--judge",
            metavar="own|released",
            help="Rules: libdrift's own, or CODEMENV's lenient ones (locating and explaining).",
        ),
    ] = "own",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first N answers or tasks.")
    ] = None,
    max_cost: o.MaxCost = None,
    price: o.Price = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only count questions, tokens and cost.")
    ] = False,
    at_once: o.AtOnce = None,
    retries: o.Retries = 5,
    timeout: o.Timeout = 600,
    out: Annotated[
        Path | None, typer.Option(help="With --tasks: folder; by default one below ./runs.")
    ] = None,
    data: common.DataOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Let a model judge answers, or tasks, beside libdrift's own strict verdicts.

    The strict number is the one that counts; how far the judge agrees with it is said. Each judge
    has its own folder in the run's: several are compared. The same command asks nothing twice.
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
        estimate = judging.estimate()
        if as_json:
            common.print_json({"judge": model, **estimate.to_json()})
        else:
            judge_table.print_estimate(estimate, model)
        return
    found = judging.run(TerminalListener())
    if as_json:
        common.print_json(found.summary)
    else:
        show = judge_table.print_tasks if tasks else judge_table.print_answers
        show(found.summary)
        print(f"judgements: {relative(found.judgements)}")
    judge_table.tell(found)
    if found.summary["missing"]:
        raise typer.Exit(3)


def _rules(name: str) -> Rules:
    from libdrift.errors import UserError
    from libdrift.evals.judge import Rules

    if name not in list(Rules):
        raise UserError(f"--judge {name}: no such rules", f"Choose one of: {', '.join(Rules)}")
    return Rules(name)
