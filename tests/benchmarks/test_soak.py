"""A short soak: a few faults of each sort upon the quicker commands. `make bench-soak` has all."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.soak import damage
from benchmarks.soak.cycle import _twice, _whole_lines

_ROOT = Path(__file__).parents[2]


def test_nothing_is_lost_changed_or_left() -> None:
    # In a process of its own: it becomes the parent of all orphans, and waits for them. In a folder
    # with a short name: where a socket's address would be too long, it is not in a folder of ours.
    command = [sys.executable, "-m", "benchmarks.soak", "--brief"]
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        done = subprocess.run(
            [*command, "--folder", f"{folder}/w"],
            cwd=_ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), *sys.path])},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lost 0, changed verdicts 0, leaks 0, unexplained 0" in done.stdout


def test_damage_is_done(tmp_path: Path) -> None:
    """Else nothing would be survived but nothing."""
    import random

    path = tmp_path / "a.jsonl"
    for seed in range(20):
        path.write_bytes(b'{"task_id": 1}\n{"task_id": 2}\n')
        assert damage.tear(path, random.Random(seed))
        assert path.read_bytes() != b'{"task_id": 1}\n{"task_id": 2}\n'
        assert len(_whole_lines(path)) in {1, 2}
    for way in ("bits", "cut", "empty", "random"):
        path.write_bytes(b"x" * 1000)
        damage._damage(path, random.Random(1), way)  # type: ignore[arg-type]
        assert path.read_bytes() != b"x" * 1000


def test_a_verdict_that_was_computed_twice_is_seen() -> None:
    lines = [f'{{"task_id": "a", "sample": {at}, "split": "hidden"}}\n' for at in (0, 1, 0)]
    assert _twice(lines) == ["judged twice: ('a', 0, 'hidden')"]
