"""CODEMENV: code for one version of a library, to be looked through and moved to another.

Each sample is three tasks: locate the APIs that do not work in the target, explain what happened
to them, migrate the code. The data is the authors'; it is read where the user keeps it and never
shipped. ``docs/codemenv.md`` says how to get it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType

from libdrift.config import Settings
from libdrift.errors import MissingDataError
from libdrift.execution import Options
from libdrift.records import Attempt, Score, Suite, Task, TestStyle, Verdict
from libdrift.scoring import AnswerMeasures, AuditResult, Numbers
from libdrift.suites.benchmarks import Benchmark, has_style
from libdrift.suites.codemenv import files
from libdrift.suites.codemenv.files import NAME, TITLE
from libdrift.suites.codemenv.samples import tasks_of
from libdrift.suites.finding import Oddities

logger = logging.getLogger(__name__)


def load(settings: Settings) -> Suite:
    """All samples of the files that are found: easy, hard, Java, three tasks each."""
    folder = files.find(settings)
    odd = Oddities()
    tasks: dict[str, Task] = {}
    for kind, path in files.paths(folder).items():
        for where, item in files.lines(path):
            found = item if isinstance(item, str) else tasks_of(kind, item, where, odd)
            if isinstance(found, str):
                odd.add("samples left out", f"{where}: {found}")
            elif found[0].id in tasks:
                odd.add("samples left out", f"{where}: repeats {found[0].source['code_id']}")
            else:
                tasks.update((task.id, task) for task in found)
    odd.warn(logger, TITLE)
    if not tasks:
        raise MissingDataError(
            f"no {TITLE} sample in {folder}", "Get the files again from the authors' release"
        )
    return Suite(
        name=NAME,
        title=TITLE,
        source=f"authors' release at {folder}",
        tasks=MappingProxyType(tasks),
    )


def _audit(tasks: Iterable[Task], options: Options) -> list[AuditResult]:
    from libdrift.suites.codemenv.audit import audit

    return audit(tasks, options)


def _scores(
    suite: Suite, attempts: Sequence[Attempt], verdicts: Sequence[Verdict], numbers: Numbers
) -> list[Score]:
    del numbers
    from libdrift.suites.codemenv import parts
    from libdrift.suites.codemenv.error_classes import error_classes

    found = error_classes(suite, attempts, verdicts) if has_style(suite, TestStyle.OUTPUT) else []
    if has_style(suite, TestStyle.LABELS):
        found += parts.explain_parts(suite, attempts)
        found += parts.inconsistency(suite, verdicts)
    return found


def _measures(
    suite: Suite, attempts: Sequence[Attempt], verdicts: Sequence[Verdict]
) -> Iterator[AnswerMeasures]:
    from libdrift.suites.codemenv import parts
    from libdrift.suites.codemenv.error_classes import answer_errors

    if has_style(suite, TestStyle.OUTPUT):
        yield from answer_errors(suite, attempts, verdicts)
    if has_style(suite, TestStyle.LABELS):
        yield from parts.answer_parts(suite, attempts)


BENCHMARK = Benchmark(NAME, load, _audit, (_scores,), (_measures,), find_data=files.find)
