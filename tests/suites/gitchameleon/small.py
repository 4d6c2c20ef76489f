"""A small data set of our own, in both layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# The runner is pinned as a problem's own: Python 3.11 has no companions, which builds quickly.
PROBLEM: dict[str, Any] = {
    "example_id": "2",
    "python_version": "3.11",
    "library": "iniconfig",
    "version": "2.0.0",
    "additional_dependencies": "pytest==8.3.5",
    "problem": "Read the ini text and return the value of a key in a section, or nothing.",
    "starting_code": "import iniconfig\n\n\ndef value(text, section, key):\n    return ",
    "solution": 'iniconfig.IniConfig("x.ini", text).get(section, key)\n',
    "test": 'assert value("[a]\\nb=1\\n", "a", "b") == "1"\n',
    "type_of_change": "Argument or  attribute\nchange",
    "name_of_class_or_func": "IniConfig",
    "functional": "1",
    "webdev": 0,
    "solution_api_call": True,
    "api_calls": ["iniconfig.IniConfig"],
    "release_date": "2023-01",
    "docs": ["https://example.org/iniconfig"],
}
HIDDEN = (
    "from sample_2 import value\n\n\n"
    'def test_value():\n    assert value("[a]\\nb=2\\n", "a", "b") == "2"\n'
)
BARE = {
    "example_id": 10,
    "python_version": "3.10",
    "library": "numpy",
    "version": "1.23.0",
    "additional_dependencies": "-",
    "problem": "One two three four five six seven eight nine.",
    "starting_code": "import numpy\n",
    "name_of_class_or_func": "-",
    "type_of_change": "a new word",
    "release_date": "",
    "a_field_of_tomorrow": 1,
}


def lines(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def packed(folder: Path, *problems: dict[str, Any]) -> Path:
    chosen = problems or (BARE, PROBLEM)
    lines(folder / "problems.jsonl", *chosen)
    whole = PROBLEM["starting_code"] + PROBLEM["solution"]
    lines(folder / "solutions.jsonl", {"example_id": "2", "answer": whole})
    lines(folder / "hidden_tests.jsonl", {"example_id": "2", "hidden_test": HIDDEN})
    return folder


def release(folder: Path, solutions: str) -> Path:
    lines(folder / "dataset/dataset.jsonl", PROBLEM, BARE)
    whole = PROBLEM["starting_code"] + PROBLEM["solution"]
    lines(folder / solutions, {"example_id": "2", "answer": whole})
    tests = folder / "dataset/hidden_tests"
    tests.mkdir()
    (tests / "test_sample_2.py").write_text(HIDDEN)
    (tests / "test_sample_81.py").write_text("# of no problem\n")
    return folder
