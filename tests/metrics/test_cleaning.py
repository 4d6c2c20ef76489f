from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.metrics.cleaning import cleaned, listed
from libdrift.metrics.modes import Mode
from tests.published import published


@pytest.mark.parametrize(
    ("output", "fixed", "released"),
    [
        ("<start>x<end>", "x", "x"),
        ("Sure: <start>x<end> or <start>y<end>", "y", "x"),
        ("Between <start> and <end>:\n<start>x<end>", "x", " and "),
        ("<start>x<end> <start>\n<end> <start>", "x", "x"),
        ("<start>x <start>y<end>", "y", "x <start>y"),
        ("<start><end>", "", ""),
        ("x <end> <start>y<end>", "y", ""),
        ("<start>\n\n    x\n<end>", "    x", "\n\n    x\n"),
        ("<start>```python\nx\n```<end>", "x", "\nx\n"),
        ("<start>```py\nx\n```<end>", "x", "py\nx\n"),
        ("<start>```c#\nx\n```<end>", "x", "c#\nx\n"),
        ("<start>```python x```<end>", " x", " x"),
        ("<start>x", "x", "no_answer"),
        ("x<end>", "x", "no_answer"),
        ("Here:\n```python\nx\ny\n```\nDone.", "x\ny", "no_answer"),
        ("Here:\n```\nx\ny", "x\ny", "no_answer"),
        ("x = 1\n```\n", "x = 1", "no_answer"),
        ("x = 1\n```\nThis is it.", "x = 1", "no_answer"),
        ("x = 1\n```\nOr so:\n```python\ny\n```", "x = 1", "no_answer"),
        ("x = 1\n```python", "x = 1", "no_answer"),
        ("with x:\n```\n", "with x:", "no_answer"),
        ("So\n```\nx\n```\nDone.", "x", "no_answer"),
        ("```python\nx\n```\nor\n```\ny\n```", "x", "no_answer"),
        ("<start>\n```x = 1```\n<end>", "x = 1", "\nx = 1\n"),
        ("<start>```x = 1\n```<end>", "x = 1", "x = 1\n"),
        ("``` python\nx\n```", "x", "no_answer"),
        ("  ```\n  x\n  ```", "  x", "no_answer"),
        ("````\nx\n```\ny\n```\n````\nz", "x\n```\ny\n```", "no_answer"),
        ("x = 1", "x = 1", "no_answer"),
        ("x\r\ny\rz", "x\ny\nz", "no_answer"),
        ("", "", "no_answer"),
    ],
)
def test_cleaned(output: str, fixed: str, released: str) -> None:
    assert cleaned(output) == fixed
    assert cleaned(output, Mode.RELEASED) == released


def test_blanks_around_a_token_go() -> None:
    assert cleaned("<start>\n  x\t<end>", token=True) == "x"


@given(st.text(max_size=60))
def test_code_without_tags_and_fences_is_its_own_answer(text: str) -> None:
    if not any(mark in text for mark in ("<start>", "<end>", "```", "\r")):
        assert cleaned(text).strip() == text.strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("['a', \"b'c\"]", ["a", "b'c"]),
        ("[]", []),
        ('["a", "\\u00e9"]', ["a", "é"]),
        ('["a\\/b", "\\ud83d\\ude00"]', ["a/b", "😀"]),  # half characters are JSON's way
        (" ['a\\d'] ", ["a\\d"]),
    ],
)
def test_listed(text: str, expected: list[str]) -> None:
    assert listed(text) == expected


@given(st.lists(st.text(max_size=20), max_size=5))
def test_what_python_and_json_write_is_read_back(outputs: list[str]) -> None:
    assert listed(repr(outputs)) == outputs
    assert listed(json.dumps(outputs)) == outputs


@pytest.mark.parametrize(
    "text",
    ["", "x", "'x'", "{'a': 'b'}", "[1]", "['a', None]", "[null]", "['a'", "[" * 9999, "\0", "f()"],
)
def test_what_is_no_list_of_texts_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match="list"):
        listed(text)


@pytest.mark.published
def test_the_published_answers_are_what_cleaning_gives() -> None:
    file = published("versicode", "line_completion_llama3_70b_outputs.json")
    items = [item for item in json.loads(file.read_text("utf-8"))["data"] if "model_output" in item]
    assert len(items) == 50
    for item in items:
        found = [cleaned(output, Mode.RELEASED) for output in listed(item["model_output"])]
        assert found == listed(item["model_output_token_clear"])
