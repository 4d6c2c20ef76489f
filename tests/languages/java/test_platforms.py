"""The JDK's own surfaces, from a JDK that was made up; and from the real one, if there is one."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.java import jdks, platforms
from libdrift.languages.java.jdks import Jdk
from libdrift.records import Surface
from tests.languages.java.building import Member, built, module
from tests.languages.python.registry import zipped

STOP = Member("stop", "()V", since="")
STOP_DATED = Member("stop", "()V", since="1.2", removal=True)


@pytest.fixture
def jdk(tmp_path: Path) -> Jdk:
    (tmp_path / "lib").mkdir()
    entries = {
        "8/java.base/java/lang/Thread.sig": built("java/lang/Thread", STOP, Member("gone", "()V")),
        "9A/java.base/java/lang/Thread.sig": built("java/lang/Thread", STOP_DATED),
        "89A/java.base/java/lang/Object.sig": built("java/lang/Object"),
        "89A/java.base/jdk/internal/Secret.sig": built("jdk/internal/Secret"),
        "9A/java.corba/org/omg/Orb.sig": built("org/omg/Orb"),
        "9A/jdk.incubator.x/jdk/incubator/X.sig": built("jdk/incubator/X"),
        "9A/java.base/module-info.sig": module("java.base", ["java.lang"]),
        "9A/java.corba/module-info.sig": module("java.corba", ["org.omg"], since="9", removal=True),
        "9A/jdk.incubator.x/module-info.sig": module("jdk.incubator.x", ["jdk.incubator"]),
    }
    (tmp_path / "lib" / "ct.sym").write_bytes(zipped(entries))
    return Jdk(tmp_path, "11.0.1", 11)


def read(jdk: Jdk, *versions: str) -> dict[str, Surface | str]:
    return {release.version: found for release, found in platforms.surfaces([jdk], versions)}


def test_each_release_has_its_own_names(jdk: Jdk) -> None:
    found = read(jdk, "8", "1.9", "10.0.2")
    assert list(found) == ["8", "9", "10"]
    old, new = found["8"], found["10"]
    assert isinstance(old, Surface)
    assert isinstance(new, Surface)
    assert old.resolve("java.lang.Thread.gone") is not None
    assert new.resolve("java.lang.Thread.gone") is None
    assert new.roots == ("java.lang", "org.omg")
    assert str(new.release.date) == "2018-03-20"
    corba = new.resolve("org.omg")
    assert corba is not None
    assert corba.deprecation is not None
    assert corba.deprecation.message == "module java.corba: deprecated since 9, for removal"


def test_a_later_annotation_dates_an_older_deprecation(jdk: Jdk) -> None:
    old = read(jdk, "8")["8"]
    assert isinstance(old, Surface)
    stop = old.resolve("java.lang.Thread.stop")
    assert stop is not None
    assert stop.deprecation is not None
    assert (stop.deprecation.since, stop.deprecation.message) == ("1.2", "deprecated since 1.2")
    assert "for-removal" not in stop.traits


def image(entries: dict[tuple[str, str], bytes]) -> bytes:
    """A container of modules, as small as it can be."""
    strings, locations, content = bytearray(b"\0class\0"), bytearray(b"\0"), bytearray()
    offsets = []
    for (owner, base), data in entries.items():
        offsets.append(len(locations))
        at = {
            1: len(strings),
            3: len(strings) + len(owner) + 1,
            4: 1,
            5: len(content),
            7: len(data),
        }
        strings += f"{owner}\0{base}\0".encode()
        for kind, value in at.items():
            locations += bytes([kind << 3 | 3]) + value.to_bytes(4, "big")
        locations += b"\0"
        content += data
    count = len(entries)
    head = struct.pack("<7I", 0xCAFEDADA, 1 << 16, 0, count, count, len(locations), len(strings))
    tables = struct.pack(f"<{count}I", *[0] * count) + struct.pack(f"<{count}I", *offsets)
    return head + tables + bytes(locations) + bytes(strings) + bytes(content)


def test_its_own_release_is_read_from_what_it_runs_with(jdk: Jdk) -> None:
    data = image(
        {
            ("java.base", "Thread"): built("java/lang/Thread", STOP_DATED),
            ("java.base", "module-info"): module("java.base", ["java.lang"]),
        }
    )
    place = jdk.home / "lib" / "modules"
    place.write_bytes(data)
    found = read(jdk, "11")["11"]
    assert isinstance(found, Surface)
    assert found.resolve("java.lang.Thread.stop") is not None
    assert found.origin.artifact == "modules of JDK 11.0.1"
    for broken, why in ((data[:60], "ends too early"), (b"no image at all" * 4, "no image")):
        place.write_bytes(broken)
        assert why in str(read(jdk, "11")["11"])
    place.unlink()
    assert "cannot be read" in str(read(jdk, "11")["11"])


def test_releases_that_it_does_not_know(jdk: Jdk) -> None:
    for text in ("7", "12", "x"):
        with pytest.raises(UserError, match="only 8 to 11"):
            read(jdk, text)


def test_a_broken_archive(jdk: Jdk) -> None:
    (jdk.home / "lib" / "ct.sym").write_bytes(b"nothing of the kind")
    with pytest.raises(InfrastructureError, match="Reinstall that JDK"):
        read(jdk, "8")


def test_the_real_one() -> None:
    found = jdks.discover()
    if not found:
        pytest.skip("no JDK is found: install one, such as the package openjdk-21-jdk")
    surface = read(found[0], "11")["11"]
    assert isinstance(surface, Surface)
    stop = surface.resolve("java.lang.Thread.stop")
    assert stop is not None
    assert stop.deprecation is not None
    assert stop.deprecation.since == "1.2"
    assert surface.resolve("java.lang.Thread.stop(Throwable)") is None
    assert surface.resolve("java.util.Map.Entry.getKey") is not None
    assert surface.resolve("java.lang.StringBuilder.setLength") is not None
    assert surface.resolve("javax.xml.bind.JAXB") is None
