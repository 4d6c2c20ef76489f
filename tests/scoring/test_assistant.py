from __future__ import annotations

import ast
import os
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.records import Suite
from libdrift.scoring import assistant, read_answers


@pytest.fixture
def modular(small_suite: Suite) -> Suite:
    """A suite whose tasks have a module each, as GitChameleon's do."""
    tasks = {t.id: replace(t, module=f"sample_{t.id}") for t in small_suite.tasks.values()}
    return replace(small_suite, tasks=tasks)


def export(suite: Suite, folder: Path, **options: bool) -> list[Path]:
    return assistant.write(suite, folder, **{"with_problem": True, "force": False, **options})


def test_what_is_written_is_read_back(modular: Suite, tmp_path: Path) -> None:
    written = export(modular, tmp_path / "work")
    assert [path.name for path in written] == ["sample_t0.py", "sample_t1.py", "sample_t2.py"]
    answers = read_answers(tmp_path / "work", modular)
    assert [attempt.task_id for attempt in answers.attempts] == ["t0", "t1", "t2"]
    assert (answers.left_out, answers.unanswered) == ((), ())
    for attempt in answers.attempts:
        # The header is only comments: the program is the starter's.
        starter = modular.tasks[attempt.task_id].starter
        assert ast.dump(ast.parse(attempt.code)) == ast.dump(ast.parse(starter))


def test_tasks_that_share_a_module_are_named_by_id(small_suite: Suite, tmp_path: Path) -> None:
    tasks = {i: replace(small_suite.tasks["t0"], id=i) for i in ("a-b", "c-d")}
    suite = replace(small_suite, tasks=tasks)
    assert [path.name for path in export(suite, tmp_path)] == ["a_b.py", "c_d.py"]
    answers = read_answers(tmp_path, suite)
    assert [attempt.task_id for attempt in answers.attempts] == ["a-b", "c-d"]


def test_one_task_is_named_as_it_is_among_more(small_suite: Suite, tmp_path: Path) -> None:
    suite = replace(small_suite, tasks={"a-b": replace(small_suite.tasks["t0"], id="a-b")})
    (written,) = export(suite, tmp_path)
    assert written.name == "a_b.py"
    written.rename(tmp_path / "a-b.py")  # the id as it is: how one would name it without an export
    assert [attempt.task_id for attempt in read_answers(tmp_path, suite).attempts] == ["a-b"]
    written.write_text("x = 1")
    answers = read_answers(tmp_path, suite)
    assert (len(answers.attempts), len(answers.left_out)) == (1, 1)
    assert "another file answers the same task" in answers.left_out[0].message


def test_ids_that_make_one_name_have_two_files(small_suite: Suite) -> None:
    tasks = {name: replace(small_suite.tasks["t0"], id=name) for name in ("a/b", "a_b", "a.b")}
    assert assistant.stems(replace(small_suite, tasks=tasks)) == {
        "a/b": "a_b",
        "a_b": "a_b_",
        "a.b": "a_b__",
    }


def test_the_header_says_what_a_candidate_may_know(modular: Suite) -> None:
    task = replace(
        modular.tasks["t1"],
        problem="First line.\rSecond line.\n\nLast line.",
        environment=replace(modular.tasks["t1"].environment, requirements=("none==1", "other==2")),
    )
    text = assistant.program(task, with_problem=True)
    header, _, starter = text.partition("\n\n")
    assert all(line.startswith("#") for line in header.splitlines())
    assert starter == task.starter
    for words in ("Python 3.11, none 1", "Also installed: other==2", "signatures", "Last line."):
        assert words in header
    without = assistant.program(task, with_problem=False)
    assert "line." not in without
    assert "Complete the code" in without
    assert not any(test.code in text for test in task.tests)


def test_a_folder_with_something_in_it_is_kept(modular: Suite, tmp_path: Path) -> None:
    (tmp_path / "sample_t0.py").write_text("mine = 1\n")
    with pytest.raises(UserError, match="is not empty"):
        export(modular, tmp_path)
    assert (tmp_path / "sample_t0.py").read_text() == "mine = 1\n"
    export(modular, tmp_path, force=True)
    assert "mine" not in (tmp_path / "sample_t0.py").read_text()
    with pytest.raises(UserError, match="is not a folder"):
        export(modular, tmp_path / "sample_t0.py", force=True)


def test_what_is_no_answer_is_left_out_with_its_reason(modular: Suite, tmp_path: Path) -> None:
    (tmp_path / "sample_t1.py").write_bytes(b"\xef\xbb\xbfx = '```python'\r\n")
    (tmp_path / "sample_t0.py").write_bytes(b"\xff\xfe")
    (tmp_path / "sample_t2.py").write_bytes(b"x = 1\0")
    (tmp_path / "sample_9.py").write_text("x = 1")
    (tmp_path / "README.md").write_text("hello")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "link.py").symlink_to("/etc/hostname")
    answers = read_answers(tmp_path, modular)
    (only,) = answers.attempts
    assert (only.task_id, only.code) == ("t1", "x = '```python'\r\n"), "a program is not searched"
    reasons = {Path(item.where).name: item.message for item in answers.left_out}
    assert sorted(reasons) == [
        "README.md",
        "folder.py",
        "link.py",
        "sample_9.py",
        "sample_t0.py",
        "sample_t2.py",
    ]
    assert reasons["README.md"] == "not a .py file"
    assert reasons["sample_9.py"] == "no task has this name"
    assert "not UTF-8" in reasons["sample_t0.py"]
    assert "binary" in reasons["sample_t2.py"]
    assert answers.unanswered == ("t0", "t2")


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_a_file_without_rights_is_left_out(modular: Suite, tmp_path: Path) -> None:
    (tmp_path / "sample_t0.py").write_text("x = 1")
    (tmp_path / "sample_t1.py").write_text("x = 1")
    (tmp_path / "sample_t1.py").chmod(0)
    (left,) = read_answers(tmp_path, modular).left_out
    assert "cannot be read" in left.message


def test_an_empty_folder_is_the_callers_mistake(modular: Suite, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no usable answer") as caught:
        read_answers(tmp_path, modular)
    assert "libdrift suites export small" in caught.value.fix


def test_the_hash_covers_names_and_contents(modular: Suite, tmp_path: Path) -> None:
    def sha256(**files: str) -> str:
        folder = tmp_path / "-".join(map(str, (len(list(tmp_path.iterdir())), *files)))
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text)
        return read_answers(folder, modular).sha256

    first = sha256(sample_t0="x", sample_t1="y")
    assert first == sha256(sample_t1="y", sample_t0="x")
    assert first != sha256(sample_t0="y", sample_t1="x")
    assert first != sha256(sample_t0="x", sample_t2="y")
