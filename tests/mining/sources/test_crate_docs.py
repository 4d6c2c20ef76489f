from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.rust import crates, toolchains
from libdrift.languages.rust.crates import Crate, CrateSources
from libdrift.mining.sources import crate_docs
from libdrift.records import Release, Surface
from libdrift.sandbox import Backend
from libdrift.sandbox.commands import Command, Ended

MANIFEST = '[package]\nname = "tiny"\nversion = "1.0.0"\nedition = "2021"\n[features]\nextra = []\n'
BUILD = """
fn main() {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/mark");
    assert!(std::fs::write(here, "x").is_err(), "sources can be written");
    assert!(std::net::TcpStream::connect("192.0.2.1:80").is_err(), "there is a network");
    assert!(std::env::var_os("RUSTC_BOOTSTRAP").is_none(), "build scripts see it");
}
"""
SOURCE = 'pub struct Flags; #[cfg(feature = "extra")] pub fn more(a: u8) {}'


def _put(settings: Settings, name: str, **files: str) -> Path:
    folder = crates.store(settings) / f"{name}-1.0.0-x"
    (folder / "src").mkdir(parents=True)
    (folder / ".cargo-checksum.json").write_text('{"files": {}, "package": null}', "utf-8")
    for path, text in files.items():
        (folder / path.replace("__", "/").replace("_rs", ".rs").replace("_md", ".md")).write_text(
            text, "utf-8"
        )
    (folder / "Cargo.toml").write_text(MANIFEST.replace("tiny", name), "utf-8")
    return folder


@pytest.fixture
def offered(
    empty_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Sequence[Crate]]:
    """Versions of a crate whose sources are here already."""

    def offer(folder: Path, *found: Crate) -> Sequence[Crate]:
        monkeypatch.setattr(crates, "versions", lambda _: found)
        monkeypatch.setattr(
            crates,
            "sources",
            lambda crate, _features, _settings: CrateSources(
                crate, "", {f"{crate.name}-{crate.version}": folder}
            ),
        )
        return found

    assert empty_settings
    return offer


def test_a_crate_is_documented_in_the_sandbox(
    empty_settings: Settings, bubblewrap: Backend, offered: Callable[..., Sequence[Crate]]
) -> None:
    if not toolchains.discover():
        pytest.skip("no Rust toolchain is on this machine")
    log = "## 1.0.0\n- Add `Flags`\n"
    folder = _put(empty_settings, "tiny", src__lib_rs=SOURCE, build_rs=BUILD, CHANGELOG_md=log)
    offered(folder, Crate("tiny", "1.0.0", features=("extra",), checksum="c0ffee"))
    ((release, surface),) = crate_docs.surfaces("tiny", ["1.0.0"], empty_settings, bubblewrap)
    assert release == Release("crates", "crate:tiny", "1.0.0")
    assert isinstance(surface, Surface), surface
    more = surface.resolve("tiny.more")
    assert more is not None
    assert str(more.signature) == "(a: u8, /)"
    assert (surface.origin.artifact, surface.origin.digest) == (
        "tiny-1.0.0.crate (all features)",
        "c0ffee",
    )
    assert [note.kind for note in surface.symbols["tiny:Flags"].notes] == ["added"]
    assert not (folder / "mark").exists()
    assert not list((empty_settings.cache / "rust").glob("reading-*"))


# --- with a stand-in for the compiler


class Compiler:
    """Fails where features exclude each other; writes the features that it was asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, broken: Callable[[set[str]], bool]) -> None:
        self.broken = broken
        self.asked: list[set[str]] = []
        self.ended = Ended(101, "", "error[E0635]: unknown feature `x`\nerror: could not compile"
                           " `dep` (lib)\n", 0.1)  # fmt: skip
        monkeypatch.setattr(crate_docs, "run", self)

    def __call__(self, command: Command, _backend: Backend, _limits: object) -> Ended:
        manifest = command.files["Cargo.toml"]
        assert isinstance(manifest, str)
        features = set(tomllib.loads(manifest)["dependencies"]["tiny"]["features"])
        self.asked.append(features)
        if self.broken(features):
            return self.ended
        item = {
            "id": 0, "crate_id": 0, "name": "tiny", "visibility": "public", "docs": None,
            "attrs": [], "deprecation": None, "inner": {"module": {"items": []}},
        }  # fmt: skip
        told = {"format_version": 57, "root": 0, "index": {"0": item}, "paths": {}}
        return Ended(0, "", "", 0.1, kept={command.keep[0]: json.dumps(told).encode()})


@pytest.fixture
def read(
    empty_settings: Settings, bubblewrap: Backend, offered: Callable[..., Sequence[Crate]]
) -> Callable[..., list[Surface | str]]:
    if not toolchains.discover():
        pytest.skip("no Rust toolchain is on this machine")
    folder = _put(empty_settings, "tiny", src__lib_rs="")

    def each(*found: Crate) -> list[Surface | str]:
        asked = offered(folder, *found)
        return [item for _, item in crate_docs.read(asked, empty_settings, bubblewrap)]

    return each


FEATURES = ("alpha", "beta", "log_max", "log_mid", "log_off", "nightly", "rustc-dep-of-std", "std")


@pytest.mark.parametrize(
    ("broken", "chosen"),
    [
        (lambda _: False, "all features"),
        (lambda on: "beta" in on, "all features but beta"),
        (lambda on: {"alpha", "beta"} <= on, "all features but beta"),
        # Of a family only one can be on.
        (
            lambda on: len([item for item in on if item.startswith("log_")]) > 1,
            "all features but log_mid, log_off",
        ),
        (bool, "default features"),
    ],
)
def test_as_many_features_as_compile_together(
    monkeypatch: pytest.MonkeyPatch,
    read: Callable[..., list[Surface | str]],
    broken: Callable[[set[str]], bool],
    chosen: str,
) -> None:
    compiler = Compiler(monkeypatch, broken)
    first, second = read(
        *(Crate("tiny", version, features=FEATURES) for version in ("1.0.0", "1.0.1"))
    )
    assert isinstance(first, Surface)
    assert isinstance(second, Surface)
    assert first.origin.artifact == f"tiny-1.0.0.crate ({chosen})"
    assert second.origin.artifact == f"tiny-1.0.1.crate ({chosen})"
    assert bool(first.origin.gaps) == (chosen == "default features")
    assert not {"nightly", "rustc-dep-of-std"} & set().union(*compiler.asked)
    assert len(compiler.asked) <= crate_docs._TRIES + 1  # the second profits from the first


def test_a_crate_that_does_not_compile_is_named_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, read: Callable[..., list[Surface | str]]
) -> None:
    Compiler(monkeypatch, lambda _: True)
    (why,) = read(Crate("tiny", "1.0.0", features=("std",)))
    assert isinstance(why, str)
    assert re.fullmatch(
        r"tiny 1\.0\.0 does not compile with Rust [\w.-]+: unknown feature `x` \(in dep\)", why
    )


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        (Ended(None, "", "", 1, stopped_by="time"), "took too much time"),
        (Ended(None, "", "", 1, stopped_by="memory"), "took too much memory"),
        (Ended(None, "", "", 0, trouble="the sandbox did not start"), "the sandbox did not start"),
        (Ended(101, "", "", 0), "no reason given"),
        (Ended(0, "", "", 0), "no reason given"),
    ],
)
def test_other_ends_are_reasons_too(
    monkeypatch: pytest.MonkeyPatch,
    read: Callable[..., list[Surface | str]],
    ended: Ended,
    why: str,
) -> None:
    Compiler(monkeypatch, lambda _: True).ended = ended
    (found,) = read(Crate("tiny", "1.0.0"))
    assert isinstance(found, str)
    assert why in found
    assert "\n" not in found


def test_a_program_has_no_surface(
    empty_settings: Settings, bubblewrap: Backend, offered: Callable[..., Sequence[Crate]]
) -> None:
    if not toolchains.discover():
        pytest.skip("no Rust toolchain is on this machine")
    folder = _put(empty_settings, "tiny", src__main_rs="fn main() {}")
    asked = offered(folder, Crate("tiny", "1.0.0"))
    ((_, found),) = crate_docs.read(asked, empty_settings, bubblewrap)
    assert found == "tiny 1.0.0 is a program: it has no library"


def test_versions_are_read_oldest_first_and_yanked_ones_only_if_asked_for(
    monkeypatch: pytest.MonkeyPatch,
    empty_settings: Settings,
    bubblewrap: Backend,
    offered: Callable[..., Sequence[Crate]],
) -> None:
    offered(
        Path(), Crate("tiny", "0.9.0", yanked=True), Crate("tiny", "1.0.0"), Crate("tiny", "1.1.0")
    )
    monkeypatch.setattr(crate_docs, "read", lambda asked, *_: iter([(c, "") for c in asked]))

    def versions(*asked: str) -> list[str]:
        found = crate_docs.surfaces("tiny", asked, empty_settings, bubblewrap)
        return [crate.version for crate, _ in found]

    assert versions() == ["1.0.0", "1.1.0"]
    assert versions("1.1.0", "0.9.0") == ["0.9.0", "1.1.0"]
    with pytest.raises(UserError, match=r"tiny has no version 1\.0\.5"):
        versions("1.0.5")


def test_no_toolchain_is_said_with_the_way_to_get_one(
    monkeypatch: pytest.MonkeyPatch, empty_settings: Settings, bubblewrap: Backend
) -> None:
    monkeypatch.setattr(toolchains, "discover", tuple)
    with pytest.raises(InfrastructureError, match="rustup toolchain install"):
        list(crate_docs.read([Crate("tiny", "1.0.0")], empty_settings, bubblewrap))
