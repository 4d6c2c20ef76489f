"""A file or folder of tasks stands wherever a suite's name does."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from libdrift.cli.app import app
from libdrift.errors import UserError
from libdrift.suites import task_files
from tests.conftest import make_task


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two tasks, the second of which its own reference fails."""
    monkeypatch.chdir(tmp_path)
    good, bad = (replace(make_task(name, n), wrong=None) for name, n in (("good", 1), ("bad", 2)))
    lines = [good, replace(bad, reference="def number():\n    return 3\n")]
    task_files.write(tmp_path / "own.jsonl", "own", "Own", lines, {})
    return tmp_path / "own.jsonl"


def invoke(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, [*arguments, "--json"], catch_exceptions=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_what_an_audit_wrote_is_what_verified_means(tasks: Path) -> None:
    audit = invoke("audit", "own.jsonl", "--write", "own.json")
    assert (audit["suite"], audit["verified"]) == ("own", 1)
    answers = [
        {"task_id": name, "answer": f"def number():\n    return {number}\n"}
        for name, number in (("good", 1), ("bad", 3))
    ]
    Path("a.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    scored = invoke("score", "own.jsonl", "a.jsonl", "--verified", "--audited", "own.json")
    assert (scored["tasks"], scored["unverified"]) == (1, {"answers": 1, "tasks": 1})
    groups = {
        row["group"]: row["value"]
        for row in invoke("score", "own.jsonl", "a.jsonl", "--audited", "own.json")["scores"]
        if row["split"] == "hidden"
    }
    assert (groups["all"], groups["verified"]) == (0.5, 1.0)
    with pytest.raises(UserError, match="no task of own is known to be verified"):
        invoke("score", "own.jsonl", "a.jsonl", "--verified")


@pytest.mark.parametrize(
    "command",
    [
        ("audit",),
        ("env", "build"),
        ("eval",),
        ("judge",),
        ("score",),
        ("suites", "export"),
        ("suites", "prompts"),
        ("suites", "show"),
    ],
    ids=" ".join,
)
def test_help_tells_of_files(command: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, [*command, "--help"], catch_exceptions=False)
    assert "FILE.jsonl" in done.stdout


def test_commands_take_a_file(tasks: Path) -> None:
    shown = invoke("suites", "show", tasks.name)
    assert [row["task_id"] for row in shown["tasks"]] == ["good", "bad"]
    assert invoke("suites", "export", tasks.name, "out")["files"] == ["good.py", "bad.py"]
    (built,) = invoke("env", "build", tasks.name)["environments"]
    assert built["status"] == "ready"
    Path("model.py").write_text("def reply(*_): return 'def number(): return 1'", encoding="utf-8")
    asked = invoke("eval", tasks.name, "--model", "scripted/model.py", "--out", "run")
    assert (asked["suite"], asked["tasks"]) == ("own", 2)
    told = invoke("judge", tasks.name, "--tasks", "--model", "scripted/model.py", "--dry-run")
    assert told["tasks"] == 2
    assert invoke("suites", "prompts", tasks.name, "p.jsonl")["prompts"] == 2


COMMANDS = {
    "show": ("suites", "show", "own/"),
    "stats": ("suites", "stats", "own/"),
    "export": ("suites", "export", "own/", "out"),
    "prompts": ("suites", "prompts", "own/", "p.jsonl"),
    "env": ("env", "build", "own/"),
    "score": ("score", "own/", "a.jsonl"),
    "eval": ("eval", "own/", "--model", "scripted/model.py", "--out", "run"),
    "judge": ("judge", "own/", "--tasks", "--model", "scripted/model.py"),
    "audit": ("audit", "own/"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The task that `build init` writes, and answers to it."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["build", "init", "own/"]).exit_code == 0
    line = {"task_id": "evolved-person", "answer": Path("own/evolved-person/wrong.py").read_text()}
    Path("a.jsonl").write_text(json.dumps(line), encoding="utf-8")
    Path("model.py").write_text("def reply(*_): return 'no'", encoding="utf-8")
    return tmp_path / "own"


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_take_a_folder_and_tell_of_a_bad_task(folder: Path, command: str) -> None:
    whole = CliRunner().invoke(app, [*COMMANDS[command], "--json"], catch_exceptions=False)
    assert whole.exit_code == 0
    found = json.loads(whole.stdout)
    assert found["tasks_left_out_count"] == 0
    if command == "audit":
        assert found["verified"] == 1
    if command == "score":
        assert found["outcomes"] == {"failed": 1}
    shutil.rmtree("out", ignore_errors=True)
    Path("p.jsonl").unlink(missing_ok=True)
    shutil.copytree(folder / "evolved-person", folder / "worse")
    (folder / "worse" / "task.toml").write_text("title = 3")
    done = CliRunner().invoke(app, [*COMMANDS[command], "--json"], catch_exceptions=False)
    assert done.exit_code == 2
    found = json.loads(done.stdout)
    assert found["tasks_left_out_count"] == 1
    assert "1 task is left out" in done.stderr


def test_a_run_says_which_tasks_it_could_not_use(folder: Path) -> None:
    (folder / "worse").mkdir()
    (folder / "worse" / "task.toml").write_text("title = 3")
    done = CliRunner().invoke(app, ["score", "own/", "a.jsonl", "--out", "run"])
    assert done.exit_code == 2
    assert "tasks left out: 1" in done.stdout
    about = json.loads(Path("run/run.json").read_text(encoding="utf-8"))
    (bad,) = about["tasks_left_out"]
    assert (bad["where"], bad["task_id"]) == ("own/worse", "worse")
    # Who asks for a task that is whole gets it.
    assert CliRunner().invoke(app, ["audit", "own/", "--task", "evolved-person"]).exit_code == 0


@pytest.mark.parametrize("command", ["env", "score", "audit"])
def test_a_pin_of_no_release_is_told_with_its_task_as_a_mistake(
    folder: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not as trouble of the machine, which another try might mend."""
    monkeypatch.setenv("LIBDRIFT_CACHE", str(folder.parent / "cache"))
    wheels = folder.parent / "no-wheels"
    wheels.mkdir()
    for name in ("UV_NO_INDEX", "UV_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(wheels))
    path = folder / "evolved-person" / "task.toml"
    path.write_text(path.read_text().replace("attrs==25.4.0", "attrs==99.9.9"))
    done = CliRunner().invoke(app, list(COMMANDS[command]), catch_exceptions=False)
    assert done.exit_code == 2
    told = " ".join((done.stdout + done.stderr).replace("│", " ").split())
    assert "the package index has no attrs==99.9.9" in told
    if command != "env":
        assert "evolved-person" in told


def test_init_writes_a_task_whose_tests_prove_a_pass(folder: Path) -> None:
    right = (folder / "evolved-person" / "reference.py").read_text()
    Path("right.jsonl").write_text(json.dumps({"task_id": "evolved-person", "answer": right}))
    found = invoke("score", "own/", "right.jsonl", "--out", "right")
    assert found["proofs"] == {"remote": 2}


def test_completions_are_put_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As HumanEval's samples are: a body for a prompt, here with something behind it."""
    monkeypatch.chdir(tmp_path)
    base = make_task("t", 1)
    prefix, suffix = "def number():\n    one = 1\n", "\n\nassert number() is not None\n"
    task = replace(
        base,
        wrong=None,
        prefix=prefix,
        suffix=suffix,
        starter="",
        reference=f"{prefix}    return one{suffix}",
    )
    task_files.write(tmp_path / "own.jsonl", "own", "Own", [task], {})
    texts = ["    return one", "    return 2", "def number():\n    return 1\n", "    pass"]
    lines = [json.dumps({"task_id": "t", "completion": text}) for text in texts]
    Path("a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert invoke("audit", "own.jsonl")["verified"] == 1
    invoke("score", "own.jsonl", "a.jsonl", "--out", "run")
    verdicts = map(json.loads, Path("run/verdicts.jsonl").read_text("utf-8").splitlines())
    hidden = {v["sample"]: v["outcome"] for v in verdicts if v["split"] == "hidden"}
    assert {sample for sample, outcome in hidden.items() if outcome == "passed"} == {0, 2}
    assert len(hidden) == 4
