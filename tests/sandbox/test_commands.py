"""Commands in the sandbox: how they end, what they see, and what they cannot reach."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from libdrift import config
from libdrift.sandbox import Backend, Limits, choose, commands
from libdrift.sandbox.commands import Command, Ended, run

_QUICK = Limits(wall_seconds=20.0)


@pytest.fixture(scope="module", params=["bubblewrap", "none"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return choose(request.param, config.load())


@pytest.fixture(scope="module")
def sandbox() -> Backend:
    return choose("bubblewrap", config.load())


def _shell(script: str, backend: Backend, limits: Limits = _QUICK) -> Ended:
    return run(Command(("/bin/sh", "-c", script)), backend, limits)


@pytest.mark.parametrize(
    ("script", "status"),
    [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 128 + 9), ("kill -11 $$", 128 + 11)],
)
def test_how_it_ends(backend: Backend, script: str, status: int) -> None:
    ended = _shell(script, backend)
    assert (ended.status, ended.stopped_by, ended.trouble) == (status, "", "")


def test_output_and_files(backend: Backend) -> None:
    command = Command(
        ("/bin/sh", "-c", 'cat in/a.txt; echo "$WORD" >&2; printf left > out.txt; ln -s out.txt l'),
        environ={"WORD": "given"},
        files={"in/a.txt": "hello\n"},
        keep=("out.txt", "l", "absent"),
    )
    ended = run(command, backend, _QUICK)
    assert (ended.stdout, ended.stderr) == ("hello\n", "given\n")
    assert dict(ended.kept) == {"out.txt": b"left"}  # a link may point anywhere: not followed


@pytest.mark.parametrize(
    ("script", "limits", "stopped_by"),
    [
        ("sleep 30", Limits(wall_seconds=0.2), "time"),
        ("yes", Limits(wall_seconds=20.0, output_bytes=100_000), "output"),
    ],
)
def test_limits(backend: Backend, script: str, limits: Limits, stopped_by: str) -> None:
    ended = _shell(script, backend, limits)
    assert (ended.status, ended.stopped_by) == (None, stopped_by)
    assert len(ended.stdout) < 2 * limits.log_bytes


def test_what_does_not_start_is_the_machines_trouble(backend: Backend) -> None:
    ended = run(Command(("/no/such/program",)), backend, _QUICK)
    assert ended.status is None
    assert ended.trouble == "/no/such/program: No such file or directory"


def test_a_request_stops_it(backend: Backend) -> None:
    stop = threading.Event()
    stop.set()
    ended = run(Command(("/bin/sh", "-c", "sleep 30")), backend, _QUICK, stop)
    assert (ended.status, ended.stopped_by) == (None, "request")


def test_nothing_of_the_host_is_seen(sandbox: Backend, tmp_path: Path) -> None:
    shown, hidden = tmp_path / "shown", tmp_path / "hidden"
    for folder in (shown, hidden):
        folder.mkdir()
        (folder / "file").write_text("text", encoding="utf-8")
    script = f"cat {shown}/file; cat {hidden}/file; echo x > {shown}/new; env; ls /proc/net/route"
    ended = run(Command(("/bin/sh", "-c", script), read=(shown,)), sandbox, _QUICK)
    assert ended.stdout.startswith("text")
    assert f"{hidden}/file: No such file" in ended.stderr
    assert "Read-only file system" in ended.stderr
    assert "candidate" in ended.stdout
    assert os.environ["PATH"] not in ended.stdout
    assert [path.name for path in shown.iterdir()] == ["file"]


def test_a_folder_to_write_to(sandbox: Backend, tmp_path: Path) -> None:
    place = tmp_path / "place"
    (place / "deep").mkdir(parents=True)
    script = "echo one > new && mkdir inner && echo two > inner/x && echo three > deep/y"
    ended = run(Command(("/bin/sh", "-c", script), write=(place,), folder=place), sandbox, _QUICK)
    assert ended.status == 0, ended.stderr
    assert (place / "inner" / "x").read_text(encoding="utf-8") == "two\n"
    owners = {path.stat().st_uid for path in (place, *place.rglob("*"))}
    assert owners == {os.getuid()}  # whoever wrote it, it is ours again


@pytest.mark.parametrize(
    "script",
    [
        "kill -9 -1; sleep 5",  # its parent too
        "for p in /proc/[0-9]*; do echo '{}' > $p/fd/3; done",
        "(sleep 600 &) ; exit 0",
    ],
)
def test_it_cannot_reach_who_tells_how_it_ended(sandbox: Backend, script: str) -> None:
    ended = _shell(script, sandbox)
    assert ended.stopped_by == ""
    assert ended.trouble == ""
    assert ended.seconds < _QUICK.wall_seconds


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xff\xff\xff",
        b"\0\0\0\x01{",
        b"\0\0\0\x023 ",
        b"\0\0\0\x02{}",
        b'\0\0\0\x1d{"status": "x", "kept": {}}   ',
        b"\0\0\x10\0" + b"[" * 4096,
    ],
)
def test_a_channel_that_says_nonsense_is_the_sandbox_s_trouble(data: bytes) -> None:
    watch = commands._Watch(Limits(), threading.Event())
    with pytest.raises(ConnectionResetError):
        watch._hear(data)
    assert watch.status is None
