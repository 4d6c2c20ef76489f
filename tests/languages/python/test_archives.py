from __future__ import annotations

import hashlib
import io
import random
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError
from libdrift.languages.python import archives
from libdrift.languages.python.archives import (
    ArchiveError,
    ArchiveLimits,
    ArchiveMember,
    choose,
    open_archive,
)
from libdrift.languages.python.index import IndexFile, Listing
from libdrift.languages.python.index_config import IndexSources
from libdrift.languages.python.web import Web
from libdrift.records import Release
from tests.languages.python.registry import HASTY, Registry, local, serve, tarred, wheel, zipped


@pytest.fixture
def registry() -> Iterator[Registry]:
    with serve() as found:
        yield found


@pytest.fixture
def web() -> Iterator[Web]:
    found = Web(IndexSources(()), HASTY)
    yield found
    found.close()


def listing(*names: str, yanked: str = "") -> Listing:
    files = [IndexFile(name, name, name.endswith(".whl"), yanked=name == yanked) for name in names]
    return Listing(Release("pypi", "pkg", "1.0"), tuple(files))


PURE = "pkg-1.0-py3-none-any.whl"
OLD = "pkg-1.0-py2-none-any.whl"
LINUX = "pkg-1.0-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
NEWER = "pkg-1.0-cp313-cp313-manylinux_2_17_x86_64.whl"
FREE = "pkg-1.0-cp313-cp313t-manylinux_2_17_x86_64.whl"
MUSL = "pkg-1.0-cp313-cp313-musllinux_1_2_x86_64.whl"
ARM = "pkg-1.0-cp314-cp314-manylinux_2_17_aarch64.whl"
MAC = "pkg-1.0-cp314-cp314-macosx_11_0_arm64.whl"
PYPY = "pkg-1.0-pp310-pypy310_pp73-manylinux_2_17_x86_64.whl"
ODD = "pkg-1.0-odd.whl"
SDIST = "pkg-1.0.tar.gz"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((SDIST, LINUX, PURE, MAC), PURE),
        ((OLD, PURE), PURE),
        ((SDIST, MAC, LINUX, ARM), LINUX),
        ((LINUX, NEWER, FREE, MUSL, PYPY), NEWER),
        ((SDIST, PYPY), PYPY),
        ((SDIST, MAC), MAC),
        ((SDIST, ODD), ODD),
        (("pkg-1.0.zip", SDIST), SDIST),
    ],
)
def test_the_archive_that_shows_a_release_best(
    names: tuple[str, ...], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives.platform, "machine", lambda: "x86_64")
    assert choose(listing(*names)).name == expected
    assert choose(listing(*reversed(names))).name == expected


def test_a_wheel_that_a_python_of_this_machine_can_import_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archives.platform, "machine", lambda: "x86_64")
    assert choose(listing(LINUX, NEWER), ["3.11", "3.12"]).name == LINUX
    assert choose(listing(LINUX, NEWER, MAC), ["3.14"]).name == NEWER
    assert choose(listing(LINUX, PURE), ["3.12"]).name == PURE


def test_yanked_files_come_last_and_a_release_may_have_none() -> None:
    assert choose(listing(PURE, SDIST, yanked=PURE)).name == SDIST
    assert choose(listing(PURE, yanked=PURE)).name == PURE
    with pytest.raises(ArchiveError, match="neither a wheel nor an sdist"):
        choose(listing())


SOURCES = {
    "pkg/__init__.py": "import os\n",
    "pkg/typed.pyi": "x: int\n",
    "pkg/py.typed": "",
    "pkg/_fast.cpython-311-x86_64-linux-gnu.so": b"\x7fELF",
    "pkg/data.json": "{}",
    "pkg-1.0.data/purelib/other.py": "y = 1\n",
    "pkg-1.0.data/scripts/run.py": "z = 1\n",
    "pkg-1.0.dist-info/METADATA": "Name: pkg\n",
}


def test_a_wheels_members_are_where_an_installer_puts_them(tmp_path: Path, web: Web) -> None:
    content = wheel(SOURCES)
    with open_archive(local(tmp_path, PURE, content), "pkg", web, tmp_path) as archive:
        assert set(archive.members) == {
            "pkg/__init__.py",
            "pkg/typed.pyi",
            "pkg/py.typed",
            "pkg/_fast.cpython-311-x86_64-linux-gnu.so",
            "other.py",
        }
        assert archive.members["other.py"] == ArchiveMember("other.py", 6, zlib.crc32(b"y = 1\n"))
        assert archive.read(["other.py", "pkg/typed.pyi"]) == {
            "other.py": b"y = 1\n",
            "pkg/typed.pyi": b"x: int\n",
        }
        assert archive.digest == f"sha256:{hashlib.sha256(content).hexdigest()}"
        assert archive.name == PURE


SDIST_FILES = {
    "pkg-1.0/setup.py": "",
    "pkg-1.0/pkg/__init__.py": "import os\n",
    "pkg-1.0/tests/test_it.py": "pass\n",
}


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("pkg-1.0.tar.gz", tarred),
        ("pkg-1.0.tar.bz2", lambda files: tarred(files, "w:bz2")),
        ("pkg-1.0.tar.xz", lambda files: tarred(files, "w:xz")),
        ("pkg-1.0.tar", lambda files: tarred(files, "w:")),
        ("pkg-1.0.zip", zipped),
    ],
)
def test_sdists_of_every_format(
    tmp_path: Path, web: Web, name: str, make: Callable[[dict[str, str]], bytes]
) -> None:
    with open_archive(local(tmp_path, name, make(SDIST_FILES)), "pkg", web, tmp_path) as archive:
        crc = zlib.crc32(b"import os\n")
        assert dict(archive.members) == {
            "pkg/__init__.py": ArchiveMember("pkg/__init__.py", 10, crc)
        }
        assert archive.read(["pkg/__init__.py"]) == {"pkg/__init__.py": b"import os\n"}
    assert [path.name for path in tmp_path.iterdir()] == [name]  # nothing was unpacked


def large() -> bytes:
    """Two sources far apart, and one next to the first."""
    noise = random.Random(0).randbytes(600_000)
    return wheel(
        {
            "pkg/__init__.py": "a = 1\n",
            "pkg/near.py": "b = 2\n",
            "pkg/_fast.so": noise,
            "pkg/far.py": "c = 3\n",
            "pkg/_more.so": noise,
        }
    )


PATHS = ["pkg/__init__.py", "pkg/near.py", "pkg/far.py"]
TEXTS = {"pkg/__init__.py": b"a = 1\n", "pkg/near.py": b"b = 2\n", "pkg/far.py": b"c = 3\n"}


@pytest.mark.parametrize("known", [True, False])
def test_of_a_large_wheel_only_the_needed_parts_are_fetched(
    registry: Registry, web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, known: bool
) -> None:
    monkeypatch.setattr(archives, "SMALL", 1 << 20)
    content = large()
    file = registry.file(PURE, content, size=len(content) if known else None)
    with open_archive(file, "pkg", web, tmp_path) as archive:
        assert archive.read(PATHS) == TEXTS
        assert "RECORD" in archive.digest
    assert len(registry.asked) == 3  # the directory, two neighbours as one, the one far away
    assert all(span for _, span in registry.asked)
    assert web.requests == 3
    assert web.received < len(content) / 3
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("small", [True, False])
def test_small_wheels_and_servers_without_ranges_mean_a_whole_download(
    registry: Registry, web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, small: bool
) -> None:
    monkeypatch.setattr(archives, "SMALL", 2 << 20 if small else 1 << 20)
    registry.ranges = small
    content = large()
    file = registry.file(PURE, content, size=len(content))
    with open_archive(file, "pkg", web, tmp_path) as archive:
        assert archive.read(PATHS) == TEXTS
        assert archive.digest == file.digest
    assert registry.asked[-1] == (f"/files/{PURE}", "")
    assert len(registry.asked) == (1 if small else 2)
    assert web.received == len(content)


def test_parts_are_compared_with_the_wheels_record(
    registry: Registry, web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "SMALL", 1)
    content = wheel({"pkg/__init__.py": "a = 1\n"}, {"pkg/__init__.py": "sha256=AAAA"})
    with (
        pytest.raises(ArchiveError, match=r"__init__\.py is not what its RECORD says"),
        open_archive(registry.file(PURE, content), "pkg", web, tmp_path) as archive,
    ):
        archive.read(["pkg/__init__.py"])


def test_a_download_that_is_not_what_the_index_says(
    registry: Registry, web: Web, tmp_path: Path
) -> None:
    file = registry.file(SDIST, tarred(SDIST_FILES))
    wrong = replace(file, digest=f"sha256:{'0' * 64}")
    with pytest.raises(ArchiveError, match=r"pkg-1\.0\.tar\.gz is refused: its sha256 is"):
        _opened(wrong, web, tmp_path)
    _opened(replace(file, digest=f"md5:{_md5(tarred(SDIST_FILES))}"), web, tmp_path)
    with pytest.raises(ArchiveError, match="is refused: its md5 is"):
        _opened(replace(file, digest="md5:00"), web, tmp_path)


def test_a_file_that_is_gone_and_a_server_that_fails(
    registry: Registry, web: Web, tmp_path: Path
) -> None:
    file = registry.file(SDIST, tarred(SDIST_FILES))
    registry.troubles[f"/files/{SDIST}"] = [500, 500]
    with pytest.raises(InfrastructureError, match="HTTP 500"):
        _opened(file, web, tmp_path)
    _opened(file, web, tmp_path)
    registry.files.clear()
    with pytest.raises(ArchiveError, match="listed by the index but is not there"):
        _opened(file, web, tmp_path)


def _md5(content: bytes) -> str:
    return hashlib.md5(content).hexdigest()


def _opened(file: IndexFile, web: Web, scratch: Path, limits: ArchiveLimits | None = None) -> None:
    with open_archive(file, "pkg", web, scratch, limits) as archive:
        archive.read(list(archive.members))


def _linked(name: str, kind: bytes, target: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def _zip_link(top: str = "") -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(f"{top}pkg/__init__.py", "")
        info = zipfile.ZipInfo(f"{top}pkg/passwords.py")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    return target.getvalue()


def _zip_method(method: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("pkg/passwords.py", "a = 1\n" * 99)
        archive.writestr("pkg/__init__.py", "", zipfile.ZIP_STORED)
    return target.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("pkg-1.0.zip", _zip_link("top/"), "a link"),
        (PURE, _zip_link(), "a link"),
        (PURE, _zip_method(zipfile.ZIP_LZMA), "compressed in a way that is not read (14)"),
        (SDIST, tarred({"top/pkg/__init__.py": "", "link": _linked("top/pkg/passwords.py", tarfile.SYMTYPE, "/etc/passwd")}), "a link"),
        (SDIST, tarred({"top/pkg/__init__.py": "", "link": _linked("top/pkg/passwords.py", tarfile.LNKTYPE, "/etc/passwd")}), "a link"),
        (SDIST, tarred({"top/pkg/__init__.py": "", "link": _linked("top/pkg/passwords.py", tarfile.FIFOTYPE, "")}), "not a plain file"),
    ],
)  # fmt: skip
def test_links_and_the_like_are_not_read_and_named(
    tmp_path: Path, web: Web, name: str, content: bytes, reason: str
) -> None:
    with open_archive(local(tmp_path, name, content), "pkg", web, tmp_path) as archive:
        assert list(archive.members) == ["pkg/__init__.py"]
        [line] = archive.refused
        assert line == f"pkg/passwords.py: {reason}"


def _bomb(size: int) -> bytes:
    return zipped({"pkg/__init__.py": b" " * size})


def _understated() -> bytes:
    """A member whose directory entry claims less than it unpacks to."""
    content = bytearray(_bomb(1 << 16))
    for signature, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        struct.pack_into("<I", content, content.index(signature) + offset, 10)
    return bytes(content)


def _overlapping() -> bytes:
    """Two directory entries, the first of which claims to reach into the second's data."""
    content = bytearray(zipped({"pkg/__init__.py": b"a = 1\n", "pkg/b.py": b"b = 1\n"}))
    struct.pack_into("<I", content, content.index(b"PK\x01\x02") + 20, 90)
    return bytes(content)


def _changed(content: bytes, inside: bytes) -> bytes:
    place = content.index(inside)
    return content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]


STORED = io.BytesIO()
with zipfile.ZipFile(STORED, "w") as _archive:
    _archive.writestr("pkg/__init__.py", "value = 1\n")
TAR = tarred(SDIST_FILES, "w:")
SMALL_LIMITS = ArchiveLimits(member=1 << 20, sources=1 << 21, members=5, ratio=20, plain=1 << 14)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (PURE, zipped({"pkg/__init__.py": "", "../evil.py": ""}), "'../evil.py' leads outside"),
        (PURE, zipped({"pkg/__init__.py": "", "/etc/evil": ""}), "'/etc/evil' leads outside"),
        (PURE, zipped({"pkg/__init__.py": "", "C:\\evil.py": ""}), "leads outside"),
        (PURE, zipped({"pkg/__init__.py": "", "pkg\\..\\..\\evil.py": ""}), "leads outside"),
        (SDIST, tarred({"pkg-1.0/pkg/__init__.py": "", "pkg-1.0/../../evil": ""}), "leads outside"),
        (SDIST, tarred({"/etc/evil": ""}), "leads outside"),
        (PURE, _bomb(1 << 19), "__init__.py would unpack to 524288 bytes"),
        (PURE, zipped({"pkg/__init__.py": random.Random(0).randbytes((1 << 20) + 1)}), "would unpack to 1048577"),
        (PURE, zipped({f"pkg/{n}.py": random.Random(n).randbytes(900_000) for n in range(3)}), "more than 2 MB of sources"),
        (PURE, zipped({f"pkg/{n}.py": "" for n in range(9)}), "it has 9 members"),
        (PURE, _understated(), "Bad CRC-32"),
        (PURE, _overlapping(), "overlaps other members"),
        (SDIST, tarred({"pkg/__init__.py": b" " * (1 << 19)}), "unpacks to more than 0 MB"),
        (SDIST, tarred({"pkg/big.bin": b" " * (1 << 19), "pkg/__init__.py": ""}), "unpacks to more than 0 MB"),
        (SDIST, tarred({"pkg/__init__.py": random.Random(0).randbytes((1 << 20) + 1)}), "would unpack to 1048577"),
        (SDIST, tarred({f"pkg/{n}.py": random.Random(n).randbytes(900_000) for n in range(3)}), "would unpack to"),
        (SDIST, tarred({f"pkg/{n}.py": "" for n in range(9)}), "it has over 5 members"),
        (PURE, b"no zip at all", "is damaged: File is not a zip file"),
        (PURE, b"", "is damaged"),
        (PURE, wheel(SOURCES)[:-30], "is damaged"),
        (PURE, _changed(STORED.getvalue(), b"value"), "Bad CRC-32"),
        (SDIST, b"", "is damaged"),
        (SDIST, b"no tar at all", "is damaged"),
        (SDIST, tarred(SDIST_FILES)[:60], "is damaged"),
        (SDIST, tarred(SDIST_FILES)[:-4] + b"0000", "is damaged"),
        (SDIST, tarred(SDIST_FILES, "w:bz2")[:60], "is damaged"),
        (SDIST, tarred(SDIST_FILES, "w:xz")[:60], "is damaged"),
        (SDIST, _changed(TAR, b"pkg-1.0/tests"), "is damaged"),
        (SDIST, TAR[:1300], "is damaged"),
        (PURE, zipped({"README.txt": "hello"}), "has no Python modules"),
        (SDIST, tarred({"pkg-1.0/setup.py": ""}), "has no Python modules"),
    ],
)  # fmt: skip
def test_hostile_and_broken_archives_are_one_clear_line(
    tmp_path: Path, web: Web, name: str, content: bytes, message: str
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    with pytest.raises(ArchiveError) as caught:
        _opened(local(folder, name, content), web, tmp_path, SMALL_LIMITS)
    assert message in str(caught.value)
    assert str(caught.value).startswith(name)
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.rglob("*")] == ["in", name]


def test_a_header_that_wants_the_memory_of_the_machine(tmp_path: Path, web: Web) -> None:
    info = tarfile.TarInfo("pkg/__init__.py")
    info.type, info.size = tarfile.XHDTYPE, 1 << 33
    content = info.tobuf(tarfile.GNU_FORMAT) + b"0" * 4096
    with pytest.raises(ArchiveError, match="wants too much memory"):
        _opened(local(tmp_path, "pkg-1.0.tar", content), web, tmp_path)
