"""`libdrift eval` at work: what was asked for becomes a run, and the run a summary."""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from libdrift.analysis.text_scores import AtK
from libdrift.cli import common
from libdrift.cli.eval_watch import Watching
from libdrift.cli.expectations import Expected, expecting
from libdrift.cli.score import (
    Breaking,
    conclude,
    judged_by_text,
    leave,
    numbers_of_samples,
    verified_tasks,
)
from libdrift.cli.score_table import print_programs
from libdrift.cli.text_score import conclude_texts, print_texts
from libdrift.errors import UserError
from libdrift.evals import costs
from libdrift.evals.running import Order, Patience, Ran, carry_out
from libdrift.evals.session import ANSWERS
from libdrift.evals.strategies import kind_of
from libdrift.evals.troubles import Kind
from libdrift.evals.ways import Ways
from libdrift.metrics.modes import Mode
from libdrift.records import Score, Suite

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from libdrift.config import Settings
    from libdrift.execution import Options, RunFolder
    from libdrift.reports import Summary

MakeOptions = Callable[["Settings", "Bar | None"], AbstractContextManager["Options"]]


@dataclass(frozen=True, slots=True)
class Request:
    """A command line, as far as it is about what to ask."""

    suite: str
    model: str
    ways: Ways
    tasks: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    limit: int | None = None
    ks: str | None = None
    base_url: str | None = None
    max_cost: float | None = None
    price: str = ""
    judging: str = ""
    expected: Expected = Expected.MEASURED
    audited: Path | None = None
    cutoff: date | None = None
    out: Path | None = None
    data: Path | None = None
    patience: Patience = field(default_factory=Patience)

    @property
    def prices(self) -> costs.Price:
        return costs.told(self.price) if self.price else costs.price_of(self.model)

    @property
    def at(self) -> AtK:
        n = self.ways.samples
        return numbers_of_samples(self.ks or ("1" if n == 1 else f"1,{n}"), Mode.FIXED)


def longest(model: str) -> int:
    """Tokens of one answer, by default: a model on a core or two writes thirty a second."""
    return 512 if model == "smollm2" or model.startswith("gguf/") else 2048


def read_system(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}", "Give a text file with --system") from error


def tasks_of(request: Request, whole: Suite) -> Suite:
    """The tasks that were chosen, as far as the strategy can ask them."""
    from libdrift import suites
    from libdrift.suites.selecting import selected

    kind = kind_of(request.ways.strategy)
    chosen = suites.select(whole, list(request.tasks))
    reasons = Counter(why for task in chosen if (why := kind.unfit(task, request.ways)))
    fitting = [task for task in chosen if not kind.unfit(task, request.ways)]
    if not fitting:
        raise UserError(
            f"{request.ways.strategy} does not fit {whole.name}: {next(iter(reasons))}",
            "Choose another --strategy: docs/strategies.md tells what each is for",
        )
    for why, count in reasons.items():
        common.note(f"{count} tasks are not asked: {why}")
    return selected(whole, fitting, request.where, request.limit)


def _gradable(
    suite: Suite, request: Request, options: Callable[[], AbstractContextManager[Options]]
) -> Suite:
    """The tasks that can be judged: nobody is asked for what nothing can be expected of."""
    judged = expecting(suite, request.expected, options)
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


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What came of a request: the numbers, where there are answers, and how asking went."""

    summary: Summary | None
    ran: Ran
    content: dict[str, Any]  # both, as ``--json`` prints them


def evaluate(request: Request, make_options: MakeOptions) -> Evaluated:
    """Ask and judge, into the run's folder."""
    from libdrift import suites
    from libdrift.execution import RunFolder
    from libdrift.execution.runs import RUNS, folder_name

    settings = common.settings(request.data)
    at = request.at
    whole = suites.load(request.suite, settings)
    breaking = Breaking(
        [number for number in at.ks if number > 1],
        request.cutoff,
        verified=verified_tasks(whole, request.audited) if request.audited else None,
    )
    ways = request.ways
    if ways.samples > 1 and ways.strategy == "greedy" and not ways.temperature:
        common.note("greedy samples are copies of one another: --strategy sample varies them")
    order = Order(
        _gradable(tasks_of(request, whole), request, lambda: make_options(settings, None)),
        request.model,
        request.ways,
        request.base_url,
        request.prices,
        request.max_cost,
        request.judging,
        {"tasks": request.tasks, "where": request.where, "limit": request.limit},
        request.patience,
    )
    if request.max_cost is not None and not math.isfinite(request.max_cost):
        raise UserError(f"--max-cost {request.max_cost}: no sum of money", "Write it in dollars")
    if request.max_cost is not None and order.price is not None and order.price(1, 1) is None:
        raise UserError(
            f"no price is known for {request.model}, so --max-cost cannot be kept",
            "Give it with --price IN,OUT, in dollars per million tokens",
        )
    suite = order.suite
    label = request.model.replace("/", "-").replace(":", "-")[-40:].strip("-.")
    parts = (Path(suite.name).name, label, request.ways.strategy, order.fingerprint[:8])
    name = folder_name(*parts)
    folder = RunFolder(request.out or Path(RUNS) / name)
    with common.progress_bar() as bar, make_options(settings, bar) as options:
        splits = sum(max(1, len(task.tests)) for task in suite.tasks.values())
        watch = Watching(bar, len(suite.tasks), splits * request.ways.samples)
        ran = carry_out(order, folder, options, watch, watch.fetched)
    description = order.description(options)
    summary = _conclude(
        suite, folder, description, at, lambda: make_options(settings, None), breaking
    )
    extra = _extra(order, ran, folder)
    content = {**(summary.to_json() if summary else {"run": common.relative(folder.path)}), **extra}
    folder.write_description({**description, "summary": content})
    return Evaluated(summary, ran, content)


def run(request: Request, make_options: MakeOptions, *, as_json: bool) -> None:
    """Ask, judge, and print what came of it."""
    found = evaluate(request, make_options)
    if as_json:
        common.print_json(found.content)
    elif found.summary is not None and "text" in found.summary.outcomes:
        print_texts(found.summary, Mode.FIXED)
    elif found.summary is not None:
        print_programs(found.summary)
    else:
        print(f"run: {found.content['run']}")
    _tell(found.ran, found.content, quiet=as_json)
    if found.ran.unanswered:
        raise typer.Exit(3)
    if found.summary is not None:
        leave(found.summary, strict=False)


def _conclude(
    suite: Suite,
    folder: RunFolder,
    description: dict[str, Any],
    at: AtK,
    options: Callable[[], AbstractContextManager[Options]],
    breaking: Breaking,
) -> Summary | None:
    """The numbers over all answers that are there; ``None`` where there is none."""
    from libdrift.analysis.text_answers import TextAnswers
    from libdrift.execution import read_answers

    path = folder.path / ANSWERS
    if not path.is_file() or not path.stat().st_size:
        return None
    if judged_by_text(suite):
        return conclude_texts(suite, TextAnswers(path, suite), folder, description, at, options)
    with options() as found:
        summary = conclude(suite, read_answers(path, suite), folder, description, found, breaking)
    return replace(summary, scores=(*summary.scores, *_held_out(suite, folder)))


def _held_out(suite: Suite, folder: RunFolder) -> list[Score]:
    """The rates over what a strategy did not learn from, where it learned from some tasks."""
    from libdrift.execution import scores

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
_MEASURED = {
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


def _extra(order: Order, ran: Ran, folder: RunFolder) -> dict[str, Any]:
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
            for name in _MEASURED:
                if isinstance(notes.get(name), (int, float)):
                    total, count = sums.get(name, (0.0, 0))
                    sums[name] = (total + notes[name], count + 1)
    means = {name: {"mean": total / n, "n": n} for name, (total, n) in sums.items()}
    return dict(odd), means


def _tell(ran: Ran, extra: dict[str, Any], *, quiet: bool) -> None:
    usage = extra["usage"]
    if not quiet:
        cost = f", ${usage['cost']:.4f}" if usage["cost"] else ""
        if usage["calls"]:
            print(
                f"asked: {common.counted(usage['calls'], 'call')}, "
                f"{usage['tokens_in']:,} tokens in, {usage['tokens_out']:,} out{cost}"
            )
        held = [score for score in extra.get("scores", ()) if score["group"] == "held out"]
        for score in held:
            print(f"{score['split']}, without the tasks that it learned from: {score['value']:.1%}")
        for name, found in extra["means"].items():
            print(f"{_MEASURED[name]}: {found['mean']:.3f} (mean of {found['n']})")
    if usage["retries"]:
        common.note(f"{usage['retries']} requests were tried again")
    for what, count in extra["answers_noted"].items():
        common.note(f"{common.counted(count, 'answer')}: {what}")
    for kind, found in extra["troubles"].items():
        questions = common.counted(found["count"], "question")
        common.note(f"{questions} without an answer, {kind}: {found['last']}")
    if ran.over is not None:
        common.note(f"stopped: {ran.over}")
    if ran.unanswered:
        missing = f"missing: {common.counted(ran.unanswered, 'answer')}, in no number"
        spent = ran.over is not None and ran.over.kind is Kind.BUDGET
        again = "a higher --max-cost" if spent else "the same command"
        common.note(f"{missing}; {again} asks for them")


def estimate(request: Request, make_options: MakeOptions, *, as_json: bool) -> None:
    """What a run would ask, and what that would cost, without asking."""
    from libdrift import suites
    from libdrift.evals.estimates import estimate as estimated
    from libdrift.evals.room import Room
    from libdrift.evals.shelf import Shelf
    from libdrift.execution.live import Live

    settings = common.settings(request.data)
    suite = tasks_of(request, suites.load(request.suite, settings))
    shelf = Shelf(settings, request.ways)
    with make_options(settings, None) as options, Live(options) as live, shelf:
        room = Room(suite, request.ways, settings, options, live, shelf)
        found = estimated(suite, kind_of(request.ways.strategy)(room), request.prices)
    if as_json:
        common.print_json({"suite": suite.name, "model": request.model, **found.to_json()})
        return
    print(f"{found.tasks} tasks, {found.answers} answers, at least {found.calls} requests")
    print(f"about {found.tokens_in:,} tokens in, at most {found.tokens_out:,} out")
    if found.cost is None:
        common.note(f"no price is known for {request.model}: give it with --price IN,OUT")
    else:
        print(f"about ${found.cost:,.2f}, if every answer is as long as it may be")
    common.note("an estimate: four characters a token; strategies of several rounds ask more")
