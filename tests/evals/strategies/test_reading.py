"""The program in what a model says, however it says it."""

from __future__ import annotations

import pytest

from libdrift.evals.strategies.base import unwrapped
from libdrift.evals.strategies.cot import _last_block

CODE = "def f():\n    return 1\n"
JSON = '{"answer": "x = 1", "explanation": "so"}'


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"\ufeff{JSON}",
        f"```json\n{JSON}\n```",
        f"```JSON\n{JSON}\n```",
        f"```\n{JSON}\n```",
        f"Here it is: {JSON}",
        '{"explanation": "so", "answer": "x = 1"}',
        f"{JSON}\n{JSON}",
    ],
)
def test_an_answer_in_json_is_found(text: str) -> None:
    assert unwrapped(text) == ("x = 1", "so")


def test_a_broken_line_in_json_is_read() -> None:
    assert unwrapped('{"answer": "x = 1\ny = 2"}') == ("x = 1\ny = 2", "")


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        '{"answer": 3}',
        '{"solution": "x"}',
        '```python\nx = {"answer": "y"}\n```',
        '{"answer": "x = 1',
        "",
    ],
)
def test_what_is_no_such_json_is_left_as_it_is(text: str) -> None:
    assert unwrapped(text) is None


@pytest.mark.parametrize(
    "text",
    [
        f"1. Think.\n```python\n{CODE}```",
        f"```python\nimport os\n```\nthen\n```python\n{CODE}```\n",
        f"```python\n{CODE}```\nRun it:\n```bash\npython f.py\n```\nIt prints\n```\n1\n```",
        f"Use ``` for blocks.\n```python\n{CODE}```",
        f"```python\n{CODE}",
        f"```\n{CODE}```",
    ],
)
def test_the_last_program_of_a_chain_of_thought_counts(text: str) -> None:
    assert _last_block(text)[1] == CODE


def test_without_a_block_all_of_it_is_the_answer() -> None:
    assert _last_block(CODE) == ("", CODE)
