"""What models write, read: fences, JSON with mistakes, and texts that would break a reader."""

from __future__ import annotations

import json

import pytest

from libdrift.build.recipes.replies import json_object, last_function, names_word, python_code
from libdrift.build.recipes.steps import ReplyFault, shortened

TOLD = {"a": "x", "b": ["y"]}


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(TOLD),
        f"```json\n{json.dumps(TOLD, indent=1)}\n```",
        f"Here it is: {json.dumps(TOLD)} I hope it helps.",
        "{'a': 'x', 'b': ['y',],}",
        f'{{"draft": 1}}\n{json.dumps(TOLD)}',
    ],
)
def test_an_object_is_found(reply: str) -> None:
    assert json_object(reply, ("a",), ("b",)) == TOLD


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("", "not a JSON object"),
        ("[1, 2]", "not a JSON object"),
        ("{" * 5000, "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
        ('{"a": " ", "b": []}', 'no text "a"'),
        ('{"a": 3, "b": []}', 'no text "a"'),
        ('{"a": "x", "b": "y"}', 'no list of texts "b"'),
        ('{"a": "x", "b": [1]}', 'no list of texts "b"'),
    ],
)
def test_what_is_none_is_told(reply: str, told: str) -> None:
    found = json_object(reply, ("a",), ("b",))
    assert isinstance(found, ReplyFault)
    assert told in found.reason


def test_half_characters_are_replaced() -> None:
    found = json_object('{"a": "x\\ud800", "b": ["\\udfff"]}', ("a",), ("b",))
    assert found == {"a": "x?", "b": ["?"]}


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("  ", "no code"),
        ("```python\ndef f(:\n```", "does not parse: invalid syntax"),
        ("x = '\0'", "does not parse"),
        (f"x = {'+'.join('1' * 5000)}", "does not parse"),
        (f"x = {'(' * 300}{')' * 300}", "does not parse"),
    ],
)
def test_code_that_cannot_be_worked_on(reply: str, told: str) -> None:
    found = python_code(reply)
    assert isinstance(found, ReplyFault)
    assert told in found.reason


def test_code_and_its_function() -> None:
    code = python_code(
        "Sure:\n```python\ndef f():\n    pass\n\n\nasync def g():\n    pass\n```\nDone."
    )
    assert isinstance(code, str)
    found = last_function(code)
    assert found is not None
    assert found.name == "g"
    assert last_function("x = 1\n") is None


def test_names_are_words() -> None:
    assert names_word("Use Ring().", "ring")
    assert not names_word("a string, ring_of", "ring")


def test_a_long_text_keeps_its_ends() -> None:
    assert shortened("x") == "x"
    long = shortened(f"first{'x' * 9000}last")
    assert long.startswith("first")
    assert long.endswith("last")
    assert len(long) < 4000
