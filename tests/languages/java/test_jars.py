"""Jars that are made to harm."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest

from libdrift.languages.java.jars import JarError, read_jar
from libdrift.records import Release
from tests.languages.java.building import built

RELEASE = Release("maven:a:b", "1", date(2024, 1, 1))
MANY = ("META-INF/MANIFEST.MF", b"Multi-Release: true\n")


def jar(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return made.getvalue()


def patched(content: bytes, mark: bytes, place: int, new: bytes) -> bytes:
    """The archive with bytes after the last mark of a header replaced."""
    at = content.rindex(mark) + place
    return content[:at] + new + content[at + len(new) :]


GOOD = jar(("A.class", built("A")))
DIRECTORY = b"PK\x01\x02"
HOSTILE = {
    "no jar": b"",
    "cut": GOOD[: len(GOOD) // 2],
    "a class that is none": jar(("A.class", b"\xca\xfe\xba\xbe")),
    "bomb": jar(("A.class", bytes(17 << 20))),
    "many bombs": jar(*((f"A{n}.class", bytes(15 << 20)) for n in range(3))),
    "broken lzma": patched(jar(("A.class", b"x" * 100), method=zipfile.ZIP_LZMA), b"A.class", -60, b"\xff" * 30),
    "unknown method": patched(GOOD, DIRECTORY, 10, b"\x63\x00"),
    "encrypted": patched(GOOD, DIRECTORY, 8, b"\x01\x00"),
    "elsewhere": patched(GOOD, DIRECTORY, 42, b"\xff\xff\xff\x7f"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_cannot_be_read_is_said(name: str) -> None:
    with pytest.raises(JarError):
        read_jar(RELEASE, io.BytesIO(HOSTILE[name]))


def test_a_size_that_is_not_true_costs_no_memory() -> None:
    content = patched(GOOD, DIRECTORY, 24, b"\xff\xff\x0f\x00")
    assert read_jar(RELEASE, io.BytesIO(content)).origin.files == 1


def test_a_version_that_is_no_version() -> None:
    far = f"META-INF/versions/{'9' * 5000}/A.class"
    found = read_jar(RELEASE, io.BytesIO(jar(MANY, (far, b"x"), ("A.class", built("A")))))
    assert found.origin.files == 1


def test_names_are_only_names() -> None:
    content = jar(("../../A.class", built("A")), ("/etc/B.class", built("B")), ("x\n.class", b""))
    found = read_jar(RELEASE, io.BytesIO(content))
    assert found.origin.files == 2
