from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError
from libdrift.languages.java import jdks
from libdrift.languages.java.jdks import Jdk


def home(folder: Path, name: str, version: str, *, symbols: bool = True) -> Path:
    place = folder / name
    (place / "bin").mkdir(parents=True)
    (place / "lib").mkdir()
    (place / "bin" / "javac").touch(mode=0o755)
    if symbols:
        (place / "lib" / "ct.sym").touch()
    (place / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return place


def test_named_ones_and_their_neighbours_newest_first(tmp_path: Path) -> None:
    old = home(tmp_path, "java-17", "17.0.15")
    new = home(tmp_path, "java-25", "25.0.3")
    home(tmp_path, "java-8", "1.8.0_402")
    home(tmp_path, "runtime", "21.0.1", symbols=False)
    (tmp_path / "default").symlink_to(old)
    found = jdks.find({"PATH": str(old / "bin")})
    assert found == (Jdk(new, "25.0.3", 25), Jdk(old, "17.0.15", 17))
    assert jdks.find({"JAVA_HOME": str(tmp_path / "default"), "PATH": ""}) == found
    assert jdks.find({"JAVA_HOME": "/nowhere", "PATH": ""}) == ()


def test_the_newest_that_knows_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = (Jdk(tmp_path, "25.0.3", 25), Jdk(tmp_path, "17.0.15", 17))
    monkeypatch.setattr(jdks, "discover", lambda: found)
    assert jdks.for_release(11).feature == 25
    with pytest.raises(InfrastructureError, match=r"Java 26 .*here: 25, 17.*openjdk-26-jdk"):
        jdks.for_release(26)
    monkeypatch.setattr(jdks, "discover", tuple)
    with pytest.raises(InfrastructureError, match="JAVA_HOME"):
        jdks.newest()


@pytest.mark.parametrize(
    ("text", "number"),
    [("8", 8), ("1.8", 8), ("17.0.2", 17), (" 21 ", 21), ("x", None), ("", None)],
)
def test_releases_as_people_write_them(text: str, number: int | None) -> None:
    assert jdks.feature(text) == number


def test_settings_that_are_kept_elsewhere_are_shown_too(tmp_path: Path) -> None:
    place = home(tmp_path, "java-17", "17.0.15")
    kept = tmp_path / "etc"
    kept.mkdir()
    (kept / "jvm.cfg").touch()
    (place / "lib" / "jvm.cfg").symlink_to(kept / "jvm.cfg")
    (place / "lib" / "broken").symlink_to(kept / "absent")
    assert Jdk(place, "17.0.15", 17).folders == tuple(sorted((place, kept)))
