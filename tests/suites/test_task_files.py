from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift import config, records, suites
from libdrift.errors import UserError
from libdrift.records import (
    ChangeKind,
    Environment,
    Facts,
    Gap,
    Split,
    Task,
    TaskKind,
    TestStyle,
    WrongAnswer,
)
from libdrift.suites import task_files
from tests.conftest import make_task

TEXT = st.text(max_size=30)
FACTS = st.builds(
    Facts,
    library=TEXT,
    version=TEXT,
    release_date=st.none() | st.dates(),
    change=st.none() | st.sampled_from(ChangeKind),
    tags=st.lists(TEXT, max_size=2).map(tuple),
    from_date=st.none() | st.dates(),
    lifecycle=st.none() | TEXT,
)


def judged(task: Task) -> bool:
    asked = task.kind in {TaskKind.LOCATE, TaskKind.EXPLAIN}
    return bool(task.tests) or task.gap is not None or asked


TASKS = st.builds(
    Task,
    id=TEXT,
    suite=TEXT,
    kind=st.sampled_from(TaskKind),
    language=st.sampled_from(task_files.LANGUAGES),
    environment=st.builds(
        Environment,
        TEXT,
        TEXT,
        st.lists(st.sampled_from(("click==8.1.7", "numpy == 1.26.4")), max_size=3).map(tuple),
        st.none() | st.dates(),
    ),
    title=TEXT,
    problem=TEXT,
    starter=TEXT,
    reference=TEXT,
    tests=st.lists(
        st.builds(records.Tests, st.sampled_from(Split), st.sampled_from(TestStyle), TEXT),
        max_size=2,
        unique_by=lambda tests: tests.split,
    ).map(tuple),
    facts=FACTS,
    wrong=st.none()
    | st.builds(WrongAnswer, TEXT, st.just(Environment("python", "3.11", ())), TEXT),
    gap=st.none()
    | st.builds(Gap, token=TEXT, line=TEXT, aliases=st.lists(TEXT, max_size=2).map(tuple)),
    source=st.dictionaries(TEXT, TEXT, max_size=2),
).filter(judged)


@given(st.lists(TASKS, min_size=1, max_size=4, unique_by=lambda task: task.id))
@settings(max_examples=60, deadline=None)
def test_what_is_read_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, tasks: list[Task]
) -> None:
    path = tmp_path_factory.mktemp("tasks") / "built.jsonl"
    assert task_files.write(path, "built", "Built", tasks, {"libdrift": "0"}) == len(tasks)
    suite = task_files.read(path)
    assert list(suite.tasks.values()) == tasks
    assert (suite.name, suite.title) == ("built", "Built")


def test_a_file_of_tasks_is_a_suite(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    task_files.write(path, "mine", "Mine", [make_task("t1", 1)], {"made": date(2026, 1, 1)})
    loaded = suites.load(str(path), config.load())
    assert loaded.tasks["t1"] == make_task("t1", 1)
    assert list(tmp_path.iterdir()) == [path]


HEAD = b'{"schema_version": 1, "suite": "a"}\n'


def task_line(**fields: object) -> bytes:
    place = {"runtime": "3.11", "requirements": ["numpy==2.2.6"]}
    return json.dumps({"id": "t", "environment": place, **fields}).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty: it has no tasks"),
        (b" \n\n", "is empty: it has no tasks"),
        (b"not json\n", "1: not the first line of a file of tasks"),
        (b'{"id": "t", "suite": "a"}\n', "missing required field `schema_version`.*Write {"),
        (b'{"schema_version": 9, "suite": "a", "title": "b"}\n', "format 9"),
        (b'{"schema_version": 1, "suite": "a", "title": "b"}\n{"id": 3}\n', "2: not a task"),
        (b'{"schema_version": 1, "suite": "a", "title": "b"}\n\xff\n', "2: not a task"),
        (HEAD + task_line(tests=[{"split": "hidden", "style": "x", "code": ""}]), "one of pytest"),
        (HEAD + task_line(tests=[{"split": "x", "style": "pytest"}]), "one of hidden, visible"),
        (HEAD + task_line(kind="x"), "one of .*migrate"),
        (HEAD + task_line(facts={"change": "x"}), "one of .*renamed"),
    ],
)
def test_a_malformed_file_is_named_with_its_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError, match=message):
        task_files.read(path)


HEAD = '{"schema_version": 1, "suite": "mine"}'
LEAST = {"id": "t", "environment": {"runtime": "3.11", "requirements": ["numpy==2.0.2"]}}
TEST = {"split": "hidden", "style": "script", "code": "assert f() == 1\n"}


def written(path: Path, *tasks: dict[str, object]) -> Path:
    path.write_text("\n".join([HEAD, *map(json.dumps, tasks)]), encoding="utf-8")
    return path


def test_little_has_to_be_written(tmp_path: Path) -> None:
    more = {"tests": [TEST]}
    suite = task_files.read(written(tmp_path / "mine.jsonl", {**LEAST, **more}))
    assert (suite.name, suite.title) == ("mine", "mine")
    task = suite.tasks["t"]
    assert (task.suite, task.title, task.kind) == ("mine", "t", TaskKind.GENERATE)
    assert task.environment == Environment("python", "3.11", ("numpy==2.0.2",))
    assert task.facts == Facts("numpy", "2.0.2")


@pytest.mark.parametrize(
    ("more", "library", "version"),
    [
        ({"environment": {"runtime": "3.11"}}, "python", "3.11"),
        ({"environment": {"runtime": "3.11", "requirements": ["pytest==8.3.5"]}}, "python", "3.11"),
        (
            {
                "language": "rust",
                "environment": {"runtime": "1.84.0", "requirements": ["tokio=1.40.0[rt]"]},
            },
            "tokio",
            "1.40.0",
        ),
        ({"facts": {"version": "2.0"}}, "numpy", "2.0"),
    ],
)
def test_pins_tell_the_library(
    tmp_path: Path, more: dict[str, object], library: str, version: str
) -> None:
    line = {**LEAST, "tests": [TEST], **more}
    facts = task_files.read(written(tmp_path / "mine.jsonl", line)).tasks["t"].facts
    assert (facts.library, facts.version) == (library, version)


@pytest.mark.parametrize(
    ("more", "starter"),
    [
        ({"prefix": "def f():\n"}, "def f():\n"),
        ({"prefix": "def f():\n", "suffix": "f()\n"}, "def f():\n# …\nf()\n"),
        ({"prefix": "def f():\n", "starter": "own"}, "own"),
        ({}, ""),
    ],
)
def test_what_is_to_be_completed_is_shown(
    tmp_path: Path, more: dict[str, object], starter: str
) -> None:
    line = {**LEAST, "tests": [TEST], **more}
    assert task_files.read(written(tmp_path / "mine.jsonl", line)).tasks["t"].starter == starter


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"prefx": ""}, "2: no task has a field 'prefx' .did you mean 'prefix'"),
        ({"facts": {"zzz": 1}}, "2: no task has a field 'zzz' in 'facts'"),
        ({"tests": [{**TEST, "lang": "x"}]}, "2: no task has a field 'lang' in 'tests'"),
        ({"facts": [1]}, "2: not a task"),
        ({"tests": [{**TEST, "style": "x"}]}, "2: not a task .Invalid enum value 'x'"),
        ({"language": "perl"}, "2: task 't' is in 'perl'"),
        ({"tests": []}, "2: task 't' has no tests"),
        (
            {"wrong": {"code": "", "environment": {"runtime": "3.11", "requirements": ["six"]}}},
            "2: task 't' has 'six', which is not an exact pin",
        ),
        ({"tests": [TEST, TEST]}, "2: task 't' has two tests of one split"),
        ({"prefix": "a\n", "reference": "b\n"}, "2: task 't' has a reference that is not a"),
        *(
            (
                {"environment": {"runtime": "3.11", "requirements": [pin]}},
                "2: task 't' has .*, which is not an exact pin: write NAME==VERSION",
            )
            for pin in ("numpy>=1.26", "numpy", "numpy==1.26.*", "-r x")
        ),
        ({"id": 3}, "2: not a task .Expected `str`, got `int`"),
        ({"environment": None}, "2: not a task"),
    ],
)
def test_what_is_wrong_with_a_task_is_said(
    tmp_path: Path, more: dict[str, object], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        task_files.read(written(tmp_path / "mine.jsonl", {**LEAST, "tests": [TEST], **more}))


def test_a_repeated_task_is_named(tmp_path: Path) -> None:
    path = tmp_path / "twice.jsonl"
    task_files.write(path, "a", "A", [make_task("t", 1), make_task("t", 2)], {})
    found = task_files.read(path)
    assert found.tasks["t"] == make_task("t", 1)
    (bad,) = found.left_out
    assert (bad.where, bad.task_id) == (f"{path}:3", "t")
    assert bad.message == "repeats task 't'. Give it another id"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "not a task"),
        (b"\xff", "not a task"),
        (b"[" * 100_000, "not a task"),
        (b"3", "not a task"),
        (b'{"id": "x"}', "not a task"),
        (b" " * (70 << 20), "a line of over 64 MB. Write shorter tasks"),
    ],
    ids=["cut", "no text", "deep", "number", "little", "long"],
)
def test_a_bad_line_is_named_and_leaves_the_others(
    tmp_path: Path, line: bytes, message: str
) -> None:
    path = tmp_path / "own.jsonl"
    good = [json.dumps({**LEAST, "id": name, "tests": [TEST]}).encode() for name in "ab"]
    path.write_bytes(b"\n".join([HEAD.encode(), good[0], line, good[1]]))
    found = task_files.read(path)
    assert list(found.tasks) == ["a", "b"]
    (bad,) = found.left_out
    assert bad.where == f"{path}:3"
    assert bad.message.startswith(message)
    assert len(bad.message) < 400


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("starter", "has the name of a built-in suite, starter"),
        ("../mine", "not a name for a suite"),
        ("", "not a name for a suite"),
    ],
)
def test_a_suite_has_a_name_of_its_own(tmp_path: Path, name: str, message: str) -> None:
    path = tmp_path / "mine.jsonl"
    task_files.write(path, name, "Mine", [make_task("t", 1)], {})
    with pytest.raises(UserError, match=message):
        suites.load(str(path), config.load())


def test_a_missing_file_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read tasks"):
        suites.load(str(tmp_path / "none.jsonl"), config.load())


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="cannot write"):
        task_files.write(tmp_path / "file" / "built.jsonl", "a", "A", [make_task("t", 1)], {})

    def broken() -> Iterator[Task]:
        yield make_task("t", 1)
        raise ZeroDivisionError

    path = tmp_path / "built.jsonl"
    with pytest.raises(ZeroDivisionError):
        task_files.write(path, "a", "A", broken(), {})
    assert [item.name for item in tmp_path.iterdir()] == ["file"]
    assert task_files.write(path, "a", "A", [], {}) == 0
    assert not path.exists()
