from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.records import LeftOut, Suite
from libdrift.scoring.answer_files import AnswerFile, Done, TextSample
from tests.scoring.texts import text_suite


@pytest.fixture
def suite() -> Suite:
    return text_suite()


def read(path: Path, suite: Suite) -> list[object]:
    """What a file gives, with reasons for what is left out."""
    return [
        item.message if isinstance(item, LeftOut) else item
        for item in AnswerFile(path, suite).stream()
    ]


def lines(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_samples_of_a_task_may_stand_anywhere(tmp_path: Path, suite: Suite) -> None:
    path = lines(
        tmp_path / "a.jsonl",
        {"task_id": "line", "answer": "one"},
        {"task_id": "token", "answer": "two"},
        {"task_id": "line", "answer": "three"},
    )
    assert read(path, suite) == [
        TextSample("line", "one"),
        TextSample("token", "two"),
        Done("token"),
        TextSample("line", "three"),
        Done("line"),
    ]


@pytest.mark.parametrize(
    ("record", "outputs"),
    [
        ({"task_id": "line", "answers": ["a", "b"]}, ["a", "b"]),
        ({"id": "line", "model_output": "['a', 'b']"}, ["a", "b"]),
        ({"example_id": "line", "solution": "a"}, ["a"]),
        ({"task_id": "line", "answer": "a", "other": {"deep": [1]}}, ["a"]),
        ({"task_id": "line", "answer": ""}, [""]),
    ],
)
def test_spellings_of_a_line(
    tmp_path: Path, suite: Suite, record: object, outputs: list[str]
) -> None:
    path = lines(tmp_path / "a.jsonl", record)
    assert read(path, suite) == [*(TextSample("line", text) for text in outputs), Done("line")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{not json", "not JSON at column 2; write one object per line"),
        (b"[1, 2]", "not an answer"),
        (b'{"answer": "a"}', 'needs "task_id"'),
        (b'{"task_id": "line"}', "needs"),
        (b'{"task_id": "line", "answers": []}', "needs"),
        (b'{"task_id": "line", "answers": "text"}', "not an answer"),
        (b'{"task_id": "line", "answer": 3}', "not an answer"),
        (b'{"id": "line", "model_output": "no list"}', "not a list"),
        (b'{"id": "line", "model_output": "[1]"}', "texts"),
        (b'{"task_id": "who", "answer": "a"}', "unknown task 'who'"),
        (b'{"task_id": "line", "answer": "\xff"}', "not UTF-8 text"),
        (b"[" * 100_000, "not "),
    ],
)
def test_a_bad_line_is_named_and_costs_no_other(
    tmp_path: Path, suite: Suite, line: bytes, reason: str
) -> None:
    path = tmp_path / "a.jsonl"
    good = b'{"task_id": "token", "answer": "x"}'
    path.write_bytes(b"\n".join([good, line, b"", b"   "]))
    found = list(AnswerFile(path, suite).stream())
    assert found[:2] == [TextSample("token", "x"), Done("token")]
    (left,) = found[2:]
    assert isinstance(left, LeftOut)
    assert reason in left.message
    assert left.where == f"{path}:2"


def test_a_repeated_sample_number_is_left_out(tmp_path: Path, suite: Suite) -> None:
    path = lines(
        tmp_path / "a.jsonl",
        {"task_id": "line", "answer": "a", "sample": 0},
        {"task_id": "line", "answer": "b", "sample": 0},
    )
    assert read(path, suite) == [
        TextSample("line", "a", 0),
        "repeats sample 0 of line",
        Done("line"),
    ]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("bare", [False, True])
def test_output_files_of_the_authors(
    tmp_path: Path, suite: Suite, indent: int | None, *, bare: bool
) -> None:
    items = [
        {"id": "line", "model_output": "['a', 'b']"},
        {"id": "token"},
        {"id": "block", "model_output": "nonsense"},
        {"id": "line", "model_output": "['c']"},
    ]
    path = tmp_path / "outputs.json"
    path.write_text(json.dumps(items if bare else {"data": items}, indent=indent))
    found = read(path, suite)
    assert found[:3] == [TextSample("line", "a"), TextSample("line", "b"), Done("line")]
    assert "not a list" in str(found[3])
    assert found[4:] == ["repeats the answers to line"]


def test_a_byte_order_mark_and_windows_line_ends(tmp_path: Path, suite: Suite) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"task_id": "line", "answer": "a\\r\\nb"}\r\n')
    assert read(path, suite) == [TextSample("line", "a\r\nb"), Done("line")]


def test_a_missing_file_is_the_callers_mistake(tmp_path: Path, suite: Suite) -> None:
    with pytest.raises(UserError, match="cannot read answers"):
        AnswerFile(tmp_path / "none.jsonl", suite)


def test_a_list_of_answers_is_a_file_of_answers(tmp_path: Path, suite: Suite) -> None:
    path = tmp_path / "a.json"
    items = [
        {"task_id": "line", "answer": "one", "sample": 1},
        {"id": "token", "answer": "two"},
        {"task_id": "line", "answer": "three"},
        {"task_id": "nowhere", "answer": "x"},
        {"task_id": "line", "answer": 3},
    ]
    path.write_text(json.dumps(items, indent=1))
    found = read(path, suite)
    assert found[:5] == [
        TextSample("line", "one", 1),
        TextSample("token", "two"),
        Done("token"),
        TextSample("line", "three"),
        Done("line"),
    ]
    assert [str(one)[:20] for one in found[5:]] == ["unknown task 'nowher", "not an answer (Expec"]


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.json"])
def test_compressed_answers_are_read_as_they_were(tmp_path: Path, suite: Suite, name: str) -> None:
    plain = lines(tmp_path / "a.jsonl", {"task_id": "line", "answer": "one"})
    packed = tmp_path / name
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read(packed, suite) == read(plain, suite)
    assert AnswerFile(packed, suite).sha256 == AnswerFile(plain, suite).sha256


def test_a_torn_archive_is_told_in_a_line(tmp_path: Path, suite: Suite) -> None:
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(b'{"task_id": "line"}\n' * 999)[:40])
    with pytest.raises(UserError, match=r"cannot read answers from .*not a complete gzip file"):
        read(packed, suite)
