"""Sandboxes that end while they start: nothing of them stays."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from libdrift import config
from libdrift.errors import InfrastructureError
from libdrift.sandbox.backends import Launch, find_bwrap
from libdrift.sandbox.launched import kill, reap, start
from libdrift.sandbox.memory_files import memory_file
from libdrift.sandbox.processes import adopt_orphans, descendants


@pytest.fixture
def bwrap() -> str:
    try:
        return find_bwrap(config.load().bwrap)
    except InfrastructureError as error:
        pytest.skip(str(error))


@pytest.fixture(params=["file", "memory"])
def info(request: pytest.FixtureRequest) -> Iterator[int]:
    """Where a sandbox tells its first process; a file on a full disk takes nothing."""
    if request.param == "memory":
        with memory_file() as descriptor:
            yield descriptor
        return
    descriptor = os.open("/dev/full", os.O_RDWR)
    yield descriptor
    os.close(descriptor)


def _launch(bwrap: str, info: int) -> Launch:
    argv = [bwrap, "--unshare-pid", "--die-with-parent", "--new-session", "--ro-bind", "/", "/"]
    argv += ["--info-fd", str(info), "--", sys.executable, "-c", "import time; time.sleep(60)"]
    return Launch(argv, dict(os.environ), "/", descriptors=(info,), info=info)


def _left(marker: str) -> list[int]:
    """What is still there of a sandbox, by a word of its command line."""
    found = []
    for pid in descendants(os.getpid()):
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if marker.encode() in line:
            found.append(pid)
    return found


@pytest.mark.parametrize("pause", [0.0, 0.01, 0.3])
def test_a_sandbox_leaves_nothing_when_it_is_killed(bwrap: str, info: int, pause: float) -> None:
    adopt_orphans()
    launch = _launch(bwrap, info)
    launch.argv.append(marker := f"marker-{info}-{pause}")
    process = start(launch)
    with process:
        time.sleep(pause)
        kill(process, launch)
        reap(process, launch)
    assert _left(marker) == []


def test_a_sandbox_that_ended_by_itself_leaves_nothing(bwrap: str) -> None:
    """Of bubblewrap that cannot tell its first process, that process used to wait for ever."""
    adopt_orphans()
    with Path("/dev/full").open("rb+", buffering=0) as full:
        launch = _launch(bwrap, full.fileno())
        launch.argv.append(marker := "marker-by-itself")
        process = start(launch)
        with process:
            assert process.wait(timeout=30) == 1
            assert _left(marker)  # what the test is about
            assert reap(process, launch) == 1
    assert _left(marker) == []


def test_nothing_stays_though_no_descriptor_is_left(
    bwrap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of processes cannot be read then."""
    adopt_orphans()
    with Path("/dev/full").open("rb+", buffering=0) as full:
        launch = _launch(bwrap, full.fileno())
        launch.argv.append(marker := "marker-no-descriptors")
        process = start(launch)
        with process, monkeypatch.context() as patch:
            assert process.wait(timeout=30) == 1
            assert _left(marker)
            patch.setattr(os, "scandir", _fail)
            kill(process, launch)
            assert reap(process, launch) == 1
    assert _left(marker) == []


def _fail(path: str) -> NoReturn:
    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), path)


def test_a_sandbox_that_somebody_else_killed_leaves_nothing(bwrap: str) -> None:
    adopt_orphans()
    with memory_file() as info:
        launch = _launch(bwrap, info)
        launch.argv.append(marker := "marker-killed")
        process = start(launch)
        with process:
            os.kill(process.pid, signal.SIGKILL)
            assert reap(process, launch) == -signal.SIGKILL
    assert _left(marker) == []


def test_a_file_in_memory_needs_no_disk(tmp_path: Path) -> None:
    script = (
        "import os\nfrom libdrift.sandbox.memory_files import memory_file\n"
        "with memory_file(b'abc') as one:\n    print(os.pread(one, 9, 0).decode(), os.read(one, 9))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={
            **os.environ,
            "TMPDIR": str(tmp_path / "none"),
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["abc", "b'abc'"], done.stderr
