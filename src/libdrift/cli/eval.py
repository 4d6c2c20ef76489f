from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from libdrift.cli import common
from libdrift.cli import eval_options as o
from libdrift.cli.expectations import Expected, ExpectedOption

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from libdrift.config import Settings
    from libdrift.execution import Options


def evaluate(
    suite: common.SuiteArgument,
    model: o.Model = "smollm2",
    strategy: o.Strategy = "greedy",
    base_url: o.BaseUrl = None,
    samples: o.Samples = None,
    k: o.AtK = None,
    limit: o.Limit = None,
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
    rounds: o.Rounds = None,
    documents: o.Documents = 3,
    docs: o.Docs = "exact",
    docs_folder: o.DocsFolder = None,
    retriever: o.Retriever = "bm25",
    embedder: o.Embedder = "",
    context: o.Context = "version",
    family: o.Family = "",
    steps: o.Steps = 10,
    tokens: o.Tokens = 50_000,
    seconds: o.Seconds = 600.0,
    command: o.Command = "",
    problem: o.Problem = True,
    allow: o.Allow = None,
    max_cost: o.MaxCost = None,
    price: o.Price = "",
    expected: ExpectedOption = Expected.MEASURED,
    audited: common.AuditedOption = None,
    cutoff: common.CutoffOption = None,
    dry_run: o.DryRun = False,
    at_once: o.AtOnce = None,
    retries: o.Retries = 5,
    timeout: o.Timeout = 600,
    out: o.Out = None,
    data: common.DataOption = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    floor: common.FloorOption = common.DEFAULT_FLOOR,
    factor: common.FactorOption = common.DEFAULT_FACTOR,
    as_json: common.JsonOption = False,
) -> None:
    """Ask a model for answers, by a strategy, and judge them as they come.

    The same command goes on where it was stopped, and asks nothing twice. The run's folder opens
    in `inspect view --log-dir RUN`.
    """
    from libdrift.cli import eval_run
    from libdrift.evals.running import Patience
    from libdrift.evals.strategies import kind_of
    from libdrift.evals.ways import Ways

    ways = Ways(
        strategy=strategy,
        samples=samples or kind_of(strategy).samples,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
        max_tokens=max_tokens or eval_run.longest(model),
        prompt_limit=prompt_limit,
        structured=structured,
        version=version,
        imports=imports,
        system=eval_run.read_system(system),
        rounds=rounds,
        documents=documents,
        docs=docs,
        docs_folder=str(docs_folder or ""),
        retriever=retriever,
        embedder=embedder,
        context=context,
        # A model's name often tells its family.
        family=family or (model if strategy == "fim" else ""),
        steps=steps,
        tokens=tokens,
        seconds=seconds,
        command=command,
        problem=problem,
        allow=tuple(map(str, allow or ())),
    )
    request = eval_run.Request(
        suite=suite,
        model="assistant" if kind_of(strategy).modelless else model,
        ways=ways,
        tasks=tuple(task or ()),
        where=tuple(where or ()),
        limit=limit,
        ks=k,
        base_url=base_url,
        max_cost=max_cost,
        price=price,
        expected=expected,
        audited=audited,
        cutoff=cutoff.date() if cutoff else None,
        judging=f"{sandbox}, {floor:g} s, {factor:g} times",
        out=out,
        data=data,
        patience=Patience(retries, timeout, at_once),
    )

    def make_options(found: Settings, bar: Bar | None) -> AbstractContextManager[Options]:
        return common.options(found, sandbox, workers, floor=floor, factor=factor, bar=bar)

    carry_out = eval_run.estimate if dry_run else eval_run.run
    carry_out(request, make_options, as_json=as_json)
