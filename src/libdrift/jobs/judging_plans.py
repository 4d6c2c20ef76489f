"""What a judge is to be asked, and what is made of its verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from libdrift.evals.judge import JudgeQuestion
from libdrift.evals.judging import JudgeResult
from libdrift.execution import RunFolder
from libdrift.metrics.agreement import Agreement

JudgingSummary = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JudgingPlan:
    questions: list[JudgeQuestion]
    folder: RunFolder
    conclude: Callable[[JudgeResult], JudgingSummary]
    notes: list[str] = field(default_factory=list)  # of what is not judged


def agreed(found: Agreement, first: str, second: str) -> JudgingSummary:
    """An agreement, with the names of who agrees."""
    plain = found.to_json()
    plain[f"only_{first}"] = plain.pop("only_first")
    plain[f"only_{second}"] = plain.pop("only_second")
    return plain
