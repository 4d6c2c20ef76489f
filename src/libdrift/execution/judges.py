"""Judges by style: who judges what, for tests that Python's own judge does not run."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from libdrift.execution.plan import Job
from libdrift.records import PLAIN, REMOTE, UNPROVEN, Outcome, TestStyle
from libdrift.sandbox import Judgement

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

Judged = Generator[tuple[Job, Judgement], None, None]
StyleJudge = Callable[[Sequence[Job], "Options"], Judged]


def with_proof(job: Job, judgement: Judgement) -> Judgement:
    """A judgement of another judge with how a pass is proven there, where it does not say.

    Labels, compilers' messages and output are compared by the host: no answer meets them.
    A Rust answer that was not tried on decoys is plain: its text has no means to reach its tests.
    """
    if judgement.proof is not None or not judgement.outcome.graded:
        return judgement
    if job.program.style is not TestStyle.RUST:
        return replace(judgement, proof=REMOTE)
    proof = PLAIN if job.reference else UNPROVEN
    return replace(judgement, proof=proof) if judgement.outcome is Outcome.PASSED else judgement


def judge_for(style: TestStyle) -> StyleJudge | None:
    """Who judges tests of a style; ``None`` for those that run in the answer's own Python."""
    # Imported when they are needed: compilers are nothing to the many runs without them.
    match style:
        case TestStyle.OUTPUT:
            from libdrift.execution import outputs

            return outputs.run_jobs
        case TestStyle.RUST:
            from libdrift.execution.rust import calls

            return calls.run_jobs
        case TestStyle.COMPILE:
            from libdrift.execution import java

            return java.run_jobs
        case TestStyle.LABELS:
            from libdrift.execution import labels

            return labels.run_jobs
        case TestStyle.PYTEST | TestStyle.SCRIPT:
            return None
