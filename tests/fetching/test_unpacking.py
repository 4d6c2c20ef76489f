from __future__ import annotations

import hashlib
import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError
from libdrift.fetching import unpacking
from libdrift.fetching.sources import PinnedFile, SourceDownload
from libdrift.fetching.unpacking import unpack


def pinned(**contents: bytes) -> dict[str, PinnedFile]:
    found = {name.replace("__", "/"): text for name, text in contents.items()}
    return {
        path: PinnedFile(path, len(text), hashlib.sha256(text).hexdigest())
        for path, text in found.items()
    }


def tar(path: Path, *members: tuple[str | tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for named, content in members:
            info = tarfile.TarInfo(named) if isinstance(named, str) else named
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def link(name: str, to: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, to
    return info


@pytest.mark.filterwarnings("ignore:Duplicate name")
def zipped(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for named, content in members:
            archive.writestr(named, content)
    return path


GIT = SourceDownload("u", PinnedFile("a"), "tar.gz", top=True, files=pinned(d__x=b"one", y=b"two"))
ANY = SourceDownload("u", PinnedFile("a"), "zip", pattern="*.json")


def files(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_only_what_is_wanted_is_unpacked(tmp_path: Path) -> None:
    archive = tar(
        tmp_path / "a.tar.gz",
        ("repo-1/README", b"no"),
        ("repo-1/d/x", b"one"),
        ("repo-1/y", b"two"),
        ("x", b"at the top"),
        # Of what nobody asks for, nothing is looked at.
        ("../../evil", b"no"),
        (link("repo-1/l", "/etc/passwd"), b""),
    )
    assert unpack(archive, GIT, tmp_path / "out") == ["d/x", "y"]
    assert files(tmp_path / "out") == {"d/x": b"one", "y": b"two"}
    assert {path.name for path in tmp_path.iterdir()} == {"a.tar.gz", "out"}


def test_files_by_their_ending(tmp_path: Path) -> None:
    archive = zipped(
        tmp_path / "a.zip",
        ("b/x.json", b"{}"),
        ("y.json", b"[]"),
        ("x.py", b"no"),
        ("b/._x.json", b"no"),
        ("__MACOSX/z.json", b"no"),
    )
    assert unpack(archive, ANY, tmp_path / "out") == ["b/x.json", "y.json"]
    assert files(tmp_path / "out") == {"b/x.json": b"{}", "y.json": b"[]"}


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ([("r/d/x", b"one")], "it lacks y"),
        ([("r/d/x", b"more than three"), ("r/y", b"two")], "x unpacks to more than 3 bytes"),
        ([("r/y", b"two"), ("q/y", b"two"), ("r/d/x", b"one")], "y is in it twice"),
        ([(link("r/y", "/etc/passwd"), b"")], "y is not a plain file"),
        ([("r/d/x", b"one"), (link("r/y", "r/d/x", tarfile.LNKTYPE), b"")], "y is not a plain"),
        ([(link("r/y", "", tarfile.FIFOTYPE), b"")], "y is not a plain file"),
    ],
)
def test_bad_tar_archives_are_refused(
    tmp_path: Path, members: list[tuple[str, bytes]], words: str
) -> None:
    with pytest.raises(InfrastructureError, match=words):
        unpack(tar(tmp_path / "a.tar.gz", *members), GIT, tmp_path / "out")


def symlink(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ([], "it has no file"),
        ([("a.txt", b"")], "it has no file"),
        ([("../a.json", b"")], "leads outside"),
        ([("b/../../a.json", b"")], "leads outside"),
        ([("/etc/a.json", b"")], "leads outside"),
        ([("C:\\a.json", b"")], "leads outside"),
        ([("b\\..\\..\\a.json", b"")], "leads outside"),
        ([(symlink("a.json"), b"/etc/passwd")], "a.json is not a plain file"),
        ([("a.json", b"1"), ("./a.json", b"2")], "a.json is in it twice"),
        ([("a.json", b"1"), ("a.json/b.json", b"2")], "it cannot be unpacked"),
        ([("a.json", bytes(5000))], "a.json unpacks to more than 1,000 bytes"),
        ([("a.json", bytes(600)), ("b.json", bytes(600))], "b.json unpacks to more than 400"),
        ([(f"{n}.json", b"") for n in range(21)], "it has more than 20 files"),
    ],
)
def test_bad_zip_archives_are_refused(
    tmp_path: Path,
    members: list[tuple[str, bytes]],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unpacking, "LARGEST", 1000)
    monkeypatch.setattr(unpacking, "_MOST", 20)
    with pytest.raises(InfrastructureError, match=words):
        unpack(zipped(tmp_path / "a.zip", *members), ANY, tmp_path / "out")
    assert {path.name for path in tmp_path.iterdir()} <= {"a.zip", "out"}


def test_what_nobody_asks_for_may_not_go_on_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "LARGEST", 100_000)
    archive = tar(tmp_path / "a.tar.gz", ("r/zeros", bytes(10_000_000)), ("r/d/x", b"one"))
    with pytest.raises(InfrastructureError, match="unpacks to more than 100,000 bytes"):
        unpack(archive, GIT, tmp_path / "out")


@pytest.mark.parametrize("keep", [0, 10, 60, 0.5, -1, -9])
def test_torn_archives_are_refused(tmp_path: Path, keep: float) -> None:
    """A cut anywhere, the checksum at the end included."""
    archive = tar(tmp_path / "a.tar.gz", ("r/d/x", b"one"), ("r/y", b"two"), ("r/z", bytes(9999)))
    content = archive.read_bytes()
    archive.write_bytes(content[: int(keep * len(content)) if 0 < keep < 1 else int(keep)])
    with pytest.raises(InfrastructureError, match=r"cannot be unpacked|it lacks"):
        unpack(archive, GIT, tmp_path / "out")


def test_a_text_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"<html>Sign in to the network</html>")
    for download in (GIT, ANY):
        with pytest.raises(InfrastructureError, match="it cannot be unpacked"):
            unpack(tmp_path / "a", download, tmp_path / "out")
