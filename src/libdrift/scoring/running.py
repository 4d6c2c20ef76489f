"""How answers are run, and whom a job tells how it goes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from libdrift.config import Settings
from libdrift.environments.forecasts import BuildForecast, forecast
from libdrift.execution import Options, Progress, Silent
from libdrift.execution.engines import EngineChoice, choose_engine
from libdrift.records import Environment
from libdrift.sandbox import Limits, choose

logger = logging.getLogger(__name__)
_UNPROTECTED = "--sandbox none: answers run with your rights and can read and change your files"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How answers are run."""

    sandbox: str = "bubblewrap"  # or none, which protects nothing: trusted code only
    workers: int = 2
    floor: float = 15.0  # seconds that every answer is given, at least
    factor: float = 10.0  # times the reference's own time, where that is more
    fresh: bool = False  # a new process for every answer: slow, and the same verdicts
    engine: EngineChoice = field(default_factory=EngineChoice)  # this machine, or a cluster


class RunListener:
    """Hears how a job goes. This one keeps it to the log; the command line has its own."""

    def note(self, text: str) -> None:
        logger.info(text)

    def warn(self, text: str) -> None:
        logger.warning(text)

    def building(self, found: BuildForecast) -> None:
        """Environments are about to be built; who does not want that raises."""
        logger.info("%d environments are built, about %d bytes", found.missing, found.size)

    @contextmanager
    def running(self) -> Iterator[Progress]:
        """Who is told of environments and answers while they are built and run."""
        yield Silent()

    @contextmanager
    def counting(self, what: str) -> Iterator[Callable[[], None]]:
        """What is called for each of something whose number is not known before."""
        del what
        yield lambda: None


@dataclass(frozen=True, slots=True)
class Runner:
    """Where and how answers are run, with who listens."""

    settings: Settings
    options: RunOptions = field(default_factory=RunOptions)
    listener: RunListener = field(default_factory=RunListener)

    def announce(self, environments: Iterable[Environment]) -> None:
        """Tell the listener what is to be built, before anything is."""
        found = forecast(environments, self.settings, self.options.workers)
        if found.missing:
            self.listener.building(found)

    @contextmanager
    def open(self) -> Iterator[Options]:
        with self.listener.running() as progress:
            yield self.with_progress(progress)

    def with_progress(self, progress: Progress) -> Options:
        """The options of execution, for someone who has a progress display already."""
        asked = self.options
        backend = choose(asked.sandbox, self.settings)
        if not backend.isolates:
            self.listener.warn(_UNPROTECTED)
        return Options(
            self.settings,
            backend,
            Limits().with_time(asked.floor),
            asked.workers,
            progress,
            asked.factor,
            asked.fresh,
            choose_engine(asked.engine, self.listener.warn),
        )
