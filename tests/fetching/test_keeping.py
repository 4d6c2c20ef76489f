from __future__ import annotations

import errno
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.fetching import (
    DataSource,
    DownloadPatience,
    FetchListener,
    expected_files,
    flaws_of,
    folder_of,
    get,
    keeping,
    read_sources,
    remove,
)
from tests.fetching.server import Faults, FaultyServer
from tests.fetching.test_unpacking import files, tar, zipped

QUICK = DownloadPatience(connect=2, read=1, pauses=(0.01,))
BIG = bytes(range(256)) * 4000  # about a megabyte


def line(path: str, content: bytes) -> str:
    return f'"{path}" = "{len(content)} {hashlib.sha256(content).hexdigest()}"\n'


def source_of(server: FaultyServer, tmp_path: Path) -> DataSource:
    """One of each kind: a file, an archive with known files, one with unknown ones."""
    server.files["/c1/f.json"] = BIG
    archive = tar(tmp_path / "t.tar.gz", ("r/d/x", b"one"), ("r/y", b"two"), ("r/no", b"no"))
    server.files["/t/c1"] = archive.read_bytes()
    server.files["/c1/z.zip"] = zipped(tmp_path / "z.zip", ("q.json", b"[]")).read_bytes()
    text = (
        "[s]\ntitle = 'S'\nlicence = 'free'\ncitation = 'Us'\ncommit = 'c1'\n"
        f"[[s.downloads]]\nurl = '{server.url}/{{commit}}/f.json'\n"
        f"[s.downloads.files]\n{line('e/f.json', BIG)}"
        f"[[s.downloads]]\nurl = '{server.url}/t/{{commit}}'\narchive = 'tar.gz'\ntop = true\n"
        f"[s.downloads.files]\n{line('d/x', b'one')}{line('y', b'two')}"
        f"[[s.downloads]]\nurl = '{server.url}/{{commit}}/z.zip'\narchive = 'zip'\n"
        "pattern = '*.json'\n"
    )
    return read_sources(text)["s"]


WHOLE = {"d/x": b"one", "e/f.json": BIG, "q.json": b"[]", "y": b"two"}


def test_all_is_got_once(server: FaultyServer, tmp_path: Path, empty_settings: Settings) -> None:
    source = source_of(server, tmp_path)
    got = get(source, empty_settings, patience=QUICK)
    assert (got.fresh, got.files, got.size) == (True, 4, len(BIG) + 8)
    assert files(got.folder) == WHOLE
    assert not (empty_settings.cache / "data/.downloads/s").exists()
    assert len(server.asked) == 3
    again = get(source, empty_settings, patience=QUICK)
    assert again == replace(got, fresh=False)
    assert len(server.asked) == 3


def test_a_file_that_somebody_changed_is_found_and_got_again(
    server: FaultyServer, tmp_path: Path, empty_settings: Settings
) -> None:
    source = source_of(server, tmp_path)
    folder = get(source, empty_settings, patience=QUICK).folder
    (folder / "y").write_bytes(b"tow")
    (folder / "q.json").write_bytes(b"[1]")
    (folder / "d/x").unlink()
    found = flaws_of(folder, expected_files(source, empty_settings))
    assert found == {"d/x": "missing", "y": "its sha256 is another", "q.json": "3 bytes, not 2"}
    assert get(source, empty_settings, patience=QUICK).fresh
    assert files(folder) == WHOLE


def test_what_has_no_pin_is_held_to_what_it_was(
    server: FaultyServer, tmp_path: Path, empty_settings: Settings
) -> None:
    source = source_of(server, tmp_path)
    get(source, empty_settings, patience=QUICK)
    assert remove(source, empty_settings) == len(BIG) + 8
    server.files["/c1/z.zip"] = zipped(tmp_path / "z.zip", ("q.json", b"{}")).read_bytes()
    with pytest.raises(
        InfrastructureError, match=r"q\.json differs from the file downloaded before"
    ):
        get(source, empty_settings, patience=QUICK)
    assert not folder_of("s", empty_settings).exists()
    # At another commit it may be another.
    assert get(replace(source, commit="c2"), empty_settings, patience=QUICK).fresh


def test_wrong_bytes_within_an_archive_are_refused(
    server: FaultyServer, tmp_path: Path, empty_settings: Settings
) -> None:
    source = source_of(server, tmp_path)
    bad = tar(tmp_path / "bad.tar.gz", ("r/d/x", b"one"), ("r/y", b"tow"))
    good, server.files["/t/c1"] = server.files["/t/c1"], bad.read_bytes()
    with pytest.raises(InfrastructureError, match=r"y of .* is not the file that is pinned"):
        get(source, empty_settings, patience=QUICK)
    assert not folder_of("s", empty_settings).exists()
    server.files["/t/c1"] = good
    assert files(get(source, empty_settings, patience=QUICK).folder) == WHOLE
    assert [path for path, _ in server.asked].count("/c1/f.json") == 1, "what is whole is kept"


def test_a_git_hash_is_checked(
    server: FaultyServer, tmp_path: Path, empty_settings: Settings
) -> None:
    source = source_of(server, tmp_path)
    *others, last = source.downloads
    content = server.files["/c1/z.zip"]
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    for hashed, ok in ((blob, True), ("0" * 40, False)):
        pinned = replace(last, whole=replace(last.whole, git_blob=hashed))
        held = replace(source, downloads=(*others, pinned))
        if ok:
            assert get(held, empty_settings, patience=QUICK).fresh
            remove(held, empty_settings)
        else:
            with pytest.raises(InfrastructureError, match="its git hash is another"):
                get(held, empty_settings, patience=QUICK)


def test_files_put_there_by_hand_are_taken(
    server: FaultyServer, tmp_path: Path, empty_settings: Settings
) -> None:
    source = source_of(server, tmp_path)
    folder = keeping.downloads_of(source, empty_settings)
    for download in source.downloads:
        path = folder / download.whole.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(server.files[download.url.removeprefix(server.url)])
    (folder / "e/f.json").write_bytes(b"an error page")
    with pytest.raises(UserError, match=r"e/f\.json is not the file that is pinned \(13 bytes"):
        get(source, empty_settings, patience=QUICK)
    (folder / "e/f.json").write_bytes(BIG)
    assert files(get(source, empty_settings, patience=QUICK).folder) == WHOLE
    assert not server.asked


def test_somebodys_own_files_are_not_replaced(
    server: FaultyServer, tmp_path: Path, empty_settings: Settings
) -> None:
    source = source_of(server, tmp_path)
    own = folder_of("s", empty_settings) / "mine/own.jsonl"
    own.parent.mkdir(parents=True)
    own.write_text("x", "utf-8")
    with pytest.raises(
        UserError, match=r"files that libdrift did not download \(mine/own\.jsonl\)"
    ):
        get(source, empty_settings, patience=QUICK)
    assert own.read_text("utf-8") == "x"
    assert not server.asked


def test_a_full_disk_is_said_and_what_came_is_kept(
    server: FaultyServer,
    tmp_path: Path,
    empty_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = source_of(server, tmp_path)

    class Full(FetchListener):
        def bytes_there(self, done: int) -> None:
            if done > 300_000:
                raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(InfrastructureError, match=r"the disk of .* is full; .*Free some space"):
        get(source, empty_settings, Full(), QUICK)
    part = keeping.downloads_of(source, empty_settings) / "e/f.json.part"
    there = part.stat().st_size
    assert 300_000 < there < len(BIG)
    assert files(get(source, empty_settings, patience=QUICK).folder) == WHOLE
    assert ("/c1/f.json", f"bytes={there}-") in server.asked


PROGRAM = """
import sys
from pathlib import Path
from libdrift import config
from libdrift.fetching import DownloadPatience, get, read_sources
source = read_sources(Path(sys.argv[1]).read_text("utf-8"))["s"]
kept = get(source, config.load(), patience=DownloadPatience(2, 5, (0.01,)))
print(kept.files, kept.fresh)
"""


def program(tmp_path: Path, server: FaultyServer) -> list[str]:
    """A process that gets one large file."""
    text = (
        "[s]\ntitle = 'S'\nlicence = ''\ncitation = ''\ncommit = 'c1'\n"
        f"[[s.downloads]]\nurl = '{server.url}/{{commit}}/f.json'\n"
        f"[s.downloads.files]\n{line('f.json', BIG)}"
    )
    table = tmp_path / "sources.toml"
    table.write_text(text, "utf-8")
    return [sys.executable, "-c", PROGRAM, str(table)]


def begin(tmp_path: Path, server: FaultyServer) -> subprocess.Popen[str]:
    return subprocess.Popen(
        program(tmp_path, server),
        env={**os.environ, "LIBDRIFT_CACHE": str(tmp_path / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_killed_and_resumed_and_two_at_once(server: FaultyServer, tmp_path: Path) -> None:
    server.files["/c1/f.json"] = BIG
    server.faults["/c1/f.json"] = Faults(drip=0.02, piece=20_000)
    part = tmp_path / "cache/data/.downloads/s/c1/f.json.part"
    killed = begin(tmp_path, server)
    limit = time.monotonic() + 30
    while not (part.exists() and part.stat().st_size > 100_000) and time.monotonic() < limit:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    there = part.stat().st_size
    assert 100_000 < there < len(BIG)
    assert not (tmp_path / "cache/data/s").exists()

    both = [begin(tmp_path, server) for _ in range(2)]
    said = sorted(process.communicate(timeout=60)[0].strip() for process in both)
    assert said == ["1 False", "1 True"], "one gets it, the other waits and finds it"
    assert server.asked == [("/c1/f.json", ""), ("/c1/f.json", f"bytes={there}-")]
    assert (tmp_path / "cache/data/s/f.json").read_bytes() == BIG


def test_a_disk_that_is_full_and_then_is_not(server: FaultyServer, tmp_path: Path) -> None:
    """A small file system of the test's own, which grows between two attempts."""
    small = ["unshare", "--mount", "sh", "-c"]
    mount = "mount -t tmpfs -o size=600k none cache"
    (tmp_path / "cache").mkdir()
    if (
        not shutil.which("unshare")
        or subprocess.run([*small, mount], cwd=tmp_path, check=False).returncode
    ):
        pytest.skip("no file system can be mounted here")
    server.files["/c1/f.json"] = BIG
    get_it = shlex.join(program(tmp_path, server))
    done = subprocess.run(
        [*small, f"{mount} && {get_it}; ls cache/data; mount -o remount,size=4m cache && {get_it}"],
        cwd=tmp_path,
        env={**os.environ, "LIBDRIFT_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "is full; downloaded parts are kept. Free 1 MB there" in done.stderr
    assert done.stdout == "1 True\n", "nothing is shown as data before it is whole"
    assert [part.partition("=")[0] for _, part in server.asked] == ["", "bytes"]


def test_who_waits_for_another_is_told(empty_settings: Settings) -> None:
    told = threading.Event()
    inside = threading.Event()

    def other() -> None:
        with keeping._locked("s", empty_settings, told.set):
            inside.set()

    with keeping._locked("s", empty_settings, lambda: None):
        thread = threading.Thread(target=other)
        thread.start()
        assert told.wait(5)
        assert not inside.is_set()
    thread.join()
    assert inside.is_set()
