from __future__ import annotations

import json
import logging
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from libdrift import suites
from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.records import ChangeKind, Split, Suite, Task, TestStyle
from tests.published import published
from tests.suites.gitchameleon.small import BARE, HIDDEN, PROBLEM, lines, packed, release


def load(data: Path, settings: Settings) -> Suite:
    return suites.load("gitchameleon", replace(settings, data=data))


def test_a_problem_becomes_a_task(tmp_path: Path, empty_settings: Settings) -> None:
    packed(tmp_path / "gitchameleon")
    suite = load(tmp_path, empty_settings)
    assert list(suite.tasks) == ["2", "10"], "by number, not as texts"
    task = suite.tasks["2"]
    assert (task.module, task.title) == ("sample_2", "iniconfig 2.0.0 · IniConfig")
    assert task.environment.runtime == "3.11"
    assert task.environment.requirements == ("iniconfig==2.0.0", "pytest==8.3.5")
    assert task.starter == PROBLEM["starting_code"]
    assert task.reference == PROBLEM["starting_code"] + PROBLEM["solution"]
    assert [(t.split, t.style, t.code) for t in task.tests] == [
        (Split.HIDDEN, TestStyle.PYTEST, HIDDEN),
        (Split.VISIBLE, TestStyle.SCRIPT, PROBLEM["test"]),
    ]
    facts = task.facts
    assert (facts.category, facts.change) == ("argument or attribute", ChangeKind.SIGNATURE)
    assert (facts.release_date, facts.symbol) == (date(2023, 1, 1), "IniConfig")
    assert (facts.tags, facts.api_calls) == (("functional",), ("iniconfig.IniConfig",))
    assert facts.documents == ("https://example.org/iniconfig",)
    assert dict(task.source) == PROBLEM, "every published field can be reached"
    assert isinstance(hash(task), int)


def test_what_is_missing_is_missing_and_no_more(
    tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        task = load(packed(tmp_path), empty_settings).tasks["10"]
    assert "1 problems have a kind of change of no known category: 'a new word'" in caplog.text
    assert (task.tests, task.reference) == ((), "")
    assert task.title == "numpy 1.23.0 · One two three four five six seven eight …"
    assert (task.facts.category, task.facts.change) == (None, None)
    assert (task.facts.release_date, task.facts.symbol) == (None, None)
    assert task.source["a_field_of_tomorrow"] == 1
    assert "numpy==1.23.0" in task.environment.requirements


def test_without_a_solutions_file_the_problem_has_its_own(
    tmp_path: Path, empty_settings: Settings
) -> None:
    (packed(tmp_path) / "solutions.jsonl").unlink()
    task = load(tmp_path, empty_settings).tasks["2"]
    assert task.reference == PROBLEM["starting_code"] + PROBLEM["solution"]


@pytest.mark.parametrize("place", ["", "dataset/"])
def test_both_layouts_give_the_same(place: str, tmp_path: Path, empty_settings: Settings) -> None:
    one = load(packed(tmp_path / "packed"), empty_settings)
    two = load(
        release(tmp_path / "release", f"{place}ground_truth_solutions.jsonl"), empty_settings
    )
    assert one.tasks == two.tasks
    assert (one.source.split()[0], two.source.split()[0]) == ("packed", "authors'")


def test_where_data_is_looked_for(tmp_path: Path, empty_settings: Settings) -> None:
    with pytest.raises(UserError, match="no GitChameleon data on this machine") as caught:
        suites.load("gitchameleon", replace(empty_settings, data=None))
    assert "--data DIR or set LIBDRIFT_DATA" in caught.value.fix
    cached = packed(empty_settings.cache / "data/gitchameleon")
    for data in (None, tmp_path / "nowhere"):
        suite = suites.load("gitchameleon", replace(empty_settings, data=data))
        assert suite.source.endswith(str(cached))
    packed(tmp_path / "mine" / "gitchameleon")
    assert load(tmp_path / "mine", empty_settings).source.endswith("mine/gitchameleon")
    assert load(tmp_path / "mine/gitchameleon", empty_settings).source.endswith("mine/gitchameleon")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{torn", "problems.jsonl:2: not JSON"),
        ("[1]", "problems.jsonl:2: not a JSON object"),
        ({**BARE, "version": ""}, "problems.jsonl:2: version: String should have at least 1"),
        ({**BARE, "release_date": "soon"}, "problems.jsonl:2: release_date: "),
        ({**BARE, "functional": "perhaps"}, "problems.jsonl:2: functional: "),
        ({"example_id": "3"}, "problems.jsonl:2: python_version: Field required; library"),
        (PROBLEM, "problems.jsonl:2: repeats example_id 2"),
        ({**BARE, "additional_dependencies": "a=1"}, "problems.jsonl:2: not a pin"),
    ],
)
def test_a_malformed_line_is_named(
    row: Any, words: str, tmp_path: Path, empty_settings: Settings
) -> None:
    packed(tmp_path)
    lines(tmp_path / "problems.jsonl", PROBLEM, row)
    with pytest.raises(UserError) as caught:
        load(tmp_path, empty_settings)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("solutions.jsonl", b'\n{"example_id": "2"}', "solutions.jsonl:2: needs"),
        ("hidden_tests.jsonl", b'{"hidden_test": ""}', "hidden_tests.jsonl:1: needs"),
        ("hidden_tests.jsonl", b"\n\n\xff", "hidden_tests.jsonl:3: not UTF-8 text"),
    ],
)
def test_other_files_are_named_too(
    name: str, content: bytes, words: str, tmp_path: Path, empty_settings: Settings
) -> None:
    (packed(tmp_path) / name).write_bytes(content)
    with pytest.raises(UserError, match=words):
        load(tmp_path, empty_settings)


@pytest.mark.published
def test_the_published_data_is_read_whole(empty_settings: Settings) -> None:
    folder = published("gitchameleon")
    suite = load(folder.parent, empty_settings)
    tasks: list[Task] = list(suite.tasks.values())
    assert len(tasks) == 328
    assert [task.id for task in tasks] == sorted(suite.tasks, key=int)
    assert all({test.split for test in task.tests} == set(Split) for task in tasks)
    assert all(task.reference == task.starter + task.source["solution"] for task in tasks)
    rows = map(json.loads, (folder / "problems.jsonl").read_text("utf-8").splitlines())
    assert {row["example_id"]: row for row in rows} == {t.id: dict(t.source) for t in tasks}
    categories = Counter(task.facts.category for task in tasks)
    assert categories == {
        "argument or attribute": 107,
        "function name": 86,
        "semantics or behaviour": 28,
        "new feature or dependency": 107,
    }
    assert len({task.facts.library for task in tasks}) == 26
    assert sum(len(task.facts.documents) for task in tasks) == 536
