"""Courts: who judges what, for tests that Python's own judge does not run."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING

from libdrift.execution.plan import Job
from libdrift.records import TestStyle
from libdrift.sandbox import Judgement

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

Judged = Generator[tuple[Job, Judgement], None, None]
Court = Callable[[Sequence[Job], "Options"], Judged]


def court_of(style: TestStyle) -> Court | None:
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
