from __future__ import annotations

import json
import logging
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from libdrift.config import Settings
from libdrift.errors import MissingDataError, UserError
from libdrift.records import ChangeKind, Split, Suite, TaskKind, TestStyle
from libdrift.suites import versicode
from tests.published import published
from tests.suites.versicode.small import (
    ALL,
    BACK,
    BLOCK,
    CODE,
    LINE,
    MIGRATION,
    TOKEN,
    write,
)


def load(data: Path, settings: Settings) -> Suite:
    return versicode.load(replace(settings, data=data))


def one(item: object, tmp_path: Path, settings: Settings) -> Any:
    write(tmp_path / "versicode/any.json", item)
    (task,) = load(tmp_path, settings).tasks.values()
    return task


def test_a_token_becomes_a_task(tmp_path: Path, empty_settings: Settings) -> None:
    task = one(TOKEN, tmp_path, empty_settings)
    assert (task.id, task.kind, task.language) == ("token_1", TaskKind.COMPLETE, "python")
    assert task.problem == "It makes a class of points and one of them."
    assert (task.reference, task.gap.token, task.gap.mask) == ("define", "define", "<token_mask>")
    assert task.starter.replace(task.gap.mask, task.reference) == CODE
    assert task.environment.requirements == ("attrs==21.3.0",)
    assert task.tests == ()
    facts = task.facts
    assert (facts.library, facts.version, facts.symbol) == ("attrs", "21.3.0", "define")
    assert (facts.release_date, facts.granularity) == (date(2021, 12, 28), "token")
    assert (facts.category, facts.change) == ("addition", ChangeKind.INTRODUCED)
    assert facts.source == "library_source_code"
    assert "define" not in task.title, "titles are shown to candidates"
    assert not task.source, "nothing is kept twice"


def test_a_line_and_a_block(tmp_path: Path, empty_settings: Settings) -> None:
    write(tmp_path / "versicode/any.json", LINE, BLOCK)
    line, block = load(tmp_path, empty_settings).tasks.values()
    assert line.starter.replace("<line_mask>", line.reference) == CODE
    assert line.gap is not None
    assert (line.gap.line, line.gap.mask) == ("@attrs.define", "<line_mask>")
    assert (line.facts.category, line.facts.change) == ("general", None)
    assert (block.starter, block.reference) == ("", CODE)
    assert block.gap is not None
    assert (block.gap.token, block.gap.line, block.gap.mask) == ("define", "@attrs.define", "")
    assert (block.facts.category, block.facts.change) == ("deprecation", ChangeKind.REMOVED)


def test_a_migration_goes_both_ways(tmp_path: Path, empty_settings: Settings) -> None:
    write(tmp_path / "versicode/any.json", MIGRATION, BACK)
    there, back = load(tmp_path, empty_settings).tasks.values()
    assert {there.kind, back.kind} == {TaskKind.MIGRATE}
    assert (there.starter, there.reference) == (MIGRATION["old_code"], MIGRATION["new_code"])
    assert (back.starter, back.reference) == (there.reference, there.starter)
    assert there.gap is not None
    assert back.gap is not None
    assert (there.gap.token, back.gap.token) == ("field", "ib")
    assert there.gap.line.strip() == back.gap.old_line.strip() == "x = attrs.field()"
    assert there.gap.old_line.strip() == back.gap.line.strip() == "x = attr.ib()"
    facts = there.facts
    assert (facts.version, facts.release_date) == ("22.0.0", date(2022, 7, 28))
    assert (facts.from_version, facts.from_date) == ("20.3.0", date(2020, 11, 5))
    assert (facts.direction, facts.step) == ("old-to-new", "major-to-major")
    assert (facts.category, facts.change) == ("name change", ChangeKind.RENAMED)
    assert (facts.granularity, facts.symbol) == ("block", "field")
    assert (back.facts.version, back.facts.from_version) == ("20.3.0", "22.0.0")
    assert (back.facts.direction, back.facts.step) == ("new-to-old", "major-to-major")
    assert there.environment.requirements == ("attrs==22.0.0",)
    assert back.environment.requirements == ("attrs==20.3.0",)


@pytest.mark.parametrize(
    ("field", "program", "style"),
    [
        ("test", "assert point.x == 1\n", TestStyle.SCRIPT),
        (
            "test_code",
            "from answer import point\n\ndef test_x():\n    assert point\n",
            TestStyle.PYTEST,
        ),
        ("unit_test", "class TestPoint:\n    def test_x(self): ...\n", TestStyle.PYTEST),
        ("test_program", "print(point)\n", TestStyle.SCRIPT),
    ],
)
def test_an_item_that_can_be_run(
    field: str, program: str, style: TestStyle, tmp_path: Path, empty_settings: Settings
) -> None:
    task = one({**BLOCK, field: program}, tmp_path, empty_settings)
    (tests,) = task.tests
    assert (tests.split, tests.style, tests.code) == (Split.HIDDEN, style, program)
    assert task.environment.runtime == "3.10", "the newest Python of the day of attrs 21.3"
    assert "attrs==21.3.0" in task.environment.requirements
    assert ("pytest" in task.environment.requirements) == (style is TestStyle.PYTEST)
    given = one({**BLOCK, field: program, "python_version": "3.8"}, tmp_path, empty_settings)
    assert given.environment.runtime == "3.8"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"language": "Python"}, "python"),
        ({"language": "Java"}, "java"),
        ({"language": "C#"}, "csharp"),
        ({"language": "CSharp"}, "csharp"),
        ({"language": "JavaScript"}, "javascript"),
        ({"language": " js "}, "javascript"),
    ],
)
def test_languages(
    change: dict[str, Any], expected: str, tmp_path: Path, empty_settings: Settings
) -> None:
    assert one({**BLOCK, **change}, tmp_path, empty_settings).language == expected


@pytest.mark.parametrize(
    ("version", "kept", "pins"),
    [
        ("==1.1.0", "1.1.0", ("attrs==1.1.0",)),
        ("==1.1.0 ", "1.1.0", ("attrs==1.1.0",)),
        ("==2.x", "2.x", ()),
        (">=1.7", ">=1.7", ()),
        ("the latest", "the latest", ()),
    ],
)
def test_only_an_exact_version_is_pinned(
    version: str, kept: str, pins: tuple[str, ...], tmp_path: Path, empty_settings: Settings
) -> None:
    task = one({**TOKEN, "version": version}, tmp_path, empty_settings)
    assert (task.facts.version, task.environment.requirements) == (kept, pins)


def test_any_layout_is_read(tmp_path: Path, empty_settings: Settings) -> None:
    flat = write(tmp_path / "flat/versicode/everything.json", *ALL).parent.parent
    deep = tmp_path / "deep/versicode"
    for number, item in enumerate(ALL):
        write(deep / f"VersiCode_Benchmark/part_{number}/x.json", item, listed=number % 2 == 1)
    (deep / "._x.json").write_bytes(b"\0\5\x16\7")
    one_file, many = load(flat, empty_settings), load(deep.parent, empty_settings)
    assert dict(one_file.tasks) == dict(many.tasks)
    assert list(one_file.tasks) == [item["id"] for item in ALL]


def test_a_byte_order_mark_and_blanks_are_no_content(
    tmp_path: Path, empty_settings: Settings
) -> None:
    path = write(tmp_path / "versicode/a.json", TOKEN, listed=True)
    path.write_bytes(b"\xef\xbb\xbf\r\n " + path.read_bytes())
    assert len(load(tmp_path, empty_settings).tasks) == 1


def test_an_item_of_two_files_is_one_task(
    tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    answered = {k: v for k, v in LINE.items() if k != "type"} | {"model_output": "['x']"}
    write(tmp_path / "versicode/a_outputs.json", answered)
    write(tmp_path / "versicode/b.json", LINE)
    write(tmp_path / "versicode/c_outputs.json", answered)
    (task,) = load(tmp_path, empty_settings).tasks.values()
    assert task.facts.category == "general", "the file of outputs had lost it"
    assert not caplog.records


def test_ids_that_clash_are_numbered(
    tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    other = {**TOKEN, "version": "==22.1.0"}
    write(tmp_path / "versicode/a.json", TOKEN, other, {**TOKEN, "version": "==23.1.0"}, other)
    suite = load(tmp_path, empty_settings)
    assert {task_id: task.facts.version for task_id, task in suite.tasks.items()} == {
        "token_1": "21.3.0",
        "token_1~2": "22.1.0",
        "token_1~3": "23.1.0",
    }
    assert all(task.id == task_id for task_id, task in suite.tasks.items())
    assert "2 ids of more than one item, numbered ('token_1' at a.json item 2" in caplog.text


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ("a text", "not an object"),
        (None, "not an object"),
        ({}, "no field `task`"),
        ({**TOKEN, "task": "chess"}, "unknown task 'chess'"),
        ({k: v for k, v in TOKEN.items() if k != "answer"}, "missing required field `answer`"),
        ({k: v for k, v in TOKEN.items() if k != "id"}, "missing required field `id`"),
        ({**TOKEN, "code": 3}, "Expected `str`, got `int` - at `$.code`"),
        ({**TOKEN, "version": None}, "Expected `str`, got `null` - at `$.version`"),
        ({**TOKEN, "granularity": "page"}, "unknown granularity 'page'"),
        ({**TOKEN, "language": "cobol"}, "unknown language 'cobol'"),
        ({**TOKEN, "masked_code": CODE}, "no mask in `masked_code`"),
        ({**TOKEN, "answer": ""}, "nothing to answer with"),
        ({**LINE, "masked_line": ""}, "nothing to answer with"),
        ({**MIGRATION, "edit_order": "sideways"}, "unknown edit_order 'sideways'"),
        ({**MIGRATION, "new_code": ""}, "nothing to migrate"),
        ({k: v for k, v in BACK.items() if k != "old_code"}, "missing required field `old_code`"),
    ],
)
def test_a_malformed_item_is_left_out_and_named(
    item: Any,
    reason: str,
    tmp_path: Path,
    empty_settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    write(tmp_path / "versicode/a.json", {**TOKEN, "id": "good"}, item)
    with caplog.at_level(logging.WARNING):
        assert list(load(tmp_path, empty_settings).tasks) == ["good"]
    (record,) = caplog.records
    message = record.getMessage()
    assert message.startswith("VersiCode: 1 items left out (a.json item 2: ")
    assert reason in message


def test_all_that_is_odd_is_one_warning(
    tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    items = [{**TOKEN, "id": str(n), "version": f"no{n}", "time": "soon"} for n in range(9)]
    write(tmp_path / "versicode/a.json", *items, 1, 2, {**TOKEN, "type": "magic"})
    write(tmp_path / "versicode/b.json")
    suite = load(tmp_path, empty_settings)
    assert len(suite.tasks) == 10
    assert suite.tasks["0"].facts.release_date is None
    (record,) = caplog.records
    message = record.getMessage()
    assert "9 versions not understood, kept as written ('no0' at a.json item 1, " in message
    assert "9 dates not understood ('soon' at a.json item 1" in message
    assert "2 items left out" in message
    assert "1 types of change not known ('magic' at a.json item 12)" in message
    assert "1 files without items (b.json)" in message
    assert "no7" not in message, "the first few are enough"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"version of a pointer\nsize 3\n", "a.json is not JSON ("),
        (b'{"data": [{"task": 1}, {"ta', "a.json is not JSON behind item 1 ("),
        (b'{"data": ["\xff\xfe"]}', "a.json is not JSON ("),
        (b"", "a.json is not JSON ("),
    ],
)
def test_a_file_that_is_not_json(
    content: bytes, words: str, tmp_path: Path, empty_settings: Settings
) -> None:
    write(tmp_path / "versicode/b.json", *ALL)
    (tmp_path / "versicode/a.json").write_bytes(content)
    with pytest.raises(UserError) as caught:
        load(tmp_path, empty_settings)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_where_data_is_looked_for(tmp_path: Path, empty_settings: Settings) -> None:
    with pytest.raises(MissingDataError, match="no VersiCode data on this machine") as caught:
        versicode.load(replace(empty_settings, data=None))
    assert "--data DIR or set LIBDRIFT_DATA" in caught.value.fix
    other = write(tmp_path / "other/tasks.json", {"task": "something else"}).parent
    with pytest.raises(MissingDataError, match="no VersiCode data in"):
        load(other, empty_settings)
    write(tmp_path / "none/versicode/a.json", {"task": "something else"})
    with pytest.raises(MissingDataError, match="no VersiCode item in"):
        load(tmp_path / "none", empty_settings)
    cached = write(empty_settings.cache / "data/versicode/a.json", TOKEN).parent
    for data in (None, other):
        suite = versicode.load(replace(empty_settings, data=data))
        assert suite.source.endswith(str(cached))
    mine = write(tmp_path / "mine/a.json", TOKEN).parent
    assert load(mine, empty_settings).source.endswith("mine")


@pytest.mark.published
def test_the_published_data_is_read_whole(
    empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    folder = published("versicode")
    suite = load(folder.parent, empty_settings)
    assert not caplog.records, "every item loads, and every version is understood"
    items = {
        item["id"]: item
        for path in folder.glob("*.json")
        for item in json.loads(path.read_text("utf-8"))["data"]
    }
    assert set(suite.tasks) == set(items)
    kinds = Counter((task.kind, task.facts.granularity) for task in suite.tasks.values())
    assert kinds == {
        (TaskKind.COMPLETE, "line"): 354,
        (TaskKind.COMPLETE, "block"): 798,
        (TaskKind.MIGRATE, "block"): 412,
    }
    assert Counter(task.facts.category for task in suite.tasks.values()) == {
        "addition": 450,
        "deprecation": 71,
        "general": 247,
        "name change": 442,
        None: 354,
    }
    assert all(task.facts.release_date for task in suite.tasks.values())
    steps = Counter(task.facts.step for task in suite.tasks.values() if task.facts.step)
    assert steps.total() == 412
    assert len(steps) == 4
    restored = 0
    for task in suite.tasks.values():
        gap, item = task.gap, items[task.id]
        assert gap is not None
        assert gap.token in gap.line
        if task.facts.granularity == "line":
            whole = task.starter.replace(gap.mask, task.reference)
            restored += whole == item["code"]
            # Some lines have lost the blanks at their end.
            assert [row.rstrip() for row in whole.split("\n")] == [
                row.rstrip() for row in item["code"].split("\n")
            ]
    assert restored == 345
