"""Who hears how a job goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from libdrift.execution import Progress, Silent
from libdrift.scoring import RunListener

if TYPE_CHECKING:
    from libdrift.evals.generating import GenerationWatch
    from libdrift.evals.judging import JudgeWatch
    from libdrift.evals.session import EvalListener


@dataclass(frozen=True, slots=True)
class AskingDisplay:
    """Where the progress of asking and judging is shown."""

    watch: EvalListener
    running: Progress
    fetched: Callable[[int, int], None]  # bytes of a model's weights, of how many


class Listener(RunListener):
    """Hears how a job goes. This one keeps it to the log; the command line has its own."""

    @contextmanager
    def asking(self, tasks: int, verdicts: int) -> Iterator[AskingDisplay]:
        from libdrift.evals.session import SilentListener

        del tasks, verdicts
        yield AskingDisplay(SilentListener(), Silent(), lambda _done, _total: None)

    @contextmanager
    def judging(self, questions: int) -> Iterator[JudgeWatch]:
        from libdrift.evals.judging import UnwatchedJudge

        del questions
        yield UnwatchedJudge()

    @contextmanager
    def generating(self, starts: int) -> Iterator[GenerationWatch]:
        from libdrift.evals.generating import UnwatchedGeneration

        del starts
        yield UnwatchedGeneration()
