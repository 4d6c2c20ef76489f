"""A whole run: in batches, so that memory does not grow with the suite; resumed after any end."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai import eval as inspect_eval
from inspect_ai.model import GenerateConfig, Model

from libdrift.evals import costs
from libdrift.evals.asking import Channel
from libdrift.evals.document_source import DocumentSource
from libdrift.evals.inspect_logs import end_quietly, log_failure
from libdrift.evals.ledger import Ledger, Totals
from libdrift.evals.models import Opened, identity, opened
from libdrift.evals.options import EvalOptions
from libdrift.evals.session import EvalListener, EvalSession
from libdrift.evals.strategies import choose, kind_of
from libdrift.evals.strategy_context import StrategyContext
from libdrift.evals.tasks import inspect_task
from libdrift.evals.troubles import Trouble
from libdrift.execution import Options, RunFolder
from libdrift.execution.runs import provenance
from libdrift.records import Suite, Task
from libdrift.scoring.descriptions import tasks_left_out
from libdrift.scoring.run_tasks import write_tasks
from libdrift.version import __version__

LOGS = "logs"
_BATCH = 1000  # tasks in one of Inspect's logs
_BUFFER = 20  # samples that a kill may cost the log; their answers are kept elsewhere
_AT_ONCE = 10
_JUDGED = 20


@dataclass(frozen=True, slots=True)
class ProviderLimits:
    """How long a provider is waited for, and how much it is asked at once."""

    retries: int = 5
    seconds: int = 600  # for one answer
    at_once: int | None = None  # None: one of a model on this machine, else ten

    def number(self, model: Opened) -> int:
        """How many questions are under way at a time."""
        return self.at_once or (1 if model.local else _AT_ONCE)

    def made(self, model: Opened) -> Model:
        """A model for the running event loop that keeps to this; else it retries for ever."""
        made = model.make()
        limits = GenerateConfig(
            max_retries=self.retries,
            attempt_timeout=self.seconds,
            max_connections=self.number(model),
        )
        made.config = made.config.merge(limits)
        return made


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """What to ask of whom."""

    suite: Suite
    model: str
    ways: EvalOptions
    base_url: str | None = None
    price: costs.Price | None = None
    max_cost: float | None = None
    judging: str = ""  # sandbox and time limits, which verdicts depend on
    chosen: dict[str, Any] = field(default_factory=dict)  # how tasks were, for whoever reads it
    patience: ProviderLimits = field(default_factory=ProviderLimits)

    @property
    def fingerprint(self) -> str:
        """Hash of everything that answers depend on: equal runs continue one another."""
        model = [self.model, identity(self.model), self.base_url]
        known = [__version__, *model, self.ways.to_json(), self.judging]
        digest = hashlib.sha256(msgspec.json.encode(known, order="sorted"))
        for task in self.suite.tasks.values():
            # All of it: verdicts depend on tests and references as answers do on problems.
            digest.update(repr(task).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:12]

    def description(self, options: Options) -> dict[str, Any]:
        """What ``run.json`` says of the run."""
        return {
            "fingerprint": self.fingerprint,
            "suite": self.suite.name,
            "tasks": len(self.suite.tasks),
            **tasks_left_out(self.suite),
            "model": self.model,
            "model_file": identity(self.model),
            "base_url": self.base_url,
            "chosen": self.chosen,
            "ways": self.ways.to_json(),
            "sandbox": options.backend.name,
            "time_factor": options.time_factor,
            "workers": options.workers,
            "provenance": provenance(),
        }


@dataclass(frozen=True, slots=True)
class EvalResult:
    """What came of asking."""

    totals: Totals
    reused: int  # answers that an earlier session had asked for
    unanswered: int  # samples
    troubles: dict[str, dict[str, Any]]  # by kind: how many, and the last message
    over: Trouble | None  # what ended it early


def carry_out(
    order: EvalRequest,
    folder: RunFolder,
    options: Options,
    watch: EvalListener,
    fetched: Callable[[int, int], None] = lambda _done, _total: None,
) -> EvalResult:
    """Ask for every answer that the folder does not have yet, and judge it as it comes."""
    price = order.price or costs.price_of(order.model)
    channel = Channel(order.model, Ledger(folder.path), price, order.max_cost)
    with (
        folder.open(order.description(options)) as known,
        options.engine.live(options) as live,
        DocumentSource(options.settings, order.ways, watch.said) as shelf,
    ):
        write_tasks(folder, order.suite)
        room = StrategyContext(
            order.suite, order.ways, options.settings, options, live, shelf, folder.path
        )
        session = EvalSession(choose(room), channel, folder, watch)
        session.recover(known)
        tasks = order.suite.tasks.values()
        waiting = [task for task in tasks if session.missing(task)]
        watch.known(len(tasks) - len(waiting))
        before = retries()
        try:
            if waiting:
                with _open(order, options, fetched) as model:
                    room.structured = model.structured
                    _run(session, model, waiting, order.patience)
        finally:
            channel.ledger.close(retries() - before)
    missing = {(task.id, sample) for task in tasks for sample in session.missing(task)}
    totals = channel.ledger.totals
    # What is no task's was asked to prepare: of interest where that ended the run.
    ended, asked = channel.over is not None, order.suite.tasks
    still = totals.open_troubles(lambda at: at in missing or (ended and at[0] not in asked))
    return EvalResult(totals, channel.ledger.reused, len(missing), still, channel.over)


@contextlib.contextmanager
def _open(
    order: EvalRequest, options: Options, fetched: Callable[[int, int], None]
) -> Iterator[Opened]:
    kind = kind_of(order.ways.strategy)
    name = "none/none" if kind.modelless else order.model
    with opened(
        name, options.settings, base_url=order.base_url, raw=kind.raw, progress=fetched
    ) as model:
        yield model


def _run(
    session: EvalSession, model: Opened, waiting: Sequence[Task], patience: ProviderLimits
) -> None:
    async def prepare() -> None:
        session.channel.use(patience.made(model))
        await session.prepare()

    try:
        asyncio.run(prepare())
    except Trouble as trouble:
        session.channel.over = trouble  # nothing can be asked; what was answered is kept
        return
    left = iter(waiting)
    while batch := list(islice(left, _BATCH)):
        _ask(session, patience.made(model), batch, patience.number(model))
        if session.channel.over is not None:
            return


def _ask(session: EvalSession, model: Model, tasks: Sequence[Task], at_once: int) -> None:
    session.channel.use(model)
    session.turns = asyncio.Semaphore(at_once)
    end_quietly()
    place = session.folder.path if session.folder else Path()
    logs = inspect_eval(
        inspect_task(session, tasks),
        model=model,
        display="none",
        log_dir=str(place / LOGS),
        log_level="critical",
        log_realtime=False,
        log_model_api=False,
        log_header_only=True,
        log_buffer=_BUFFER,
        score_display=False,
        ctl_server=False,
        # A question without an answer is one sample's trouble. It is counted by the ledger.
        fail_on_error=False,
        # Those that are being judged, too: asking goes on meanwhile.
        max_samples=at_once + _JUDGED,
    )
    # Inspect takes Ctrl-C as its own: it ends its log, and says so by this.
    if not logs or any(log.status == "cancelled" for log in logs):
        raise KeyboardInterrupt
    if session.failure is not None:
        raise session.failure
    for log in logs:
        if log.status == "error" and log.error is not None:
            raise log_failure(log.error.message, place / LOGS)


def retries() -> int:
    from inspect_ai._util.retry import http_retries_count

    return http_retries_count()
