"""What ``run.json`` says of a run: its inputs, settings, provenance and identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from libdrift.execution import Options, RunFolder
from libdrift.execution.runs import RUNS, folder_name, provenance
from libdrift.records import Attempt, Suite
from libdrift.scoring.answer_files import AnswerFile
from libdrift.scoring.text_scores import AtK
from libdrift.version import __version__


def fingerprint(suite: Suite, attempts: Sequence[Attempt], options: Options) -> str:
    """Hash of everything that a verdict depends on: equal runs continue one another."""
    # Whether answers are forked is no part of what a verdict is, but `--fresh` must not find a
    # run that was, and go on from there.
    ways = (options.backend.name, options.limits, options.time_factor, options.fresh)
    digest = hashlib.sha256(f"{__version__} {ways}".encode())
    for attempt in attempts:
        task = suite.tasks[attempt.task_id]
        tests = [part for test in task.tests for part in (test.code, test.expected) if part]
        around = [part for part in (task.prefix, task.suffix) if part]
        text = json.dumps(
            [task.id, task.environment.key, tests, attempt.sample, attempt.raw, *around]
        )
        digest.update(text.encode())
    return digest.hexdigest()[:12]


def text_fingerprint(suite: Suite, answers: AnswerFile, at: AtK) -> str:
    """Hash of everything that numbers on text depend on."""
    digest = hashlib.sha256(f"{__version__} {at} {answers.sha256}".encode())
    for task in suite.tasks.values():
        parts = (task.id, task.language, task.starter, task.reference, str(task.gap))
        digest.update("\0".join(parts).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def program_details(options: Options) -> dict[str, Any]:
    """How programs are run."""
    return {
        "sandbox": options.backend.name,
        "limits": asdict(options.limits),
        "time_factor": options.time_factor,
        "fresh": options.fresh,
        "workers": options.workers,
        "engine": options.engine.name,
    }


def tasks_left_out(suite: Suite) -> dict[str, Any]:
    """The tasks of somebody's own file or folder that could not be used: they are in no number."""
    if not suite.path:
        return {}
    return {
        "tasks_left_out": [asdict(one) for one in suite.left_out],
        "tasks_left_out_count": len(suite.left_out),
    }


def described(
    suite: Suite, answers: Path, sha256: str, identity: str, details: dict[str, Any]
) -> dict[str, Any]:
    return {
        "fingerprint": identity,
        "suite": suite.name,
        **tasks_left_out(suite),
        "answers": {"path": str(answers), "sha256": sha256},
        **details,
        "provenance": provenance(),
    }


def folder_of(suite: Suite, answers: Path, identity: str, out: Path | None) -> RunFolder:
    """The folder that was asked for, or one of the run's own below ``runs``."""
    stem = Path(answers.resolve().name.removesuffix(".gz")).stem
    name = folder_name(suite.name, stem, identity[:8])
    return RunFolder(out or Path(RUNS) / name)
