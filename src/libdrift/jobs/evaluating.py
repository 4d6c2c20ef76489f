"""A model is asked, and its answers are judged as they come."""

from __future__ import annotations

import contextlib
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from libdrift import config, suites
from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.evals import costs
from libdrift.evals.document_source import DocumentSource
from libdrift.evals.estimates import Estimate
from libdrift.evals.estimates import estimate as estimated
from libdrift.evals.models import FILE_MODELS, refuse_unusable
from libdrift.evals.options import EvalOptions
from libdrift.evals.running import EvalRequest, EvalResult, ProviderLimits, carry_out
from libdrift.evals.session import ANSWERS
from libdrift.evals.strategies import kind_of
from libdrift.evals.strategy_context import StrategyContext
from libdrift.execution import RunFolder
from libdrift.execution.live import Live
from libdrift.execution.runs import RUNS, folder_name
from libdrift.jobs.listening import Listener
from libdrift.jobs.scoring import numbers_for
from libdrift.metrics.modes import Expected
from libdrift.records import Score, Suite
from libdrift.scoring import (
    Numbers,
    RunListener,
    Runner,
    RunOptions,
    Summary,
    conclude_file,
    judged_by_text,
    scores,
)
from libdrift.scoring.expectations import expecting
from libdrift.showing import counted, relative
from libdrift.suites.selecting import RandomSample, selected

_LONGEST_LABEL = 40


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """Which tasks are asked how, of whom, and what is made of the answers."""

    asking: EvalOptions = field(default_factory=EvalOptions)
    tasks: Sequence[str] = ()
    where: Sequence[str] = ()  # facts that tasks must have: library=numpy
    limit: int | None = None  # only the first so many tasks
    sample: RandomSample | None = None  # only tasks that are drawn at random
    ks: Sequence[int] = ()  # by default 1 and the number of samples
    base_url: str | None = None
    max_cost: float | None = None  # dollars
    price: str = ""  # dollars per million tokens in and out: 0.15,0.60
    expected: Expected = Expected.MEASURED
    audited: Path | None = None
    cutoff: date | None = None
    out: Path | None = None
    data: Path | None = None
    patience: ProviderLimits = field(default_factory=ProviderLimits)
    running: RunOptions = field(default_factory=RunOptions)

    @property
    def judging(self) -> str:
        """What of running answers their verdicts depend on."""
        how = self.running
        return f"{how.sandbox}, {how.floor:g} s, {how.factor:g} times"

    def prices(self, model: str) -> costs.Price:
        return costs.read_price(self.price) if self.price else costs.price_of(model)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of asking: the numbers, where there are answers, and how it went."""

    summary: Summary | None
    asked: EvalResult
    content: dict[str, Any]  # both, as ``--json`` prints them

    def to_json(self) -> dict[str, Any]:
        return self.content


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    suite: str
    model: str
    estimate: Estimate

    def to_json(self) -> dict[str, Any]:
        return {"suite": self.suite, "model": self.model, **self.estimate.to_json()}


def asking_for(model: str, **given: Any) -> EvalOptions:  # noqa: ANN401  (as they are in Ways)
    """Ways of asking, with the defaults of the strategy and the model where nothing is given."""
    known = {name: value for name, value in given.items() if value is not None}
    kind = kind_of(known.get("strategy", "greedy"))
    known.setdefault("samples", kind.samples)
    known.setdefault("max_tokens", longest(model))
    if known.get("strategy") == "fim" and not known.get("family"):
        known["family"] = model  # whose name often tells its family
    return EvalOptions(**known)


def longest(model: str) -> int:
    """Tokens of one answer, by default: a model on a core or two writes thirty a second."""
    return 512 if model == "smollm2" or model.startswith("gguf/") else 2048


def evaluate(
    suite: str | Suite,
    model: str = "smollm2",
    options: EvaluateOptions | None = None,
    listener: Listener | None = None,
) -> Evaluation:
    """Ask a model for answers, by a strategy, and judge them; nothing is asked twice."""
    options = options or EvaluateOptions(asking_for(model))
    listener = listener or Listener()
    settings = config.load(options.data)
    runner = Runner(settings, options.running, listener)
    whole = _loaded(suite, options, settings)
    numbers = _numbers(whole, options)
    ways = options.asking
    if ways.samples > 1 and ways.strategy == "greedy" and not ways.temperature:
        listener.note("greedy samples are identical: --strategy sample varies them")
    order = _order(whole, model, options, runner)
    folder = RunFolder(options.out or Path(RUNS) / _folder_name(order))
    tasks = order.suite.tasks.values()
    splits = sum(max(1, len(task.tests)) for task in tasks)
    with listener.asking(len(tasks), splits * ways.samples) as display:
        run_options = runner.with_progress(display.running)
        ran = carry_out(order, folder, run_options, display.watch, display.fetched)
    description = order.description(run_options)
    summary = _conclude(order.suite, folder, description, numbers, runner)
    content = {
        **(summary.to_json() if summary else {"run": relative(folder.path)}),
        **_extra(order, ran, folder),
    }
    folder.write_description({**description, "summary": content})
    return Evaluation(summary, ran, content)


def estimate(
    suite: str | Suite,
    model: str = "smollm2",
    options: EvaluateOptions | None = None,
    listener: Listener | None = None,
) -> EvaluationPlan:
    """What an evaluation would ask, and what that would cost, without asking."""
    options = options or EvaluateOptions(asking_for(model))
    listener = listener or Listener()
    settings = config.load(options.data)
    whole = _loaded(suite, options, settings)
    chosen = _chosen(whole, options, listener)
    _refuse(model, options, settings, asked=False)
    ways = options.asking
    runner, shelf = Runner(settings, options.running, listener), DocumentSource(settings, ways)
    with runner.open() as run_options, Live(run_options) as live, shelf:
        room = StrategyContext(chosen, ways, settings, run_options, live, shelf)
        found = estimated(chosen, kind_of(ways.strategy)(room), options.prices(model))
    return EvaluationPlan(chosen.name, model, found)


def _refuse(
    model: str, options: EvaluateOptions, settings: Settings, *, asked: bool = True
) -> None:
    kind = kind_of(options.asking.strategy)
    if not kind.modelless:
        refuse_unusable(model, settings, options.base_url, raw=kind.raw, asked=asked)


def _numbers(suite: Suite, options: EvaluateOptions) -> Numbers:
    n = options.asking.samples
    ks = tuple(options.ks) or ((1,) if n == 1 else (1, n))
    if not judged_by_text(suite):
        ks = tuple(k for k in ks if k > 1)  # pass@1 is the success rate
    return numbers_for(suite, Numbers(ks=ks, cutoff=options.cutoff), options.audited)


def _order(whole: Suite, model: str, options: EvaluateOptions, runner: Runner) -> EvalRequest:
    """What to ask of whom, as far as it can be asked, judged and paid."""
    ways = options.asking
    model = ways.strategy if kind_of(ways.strategy).modelless else model
    if options.max_cost is not None and not math.isfinite(options.max_cost):
        raise UserError(
            f"--max-cost {options.max_cost}: not an amount of money", "Write it in dollars"
        )
    if options.max_cost is not None and options.prices(model)(1, 1) is None:
        raise no_price(model)
    chosen = _chosen(whole, options, runner.listener)
    _refuse(model, options, runner.settings)
    return EvalRequest(
        _gradable(chosen, options.expected, runner),
        model,
        ways,
        options.base_url,
        options.prices(model),
        options.max_cost,
        options.judging,
        _choice(options),
        options.patience,
    )


def _choice(options: EvaluateOptions) -> dict[str, Any]:
    """How tasks were chosen, for whoever reads the run."""
    drawn = {"sample": asdict(options.sample)} if options.sample else {}
    return {"tasks": options.tasks, "where": options.where, "limit": options.limit, **drawn}


def no_price(model: str) -> UserError:
    return UserError(
        f"the price of {model} is unknown, so --max-cost cannot work",
        "Give it with --price IN,OUT, in dollars per million tokens",
    )


def _folder_name(order: EvalRequest) -> str:
    name = Path(order.suite.name).name
    label = model_label(order.model)
    return folder_name(name, label, order.ways.strategy, order.fingerprint[:8])


def model_label(model: str) -> str:
    """A model in a folder's name: a file by its own name, and no word cut in two."""
    provider, _, rest = model.partition("/")
    if provider in FILE_MODELS:
        model = f"{provider}-{Path(rest).resolve().name}"
    words = re.split(r"[/:-]+", model)
    while len(words) > 1 and len("-".join(words)) > _LONGEST_LABEL:
        words.pop(0)
    return "-".join(words)[-_LONGEST_LABEL:].strip("-.")


def _loaded(suite: str | Suite, options: EvaluateOptions, settings: Settings) -> Suite:
    """The suite. Of one that is yet to be built, the tasks that are asked for are enough."""
    if isinstance(suite, Suite):
        return suite
    ids = [] if options.where or options.sample else suites.ids_to_build(suite, settings)
    wanted = set(options.tasks) or set(ids[: options.limit])
    if len(wanted) < len(ids) and wanted.issubset(ids):
        ways = options.asking
        found = suites.load_needed(suite, settings, wanted)
        if all(not kind_of(ways.strategy).unfit(task, ways) for task in found.tasks.values()):
            return found
    return suites.load(suite, settings)


def _chosen(whole: Suite, options: EvaluateOptions, listener: RunListener) -> Suite:
    """The tasks that were chosen, as far as the strategy can ask them."""
    ways = options.asking
    kind = kind_of(ways.strategy)
    chosen = suites.select(whole, list(options.tasks))
    reasons = Counter(why for task in chosen if (why := kind.unfit(task, ways)))
    fitting = [task for task in chosen if not kind.unfit(task, ways)]
    if not fitting:
        raise UserError(
            f"{ways.strategy} does not fit {whole.name}: {next(iter(reasons))}",
            "Choose another --strategy: see docs/strategies.md",
        )
    for why, count in reasons.items():
        listener.note(f"not asked: {counted(count, 'task')}: {why}")
    return selected(whole, fitting, options.where, options.limit, options.sample)


def _gradable(suite: Suite, expected: Expected, runner: Runner) -> Suite:
    """The tasks that can be judged: nobody is asked for what nothing can be expected of."""
    runner.announce(task.environment for task in suite.tasks.values() if task.tests)
    judged = expecting(suite, expected, runner)
    tasks = {
        task.id: judged.tasks[task.id]
        for task in suite.tasks.values()
        if judged.tasks[task.id].tests or not task.tests
    }
    if not tasks:
        raise UserError(
            f"no task of {suite.name} that was chosen can be judged",
            "See the reasons above; --expected published takes the authors' outputs",
        )
    return replace(judged, tasks=MappingProxyType(tasks))


def _conclude(
    suite: Suite, folder: RunFolder, description: dict[str, Any], numbers: Numbers, runner: Runner
) -> Summary | None:
    """The numbers over all answers that are there; ``None`` where there is none."""
    path = folder.path / ANSWERS
    if not path.is_file() or not path.stat().st_size:
        return None
    summary = conclude_file(suite, path, folder, description, numbers, runner)
    if judged_by_text(suite):
        return summary
    return replace(summary, scores=(*summary.scores, *_held_out(suite, folder)))


def _held_out(suite: Suite, folder: RunFolder) -> list[Score]:
    """The rates over what a strategy did not learn from, where it learned from some tasks."""
    learned = set()
    with (folder.path / ANSWERS).open("rb") as file:
        for line in file:
            answer = msgspec.json.decode(line, type=_Noted)
            if answer.notes.get("optimised_on"):
                learned.add(answer.task_id)
    if not learned:
        return []
    rest = [verdict for verdict in folder.verdicts() if verdict.task_id not in learned]
    return [replace(one, group="held out") for one in scores(suite, rest) if one.group == "all"]


# Notes of strategies that are numbers: of documents found, of linters, of debugging.
MEASURED = {
    "precision": "documents, precision",
    "recall": "documents, recall",
    "mrr": "documents, MRR",
    "pylint_before": "pylint's score before",
    "pylint_after": "pylint's score after",
    "rounds": "rounds of debugging",
}


class _Noted(msgspec.Struct):
    task_id: str = ""
    notes: dict[str, Any] = {}


def _extra(order: EvalRequest, ran: EvalResult, folder: RunFolder) -> dict[str, Any]:
    """What a summary says of the asking."""
    noted, means = _noted(folder.path / ANSWERS)
    known = order.price is None or order.price(1, 1) is not None
    return {
        "model": order.model,
        "strategy": order.ways.strategy,
        "usage": {**ran.totals.usage(ran.reused), **({} if known else {"cost": None})},
        "troubles": ran.troubles,
        "unanswered_samples": ran.unanswered,
        "stopped": str(ran.over) if ran.over else None,
        "answers_noted": noted,
        "means": means,
    }


def _noted(path: Path) -> tuple[dict[str, int], dict[str, dict[str, float]]]:
    """How many answers have which oddity, and the means of what strategies measured."""
    odd: Counter[str] = Counter()
    sums: dict[str, tuple[float, int]] = {}
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        for line in file:
            notes = msgspec.json.decode(line, type=_Noted).notes
            if notes.get("prompt_cut"):
                odd["prompt cut to --prompt-limit"] += 1
            if notes.get("stop") in {"max_tokens", "model_length"}:
                odd["answer cut at its longest"] += 1
            if notes.get("documents") == []:
                odd["no documents were found for it"] += 1
            if notes.get("ending") == "unchanged":
                odd["the assistant left its file as it was"] += 1
            if notes.get("stop") == "content_filter":
                odd["answer withheld by the provider"] += 1
            for name in MEASURED:
                if isinstance(notes.get(name), (int, float)):
                    total, count = sums.get(name, (0.0, 0))
                    sums[name] = (total + notes[name], count + 1)
    means = {name: {"mean": total / n, "n": n} for name, (total, n) in sums.items()}
    return dict(odd), means
