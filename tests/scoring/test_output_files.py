from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.records import LeftOut
from libdrift.scoring.output_files import read_outputs
from tests.published import published
from tests.suites.versicode.small import LINE, write


def test_outputs_are_read_one_by_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(
        tmp_path / "out.json",
        {**LINE, "model_output": str(["<start>a<end>", 'it\'s "b"\r\n\\'])},
        LINE,
        {**LINE, "id": 7, "model_output": ["c"]},
        {**LINE, "id": "x", "model_output": "no list"},
        {**LINE, "id": "x", "model_output": "{'a': 1}"},
        {**LINE, "id": "x", "model_output": 3},
        {**LINE, "id": "x", "model_output": [3]},
        {**LINE, "id": None, "model_output": "['a']"},
        "a text",
    )
    found = list(read_outputs(path))
    assert found[:2] == [
        ("line_1", ["<start>a<end>", 'it\'s "b"\r\n\\']),
        ("7", ["c"]),
    ]
    left_out = found[2:]
    assert all(isinstance(one, LeftOut) and one.message for one in left_out)
    places = [one.where for one in left_out if isinstance(one, LeftOut)]
    assert places == [f"out.json item {number}" for number in (4, 5, 6, 7, 8, 9)]
    assert "out.json: 1 items have no model_output" in caplog.text


def test_five_megabytes_of_output_are_read(tmp_path: Path) -> None:
    huge = "x = 1\n" * 850_000
    path = write(tmp_path / "out.json", {**LINE, "model_output": repr([huge])})
    assert list(read_outputs(path)) == [("line_1", [huge])]


def test_a_torn_file_gives_what_is_before_the_tear(tmp_path: Path) -> None:
    path = write(tmp_path / "out.json", {**LINE, "model_output": "['a']"}, LINE)
    path.write_bytes(path.read_bytes()[:-40])
    outputs = read_outputs(path)
    assert next(outputs) == ("line_1", ["a"])
    with pytest.raises(UserError, match="is not JSON behind item 1"):
        next(outputs)


@pytest.mark.published
def test_the_published_outputs(caplog: pytest.LogCaptureFixture) -> None:
    path = published("versicode", "line_completion_llama3_70b_outputs.json")
    found = list(read_outputs(path))
    assert len(found) == 50
    assert all(not isinstance(one, LeftOut) and len(one[1]) == 6 for one in found)
    assert "304 items have no model_output" in caplog.text
