"""`inspect eval libdrift/SUITE` asks and judges as `libdrift eval` does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from inspect_ai.log import list_eval_logs, read_eval_log

from libdrift import suites
from tests.evals.small import script, write_tasks


def test_inspect_s_own_command_finds_our_tasks_and_ends(tmp_path: Path) -> None:
    write_tasks(tmp_path)
    inspect = Path(sys.executable).with_name("inspect")
    command = [inspect, "eval", "libdrift/tasks", "--model", script(tmp_path), "--display", "none"]
    command += ["-T", "file=small.jsonl", "-T", "strategy=sample", "-T", "samples=2"]
    done = subprocess.run(
        [*command, "--log-dir", "logs"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    log = read_eval_log(list_eval_logs(str(tmp_path / "logs"))[0])
    assert log.status == "success"
    values = [sample.scores["judged"].value for sample in log.samples or [] if sample.scores]
    assert values == [{"hidden": 1.0, "visible": 1.0}] * 3
    kept = (log.samples or [])[0].metadata["libdrift:answers"]
    assert [answer["sample"] for answer in kept] == [0, 1]


def test_every_suite_is_a_task_of_inspect_s() -> None:
    from libdrift.evals import _registry

    assert all(callable(getattr(_registry, name)) for name in suites.names())
