"""Runs as a page to look into: one file, or served on this machine."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from libdrift import config, suites
from libdrift.analysis.observing import ObservedRun
from libdrift.config import Settings
from libdrift.errors import LibdriftError, UserError, write_failure
from libdrift.jobs.analysing import observed
from libdrift.jobs.histories import open_history
from libdrift.records import Suite
from libdrift.reports.explorer import (
    ExplorerServer,
    RunTexts,
    RunWatcher,
    TextSources,
    numbers_of,
    page_of,
)

if TYPE_CHECKING:
    from libdrift.history.questions import Life

_LONGEST = 60.0  # seconds for lives of APIs


@dataclass(frozen=True, slots=True)
class ExplorerPage:
    """A page that was written."""

    path: Path
    runs: int
    answers: int
    bytes: int
    limit: int  # characters of a text that it has room for
    cut: int  # texts that are longer


def write_explorer(
    runs: Iterable[str | Path],
    out: str | Path,
    where: Sequence[str] = (),
    *,
    data: Path | None = None,
) -> ExplorerPage:
    """Write runs as one page that opens from a file, without a network.

    ``where`` takes only the answers that conditions hold of: ``year>=2022``.
    """
    path = Path(out)
    found = observed(list(runs), where, data)
    if not any(run.observations for run in found):
        raise UserError("these runs have no answer yet", "Score some answers first")
    sources = _sources(data)
    with ExitStack() as opened:
        texts = [opened.enter_context(closing(RunTexts(run, sources))) for run in found]
        page = page_of(_title(found), numbers_of(found), texts)
    content = page.html.encode("utf-8", "replace")
    try:
        path.write_bytes(content)
    except OSError as error:
        raise write_failure(path, error, "choose another place with --html FILE") from error
    return ExplorerPage(path, len(found), page.answers, len(content), page.limit, page.cut)


def open_explorer(
    runs: Iterable[str | Path], port: int = 0, *, data: Path | None = None
) -> ExplorerServer:
    """A server of runs for browsers of this machine; ``serve_forever`` starts it."""
    paths = list(runs)
    watcher = RunWatcher(lambda: observed(paths, (), data), _sources(data))
    try:
        return ExplorerServer(_title([one.run for one in watcher.now.texts]), watcher, port)
    except OSError as error:
        raise UserError(
            f"cannot listen on port {port}: {error.strerror}", "Choose another with --port"
        ) from error


def _title(runs: Sequence[ObservedRun]) -> str:
    names = list(dict.fromkeys(run.suite for run in runs))
    return f"libdrift: {', '.join(names)}"


def _sources(data: Path | None) -> TextSources:
    known: dict[str, Suite] = {}
    settings = config.load(data)

    def suite(run: ObservedRun) -> Suite:
        # Of a suite that is not built, each run needs other tasks.
        key = str(run.path) if suites.ids_to_build(run.suite, settings) else run.suite
        if key not in known:
            known[key] = _suite_of(run, settings)
        return known[key]

    return TextSources(suite, _Lives())


class _Lives:
    """Lives of APIs, each asked for once. Whoever writes a page asks for many, and does not wait
    for ever."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any] | LibdriftError] = {}
        self._spent = 0.0

    def __call__(self, symbol: str) -> dict[str, Any]:
        found = self._known.get(symbol)
        if found is None:
            found = self._known[symbol] = self._ask(symbol)
        if isinstance(found, LibdriftError):
            raise found
        return found

    def _ask(self, symbol: str) -> dict[str, Any] | LibdriftError:
        from libdrift.history.questions import life

        if self._spent > _LONGEST:
            return UserError(
                f"histories of APIs took more than {_LONGEST:g} s",
                f"Run: libdrift history {symbol}",
            )
        start = time.monotonic()
        try:
            with open_history(None) as store:
                return _life(life(store, symbol))
        except LibdriftError as error:
            return error
        finally:
            self._spent += time.monotonic() - start


def _suite_of(run: ObservedRun, settings: Settings) -> Suite:
    """A run's suite: by its name, or the file or folder of tasks that its command named."""
    command = run.provenance.get("command")
    for argument in command if isinstance(command, list) else ():
        if isinstance(argument, str) and suites.is_file(argument) and Path(argument).exists():
            try:
                found = suites.load(argument, settings)
            except LibdriftError:
                continue  # another file that ends like this: answers
            if found.name == run.suite:
                return found
    return suites.load_needed(run.suite, settings, {one.task_id for one in run.observations})


def _life(life: Life) -> dict[str, Any]:
    """What a reader of a task wants to know of the API's life."""
    told = life.deprecated
    return {
        "path": life.path,
        "kind": str(life.kind),
        "introduced": life.introduced,
        "introduced_before": life.introduced_before,
        "deprecated": told and {"version": told.first, "message": told.message},
        "removed": life.removed,
        "replacement": life.replacement or None,
        "signatures": [
            {"from": one.first, "to": one.last, "signature": one.text} for one in life.signatures
        ],
        "mined": {"first": life.mined[0], "last": life.mined[1]},
    }
