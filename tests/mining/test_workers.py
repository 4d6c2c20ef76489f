"""Workers that die, hang or are stopped. The functions run in other processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError
from libdrift.mining import workers
from libdrift.mining.workers import Lost, Worker


def make() -> Callable[[str], object]:
    def answer(job: str) -> object:
        if job == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if job == "hang":
            time.sleep(60)
        if job == "interrupt":
            os.kill(os.getpid(), signal.SIGINT)
        if job == "memory":
            try:
                return len(bytearray(4 << 30))
            except MemoryError:
                return "no memory"
        return os.getpid()

    return answer


@pytest.fixture
def worker() -> Iterator[Worker]:
    found = Worker(make, seconds=30)
    yield found
    found.end()


def test_one_process_answers_until_it_dies_and_another_takes_over(worker: Worker) -> None:
    first = worker.ask("pid")
    assert first != os.getpid()
    assert worker.ask("interrupt") == first  # Ctrl-C is for the parent
    assert worker.ask("die") == Lost()
    second = worker.ask("pid")
    assert second not in {first, os.getpid()}
    assert worker.ask("memory") == "no memory"


def test_time_is_bounded() -> None:
    worker = Worker(make, seconds=0)
    assert worker.ask("hang") == Lost(slow=True)
    assert multiprocessing.active_children() == []


def test_a_stopped_worker_answers_no_more(worker: Worker) -> None:
    worker.ask("pid")
    worker.stop()
    assert worker.ask("pid") == Lost()
    worker.end()
    assert multiprocessing.active_children() == []


def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "print('script')\n"
        "from tests.mining.test_workers import make\n"
        "from libdrift.mining.workers import Worker\n"
        "worker = Worker(make, 60)\n"
        "print(worker.ask('whoever') != 0)\n"
        "worker.stop()\n",
        "utf-8",
    )
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["script", "True"], done.stderr


@pytest.mark.parametrize("error", [EOFError(), OSError(11, "Resource temporarily unavailable")])
def test_where_no_process_is_left_that_is_said(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(workers._CONTEXT.Process, "start", fail)
        with pytest.raises(InfrastructureError, match="no process can be started"):
            worker.ask("")
    assert isinstance(worker.ask(""), int)


def test_the_forking_process_ends_without_a_trace() -> None:
    code = "import libdrift.mining.quiet_forking\nraise {}\n"
    quiet_errors = ("OSError(11, 'no process')", "EOFError()")
    for error, quiet in (*((error, True) for error in quiet_errors), ("TypeError('ours')", False)):
        done = subprocess.run(
            [sys.executable, "-c", code.format(error)], capture_output=True, text=True, check=False
        )
        assert (done.stderr == "") == quiet


ASKING = """
import os, signal, sys
sys.path.insert(0, {root!r})
from tests.mining.test_workers import make
from libdrift.mining.workers import Worker
worker = Worker(make, seconds=30)
assert isinstance(worker.ask(""), int)
if {killed}:
    os.kill(os.getpid(), signal.SIGKILL)
worker.end()
"""


@pytest.fixture
def short_path() -> Iterator[Path]:
    """As temporary folders are: the address of a socket is no longer than 107 characters."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def test_a_kill_leaves_nothing_that_the_next_does_not_remove(short_path: Path) -> None:
    left = []
    for killed in (True, False):
        code = ASKING.format(root=str(Path(__file__).parents[2]), killed=killed)
        environ = {**os.environ, "TMPDIR": str(short_path)}
        subprocess.run([sys.executable, "-c", code], env=environ, check=False, timeout=120)
        left.append([one.name.rpartition("-")[0] for one in short_path.iterdir()])
    assert all(name.startswith("libdrift-of-") for name in left[0])
    assert (len(left[0]), left[1]) == (1, [])
