"""What `inspect eval libdrift/SUITE` finds: a task for every suite, and one for files of tasks.

``-T strategy=NAME`` chooses the strategy, and ``-T documents=5`` any other way of asking, by its
name in ``evals.ways.Ways``; ``-T data=DIR`` says where published data is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from inspect_ai import Task, task

from libdrift import config, suites
from libdrift.errors import UserError
from libdrift.evals import models
from libdrift.evals.asking import Channel
from libdrift.evals.document_source import DocumentSource
from libdrift.evals.ledger import Ledger
from libdrift.evals.options import EvalOptions
from libdrift.evals.session import EvalSession
from libdrift.evals.strategies import choose, kind_of
from libdrift.evals.strategy_context import StrategyContext
from libdrift.evals.tasks import inspect_task
from libdrift.execution import Options
from libdrift.execution.live import Live
from libdrift.sandbox import choose as choose_sandbox
from libdrift.suites.selecting import selected

__all__ = ["models"]  # whose import makes our providers known

_WAYS = {field.name for field in fields(EvalOptions)}


def _task(suite: str, data: str, sandbox: str, given: dict[str, Any]) -> Task:
    unknown = sorted(set(given) - _WAYS)
    if unknown:
        raise UserError(f"unknown way of asking {unknown[0]!r}", f"Known: {sorted(_WAYS)}")
    strategy = str(given.get("strategy", "greedy"))
    ways = EvalOptions(**{"samples": kind_of(strategy).samples, **given})
    settings = config.load()
    if data:
        settings = replace(settings, data=Path(data).expanduser().resolve())
    whole = suites.load(suite, settings)
    fitting = [one for one in whole.tasks.values() if not kind_of(strategy).unfit(one, ways)]
    if not fitting:
        raise UserError(f"{strategy} does not fit {whole.name}", "Choose another strategy")
    chosen = selected(whole, fitting)
    options = Options(settings, choose_sandbox(sandbox, settings))
    # Its workers end with the process: Inspect does not say when a task is over.
    room = StrategyContext(
        chosen, ways, settings, options, Live(options), DocumentSource(settings, ways)
    )
    channel = Channel("", Ledger(None), lambda _in, _out: None, None)
    channel.overridden = True
    return inspect_task(EvalSession(choose(room), channel), fitting)


def _registered(name: str) -> Callable[..., Task]:
    def make(data: str = "", sandbox: str = "bubblewrap", **ways: Any) -> Task:  # noqa: ANN401
        return _task(name, data, sandbox, ways)

    make.__name__ = name
    make.__doc__ = f"The tasks of {name}, asked by one of libdrift's strategies."
    return task(name=name)(make)


for _name in suites.names():
    globals()[_name] = _registered(_name)


@task(name="tasks")
def tasks(file: str, sandbox: str = "bubblewrap", **ways: Any) -> Task:  # noqa: ANN401
    """A file of tasks, as `libdrift build` makes them."""
    return _task(file, "", sandbox, ways)
