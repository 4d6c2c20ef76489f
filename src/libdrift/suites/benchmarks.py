"""What a benchmark is to libdrift: one record, which its folder offers as ``BENCHMARK``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from libdrift.config import Settings
from libdrift.execution import Options
from libdrift.records import Suite, Task, TestStyle
from libdrift.scoring import AuditResult, OwnScores
from libdrift.scoring import audit as prove

Audit = Callable[[Iterable[Task], Options], list[AuditResult]]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Only a name and ``load`` are needed. A list of verified tasks is a file beside them."""

    name: str
    load: Callable[[Settings], Suite]
    audit: Audit = prove  # by default: references pass, wrong-version answers fail
    scores: tuple[OwnScores, ...] = ()  # what its paper measures beside tests


def has_style(suite: Suite, style: TestStyle) -> bool:
    return any(tests.style is style for task in suite.tasks.values() for tests in task.tests)
