"""Files made to harm: each ends in one line that says what is wrong, or is safely read."""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from libdrift.cli import main

HEADER = {"schema_version": 1, "suite": "mine", "title": "Mine"}
TASK: dict[str, Any] = {
    "id": "t1",
    "suite": "mine",
    "kind": "generate",
    "language": "python",
    "environment": {"language": "python", "runtime": "3.11", "requirements": []},
    "title": "A title",
    "problem": "",
    "starter": "def f(): ...",
    "reference": "def f(): return 1",
    "tests": [
        {"split": "hidden", "style": "pytest", "code": "def test_f(libdrift: Commands, ): pass"}
    ],
    "facts": {"library": "lib", "version": "1"},
}
EVIL = "\x1b]0;owned\x07\u202e\x9b2J"
_DEEP = b"[" * 100_000
_BODIES = {
    "deep": _DEEP + b"]" * 100_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "huge number": b'{"task_id": ' + b"9" * 100_000 + b', "answer": "a"}',
    "not a number": b'{"task_id": NaN, "answer": "a", "sample": Infinity}',
    "huge exponent": b'{"task_id": "t1", "answer": "a", "sample": 1e999}',
    "negative": b'{"task_id": "t1", "answer": "a", "sample": -1}',
    "twice": b'{"task_id": "t1", "task_id": "t2", "answer": "a", "answer": 3}',
    "half a sign": b'{"task_id": "\\ud800", "answer": "\\udfff"}',
    "not utf-8": b'\xff\xfe{"task_id": "t1"}',
    "zeros": b"\0" * 1000,
    "escapes": json.dumps({"task_id": EVIL, "answer": "a"}, ensure_ascii=False).encode(),
    "nothing": b"",
    "scalar": b"3",
    "null": b"null",
    "long line": b'{"task_id": "t1", "answer": "' + b"a" * (65 << 20),
}


@dataclass(frozen=True, slots=True)
class Ran:
    returncode: int
    stdout: str
    stderr: str


class Commands(Protocol):
    def __call__(self, *arguments: str, cwd: Path) -> Ran: ...


@pytest.fixture
def libdrift(monkeypatch: pytest.MonkeyPatch) -> Commands:
    """The command as a terminal meets it, in this process: it takes a second to start."""

    def run(*arguments: str, cwd: Path) -> Ran:
        streams = [io.StringIO(), io.StringIO()]
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["libdrift", *arguments])
            patch.setattr(sys, "stdout", streams[0])
            patch.setattr(sys, "stderr", streams[1])
            patch.chdir(cwd)
            code = 0
            try:
                main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(bool(end.code))
        return Ran(code, *(stream.getvalue() for stream in streams))

    return run


def _held() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def is_one_line(ran: Ran) -> bool:
    told = ran.stderr.strip().split("\n")
    return ran.returncode in (2, 3) and len(told) == 1 and told[0].startswith("libdrift: ")


def is_tame(ran: Ran) -> bool:
    return not set(ran.stdout + ran.stderr) & set("\x1b\x07\x9b\u202e\x00")


@pytest.mark.parametrize("name", _BODIES)
def test_answer_files(libdrift: Commands, name: str, tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_bytes(_BODIES[name])
    ran = libdrift("score", "starter", "answers.jsonl", cwd=tmp_path)
    assert is_one_line(ran), ran.stderr[-500:]
    assert is_tame(ran)


@pytest.mark.parametrize("name", [name for name in _BODIES if name != "nothing"])
def test_task_files(libdrift: Commands, name: str, tmp_path: Path) -> None:
    header = json.dumps(HEADER).encode() + b"\n"
    for number, content in enumerate((_BODIES[name], header + _BODIES[name])):
        (tmp_path / f"{number}.jsonl").write_bytes(content)
        ran = libdrift("suites", "show", f"{number}.jsonl", cwd=tmp_path)
        assert is_one_line(ran), ran.stderr[-500:]
        assert is_tame(ran)


@pytest.mark.parametrize("name", _BODIES)
def test_replay_files(libdrift: Commands, name: str, tmp_path: Path) -> None:
    (tmp_path / "replay.jsonl").write_bytes(_BODIES[name])
    arguments = ("eval", "starter", "--model", "replay/replay.jsonl", "--dry-run")
    ran = libdrift(*arguments, cwd=tmp_path)
    assert is_one_line(ran) or ran.returncode == 0, ran.stderr[-500:]
    assert is_tame(ran)


@pytest.mark.parametrize(
    "content",
    [
        *_BODIES.values(),
        b'{"suite": "a", "summary": {"scores": 3}}',
        b'{"suite": "a", "summary": {"scores": [{"metric": 1}]}}',
        b'{"suite": "a", "summary": {"scores": [], "tasks": 1e999}}',
        b'{"suite": ["a"], "model": {}, "summary": {"scores": [], "strategy": 3}}',
    ],
    ids=lambda content: str(content[:30]),
)
def test_run_folders(libdrift: Commands, content: bytes, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_bytes(content)
    (run / "verdicts.jsonl").write_bytes(content)
    ran = libdrift("report", "run", cwd=tmp_path)
    assert is_one_line(ran), ran.stderr[-500:]
    assert is_tame(ran)


def test_names_lead_nowhere_else(libdrift: Commands, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    tasks = [
        TASK | {"id": "../../up", "module": "../escaped"},
        TASK | {"id": "/abs", "module": str(tmp_path / "absolute")},
        TASK | {"id": EVIL, "title": EVIL, "problem": EVIL, "module": "a\0b"},
    ]
    header = HEADER | {"title": EVIL}
    for name, first in (("tasks", header), ("odd", header | {"suite": "../../outside\0"})):
        lines = [json.dumps(line) for line in (first, *tasks)]
        (tmp_path / "here" / f"{name}.jsonl").write_text("\n".join(lines))
    refused = libdrift("suites", "show", "odd.jsonl", cwd=tmp_path / "here")
    assert is_one_line(refused), refused.stderr[-500:]
    assert "not a name for a suite" in refused.stderr
    for arguments in (
        ("suites", "export", "tasks.jsonl", "out"),
        ("suites", "show", "tasks.jsonl"),
    ):
        ran = libdrift(*arguments, cwd=tmp_path / "here")
        assert ran.returncode == 0, ran.stderr
        assert is_tame(ran)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here"]
    assert len(list((tmp_path / "here" / "out").iterdir())) == len(tasks)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"language": "cobol"}, "is in 'cobol'"),
        ({"module": "a" * 5000}, "too long"),
    ],
)
def test_tasks_that_no_file_can_be_made_of(
    libdrift: Commands, change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    (tmp_path / "tasks.jsonl").write_text(f"{json.dumps(HEADER)}\n{json.dumps(TASK | change)}\n")
    ran = libdrift("suites", "export", "tasks.jsonl", "out", cwd=tmp_path)
    assert is_one_line(ran), ran.stderr[-500:]
    assert said in ran.stderr


@pytest.mark.parametrize(
    ("requirement", "runtime"),
    [
        ("evil @ file:///tmp/evil", "3.11"),
        ("--index-url=http://evil.example", "3.11"),
        ("-r /etc/passwd", "3.11"),
        ("numpy==1.0\n-r /etc/passwd", "3.11"),
        ("numpy==1.26.4", "/tmp/evil"),
        ("numpy==1.26.4", "--help"),
    ],
)
def test_requirements_are_of_versions(
    libdrift: Commands, requirement: str, runtime: str, tmp_path: Path
) -> None:
    place = {"language": "python", "runtime": runtime, "requirements": [requirement]}
    lines = [json.dumps(HEADER), json.dumps(TASK | {"environment": place})]
    (tmp_path / "tasks.jsonl").write_text("\n".join(lines))
    answer = json.dumps({"task_id": "t1", "answer": "def f(): return 1"})
    (tmp_path / "answers.jsonl").write_text(answer)
    ran = libdrift("score", "tasks.jsonl", "answers.jsonl", "--out", "run", cwd=tmp_path)
    assert (
        "cannot be read" in ran.stderr or "is not a" in ran.stderr or "names a place" in ran.stderr
    )
    assert "Traceback" not in ran.stderr


def test_folders_of_answers(libdrift: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / f"{EVIL}.py").write_text("x = 1")
    (folder / "a.py").symlink_to("/etc/passwd")
    (folder / "b.py").write_bytes(b"\xff\0")
    ran = libdrift("score", "starter", "answers", cwd=tmp_path)
    assert is_one_line(ran), ran.stderr
    assert is_tame(ran)


def test_a_file_without_end_takes_little_memory(tmp_path: Path) -> None:
    code = "from libdrift.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", code, "score", "starter", "/dev/zero"],
        capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path, preexec_fn=_held,
    )  # fmt: skip
    assert ran.stderr.startswith("libdrift: /dev/zero:1: a line of over 64 MB"), ran.stderr[-500:]
