from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.records import Suite, TaskKind
from libdrift.scoring import extract_code, read_answers
from libdrift.scoring.answers import ANSWER_LIMIT, code_of, refusal


def write(path: Path, *lines: object) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def row(task: str, answer: str, **more: object) -> dict[str, object]:
    return {"task_id": task, "answer": answer, **more}


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("x = 1", "x = 1"),
        ("Sure:\n```python\nx = 1\n```\nDone.", "x = 1\n"),
        ("```python\nx = 1\n```\n```python\nx = 2\n```", "x = 1\n"),
        ("```python\nx = 1", "x = 1"),
        ("```\nx = 1\n```", "x = 1\n"),
        ("```Py\nx = 1\n```", "x = 1\n"),
        ("```\nshell\n```\n```python\nx = 1\n```", "x = 1\n"),
        ("\ufeffx = 1", "x = 1"),
    ],
)
def test_the_first_python_block_is_the_answer(raw: str, code: str) -> None:
    assert extract_code(raw) == code


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("x = 1", "x = 1"),
        ("Sure:\n```python\nx = 1\n```\nDone.", "\nx = 1\n"),
        ("```\nx = 1\n```", "```\nx = 1\n```"),
        ("```python\nx = 1", "```python\nx = 1"),
    ],
)
def test_a_published_rule_is_followed_where_a_suite_has_one(raw: str, code: str) -> None:
    assert extract_code(raw, any_fence=False) == code


_DOCUMENTED = "/// ```\n/// f();\n/// ```\nfn f() {}\n"


@pytest.mark.parametrize(
    ("raw", "language", "code"),
    [
        ("fn f() {}", "rust", "fn f() {}"),
        (_DOCUMENTED, "rust", _DOCUMENTED),  # an example in a comment is no fence
        (f"So:\n```rust\n{_DOCUMENTED}```\nDone.", "rust", _DOCUMENTED),
        ("```toml\na = 1\n```\n```rs\nfn f() {}\n```", "rust", "fn f() {}\n"),
        ("/**\n```\nf();\n```\n*/\nfn f() {}\n", "rust", "/**\n```\nf();\n```\n*/\nfn f() {}\n"),
        ("\ufeff```rust\nfn f() {}\n```", "rust", "fn f() {}\n"),
        ("```\nclass A {}\n```", "java", "class A {}\n"),
        ("```java\nclass A {}", "java", "class A {}"),
    ],
)
def test_other_languages_have_blocks_of_their_own(raw: str, language: str, code: str) -> None:
    assert extract_code(raw, language=language) == code


PREFIX = 'import math\n\n\ndef area(r):\n    """Of a circle."""\n'
SUFFIX = "\n\ndef both(r):\n    return area(r), 2 * math.pi * r\n"
BODY = "    return math.pi * r ** 2\n"
MORE = "\ndef other():\n    pass\n"


@pytest.mark.parametrize(
    ("prefix", "suffix", "answer", "program"),
    [
        ("", "", BODY, BODY),
        (PREFIX, "", BODY, PREFIX + BODY),
        (PREFIX, SUFFIX, BODY, PREFIX + BODY + SUFFIX),
        (PREFIX, "", f"Here:\n```python\n{BODY}```", PREFIX + BODY),
        # An answer that has all of it is a program as it stands.
        (PREFIX, SUFFIX, PREFIX + BODY, PREFIX + BODY),
        (PREFIX, "", f"def area(r):\n{BODY}", f"def area(r):\n{BODY}"),
        # A function inside, or another one, is part of a completion.
        (PREFIX, "", f"    def area(x):\n    {BODY}", f"{PREFIX}    def area(x):\n    {BODY}"),
        (PREFIX, "", BODY + MORE, PREFIX + BODY + MORE),
        ("x = ", "\n", "1", "x = 1\n"),
        ("x = 1\n", "", "x = 1\ny = 2", "x = 1\ny = 2"),
        ("", "print(x)\n", "x = 1\n", "x = 1\nprint(x)\n"),
        ("", "print(x)\n", "x = 1\nprint(x)", "x = 1\nprint(x)"),
    ],
)
def test_a_completion_makes_a_program(
    small_suite: Suite, prefix: str, suffix: str, answer: str, program: str
) -> None:
    task = replace(small_suite.tasks["t0"], prefix=prefix, suffix=suffix)
    suite = replace(small_suite, tasks={"t0": task})
    assert code_of(suite, "t0", answer) == program
    assert code_of(suite, "t0", program) == program


@pytest.mark.parametrize(
    ("language", "prefix", "answer", "program"),
    [
        ("rust", "pub fn f() -> u8 {\n", "    1\n}\n", "pub fn f() -> u8 {\n    1\n}\n"),
        ("rust", "pub fn f() -> u8 {\n", "fn f() -> u8 {\n  1\n}", "fn f() -> u8 {\n  1\n}"),
        ("java", "class A {\n", "}\n", "class A {\n}\n"),
        ("java", "class A {\n", "public final class A {}\n", "public final class A {}\n"),
    ],
)
def test_completions_in_other_languages(
    small_suite: Suite, language: str, prefix: str, answer: str, program: str
) -> None:
    task = replace(small_suite.tasks["t0"], prefix=prefix, language=language)
    assert code_of(replace(small_suite, tasks={"t0": task}), "t0", answer) == program


def test_samples_are_numbered_and_may_be_equal(tmp_path: Path, small_suite: Suite) -> None:
    lines = [row(task, "x = 1") for task in ("t0", "t1", "t0", "t1")]
    answers = read_answers(write(tmp_path / "a.jsonl", *lines), small_suite)
    numbered = [(attempt.task_id, attempt.sample) for attempt in answers.attempts]
    assert numbered == [("t0", 0), ("t1", 0), ("t0", 1), ("t1", 1)]
    assert answers.left_out == ()
    assert answers.unanswered == ("t2",)


def test_bad_lines_are_left_out_one_by_one(tmp_path: Path, small_suite: Suite) -> None:
    path = tmp_path / "a.jsonl"
    lines = [
        b"\xef\xbb\xbf" + json.dumps(row("t0", "x = 1")).encode(),
        b"{not json",
        b"\xff\xfe\x00binary",
        b"[1, 2]",
        b"",
        json.dumps({"task_id": "t1"}).encode(),
        json.dumps(row("t9", "x = 1")).encode(),
        json.dumps(row("t1", "x = 2", sample="one")).encode(),
        json.dumps(row("t0", "x = 1")).encode(),
        json.dumps(row("t2", "x = 3")).encode(),
        b'{"task_id": "t2", "answer": "x", "sample": ' + b"9" * 5000 + b"}",
        json.dumps(row("t2", "x", sample=-1)).encode(),
    ]
    path.write_bytes(b"\n".join(lines))
    answers = read_answers(path, small_suite)
    assert [attempt.task_id for attempt in answers.attempts] == ["t0", "t2"]
    reasons = {item.line: item.message for item in answers.left_out}
    assert sorted(reasons) == [2, 3, 4, 6, 7, 8, 9, 11, 12]
    assert "not JSON" in reasons[2]
    assert "not UTF-8" in reasons[3]
    assert "unknown task 't9'" in reasons[7]
    assert "repeats line 1" in reasons[9]


def test_a_repeated_sample_number_is_a_duplicate(tmp_path: Path, small_suite: Suite) -> None:
    lines = [row("t0", "x = 1", sample=0), row("t0", "x = 2", sample=0), row("t0", "x = 2")]
    answers = read_answers(write(tmp_path / "a.jsonl", *lines), small_suite)
    assert [(a.sample, a.raw) for a in answers.attempts] == [(0, "x = 1"), (1, "x = 2")]
    assert [item.line for item in answers.left_out] == [2]


def test_published_files_name_things_otherwise(tmp_path: Path, small_suite: Suite) -> None:
    lines = [
        {"example_id": "t0", "solution": "x = 1"},
        {"task_id": "t1", "example_id": "t9", "answer": "x = 2", "solution": "x = 3"},
        {"example_id": "t2", "answer": None, "solution": "```python\nx = 4\n```"},
        {"example_id": "t2", "answer": 5},
    ]
    answers = read_answers(write(tmp_path / "a.jsonl", *lines), small_suite)
    found = {attempt.task_id: attempt.code for attempt in answers.attempts}
    assert found == {"t0": "x = 1", "t1": "x = 2", "t2": "x = 4\n"}
    (left,) = answers.left_out
    assert (left.where, left.line) == (f"{tmp_path}/a.jsonl:4", 4)


def test_only_some_tasks(tmp_path: Path, small_suite: Suite) -> None:
    lines = [row("t0", "x = 1"), row("t1", "x = 1")]
    answers = read_answers(write(tmp_path / "a.jsonl", *lines), small_suite).only({"t1", "t2"})
    assert [attempt.task_id for attempt in answers.attempts] == ["t1"]
    assert [attempt.task_id for attempt in answers.set_aside] == ["t0"]
    assert answers.unanswered == ("t2",)


def test_each_kind_of_task_has_its_own_usual_number(tmp_path: Path, small_suite: Suite) -> None:
    """One name to locate and five migrations a sample: equal ones are samples, not copies."""
    located = replace(small_suite.tasks["t0"], kind=TaskKind.LOCATE)
    mixed = replace(small_suite, tasks={**small_suite.tasks, "t0": located})
    lines = [row("t0", "x"), *[row("t1", "y")] * 5]
    found = read_answers(write(tmp_path / "a.jsonl", *lines), mixed)
    assert [attempt.task_id for attempt in found.attempts] == ["t0", *["t1"] * 5]
    assert not found.left_out


@pytest.mark.parametrize("content", ["", "\n\n", "nonsense\n"])
def test_a_file_without_answers_is_the_callers_mistake(
    content: str, tmp_path: Path, small_suite: Suite
) -> None:
    with pytest.raises(UserError, match="no usable answer"):
        read_answers(write(tmp_path / "a.jsonl", content), small_suite)


def test_a_missing_file_is_named(tmp_path: Path, small_suite: Suite) -> None:
    with pytest.raises(UserError, match=r"nowhere\.jsonl"):
        read_answers(tmp_path / "nowhere.jsonl", small_suite)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("x" * (ANSWER_LIMIT + 1), "over the limit"),
        ("x\0y", "binary"),
        ("x\ud800y", "binary"),
        ("x = 1", ""),
    ],
)
def test_what_is_not_worth_running(raw: str, words: str) -> None:
    assert words in refusal(raw)
    assert bool(refusal(raw)) == bool(words)
