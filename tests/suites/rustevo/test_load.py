from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.records import ChangeKind, Split, Suite, TaskKind, TestStyle
from libdrift.suites import rustevo
from tests.published import published
from tests.suites.rustevo.small import (
    CRATE,
    CRATE_API,
    REFERENCE,
    STD,
    STD_API,
    TESTS,
    packed,
    release,
)


def load(data: Path, settings: Settings) -> Suite:
    return rustevo.load(replace(settings, data=data))


def test_a_record_of_the_standard_library_becomes_a_task(
    tmp_path: Path, empty_settings: Settings
) -> None:
    suite = load(packed(tmp_path / "rustevo").parent, empty_settings)
    assert list(suite.tasks) == ["4", "9"]
    task = suite.tasks["4"]
    assert (task.kind, task.language, task.title) == (
        TaskKind.GENERATE,
        "rust",
        "std 1.77.0 · stabilized",
    )
    assert (task.environment.runtime, task.environment.requirements) == ("1.77.0", ())
    assert (task.problem, task.starter) == (STD["query"].strip(), STD["function_signature"])
    assert task.reference == REFERENCE
    assert [(t.split, t.style, t.code) for t in task.tests] == [
        (Split.HIDDEN, TestStyle.RUST, TESTS)
    ]
    facts = task.facts
    assert (facts.library, facts.version, facts.from_version) == ("std", "1.77.0", "1.76.0")
    assert (facts.release_date, facts.from_date) == (date(2024, 3, 21), date(2024, 2, 8))
    assert (facts.change, facts.category) == (ChangeKind.INTRODUCED, "stabilized")
    assert (facts.symbol, facts.access, facts.tags) == ("slice::first_chunk", "indirect", ())
    assert facts.api_calls == ("slice::first_chunk",)
    assert dict(task.source) == {**STD, "api": STD_API}, "every published field can be reached"
    assert isinstance(hash(task), int)


def test_a_record_of_a_crate_needs_what_its_tests_name(
    tmp_path: Path, empty_settings: Settings
) -> None:
    task = load(packed(tmp_path), empty_settings).tasks["9"]
    names = [pin.partition("=")[0] for pin in task.environment.requirements]
    assert (task.environment.runtime, names) == ("1.84.0", ["bitflags", "tempfile", "tokio"])
    assert task.environment.requirements[0] == "bitflags=2.4.0"
    assert (task.facts.library, task.facts.release_date) == ("bitflags", date(2023, 8, 11))
    assert (task.facts.change, task.facts.access) == (ChangeKind.DEPRECATED, "direct")
    assert task.facts.api_calls == ("bitflags::traits::Flags", "bitflags::Flags")


def test_both_layouts_give_the_same(tmp_path: Path, empty_settings: Settings) -> None:
    one = load(packed(tmp_path / "packed"), empty_settings)
    two = load(release(tmp_path / "release"), empty_settings)
    three = load(tmp_path / "release/Dataset", empty_settings)
    assert one.tasks == two.tasks == three.tasks
    assert [s.source.split(" at ")[0] for s in (one, two, three)] == [
        "packed",
        "authors' release",
        "authors' files",
    ]


@pytest.mark.parametrize(
    ("program", "styles", "tags"),
    [
        ("", 0, ("no-tests",)),
        ("INCORRECT CODE", 1, ("no-tests",)),
        (TESTS, 1, ()),
    ],
)
def test_a_task_without_tests_keeps_its_place(
    program: str, styles: int, tags: tuple[str, ...], tmp_path: Path, empty_settings: Settings
) -> None:
    packed(tmp_path, [({**STD, "test_program": program}, STD_API)])
    task = load(tmp_path, empty_settings).tasks["4"]
    assert (len(task.tests), task.facts.tags) == (styles, tags)


def test_what_no_other_system_has_is_said(tmp_path: Path, empty_settings: Settings) -> None:
    packed(tmp_path, [(STD, {**STD_API, "module": "std::os::windows::io::handle"})])
    assert load(tmp_path, empty_settings).tasks["4"].facts.tags == ("windows-only",)


def test_tasks_of_one_index_are_numbered(
    tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    packed(tmp_path, [(STD, STD_API)] * 3)
    with caplog.at_level(logging.WARNING):
        suite = load(tmp_path, empty_settings)
    assert list(suite.tasks) == ["4", "4-2", "4-3"]
    assert "2 indices of more than one task, numbered (4" in caplog.text


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        (([1], STD_API), "records left out (record 2: Expected `object`, got `array`"),
        (({"task_idx": 1}, STD_API), "records left out (record 2: Object missing required field"),
        ((CRATE, {**CRATE_API, "name": ""}), "records left out (record 2: Expected `str` of"),
        ((CRATE, {**CRATE_API, "to_version": "soon"}), "record 2: 'soon' is not a version"),
        ((CRATE, {**CRATE_API, "to_version": None}), "records left out (record 2: Expected `str`"),
    ],
)
def test_a_malformed_record_is_counted_and_named(
    pair: tuple[Any, Any],
    words: str,
    tmp_path: Path,
    empty_settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    packed(tmp_path, [(STD, STD_API), pair])
    with caplog.at_level(logging.WARNING):
        assert list(load(tmp_path, empty_settings).tasks) == ["4"]
    assert words in caplog.text


def test_records_that_do_not_belong_together_are_named(
    tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    packed(tmp_path, [(STD, CRATE_API), (CRATE, {**STD_API, "change_type": "moved"})])
    with caplog.at_level(logging.WARNING):
        suite = load(tmp_path, empty_settings)
    assert "2 tasks whose reference does not name their API (record 1: Flags, " in caplog.text
    assert "1 kinds of change not known (record 2: 'moved')" in caplog.text
    assert (suite.tasks["9"].facts.category, suite.tasks["9"].facts.change) == ("moved", None)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("api_docs.json", "1 tasks without an API (record 2)"),
        ("tasks.json", "1 APIs without a task (record 2)"),
    ],
)
def test_files_of_different_lengths(
    name: str,
    words: str,
    tmp_path: Path,
    empty_settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    packed(tmp_path)
    shorter = packed(tmp_path / "shorter", [(STD, STD_API)]) / name
    shorter.replace(tmp_path / name)
    with caplog.at_level(logging.WARNING):
        assert list(load(tmp_path, empty_settings).tasks) == ["4"]
    assert words in caplog.text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[{", "api_docs.json is not JSON"),
        (b"{}", "api_docs.json is not a list of records"),
        (b"\xff", "api_docs.json is not JSON"),
        (None, "cannot read .*api_docs.json: No such file"),
    ],
)
def test_a_broken_file_is_one_line(
    content: bytes | None, words: str, tmp_path: Path, empty_settings: Settings
) -> None:
    file = packed(tmp_path) / "api_docs.json"
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UserError, match=words) as caught:
        load(tmp_path, empty_settings)
    assert "\n" not in str(caught.value)


def test_no_data_is_said_with_the_way_to_get_it(tmp_path: Path, empty_settings: Settings) -> None:
    with pytest.raises(UserError, match="no RustEvo² data in") as caught:
        load(tmp_path, empty_settings)
    assert "--data DIR" in caught.value.fix


@pytest.mark.published
def test_the_published_data_is_read_whole(
    empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        suite = load(published("rustevo").parent, empty_settings)
    assert not caplog.records, "nothing is odd in the half that is here"
    tasks = list(suite.tasks.values())
    assert len(tasks) == 308
    assert Counter(task.facts.category for task in tasks) == {
        "implicit": 105,
        "stabilized": 101,
        "signature": 91,
        "deprecated": 11,
    }
    assert sum(task.facts.library == "std" for task in tasks) == 198
    assert all(task.facts.release_date and task.facts.from_date for task in tasks)
    assert sum("no-tests" in task.facts.tags for task in tasks) == 12
    assert sum("windows-only" in task.facts.tags for task in tasks) == 2
    of_std = [task for task in tasks if task.facts.library == "std"]
    assert not any(task.environment.requirements for task in of_std)
