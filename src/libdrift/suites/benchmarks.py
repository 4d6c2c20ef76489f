"""What a benchmark is to libdrift: one record, which its folder offers as ``BENCHMARK``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift.config import Settings
from libdrift.execution import Options
from libdrift.records import Suite, Task, TestStyle
from libdrift.scoring import AuditResult, OwnMeasures, OwnScores
from libdrift.scoring import audit as prove

if TYPE_CHECKING:
    from libdrift.retrieval.published import SuiteDocument
    from libdrift.suites.libevolutioneval.documents import PublishedDocument

Audit = Callable[[Iterable[Task], Options], list[AuditResult]]


@dataclass(frozen=True, slots=True)
class Asking:
    """How to ask for text. All but the first two are for completions in the middle of a line."""

    version: bool = True  # whether the library's version is told
    imports: bool = True  # whether code is shown with its imports
    style: str = "instruct"
    family: str | None = None  # of the model, whose marks stand around a gap
    limit: int | None = None  # tokens on each side of a gap
    context: str = "version"  # what stands before the code
    right: str = "few"  # what stands behind the gap: few, whole, none, or a number of lines
    documents: Sequence[PublishedDocument] = ()


@dataclass(frozen=True, slots=True)
class TaskPrompt:
    """What a model is given: ``text`` to go on from, or a conversation of two messages."""

    text: str = ""
    system: str = ""
    user: str = ""
    stop: tuple[str, ...] = ()


# None of a task that is not of the benchmark's kind.
PromptMaker = Callable[[Task, Asking], TaskPrompt | None]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Only a name and ``load`` are needed. A list of verified tasks is a file beside them."""

    name: str
    load: Callable[[Settings], Suite]
    audit: Audit = prove  # by default: references pass, wrong-version answers fail
    scores: tuple[OwnScores, ...] = ()  # what its paper measures beside tests
    measures: tuple[OwnMeasures, ...] = ()  # the same of single answers, for breakdowns
    prompt: PromptMaker = lambda _task, _asking: None  # of tasks that are judged by their text
    # Where its data is, if it does not come with libdrift; an error where it is missing.
    find_data: Callable[[Settings], Path] | None = None
    is_built: bool = False  # from a manifest, on first use
    # The documents that it was published with; an error where they are missing.
    documents: Callable[[Settings], Iterable[SuiteDocument]] | None = None


def has_style(suite: Suite, style: TestStyle) -> bool:
    return any(tests.style is style for task in suite.tasks.values() for tests in task.tests)
