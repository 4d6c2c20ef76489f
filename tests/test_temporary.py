"""Folders that outlive no process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from libdrift import temporary


def test_what_the_dead_left_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    temporary._of_process.cache_clear()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for name in (f"{ended.pid}-a", f"{os.getpid()}-b", "x-c", f"{'9' * 30}-d"):
        (tmp_path / f"libdrift-of-{name}").mkdir()
    with temporary.folder() as made:
        assert made.parent.name.startswith(f"libdrift-of-{os.getpid()}-")
    left = sorted(path.name for path in tmp_path.iterdir() if path != made.parent)
    assert left == [f"libdrift-of-{os.getpid()}-b", "libdrift-of-x-c"]
    assert not made.exists()
    temporary._of_process.cache_clear()
