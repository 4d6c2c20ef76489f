from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli import engine_options as engines
from libdrift.cli import eval_options as o
from libdrift.cli.score import leave, tell_trouble
from libdrift.cli.score_table import print_summary
from libdrift.metrics.modes import Expected, Mode
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.evals.running import EvalResult
    from libdrift.jobs.evaluating import Evaluation, EvaluationPlan

_LONGEST_PROMPT = 1 << 20  # bytes of a system prompt


def evaluate_command(
    suite: common.SuiteArgument,
    model: o.Model = "smollm2",
    strategy: o.Strategy = "greedy",
    base_url: o.BaseUrl = None,
    samples: o.Samples = None,
    k: o.AtK = None,
    limit: o.Limit = None,
    sample: o.Sample = None,
    per: o.Per = None,
    where: o.Where = None,
    task: common.TaskOption = None,
    temperature: o.Temperature = None,
    top_p: o.TopP = None,
    seed: o.Seed = 0,
    max_tokens: o.MaxTokens = None,
    prompt_limit: o.PromptLimit = None,
    structured: o.Structured = None,
    version: o.Version = True,
    imports: o.Imports = True,
    system: o.System = None,
    prompts: o.Prompts = "libdrift",
    given: o.Set = None,
    mcp: o.McpServer = None,
    max_cost: o.MaxCost = None,
    price: o.Price = "",
    expected: common.ExpectedOption = Expected.MEASURED,
    audited: common.AuditedOption = None,
    cutoff: common.CutoffOption = None,
    dry_run: o.DryRun = False,
    at_once: o.AtOnce = None,
    retries: o.Retries = 5,
    timeout: o.Timeout = 600,
    out: o.Out = None,
    data: common.DataOption = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: engines.NodeWorkersOption = None,
    engine: engines.EngineOption = "local",
    address: engines.AddressOption = None,
    floor: common.FloorOption = common.DEFAULT_FLOOR,
    factor: common.FactorOption = common.DEFAULT_FACTOR,
    yes: common.YesOption = False,
    as_json: common.JsonOption = False,
) -> None:
    """Ask a model for answers with a strategy, and judge them.

    An interrupted command continues where it stopped and repeats no request. The run's folder can
    be opened with `inspect view --log-dir RUN`.
    """
    from libdrift.cli.listening import TerminalListener
    from libdrift.evals.options import wording
    from libdrift.evals.running import ProviderLimits
    from libdrift.evals.strategies import options_of
    from libdrift.jobs.evaluating import EvaluateOptions, asking_for, estimate, evaluate
    from libdrift.scoring import RunOptions

    asking = asking_for(
        model,
        strategy=strategy,
        samples=samples,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
        max_tokens=max_tokens,
        prompt_limit=prompt_limit,
        structured=structured,
        version=version,
        imports=imports,
        system=_read(system),
        prompts=wording(prompts),
        **options_of(strategy, (*(given or ()), *([f"mcp={mcp}"] if mcp else ()))),
    )
    options = EvaluateOptions(
        asking=asking,
        tasks=tuple(task or ()),
        where=tuple(where or ()),
        limit=limit,
        sample=common.random_sample(sample, seed, per),
        ks=common.numbers_of_samples(k),
        base_url=base_url,
        max_cost=max_cost,
        price=price,
        expected=expected,
        audited=audited,
        cutoff=cutoff.date() if cutoff else None,
        out=out,
        data=data,
        patience=ProviderLimits(retries, timeout, at_once),
        running=RunOptions(
            sandbox,
            workers or engines.DEFAULT_WORKERS,
            floor,
            factor,
            engine=engines.engine_choice(engine, address, workers),
        ),
    )
    if dry_run:
        _print_plan(estimate(suite, model, options, TerminalListener(yes=yes)), as_json=as_json)
    else:
        _print(evaluate(suite, model, options, TerminalListener(yes=yes)), as_json=as_json)


def _read(system: Path | None) -> str:
    from libdrift.errors import UserError
    from libdrift.reading import read_small

    try:
        return read_small(system, _LONGEST_PROMPT).decode() if system else ""
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UserError(f"cannot read {system}: {why}", "Give a text file with --system") from error


def _print(found: Evaluation, *, as_json: bool) -> None:
    if as_json:
        common.print_json(found.content)
    elif found.summary is not None:
        print_summary(found.summary, Mode.FIXED)
    else:
        print(f"run: {found.content['run']}")
    _tell(found.asked, found.content, quiet=as_json)
    if as_json and found.summary is not None:
        tell_trouble(found.summary)
    if found.asked.unanswered:
        raise typer.Exit(3)
    if found.summary is not None:
        leave(found.summary, strict=False)


def _tell(ran: EvalResult, extra: dict[str, Any], *, quiet: bool) -> None:
    from libdrift.jobs.evaluating import MEASURED

    usage = extra["usage"]
    if not quiet:
        cost = f", ${usage['cost']:.4f}" if usage["cost"] else ""
        if usage["calls"]:
            print(
                f"asked: {counted(usage['calls'], 'call')}, "
                f"{usage['tokens_in']:,} tokens in, {usage['tokens_out']:,} out{cost}"
            )
        held = [score for score in extra.get("scores", ()) if score["group"] == "held out"]
        for score in held:
            print(
                f"{score['split']}, without the tasks that it was optimised on: "
                f"{score['value']:.1%}"
            )
        for name, found in extra["means"].items():
            print(f"{MEASURED[name]}: {found['mean']:.3f} (mean of {found['n']})")
    if usage["retries"]:
        common.note(f"transient failures: {counted(usage['retries'], 'request')}")
    for what, count in extra["answers_noted"].items():
        common.note(f"{counted(count, 'answer')}: {what}")
    for kind, found in extra["troubles"].items():
        questions = counted(found["count"], "question")
        common.note(f"{questions} without an answer, {kind}: {found['last']}")
    if ran.over is not None:
        common.note(f"stopped: {ran.over}")
    if ran.unanswered:
        missing = f"{counted(ran.unanswered, 'answer')} missing, not counted"
        common.note(f"{missing}; {_remedy(ran)}")


def _remedy(ran: EvalResult) -> str:
    """What brings answers that are missing; of a recording, the same command never does."""
    from libdrift.evals.troubles import ProviderTrouble

    if set(ran.troubles) == {ProviderTrouble.RECORDING.value}:
        return "the recording lacks them: choose tasks with --task, or ask another --model"
    if ran.over is not None and ran.over.kind is ProviderTrouble.BUDGET:
        return "rerun with a higher --max-cost to request them"
    return "rerun the command to request them"


def _print_plan(plan: EvaluationPlan, *, as_json: bool) -> None:
    if as_json:
        common.print_json(plan.to_json())
        return
    found = plan.estimate
    asked = f"{counted(found.tasks, 'task')}, {counted(found.answers, 'answer')}"
    asked += f", at least {counted(found.calls, 'request')}"
    common.print_estimate(found, plan.model, asked, "strategies with several rounds send more")


def strategies_command(
    strategy: Annotated[str | None, typer.Argument(help="Only this strategy.")] = None,
    as_json: common.JsonOption = False,
) -> None:
    """List strategies with their options (-S KEY=VALUE), types and defaults."""
    from libdrift.evals.options import STRATEGY_OPTIONS
    from libdrift.evals.strategies import KNOWN, kind_of, option_list

    chosen = {strategy: kind_of(strategy)} if strategy else KNOWN
    if as_json:
        found = {name: list(kind.options) for name, kind in chosen.items()}
        details = {name: [one.to_json() for one in option_list(name)] for name in chosen}
        about = {name: kind.about for name, kind in chosen.items()}
        common.print_json(
            {"strategies": found, "options": STRATEGY_OPTIONS, "details": details, "about": about}
        )
        return
    for name, kind in chosen.items():
        print(f"{name}: {kind.about}")
        for one in option_list(name):
            default = "" if one.default is None else f" [default: {_spelled(one.default)}]"
            print(f"  -S {one.name}=<{one.type}>  {one.help}{default}")
    if strategy and not chosen[strategy].options:
        print("  no options")


def _spelled(default: object) -> str:
    """As it is written behind ``-S key=``."""
    if isinstance(default, bool):
        return str(default).lower()
    return f"{default:g}" if isinstance(default, float) else str(default)
