"""The command contract: exit codes, streams, JSON shapes, and errors of one line."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from libdrift.cli import main
from libdrift.version import __version__


def libdrift(*arguments: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "libdrift", *arguments],
        cwd=cwd,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )


Here = Callable[..., tuple[object, str, str]]


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Here:
    """The whole command in this process, which has imported what it needs: code, out, err."""

    def run(*arguments: str, **environ: str) -> tuple[object, str, str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["libdrift", *arguments])
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return run


def answers(path: Path, *rows: dict[str, Any] | str) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def reference() -> dict[str, str]:
    from libdrift import config, suites

    task = suites.load("starter", config.load()).tasks["click-sum-of-chain"]
    return {"task_id": task.id, "answer": task.reference}


def test_help_is_quick(tmp_path: Path) -> None:
    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = libdrift("--help", cwd=tmp_path)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode == 0
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # Not a timing of this machine but of what is imported: processor time. Who shares a core and its
    # caches with others takes more of it: the least of three counts.
    assert min(seconds() for _ in range(3)) < 0.5
    code = (
        "import sys; from libdrift.cli.app import app;"
        "print([m for m in ('pydantic', 'rich.console', 'packaging', 'uv') if m in sys.modules])"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert loaded.stdout.strip() == "[]", loaded


def test_version(tmp_path: Path) -> None:
    shown = libdrift("--version", cwd=tmp_path).stdout
    assert re.fullmatch(rf"libdrift {re.escape(__version__)}( \(commit [0-9a-f]{{12}}\))?\n", shown)
    mistake = libdrift("score", "startr", "a.jsonl", cwd=tmp_path)
    assert (mistake.returncode, mistake.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["score", "startr", "a.jsonl"], "unknown suite 'startr'. Did you mean 'starter'?"),
        (["score", "starter", "nowhere.jsonl"], "cannot read answers from nowhere.jsonl"),
        (["score", "starter", "."], ". has no usable answer"),
        (["score", "gitchameleon", "a.jsonl"], "no GitChameleon data on this machine"),
        (["audit", "gitchameleon", "--data", "."], "Get the authors' release into"),
        (["audit", "starter", "--task", "nope"], "unknown task 'nope'"),
        (["suites", "show", "starter", "nope"], "unknown task 'nope'"),
        (["env", "build", "numpy==2.2.6", "--python", "../x"], "'../x' is not a Python version"),
        (["env", "build", "starter", "numpy==2.2.6"], "starter has its own environments"),
        (["env", "build", "none.jsonl"], "cannot read tasks from none.jsonl"),
        (["env", "build", "numpy"], "'numpy' is neither an exact pin nor a suite"),
        (["env", "build", "numpy=2"], "requirement 'numpy=2' cannot be read"),
        (["suites", "show", "starter", "--data", "/nope"], "there is no folder /nope"),
        (["score", "starter", "a.jsonl", "--data", "/nope"], "there is no folder /nope"),
        (["report", "nowhere"], "nowhere is not a run: there is no such folder. A run is"),
        (["report", "."], ". is not a run: it has no run.json. A run is the folder"),
        (["judge", ".", "--model", "openai/x"], ". is not a run: it has no run.json"),
        (["eval", "starter", "--model", "replay/."], "not a run: it has no calls.jsonl"),
        (["eval", "starter", "--model", "nobody/x"], "unknown provider 'nobody'"),
        (["eval", "starter", "--model", "openai/x"], "Set the variable OPENAI_API_KEY"),
        (["eval", "starter", "--model", "nope", "--dry-run"], "unknown model 'nope'"),
        (["eval", "starter", "--model", "openai", "--dry-run"], "openai is a provider, not a"),
        (["eval", "starter", "--model", "gguf/x.gguf", "--dry-run"], "no such file"),
        (["eval", "starter", "--model", "scripted/x.py"], "cannot read a script from x.py"),
        (["eval", "starter", "-s", "rag", "-S", "rounds=1"], "rag has no option 'rounds'"),
        (["suites", "stats", "starter", "--json", "--markdown"], "--json and --markdown cannot"),
        (["suites", "stats", "starter", "--format", "png"], "--format png needs figures"),
        # What the parser itself finds.
        (["score"], "missing argument 'SUITE'. See `"),
        (["score", "starter", "a.jsonl", "--nope"], "no such option: --nope"),
        (["eval", "starter", "--workers", "0"], "invalid value for '--workers' / '-j': 0 is not"),
        (["score", "starter", "a.jsonl", "--time-floor", "nan"], "nan is not a finite"),
        (["env", "prune", "--days", "nan"], "nan is not a finite number"),
        (["nope"], "no such command 'nope'. See `"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(
    arguments: list[str], words: str, tmp_path: Path, here: Here
) -> None:
    nowhere = {
        "LIBDRIFT_CACHE": str(tmp_path.parent / "none"),
        "LIBDRIFT_DATA": "",
        "OPENAI_API_KEY": "",
    }
    code, out, err = here(*arguments, **nowhere)
    assert code == 2
    assert words in err
    assert err.count("\n") == 1
    assert out == ""
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_sandbox_is_a_mistake(tmp_path: Path, reference: dict[str, str]) -> None:
    path = answers(tmp_path / "a.jsonl", reference)
    done = libdrift("score", "starter", str(path), "--sandbox", "jail", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Use --sandbox bubblewrap" in done.stderr


def test_score_json_has_the_shape_of_the_contract(
    tmp_path: Path, reference: dict[str, str]
) -> None:
    path = answers(
        tmp_path / "a.jsonl",
        reference,
        "not json",
        {"task_id": "nobody", "answer": "x"},
        reference,  # repeats the first line
        {"task_id": "attrs-parse-size", "answer": ""},
        {"task_id": "attrs-job-order", "answer": "x" * (10 * 1024 * 1024)},
        {"task_id": "click-split-streams", "answer": "a\0b"},
    )
    done = libdrift("score", "starter", str(path), "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert {"run", "suite", "tasks", "attempts", "outcomes", "scores"} <= set(result)
    assert result["outcomes"] == {"passed": 1, "refused": 3}
    assert (result["tasks"], result["attempts"]) == (4, 4)
    assert [item["line"] for item in result["left_out"]] == [2, 3, 4]
    assert len(result["unanswered"]) == 24
    keys = {"metric", "split", "group", "value", "stderr", "stderr_kind", "n", "n_counts", "tasks"}
    assert all(keys == set(score) for score in result["scores"])
    overall = {s["split"]: s["value"] for s in result["scores"] if s["group"] == "all"}
    assert overall == {"hidden": 0.25, "visible": 0.25}
    for number in (2, 3, 4):
        assert f"a.jsonl:{number} left out" in done.stderr
    verdicts = (tmp_path / result["run"] / "verdicts.jsonl").read_text().splitlines()
    assert len(verdicts) == 8
    description = json.loads((tmp_path / result["run"] / "run.json").read_text())
    assert description["provenance"]["libdrift"] == __version__


def test_strict_turns_failures_into_exit_1(tmp_path: Path, reference: dict[str, str]) -> None:
    good = answers(tmp_path / "good.jsonl", reference)
    bad = answers(tmp_path / "bad.jsonl", {**reference, "answer": "x = 1"})
    assert libdrift("score", "starter", str(good), "--strict", cwd=tmp_path).returncode == 0
    assert libdrift("score", "starter", str(bad), cwd=tmp_path).returncode == 0
    assert libdrift("score", "starter", str(bad), "--strict", cwd=tmp_path).returncode == 1


def test_infrastructure_is_exit_3_and_not_a_failure(
    tmp_path: Path, reference: dict[str, str]
) -> None:
    path = answers(tmp_path / "a.jsonl", reference)
    done = libdrift(
        "score",
        "starter",
        str(path),
        "--json",
        cwd=tmp_path,
        LIBDRIFT_CACHE=str(tmp_path / "cache"),
        UV_CACHE_DIR=str(tmp_path / "uv"),
        UV_DEFAULT_INDEX="http://127.0.0.1:9/simple",
        UV_HTTP_RETRIES="0",
    )
    assert done.returncode == 3
    result = json.loads(done.stdout)
    assert result["outcomes"] == {"infrastructure": 1}
    assert result["scores"] == []
    assert "the package index cannot be reached" in done.stderr
    again = libdrift("score", "starter", str(path), "--json", cwd=tmp_path)
    assert json.loads(again.stdout)["outcomes"] == {"passed": 1}


def test_without_bubblewrap_nothing_is_run(tmp_path: Path, reference: dict[str, str]) -> None:
    path = answers(tmp_path / "a.jsonl", reference)
    done = libdrift("score", "starter", str(path), cwd=tmp_path, LIBDRIFT_BWRAP="/nowhere/bwrap")
    assert (done.returncode, done.stdout) == (3, "")
    assert "/nowhere/bwrap" in done.stderr


def test_no_sandbox_only_by_choice_and_with_a_warning(
    tmp_path: Path, reference: dict[str, str]
) -> None:
    path = answers(tmp_path / "a.jsonl", reference)
    done = libdrift("score", "starter", str(path), "--sandbox", "none", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["outcomes"] == {"passed": 1}
    assert "warning: --sandbox none" in done.stderr


def test_interrupted_then_continued(tmp_path: Path, reference: dict[str, str]) -> None:
    slow = {"task_id": "click-sum-of-chain", "answer": "import time\ntime.sleep(60)\n", "sample": 1}
    path = answers(tmp_path / "a.jsonl", {**reference, "sample": 0}, slow)
    command = ["score", "starter", str(path), "--out", "run", "--time-floor", "3", "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "libdrift", *command],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that runs the tests in the background has told all of them to ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    verdicts = tmp_path / "run/verdicts.jsonl"
    limit = time.monotonic() + 120
    while not verdicts.exists() or verdicts.read_bytes().count(b"\n") < 2:
        assert time.monotonic() < limit
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=15)
    assert process.returncode == 130
    assert "and the same command continues from there" in errors
    assert "Traceback" not in errors
    assert verdicts.read_bytes().count(b"\n") == 2
    done = libdrift(*command[:-2], "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["outcomes"] == {"passed": 1, "timeout": 1}


def test_suites_and_their_tasks(tmp_path: Path) -> None:
    listed = json.loads(libdrift("suites", "--json", cwd=tmp_path).stdout)
    rows = {row["suite"]: row for row in listed["suites"]}
    shown = json.loads(libdrift("suites", "show", "starter", "--json", cwd=tmp_path).stdout)
    assert len(shown["tasks"]) == rows["starter"]["tasks"]
    text = json.dumps(shown)
    assert "def test_" not in text, "tests are not for candidates to see"


def test_audit_json_has_the_shape_of_the_contract(tmp_path: Path) -> None:
    done = libdrift("audit", "starter", "--task", "click-sum-of-chain", "--json", cwd=tmp_path)
    result = json.loads(done.stdout)
    assert (result["suite"], result["tasks"], result["verified"]) == ("starter", 1, 1)
    (row,) = result["results"]
    assert set(row) == {"task_id", "verified", "reason", "hidden", "visible"}
    assert row["hidden"] == row["visible"] == {"outcome": "passed", "reason": ""}
    assert done.returncode == 0


def test_env_build_list_prune(tmp_path: Path) -> None:
    cache = {"LIBDRIFT_CACHE": str(tmp_path / "cache")}
    runtime = f"{sys.version_info.major}.{sys.version_info.minor}"
    options = ["iniconfig==2.0.0", "--python", runtime, "--as-of", "2026-06-01", "--json"]
    built = json.loads(libdrift("env", "build", *options, cwd=tmp_path, **cache).stdout)
    assert built["environments"][0]["resolution"] == ["iniconfig==2.0.0"]
    failed = libdrift("env", "build", "iniconfig==99.0", "--json", cwd=tmp_path, **cache)
    assert failed.returncode == 2
    assert "has no iniconfig==99.0" in failed.stderr
    listed = json.loads(libdrift("env", "list", "--json", cwd=tmp_path, **cache).stdout)
    assert sorted(e["status"] for e in listed["environments"]) == ["failed", "ready"]
    pruned = json.loads(libdrift("env", "prune", "--all", "--json", cwd=tmp_path, **cache).stdout)
    assert len(pruned["pruned"]) == 2
    listed = json.loads(libdrift("env", "list", "--json", cwd=tmp_path, **cache).stdout)
    assert listed["environments"] == []


def test_doctor_names_what_is_missing(tmp_path: Path) -> None:
    done = libdrift("doctor", "--json", cwd=tmp_path)
    rows = {row["piece"]: row for row in json.loads(done.stdout)["checks"]}
    assert done.returncode == 0
    assert rows["bubblewrap"]["ok"]
    assert rows["sandbox"]["ok"], rows["sandbox"]
    broken = libdrift("doctor", "--json", cwd=tmp_path, LIBDRIFT_BWRAP="/nowhere/bwrap")
    assert broken.returncode == 3


def test_doctor_says_what_is_wrong_with_the_cache(tmp_path: Path) -> None:
    """Also as the superuser, who may write anywhere but where there is a file in the way."""
    (tmp_path / "file").write_text("")
    done = libdrift("doctor", "--json", cwd=tmp_path, LIBDRIFT_CACHE=str(tmp_path / "file"))
    rows = {row["piece"]: row for row in json.loads(done.stdout)["checks"]}
    assert (done.returncode, rows["cache"]["ok"]) == (3, False)
    assert "Point LIBDRIFT_CACHE at another folder" in rows["cache"]["detail"]
    assert "GB free" not in rows["cache"]["detail"]


def test_unforeseen_trouble_has_a_remedy(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/tmp/x")

    monkeypatch.setattr("libdrift.jobs.listing.overview", full)
    code, _, err = here("suites")
    assert (code, err) == (
        3,
        "libdrift: No space left on device: /tmp/x. Free some space; LIBDRIFT_CACHE and TMPDIR move files\n",
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--mode", "released"], "--mode released is for text metrics, but answers to starter"),
        (["--expected", "published"], "--expected published is for tasks that compare output"),
    ],
)
def test_options_that_would_change_nothing_are_refused(
    options: list[str], words: str, tmp_path: Path, here: Here, reference: dict[str, str]
) -> None:
    answers(tmp_path / "a.jsonl", reference)
    code, out, err = here("score", "starter", "a.jsonl", *options)
    assert (code, out) == (2, "")
    assert words in err
    assert not (tmp_path / "runs").exists()


def test_lint_needs_a_folder(tmp_path: Path, here: Here, reference: dict[str, str]) -> None:
    answers(tmp_path / "a.jsonl", reference)
    code, _, err = here("suites", "lint", "starter", "a.jsonl", "a.jsonl")
    assert (code, err) == (2, "libdrift: a.jsonl is a file, not a folder. Choose another DIR\n")


def test_what_is_no_date_is_told_with_one(tmp_path: Path, here: Here) -> None:
    (tmp_path / "a.jsonl").touch()
    code, _, err = here("score", "starter", "a.jsonl", "--cutoff", "2024-13-01")
    assert code == 2
    assert "'2024-13-01' is not a date (write it like 2024-06-01). See" in err


def test_score_tells_releases_up_to_a_date_from_later_ones(
    tmp_path: Path, here: Here, reference: dict[str, str]
) -> None:
    answers(tmp_path / "a.jsonl", reference)
    code, out, _ = here("score", "starter", "a.jsonl", "--cutoff", "2020-01-01")
    assert code == 0
    assert "hidden: tests, by" in out
    assert "after" in out
