"""Whole runs over a small suite of our own: verdicts, resume, trouble."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from libdrift import records
from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.execution import Options, RunFolder, judging
from libdrift.records import (
    Attempt,
    Environment,
    Outcome,
    Split,
    Suite,
    TaskKind,
    TestStyle,
    Verdict,
)
from libdrift.sandbox import Apart, Backend
from libdrift.scoring import audit, fingerprint, score_attempts, scores
from tests.conftest import make_task


@pytest.fixture
def options(settings: Settings, bubblewrap: Backend) -> Options:
    return Options(settings, bubblewrap)


def attempts(**answers: str) -> list[Attempt]:
    return [Attempt(task_id, 0, code, code) for task_id, code in answers.items()]


def outcomes(verdicts: list[Verdict]) -> dict[tuple[str, str], str]:
    return {(v.task_id, v.split.value): v.outcome.value for v in verdicts}


ONE = {"fingerprint": "one"}
RIGHT = {f"t{n}": f"def number():\n    return {n}\n" for n in range(3)}


def test_every_outcome_is_kept_with_its_log(
    small_suite: Suite, tmp_path: Path, options: Options
) -> None:
    tried = attempts(t0=RIGHT["t0"], t1="def number():\n    print('hm')\n    return 9\n", t2="  ")
    folder = RunFolder(tmp_path / "run")
    verdicts = score_attempts(small_suite, tried, folder, ONE, options)
    assert outcomes(verdicts) == {
        ("t0", "hidden"): "passed",
        ("t0", "visible"): "passed",
        ("t1", "hidden"): "failed",
        ("t1", "visible"): "failed",
        ("t2", "hidden"): "refused",
        ("t2", "visible"): "refused",
    }
    text = (tmp_path / "run/verdicts.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert {"task_id", "sample", "split", "outcome", "seconds", "cases", "log"} <= set(lines[0])
    assert all("hm" in line["log"] for line in lines if line["task_id"] == "t1")
    overall = {s.split: s for s in scores(small_suite, verdicts) if s.group == "all"}
    assert overall["hidden"].value == pytest.approx(1 / 3)
    assert overall["hidden"].n == 3


def test_the_same_run_goes_on_where_it_stopped(
    small_suite: Suite, tmp_path: Path, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder(tmp_path / "run")
    tried = attempts(**RIGHT)
    whole = score_attempts(small_suite, tried, folder, ONE, options)
    path = tmp_path / "run/verdicts.jsonl"
    kept = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(kept[:3]) + kept[3][:20])  # a kill in the middle of a line
    judged = []
    real = judging.judge_warm_apart

    def count(*arguments: Any) -> Apart | None:
        judged.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(judging, "judge_warm_apart", count)
    again = score_attempts(small_suite, tried, folder, ONE, options)
    assert len({arguments[0] for arguments in judged}) == len(kept) - 3
    assert outcomes(again) == outcomes(whole)


def test_another_run_is_not_mixed_in(small_suite: Suite, tmp_path: Path, options: Options) -> None:
    folder = RunFolder(tmp_path / "run")
    with folder.open(ONE) as known:
        assert known == {}
        folder.append(Verdict("t0", 0, Split.HIDDEN, Outcome.PASSED))
    with pytest.raises(UserError, match="contains another run"):
        score_attempts(small_suite, attempts(**RIGHT), folder, {"fingerprint": "two"}, options)


def test_verdicts_of_unknown_origin_are_not_mixed_in(
    small_suite: Suite, tmp_path: Path, options: Options
) -> None:
    folder = RunFolder(tmp_path / "run")
    score_attempts(small_suite, attempts(t0=RIGHT["t0"]), folder, ONE, options)
    (tmp_path / "run/run.json").write_text("{torn")
    with pytest.raises(UserError, match="has a damaged run"):
        score_attempts(small_suite, attempts(t0=RIGHT["t0"]), folder, ONE, options)
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="is not a folder"):
        score_attempts(small_suite, attempts(**RIGHT), RunFolder(tmp_path / "file"), ONE, options)


def test_the_fingerprint_covers_what_a_verdict_depends_on(
    small_suite: Suite, options: Options
) -> None:
    tried = attempts(**RIGHT)
    base = fingerprint(small_suite, tried, options)
    assert fingerprint(small_suite, tried, options) == base
    assert fingerprint(small_suite, tried[:2], options) != base
    slower = replace(options, limits=replace(options.limits, wall_seconds=99))
    assert fingerprint(small_suite, tried, slower) != base
    assert fingerprint(small_suite, tried, replace(options, time_factor=3)) != base
    assert fingerprint(small_suite, tried, replace(options, fresh=True)) != base
    assert fingerprint(small_suite, tried, replace(options, workers=7)) == base


def test_a_full_disk_loses_nothing_and_says_so(
    small_suite: Suite, tmp_path: Path, options: Options
) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.path.mkdir()
    (folder.path / "verdicts.jsonl").symlink_to("/dev/full")
    with pytest.raises(InfrastructureError, match="No space left on device"):
        folder.append(Verdict("t0", 0, small_suite.tasks["t0"].tests[0].split, Outcome.PASSED))


def test_an_environment_that_cannot_be_had_is_infrastructure_and_retried(
    tmp_path: Path, options: Options
) -> None:
    gone = Environment("python", "3.11", ("iniconfig==99.0",))
    suite = Suite("mixed", "", "", {"bad": make_task("bad", 1, gone), "good": make_task("good", 1)})
    tried = attempts(bad=RIGHT["t1"], good=RIGHT["t1"])
    folder = RunFolder(tmp_path / "run")
    verdicts = score_attempts(suite, tried, folder, ONE, options)
    assert outcomes(verdicts)["good", "hidden"] == "passed"
    bad = next(v for v in verdicts if v.task_id == "bad")
    assert bad.outcome is Outcome.INFRASTRUCTURE
    assert "has no iniconfig==99.0" in bad.reason
    overall = [s for s in scores(suite, verdicts) if s.group == "all"]
    assert [(s.value, s.n) for s in overall] == [(1.0, 1), (1.0, 1)]
    mended = Suite("mixed", "", "", {"bad": make_task("bad", 1), "good": make_task("good", 1)})
    again = score_attempts(mended, tried, folder, ONE, options)
    assert set(outcomes(again).values()) == {"passed"}


def test_a_guest_that_does_not_start_is_tried_once_more(
    small_suite: Suite, tmp_path: Path, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    failing = {1}
    real: Callable[..., Apart] = judging.judge_apart

    def flaky(*arguments: object) -> Apart:
        calls.append(1)
        if len(calls) in failing:
            raise OSError(11, "Resource temporarily unavailable")
        return real(*arguments)

    score_attempts(small_suite, attempts(t0=RIGHT["t0"]), RunFolder(tmp_path / "q"), ONE, options)
    monkeypatch.setattr(judging, "judge_apart", flaky)
    one_worker = replace(options, workers=1, fresh=True)
    tried = attempts(t0=RIGHT["t0"])
    verdicts = score_attempts(small_suite, tried, RunFolder(tmp_path / "r"), ONE, one_worker)
    assert set(outcomes(verdicts).values()) == {"passed"}
    disturbed = len(calls)
    failing.clear()
    score_attempts(small_suite, tried, RunFolder(tmp_path / "s"), ONE, one_worker)
    assert disturbed == len(calls) - disturbed + 1


def test_a_pass_says_how_it_is_proven(small_suite: Suite, tmp_path: Path, options: Options) -> None:
    task = small_suite.tasks["t1"]
    vague = replace(task, tests=(replace(task.tests[1], code="assert number() > 0\n"),))
    here = "assert number.__code__ and number() == 2\n"
    task = small_suite.tasks["t2"]
    together = replace(task, tests=(replace(task.tests[1], code=here),))
    suite = replace(small_suite, tasks={**small_suite.tasks, "t1": vague, "t2": together})
    tried = attempts(t0=RIGHT["t0"] + "import os\n", t1=RIGHT["t1"], t2=RIGHT["t2"])
    verdicts = score_attempts(suite, tried, RunFolder(tmp_path / "run"), ONE, options)
    assert {v.outcome for v in verdicts} == {Outcome.PASSED}
    found = {(v.task_id, v.split.value): v.proof for v in verdicts}
    assert found["t0", "hidden"] == found["t0", "visible"] == "remote"
    assert found["t1", "visible"] == "none", "True passes these tests too, and nothing tells"
    assert re.fullmatch(r"decoys\([2-6]\)", found["t2", "visible"] or "")


def test_audit_proves_and_refutes(small_suite: Suite, options: Options) -> None:
    good = small_suite.tasks["t0"]
    assert good.wrong is not None
    there = Environment(
        "python", "3.11", ("iniconfig==2.0.0", "pytest==8.3.5"), good.environment.as_of
    )
    sensitive = "import importlib.metadata as m\n\n\ndef number():\n    return 0 if m.version('iniconfig') == '2.0.0' else 5\n"
    cases = {
        "proven": replace(good, wrong=replace(good.wrong, code=sensitive, environment=there)),
        "not sensitive": replace(good, wrong=replace(good.wrong, code=good.reference)),
        "wrong everywhere": good,
        "reference broken": replace(good, reference="def number():\n    return 7\n"),
        "no wrong answer": replace(good, wrong=None),
        "no environment": replace(
            good, environment=Environment("python", "3.11", ("iniconfig==99.0",))
        ),
    }
    tasks = [replace(task, id=name) for name, task in cases.items()]
    found = {result.task_id: result for result in audit(tasks, options)}
    proven = {name for name, result in found.items() if result.verified}
    assert proven == {"proven", "no wrong answer"}
    assert "does not fail here" in found["not sensitive"].reason
    assert "fails at pytest==8.3.5 too" in found["wrong everywhere"].reason
    assert "the reference does not pass" in found["reference broken"].reason
    assert "no wrong-version answer" in found["no wrong answer"].reason
    assert found["no environment"].reason.startswith("not proven:")


@pytest.mark.parametrize("moment", [1, 3])
def test_a_killed_command_goes_on(tmp_path: Path, moment: int) -> None:
    """SIGKILL the real command in the middle of a run, then call it again."""
    from libdrift import config, suites

    suite = suites.load("starter", config.load())
    tasks = [t for t in suite.tasks.values() if t.facts.library in ("click", "attrs")]
    lines = [json.dumps({"task_id": t.id, "answer": t.reference}) for t in tasks]
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join(lines))
    command = [sys.executable, "-m", "libdrift", "score", "starter", str(answers)]
    command += ["--out", str(tmp_path / "run"), "--json", "--workers", "1"]
    process = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    verdicts = tmp_path / "run/verdicts.jsonl"
    limit = time.monotonic() + 120
    while not verdicts.exists() or verdicts.read_bytes().count(b"\n") < moment:
        assert time.monotonic() < limit
        assert process.poll() is None or verdicts.exists()
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    summary = json.loads(done.stdout)
    assert summary["outcomes"] == {"passed": len(tasks)}
    assert verdicts.read_bytes().count(b"\n") == 2 * len(tasks)


def test_kinds_of_tasks_have_rows_of_their_own(small_suite: Suite) -> None:
    """What only compiles is not counted among what was seen to work."""
    styles = {"t0": (TaskKind.LOCATE, TestStyle.LABELS), "t1": (TaskKind.MIGRATE, TestStyle.OUTPUT)}
    styles["t2"] = (TaskKind.MIGRATE, TestStyle.COMPILE)
    first = next(iter(small_suite.tasks.values()))
    tasks = {
        name: replace(
            first,
            id=name,
            kind=kind,
            tests=(records.Tests(Split.HIDDEN, style, ""),),
            facts=replace(first.facts, direction="OLD2NEW", difficulty=hard),
        )
        for (name, (kind, style)), hard in zip(styles.items(), ("easy", "easy", None), strict=True)
    }
    mixed = replace(small_suite, tasks=tasks)
    verdicts = [Verdict(name, 0, Split.HIDDEN, Outcome.PASSED) for name in tasks]
    found = {(one.split, one.group): one.n for one in scores(mixed, verdicts)}
    for part in ("locate", "migrate", "compile"):
        assert found[part, "all"] == 1
    assert found["locate", "part=easy OLD2NEW"] == 1
    assert found["compile", "part=python OLD2NEW"] == 1


def test_a_cutoff_date_parts_what_was_released(small_suite: Suite) -> None:
    days = iter([date(2024, 1, 1), date(2024, 6, 30), date(2024, 7, 1), None])
    tasks = {
        name: replace(task, facts=replace(task.facts, release_date=next(days, None)))
        for name, task in small_suite.tasks.items()
    }
    dated = replace(small_suite, tasks=tasks)
    verdicts = [Verdict(name, 0, Split.HIDDEN, Outcome.PASSED) for name in tasks]
    found = {one.group: one.n for one in scores(dated, verdicts, cutoff=date(2024, 6, 30))}
    known = [task for task in tasks.values() if task.facts.release_date]
    assert found["cutoff=before"] == min(2, len(known))
    assert found.get("cutoff=after", 0) == max(0, len(known) - 2)
