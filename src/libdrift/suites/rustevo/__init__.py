"""RustEvo²: programming tasks whose answer needs an API as one release of Rust, or a crate, has it.

The data is the authors'; it is read where the user keeps it and never shipped. ``docs/rustevo.md``
says how to get it, and what is wrong with some of it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from libdrift.config import Settings
from libdrift.execution import Options
from libdrift.records import (
    Attempt,
    ChangeKind,
    Environment,
    Facts,
    Score,
    Split,
    Suite,
    Task,
    TaskKind,
    Tests,
    TestStyle,
    Verdict,
)
from libdrift.scoring import AnswerMeasures, AuditResult, Numbers
from libdrift.suites.benchmarks import Benchmark, has_style
from libdrift.suites.finding import Oddities
from libdrift.suites.rustevo import apis, crates, dates, files
from libdrift.suites.rustevo.files import NAME, TITLE
from libdrift.suites.rustevo.records import Api, PublishedTask

logger = logging.getLogger(__name__)

_CHANGES = {
    "stabilized": ChangeKind.INTRODUCED,
    "signature": ChangeKind.SIGNATURE,
    "implicit": ChangeKind.BEHAVIOUR,
    "deprecated": ChangeKind.DEPRECATED,
}
# What stands in place of tests that their makers gave up on.
_NO_TESTS = ("", "INCORRECT CODE")
_VERSION = re.compile(r"\d+(\.\d+)*([-+].*)?")


def load(settings: Settings) -> Suite:
    """All tasks of the data that is found, in its order."""
    folder, layout = files.find(settings)
    tasks, records = files.read(folder, layout)
    odd = Oddities()
    found: dict[str, Task] = {}
    for published, api, item in _pairs(tasks, records, odd):
        task = _task(_number(published, found, odd), published, api, item)
        found[task.id] = task
    odd.warn(logger, TITLE)
    return Suite(NAME, TITLE, f"{layout} at {folder}", MappingProxyType(found))


def _pairs(
    tasks: list[Any], records: list[Any], odd: Oddities
) -> Iterator[tuple[PublishedTask, Api, dict[str, Any]]]:
    for place in range(max(len(tasks), len(records))):
        where = f"record {place + 1}"
        if place >= len(records):
            odd.add("tasks without an API", where)
            continue
        if place >= len(tasks):
            odd.add("APIs without a task", where)
            continue
        try:
            published = msgspec.convert(tasks[place], PublishedTask)
            api = msgspec.convert(records[place], Api)
        except (msgspec.ValidationError, RecursionError) as error:
            odd.add("records left out", f"{where}: {error}")
            continue
        if not _VERSION.fullmatch(api.to_version):
            odd.add("records left out", f"{where}: {api.to_version!r} is not a version")
            continue
        if published.code and not re.search(rf"\b{re.escape(api.name)}\b", published.code):
            # Paired by place alone: one record too many shifts all that follow.
            odd.add("tasks whose reference does not name their API", f"{where}: {api.name}")
        if api.change_type not in _CHANGES:
            odd.add("kinds of change not known", f"{where}: {api.change_type!r}")
        yield published, api, {**tasks[place], "api": records[place]}


def _number(published: PublishedTask, found: dict[str, Task], odd: Oddities) -> str:
    """The task's index; of several with the same, the second is ``7-2``."""
    number = str(published.task_idx)
    if number not in found:
        return number
    odd.add("indices of more than one task, numbered", number)
    again = 2
    while f"{number}-{again}" in found:
        again += 1
    return f"{number}-{again}"


def _task(number: str, published: PublishedTask, api: Api, item: dict[str, Any]) -> Task:
    program = published.test_program
    has_tests = program.strip() not in _NO_TESTS
    code = f"{published.code}\n{program if has_tests else ''}"
    environment = Environment(
        "rust",
        crates.toolchain(api.crate, api.to_version) if api.crate else api.to_version,
        crates.requirements(api.crate, api.to_version, code),
    )
    return Task(
        id=number,
        suite=NAME,
        kind=TaskKind.GENERATE,
        language="rust",
        environment=environment,
        title=f"{api.library} {api.to_version} · {api.change_type}",
        problem=published.query.strip(),
        starter=published.function_signature,
        reference=published.code,
        # Such a text is kept as the test that it was published as: nothing passes it.
        tests=(Tests(Split.HIDDEN, TestStyle.RUST, program),) if program.strip() else (),
        facts=_facts(api, has_tests=has_tests),
        source=MappingProxyType(item),
    )


def _facts(api: Api, *, has_tests: bool) -> Facts:
    tags = []
    if not has_tests:
        tags.append("no-tests")
    if "::windows" in f"::{api.module}":
        tags.append("windows-only")
    return Facts(
        library=api.library,
        version=api.to_version,
        release_date=dates.published(api.library, api.to_version),
        change=_CHANGES.get(api.change_type),
        symbol=apis.symbol(api),
        category=api.change_type or None,
        tags=tuple(tags),
        api_calls=apis.paths(api),
        access=apis.access(api),
        from_version=api.from_version,
        from_date=dates.published(api.library, api.from_version),
    )


def _audit(tasks: Iterable[Task], options: Options) -> list[AuditResult]:
    from libdrift.suites.rustevo.audit import audit

    return audit(tasks, options)


def _scores(
    suite: Suite, attempts: Sequence[Attempt], verdicts: Sequence[Verdict], numbers: Numbers
) -> list[Score]:
    if not has_style(suite, TestStyle.RUST):
        return []
    from libdrift.suites.rustevo.scores import rust_scores

    return rust_scores(suite, attempts, verdicts, numbers.ks, numbers.cutoff)


def _measures(
    suite: Suite, attempts: Sequence[Attempt], verdicts: Sequence[Verdict]
) -> list[AnswerMeasures]:
    if not has_style(suite, TestStyle.RUST):
        return []
    from libdrift.suites.rustevo.scores import answer_measures

    return answer_measures(suite, attempts, verdicts)


BENCHMARK = Benchmark(
    NAME,
    load,
    _audit,
    (_scores,),
    (_measures,),
    find_data=lambda settings: files.find(settings)[0],
)
