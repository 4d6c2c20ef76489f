from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from libdrift import records
from libdrift.scoring.answer_files import AnswerFile
from libdrift.scoring.programs import attempts, program
from tests.scoring.texts import text_suite

SUITE = text_suite()


def test_an_answer_is_filled_into_the_code_or_is_the_code() -> None:
    token, line, block = (SUITE.tasks[name] for name in ("token", "line", "block"))
    whole = block.reference
    assert program(token, "<start> circle <end>") == whole
    assert program(line, f"<start>{line.reference}<end>") == whole
    assert program(block, f"```python\n{whole}```") == whole.rstrip("\n")


def test_only_tasks_with_tests_are_run(tmp_path: Path) -> None:
    tests = (records.Tests(records.Split.HIDDEN, records.TestStyle.SCRIPT, "assert round"),)
    tested = replace(SUITE.tasks["line"], tests=tests)
    suite = replace(SUITE, tasks={**SUITE.tasks, "line": tested})
    path = tmp_path / "a.jsonl"
    lines = [{"task_id": name, "answers": ["a = 1", "b = 2"]} for name in ("line", "token")]
    path.write_text("\n".join(map(json.dumps, lines)))
    found = attempts(suite, AnswerFile(path, suite))
    assert [(one.task_id, one.sample, one.raw) for one in found] == [
        ("line", 0, "a = 1"),
        ("line", 1, "b = 2"),
    ]
    assert "a = 1\nprint(round)" in found[0].code
