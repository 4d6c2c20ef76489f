"""How far a job is, and what it has to say, on stderr."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from libdrift.cli import common
from libdrift.jobs.listening import AskingDisplay, Listener

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from libdrift.environments.forecasts import BuildForecast
    from libdrift.evals.troubles import Trouble
    from libdrift.execution import Progress
    from libdrift.records import Task


class TerminalListener(Listener):
    """Notes and warnings are lines, progress is a bar."""

    def note(self, text: str) -> None:
        common.note(text)

    def warn(self, text: str) -> None:
        common.warn(text)

    def __init__(self, *, yes: bool = False) -> None:
        self._yes = yes  # to whatever is asked

    def building(self, found: BuildForecast) -> None:
        common.announce_building(found, yes=self._yes)

    @contextmanager
    def running(self) -> Iterator[Progress]:
        with common.progress_bar() as bar:
            yield common.Display(bar)

    @contextmanager
    def counting(self, what: str) -> Iterator[Callable[[], None]]:
        with common.progress_bar() as bar:
            line = bar.add_task(what, total=None, note="")
            yield lambda: bar.advance(line)

    @contextmanager
    def asking(self, tasks: int, verdicts: int) -> Iterator[AskingDisplay]:
        with common.progress_bar() as bar:
            watching = _Asking(bar, tasks, verdicts)
            yield AskingDisplay(watching, common.Display(bar), watching.fetched)

    @contextmanager
    def judging(self, questions: int) -> Iterator[_Judging]:
        with common.progress_bar() as bar:
            yield _Judging(bar, questions)

    @contextmanager
    def generating(self, starts: int) -> Iterator[_Generating]:
        with common.progress_bar() as bar:
            yield _Generating(bar, starts)


class _Weights:
    """A line for the bytes of a model's weights, when the first have come."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._fetching: Any = None

    def fetched(self, done: int, total: int) -> None:
        if self._fetching is None:
            self._fetching = self._bar.add_task("weights, MB", total=total >> 20, note="")
        self._bar.update(self._fetching, completed=done >> 20)


class _Asking(_Weights):
    """Two lines: tasks asked, with what went wrong, and answers judged, with their outcomes."""

    def __init__(self, bar: Bar, tasks: int, verdicts: int) -> None:
        super().__init__(bar)
        self._asked = bar.add_task("asked", total=tasks, note="")
        self._judged = bar.add_task("judged", total=verdicts, note="")
        self._troubles: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()

    def known(self, tasks: int) -> None:
        """Tasks that an earlier session has done."""
        self._bar.advance(self._asked, tasks)

    def answered(self, task: Task, trouble: Trouble | None) -> None:
        del task
        if trouble is not None:
            self._troubles[trouble.kind.value] += 1
        self._bar.update(self._asked, advance=1, note=_counts(self._troubles))

    def judged(self, outcome: str) -> None:
        self._outcomes[outcome] += 1
        self._bar.update(self._judged, advance=1, note=_counts(self._outcomes))

    def said(self, what: str) -> None:
        if self._bar.disable:  # nobody sees the bar
            common.note(what)
        self._bar.update(self._asked, note=what)


class _Judging(_Weights):
    def __init__(self, bar: Bar, questions: int) -> None:
        super().__init__(bar)
        self._line = bar.add_task("judged", total=questions, note="")
        self._verdicts: Counter[str] = Counter()

    def judged(self, verdict: str) -> None:
        self._verdicts[verdict] += 1
        self._bar.update(self._line, advance=1, note=_counts(self._verdicts))


class _Generating(_Weights):
    def __init__(self, bar: Bar, starts: int) -> None:
        super().__init__(bar)
        self._line = bar.add_task("generated", total=starts, note="")
        self._ends: Counter[str] = Counter()

    def finished(self, ended: str) -> None:
        self._ends[ended] += 1
        self._bar.update(self._line, advance=1, note=_counts(self._ends))


def _counts(found: Counter[str]) -> str:
    return " ".join(f"{name} {count}" for name, count in sorted(found.items()))
