"""What clippy cannot tell: whether an answer calls a trait's method, for one type.

Such an answer is compiled once more, alone and without tests, as far as the compiler's middle form.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from libdrift.environments.crate_troubles import Unavailable
from libdrift.execution.plan import Job
from libdrift.execution.rust import run_jobs as judged
from libdrift.execution.rust.compiling import EDITIONS, generous
from libdrift.execution.rust.places import crates_for, toolchain_for
from libdrift.execution.rust.tidying import tidied
from libdrift.languages.rust.calls import Implementation, calls
from libdrift.records import Environment, Outcome
from libdrift.sandbox import Judgement
from libdrift.sandbox.commands import Command, run

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options
    from libdrift.execution.judges import Judged

_FORM = "answer.mir"
_SECONDS = 60.0
_COMPILED = frozenset({Outcome.PASSED, Outcome.FAILED, Outcome.TIMEOUT})


def run_jobs(jobs: Sequence[Job], options: Options) -> Judged:
    """The judge of Rust, whose judgements here also say whether answers use such methods."""
    stop = threading.Event()
    known: dict[tuple[Environment, str], str | None] = {}
    try:
        with closing(judged(jobs, options)) as results:
            for job, judgement in results:
                yield job, _told(job, judgement, options, stop, known)
    finally:
        stop.set()


def _told(
    job: Job,
    judgement: Judgement,
    options: Options,
    stop: threading.Event,
    known: dict[tuple[Environment, str], str | None],
) -> Judgement:
    apis = [found for api in job.program.apis if (found := Implementation.of(api))]
    if not apis or judgement.uses is not None or judgement.outcome not in _COMPILED:
        return judgement
    answer = tidied(job.program.answer)
    key = (job.environment, answer)
    if key not in known:
        known[key] = middle_form(answer, job.environment, options, stop)
    form = known[key]
    if form is None:
        return replace(judgement, uses=None)
    told = [calls(form, answer, api) for api in apis]
    uses = True if True in told else None if None in told else False
    return replace(judgement, uses=uses)


def middle_form(
    answer: str, environment: Environment, options: Options, stop: threading.Event
) -> str | None:
    """The middle form of an answer; ``None`` where it does not compile alone."""
    toolchain = toolchain_for(environment)
    crates = crates_for(environment, options, stop)
    # clippy's compiler writes paths in full, and leaves calls as they are; rustc's own does not.
    driver = toolchain.clippy_driver
    if isinstance(crates, Unavailable) or driver is None:
        return None
    for edition in EDITIONS:
        command = Command(
            argv=(
                *(str(driver), "--crate-type=lib", f"--edition={edition}", "answer.rs"),
                *(f"--emit=mir={_FORM}", "--cap-lints=warn", "-A", "warnings"),
                *crates.arguments,
            ),
            environ={"CLIPPY_CONF_DIR": "."},
            read=(toolchain.sysroot, *crates.folders),
            files={"answer.rs": answer},
            keep=(_FORM,),
        )
        ended = run(command, options.backend, generous(options.limits, _SECONDS), stop)
        if ended.status == 0 and _FORM in ended.kept:
            return ended.kept[_FORM].decode("utf-8", "replace")
    return None
