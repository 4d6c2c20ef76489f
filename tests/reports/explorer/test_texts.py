"""Texts of answers: from the run's folder, or the file that was scored; else a word why not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmarks.synthetic_runs import suite_of
from libdrift.analysis.observing import ObservedRun, observe
from libdrift.errors import UserError
from libdrift.execution import RunFolder
from libdrift.records import Suite
from libdrift.reports.explorer import RunTexts, TextSources
from libdrift.reports.explorer.line_index import LineIndex
from libdrift.scoring.run_tasks import write_tasks

SUITE = suite_of(3)
NAMES = list(SUITE.tasks)


def sources(suite: Suite | None = SUITE, history: dict[str, Any] | None = None) -> TextSources:
    def find(_: ObservedRun) -> Suite:
        if suite is None:
            raise UserError("no data", "Get it")
        return suite

    def life(symbol: str) -> dict[str, Any]:
        if history is None:
            raise UserError(f"{symbol} is not mined", "Mine it")
        return history

    return TextSources(find, life)


@contextmanager
def scored(folder: Path, answers: Path, sha256: str) -> Iterator[RunTexts]:
    """A run of `libdrift score`, which keeps no answer."""
    run = RunFolder(folder)
    folder.mkdir()
    about = {"suite": SUITE.name, "answers": {"path": str(answers), "sha256": sha256}}
    run.write_description(about)
    write_tasks(run, SUITE)
    lines = [
        {"task_id": name, "sample": 0, "split": "hidden", "outcome": "failed", "log": "x" * 50}
        for name in NAMES
    ]
    (folder / "verdicts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with closing(RunTexts(observe(folder), sources())) as texts:
        texts.refresh()
        yield texts


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    lines = [{"task_id": name, "answer": f"```python\nx = {name!r}\n```"} for name in NAMES]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_answers_of_a_file_are_read_where_it_is(tmp_path: Path, answers: Path) -> None:
    sha256 = hashlib.sha256(answers.read_bytes()).hexdigest()
    with scored(tmp_path / "run", answers, sha256) as texts:
        found = texts.answer((NAMES[1], 0))
        mentions = list(texts.mentions((NAMES[2],)))
    assert found["answer"] == f"```python\nx = {NAMES[1]!r}\n```"
    assert found["code"].strip() == f"x = {NAMES[1]!r}"  # as it was judged
    assert found["prompt_why"] == "The run kept no prompt: its answers came from a file."
    assert mentions[-1] == ((NAMES[2], 0), 1)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda path: path.unlink(), "The answers are not where they were scored: "),
        (lambda path: path.write_text("{}"), "The answers cannot be read: "),
        (
            lambda path: path.write_text(path.read_text().replace("x =", "y =")),
            "is not the file any more that was scored: its checksum differs",
        ),
    ],
)
def test_what_became_of_a_file_of_answers_is_said(
    tmp_path: Path, answers: Path, change: Any, why: str
) -> None:
    sha256 = hashlib.sha256(answers.read_bytes()).hexdigest()
    change(answers)
    with scored(tmp_path / "run", answers, sha256) as texts:
        found = texts.answer((NAMES[0], 0))
    assert "answer" not in found
    assert why in found["answer_why"]


def test_texts_are_cut_to_a_limit_and_say_so(tmp_path: Path, answers: Path) -> None:
    with scored(tmp_path / "run", answers, "") as texts:
        (verdict,) = texts.answer((NAMES[0], 0), 20)["verdicts"]
        (whole,) = texts.answer((NAMES[0], 0))["verdicts"]
    assert (verdict["log"], verdict["log_length"]) == ("x" * 20, 50)
    assert whole["log"] == "x" * 50
    assert "log_length" not in whole


def test_a_task_has_its_texts_and_the_history_of_its_api(tmp_path: Path, answers: Path) -> None:
    with scored(tmp_path / "run", answers, "") as texts:
        run = texts.run
    life = {"path": "a.b"}
    assert RunTexts(run, sources(history=life)).task(NAMES[0])["history"] == life
    known = RunTexts(run, sources()).task(NAMES[0])
    assert known["reference"] == SUITE.tasks[NAMES[0]].reference
    assert "is not mined" in known["history_why"]
    assert "no data" in RunTexts(run, sources(suite=None)).task(NAMES[0])["why"]
    assert "has no task of this name" in RunTexts(run, sources()).task("gone")["why"]


def test_an_index_reads_on_and_leaves_what_is_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    index = LineIndex(path)
    index.refresh()  # there is no such file yet
    path.write_text('{"task_id": "a", "sample": 0, "n": 1}\n{"task_id": "a", "sam')
    index.refresh()
    assert len(list(index.lines(("a", 0)))) == 1
    with path.open("a") as file:
        file.write('ple": 0, "n": 2}\nnot json\n{"task_id": "b", "sample": 1, "text": "\\ud800"}\n')
    index.refresh()
    assert [json.loads(line)["n"] for line in index.lines(("a", 0))] == [1, 2]
    assert len(list(index.lines(("b", 1)))) == 1
    path.write_text('{"task_id": "c", "sample": 0}\n')  # another file
    index.refresh()
    assert not list(index.lines(("a", 0)))
    assert len(list(index.lines(("c", 0)))) == 1


DEEP = "[" * 100_000 + "]" * 100_000
HOSTILE = {
    "verdicts.jsonl": [
        '{"task_id": "NAME", "sample": 0}',
        '{"task_id": "NAME", "sample": 0, "split": ["a"], "outcome": "passed"}',
        '{"task_id": "NAME", "sample": 0, "split": "hidden", "outcome": "passed", "cases": ["a"]}',
        '{"task_id": "NAME", "sample": 0, "split": "hidden", "outcome": "passed", "x": DEEP}',
    ],
    "answers.jsonl": [
        '{"task_id": "NAME", "sample": 0, "answer": "x", "more": DEEP}',
        '{"task_id": "NAME", "sample": 0, "answer": ["x"]}',
        '{"task_id": "NAME", "sample": 0, "answer": "x", "notes": {"rounds": 1HUGE}}',
    ],
    "calls.jsonl": [
        '{"prompt": "p", "messages": ["x", null, 1]}',
        '{"prompt": "p", "messages": DEEP}',
        '{"task_id": "NAME", "sample": 0, "prompt": "p", "output": "\\ud800"}',
        '{"task_id": "NAME", "sample": 0, "prompt": 5}',
    ],
}


@pytest.mark.parametrize(
    ("file", "line"), [(name, one) for name in HOSTILE for one in HOSTILE[name]]
)
def test_hostile_lines_end_nothing_and_show_no_verdict(
    file: str, line: str, answers: Path, tmp_path: Path
) -> None:
    sha256 = hashlib.sha256(answers.read_bytes()).hexdigest()
    with scored(tmp_path / "run", answers, sha256):
        pass
    call = {"task_id": NAMES[0], "sample": 0, "prompt": "p", "output": "x"}
    (tmp_path / "run" / "calls.jsonl").write_text(json.dumps(call) + "\n")
    text = line.replace("NAME", NAMES[0]).replace("DEEP", DEEP).replace("HUGE", "0" * 400)
    with (tmp_path / "run" / file).open("a") as opened:
        opened.write(text + "\n")
    with closing(RunTexts(observe(tmp_path / "run"), sources())) as texts:
        texts.refresh()
        shown = texts.answer((NAMES[0], 0))
        assert [one["outcome"] for one in shown["verdicts"]] == ["failed"]
        list(texts.mentions(("x",)))


def test_answers_that_are_a_device_are_not_read(tmp_path: Path) -> None:
    with scored(tmp_path / "run", Path("/dev/zero"), "0") as texts:
        assert "answers are not where they were scored" in texts.answer((NAMES[0], 0))["answer_why"]
