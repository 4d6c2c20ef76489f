"""Runs made of a few numbers, for analyses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from libdrift.analysis.observing import ObservedRun
from libdrift.records import Observation, Outcome


def row(
    task_id: str, hidden: float | None = None, sample: int = 0, /, run: str = "run", **facts: str
) -> Observation:
    """An answer that passed or not; ``None`` has no number."""
    values = {} if hidden is None else {"hidden": hidden}
    outcome = Outcome.PASSED if hidden else Outcome.FAILED
    return Observation(run, task_id, sample, outcome, facts, values)


def text_row(task_id: str, level: str = "line", /, sample: int = 0, **values: float) -> Observation:
    outcome = Outcome.PASSED if values.get("em") else Outcome.FAILED
    return Observation("run", task_id, sample, outcome, {"level": level}, values)


def observed_run(
    observations: Iterable[Observation], label: str = "run", suite: str = "small", **about: Any
) -> ObservedRun:
    rows = tuple(observations)
    tasks = len({one.task_id for one in rows})
    return ObservedRun(label, label, suite, "", tasks, {}, rows, Path(label), about)


def outcomes(label: str, right: Mapping[str, Iterable[float]], **facts: str) -> ObservedRun:
    """A run by the outcomes of each task's samples."""
    rows = [
        row(task_id, value, sample, run=label, **facts)
        for task_id, values in right.items()
        for sample, value in enumerate(values)
    ]
    return observed_run(rows, label)


def folder(path: Path, files: Mapping[str, Iterable[Any]], **about: Any) -> Path:
    """A run's folder with a description and files of JSON lines."""
    path.mkdir(parents=True)
    content = {"schema_version": 1, "suite": "nowhere", "summary": {"scores": []}, **about}
    (path / "run.json").write_text(json.dumps(content))
    for name, lines in files.items():
        text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
        (path / name).write_text(text)
    return path


def verdict(task_id: str, outcome: str = "passed", sample: int = 0, **more: Any) -> dict[str, Any]:
    return {"task_id": task_id, "sample": sample, "split": "hidden", "outcome": outcome, **more}
