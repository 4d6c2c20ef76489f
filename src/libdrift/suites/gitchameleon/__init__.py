"""GitChameleon 2.0: problems of real libraries, each for one exact version.

The data is the authors'; it is read where the user keeps it and never shipped.
``docs/gitchameleon.md`` says how to get it.
"""

from __future__ import annotations

import logging
from collections import Counter
from types import MappingProxyType

from packaging.requirements import InvalidRequirement

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.metrics.logic import logic_nodes
from libdrift.records import (
    Environment,
    Facts,
    Split,
    Suite,
    Task,
    TaskKind,
    Tests,
    TestStyle,
)
from libdrift.suites.benchmarks import Benchmark
from libdrift.suites.gitchameleon import corpus, files
from libdrift.suites.gitchameleon.categories import category_of, kind_of
from libdrift.suites.gitchameleon.files import NAME, PublishedProblem, Record
from libdrift.suites.gitchameleon.pins import environment_for
from libdrift.suites.gitchameleon.problems import Problem

logger = logging.getLogger(__name__)


def load(settings: Settings) -> Suite:
    """All problems of the data that is found, in the order of their numbers."""
    published = files.read(files.find(settings))
    tasks = {record.problem.example_id: _task(record, published) for record in published.records}
    unknown = Counter(
        record.problem.type_of_change
        for record in published.records
        if category_of(record.problem.type_of_change) is None
    )
    if unknown:
        logger.warning(
            "%d problems have a kind of change of no known category: %s",
            unknown.total(),
            ", ".join(map(repr, unknown)),
        )
    return Suite(
        name=NAME,
        title="GitChameleon 2.0",
        source=f"{published.layout} at {published.folder}",
        tasks=MappingProxyType(tasks),
        any_fence=False,
    )


def _task(record: Record, published: PublishedProblem) -> Task:
    problem = record.problem
    number = problem.example_id
    whole = problem.starting_code + problem.solution if problem.solution else ""
    reference = published.solutions.get(number, whole)
    hidden = published.hidden.get(number, "")
    tests = (
        Tests(Split.HIDDEN, TestStyle.PYTEST, hidden),
        Tests(Split.VISIBLE, TestStyle.SCRIPT, problem.test),
    )
    return Task(
        id=number,
        suite=NAME,
        kind=TaskKind.GENERATE,
        language="python",
        environment=_environment(record),
        title=problem.title,
        problem=problem.problem.strip(),
        starter=problem.starting_code,
        reference=reference,
        tests=tuple(test for test in tests if test.code.strip()),
        facts=_facts(problem, _logic(problem.solution, reference)),
        module=f"sample_{number}",
        source=MappingProxyType(dict(record.published)),
    )


def _logic(part: str, whole: str) -> int | None:
    """Of the part to fill in; where that breaks off in a line, of the program."""
    nodes = logic_nodes(part) if part.strip() else None
    return logic_nodes(whole) if nodes is None and whole.strip() else nodes


def _facts(problem: Problem, logic: int | None) -> Facts:
    category = category_of(problem.type_of_change)
    return Facts(
        library=problem.library,
        version=problem.version,
        release_date=problem.release_date,
        change=kind_of(category),
        symbol=problem.name_of_class_or_func or None,
        category=category,
        documents=problem.docs,
        tags=problem.tags,
        api_calls=problem.api_calls,
        style="functional" if problem.functional else "other",
        domain="web" if problem.webdev else "general",
        logic=logic,
    )


def _environment(record: Record) -> Environment:
    problem = record.problem
    try:
        return environment_for(
            problem.python_version,
            problem.library,
            problem.version,
            problem.additional_dependencies,
        )
    except InvalidRequirement as error:
        raise UserError(
            f"{record.where}: not a pin ({str(error).splitlines()[0]})",
            "Get the file again from the authors' release",
        ) from error


BENCHMARK = Benchmark(NAME, load, find_data=files.find, documents=corpus.documents)
