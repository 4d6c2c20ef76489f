from __future__ import annotations

from dataclasses import replace
from datetime import date
from types import MappingProxyType

import pytest

from libdrift import config, suites
from libdrift.analysis.datasets import statistics
from libdrift.records import ChangeKind, Facts, Suite, TaskKind
from tests.conftest import make_task
from tests.published import published
from tests.scoring.texts import text_suite


def _suite() -> Suite:
    first = replace(
        make_task("a/migrate", 1),
        kind=TaskKind.MIGRATE,
        facts=Facts("shapes", "1.10", date(2020, 5, 1), ChangeKind.RENAMED, difficulty="easy"),
    )
    second = replace(first, id="a/locate", kind=TaskKind.LOCATE)
    third = replace(
        make_task("b", 1),
        facts=Facts("shapes", "1.9", date(2019, 1, 1), documents=("u", "v"), logic=4),
    )
    fourth = replace(third, id="c", facts=Facts("lines", "2", logic=0))
    tasks = {task.id: task for task in (first, second, third, fourth)}
    return Suite("small", "Small", "here", MappingProxyType(tasks))


def test_counts_are_of_tasks_and_of_samples() -> None:
    found = statistics(_suite())
    assert (found.tasks, found.samples) == (4, 3)
    library = found.table("library")
    assert library is not None
    assert library.columns == ("library", "tasks", "samples")
    assert library.rows == (("shapes", 3, 2), ("lines", 1, 1))
    year = found.table("year")
    assert year is not None
    assert year.rows == (("2019", 1, 1), ("2020", 2, 1), ("not known", 1, None))
    assert found.table("difficulty") is None, "all that have one have the same"
    crossed = found.table("library by year")
    assert crossed is None, "a library without days has no place in it"


def test_versions_are_ordered_as_versions() -> None:
    libraries = statistics(_suite()).table("libraries")
    assert libraries is not None
    assert libraries.rows[0] == ("shapes", 3, 2, "1.9", "1.10", "2019-01-01", "2020-05-01")


def test_lengths_tests_documents_and_logic() -> None:
    found = statistics(_suite())
    names = [table.name for table in found.tables]
    assert {"lengths", "tests", "documents", "logic"} <= set(names)
    documents = found.table("documents")
    assert documents is not None
    assert documents.rows == ((0, 3), (2, 1))
    logic = found.table("logic")
    assert logic is not None
    assert logic.rows == (("0", 1), ("3–5", 1))
    assert found.to_json()["tables"][0]["name"] == "libraries"


def test_texts_have_lengths_by_level() -> None:
    lengths = statistics(text_suite()).table("lengths")
    assert lengths is not None
    assert {"token", "line", "block", "migrate", "middle"} == {row[0] for row in lengths.rows}


# What the papers and the facts on their data say; of some, half is published here.
PAPERS = [
    ("gitchameleon", "runtime", {"python 3.10": 219, "python 3.7": 67, "python 3.9": 42}),
    ("gitchameleon", "documents", {1: 140, 2: 168, 3: 20}),
    ("gitchameleon", "library", {"librosa": 42, "scipy": 40, "sympy": 33, "flask": 22}),
    (
        "versicode",
        "step",
        {
            "major-to-major": 57,
            "major-to-minor": 149,
            "minor-to-major": 30,
            "minor-to-minor": 176,
        },
    ),
]


@pytest.mark.published
@pytest.mark.parametrize(("suite", "table", "expected"), PAPERS)
def test_the_papers_tables(suite: str, table: str, expected: dict[object, int]) -> None:
    folder = published(suite).parent
    found = statistics(suites.load(suite, config.load(folder))).table(table)
    assert found is not None
    assert expected.items() <= {row[0]: row[1] for row in found.rows}.items()
