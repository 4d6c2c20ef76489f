from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli import eval_options as o

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
        int | None, typer.Option(min=1, help="Only the first so many answers, or tasks.")
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
    from libdrift.cli import eval_run, judge_answers, judge_run, judge_tasks
    from libdrift.errors import UserError
    from libdrift.evals import costs
    from libdrift.evals.judging import Judge
    from libdrift.evals.running import Patience

    judging = Judge(
        model,
        base_url,
        costs.told(price) if price else None,
        max_cost,
        eval_run.longest(model),
        Patience(retries, timeout, at_once),
        _rules(rules, tasks=tasks),
    )
    if max_cost is not None and judging.prices(1, 1) is None:
        raise UserError(
            f"no price is known for {model}, so --max-cost cannot be kept",
            "Give it with --price IN,OUT, in dollars per million tokens",
        )
    settings = common.settings(data)
    bench = (
        judge_tasks.tasks_of(target, judging, settings, limit, out)
        if tasks
        else judge_answers.answers_of(Path(target), judging, settings, limit, suite)
    )
    if dry_run:
        judge_run.estimate(bench, judging, as_json=as_json)
    else:
        judge_run.run(bench, judging, settings, as_json=as_json)


def _rules(name: str, *, tasks: bool) -> Rules:
    from libdrift.errors import UserError
    from libdrift.evals.judge import Rules

    if name not in list(Rules):
        raise UserError(f"--judge {name}: no such rules", f"Choose one of: {', '.join(Rules)}")
    if tasks and name != Rules.OWN:
        raise UserError(
            f"--judge {name} is for answers, and --tasks judges tasks", "Leave one of the two out"
        )
    return Rules(name)
