from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError
from libdrift.languages.rust import toolchains


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    toolchains.discover.cache_clear()
    yield
    toolchains.discover.cache_clear()


def _script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)
    return path


def _toolchain(sysroot: Path, release: str) -> Path:
    _script(sysroot / "bin" / "rustc", f"echo 'rustc {release}'; echo 'release: {release}'")
    _script(sysroot / "bin" / "rustdoc", "exit 0")
    return sysroot


def test_rustups_toolchains_are_found_stable_first_each_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, night = (tmp_path / name for name in ("old", "new one", "night"))
    for sysroot, release in ((old, "1.9.0"), (new, "1.84.0"), (night, "1.97.0-nightly")):
        _toolchain(sysroot, release)
    _toolchain(tmp_path / "beta", "1.96.0-beta.3")
    lines = [
        f"nightly-x {night}",
        f"1.9.0-x {old}",
        f"stable-x (active, default) {new}",
        f"1.84.0-x {new}",
        f"beta-x {tmp_path / 'beta'}",
        f"gone-x {tmp_path / 'gone'}",
    ]
    told = "\n".join(f"echo '{line}'" for line in lines)
    _script(tmp_path / "path" / "rustup", told)
    _script(tmp_path / "path" / "rustc", f"echo '{new}'")
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:/usr/bin:/bin")
    found = toolchains.discover()
    assert [(item.name, item.version) for item in found] == [
        ("stable-x", "1.84.0"),
        ("1.9.0-x", "1.9.0"),
        ("nightly-x", "1.97.0-nightly"),
    ]
    assert toolchains.newest() is found[0]
    assert toolchains.find("1.9.0") is found[1]
    assert toolchains.find("1.9") is None
    assert found[0].rustdoc == new / "bin" / "rustdoc"
    assert found[0].clippy_driver is None


def test_a_rustc_without_rustup_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sysroot = _toolchain(tmp_path / "usr", "1.75.0")
    _script(tmp_path / "path" / "rustc", f"echo '{sysroot}'")
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:/usr/bin:/bin")
    monkeypatch.delenv("CARGO_HOME", raising=False)
    monkeypatch.setattr(toolchains, "_command", lambda name: _only(tmp_path / "path", name))
    assert [(item.name, item.sysroot) for item in toolchains.discover()] == [("1.75.0", sysroot)]


def _only(folder: Path, name: str) -> str | None:
    return str(folder / name) if (folder / name).exists() else None


def test_no_toolchain_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchains, "_command", lambda _: None)
    assert toolchains.discover() == ()
    with pytest.raises(InfrastructureError, match="rustup toolchain install stable"):
        toolchains.newest()
