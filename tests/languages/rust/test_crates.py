from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.rust import crates, toolchains
from libdrift.languages.rust.crates import Crate

LINES: list[dict[str, object]] = [
    {
        "name": "thing", "vers": "1.10.0", "deps": [], "cksum": "c" * 64, "features": {},
        "yanked": False, "pubtime": "2024-01-02T03:04:05Z", "rust_version": "1.56",
    },
    {
        "name": "thing", "vers": "1.9.0", "cksum": "b" * 64, "yanked": True,
        "deps": [{"name": "serde", "optional": True}, {"name": "x", "optional": True}],
        "features": {"default": ["std"], "std": []}, "features2": {"y": ["dep:x"]},
    },
    {"name": "thing", "vers": "2.0.0-rc.1", "deps": [], "cksum": "d" * 64, "yanked": False},
    {"name": "thing", "of": "an index from the future"},
]  # fmt: skip
NO_MATCH = 'error: failed to select a version for the requirement `thing = "=999999.0.0"`'
NO_NETWORK = "warning: spurious network error (1 try remaining): could not connect"
NO_CRATE = "error: no matching package found\nsearched: `thong`\nperhaps you meant:      thing\n"


class Cargo:
    """Stands in for cargo: answers in turn, and remembers what it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: tuple[int, str]) -> None:
        self.asked: list[list[str]] = []
        self.manifests: list[str] = []
        self.answers = list(answers)
        monkeypatch.setattr(crates, "cargo", self)

    def __call__(self, arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
        self.asked.append(list(arguments))
        self.manifests.append((folder / "Cargo.toml").read_text("utf-8"))
        status, told = self.answers.pop(0)
        if arguments[0] == "vendor":
            for name in ("thing-1.9.0", "other-0.1.0"):
                place = folder / "vendored" / name
                (place / "src").mkdir(parents=True)
                (place / "src" / "lib.rs").write_text("", "utf-8")
                (place / "src" / "lib.rs").chmod(0o600)
                told_of = json.dumps({"files": {}, "package": name[0] * 64})
                (place / ".cargo-checksum.json").write_text(told_of, "utf-8")
            (folder / "Cargo.lock").write_text("the lock", "utf-8")
        return subprocess.CompletedProcess(list(arguments), status, "", told)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def index(home: Path) -> Path:
    file = home / "registry" / "index" / "mirror-1" / ".cache" / "th" / "in" / "thing"
    file.parent.mkdir(parents=True)
    parts = [f"{line.get('vers', '?')}\0{json.dumps(line)}" for line in LINES]
    file.write_bytes(b"\x03\x02\0\0\0Unknown\0" + "\0".join(parts).encode() + b"\0{broken\0")
    return file


@pytest.mark.parametrize("told", [NO_MATCH, NO_NETWORK])
def test_versions_are_those_of_cargos_index_with_and_without_a_network(
    index: Path, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    assert index.exists()
    Cargo(monkeypatch, (101, told))
    found = crates.versions("thing")
    assert [crate.version for crate in found] == ["1.9.0", "1.10.0", "2.0.0-rc.1"]
    assert found[0] == Crate(
        "thing", "1.9.0", yanked=True, checksum="b" * 64, features=("serde", "std", "y")
    )
    assert (found[1].date, found[1].rust_version) == (date(2024, 1, 2), "1.56")


@pytest.mark.parametrize(
    ("told", "error", "message"),
    [
        (NO_CRATE, UserError, "there is no crate thing. Perhaps you meant: thing"),
        (NO_NETWORK, InfrastructureError, "no network, and cargo has no copy of it"),
        (
            "error: the manifest is odd\n",
            InfrastructureError,
            "could not be had: the manifest is odd",
        ),
        ("", InfrastructureError, "cargo gave no reason"),
    ],
)
def test_no_versions_are_told_in_one_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, told: str, error: type[Exception], message: str
) -> None:
    assert home.exists()
    Cargo(monkeypatch, (101, told))
    with pytest.raises(error, match=message) as raised:
        crates.versions("thing")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, "1st", 'a"\n[x]'])
def test_what_is_no_name_never_reaches_cargo(name: str) -> None:
    with pytest.raises(UserError, match="is not a crate's name"):
        crates.versions(name)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.9.0", "1.9.0"),
        ("1.9.5", "The nearest there are: 1.9.0 and 1.10.0"),
        ("9.0.0", "The nearest there are: 2.0.0-rc.1"),
        ("no version", "The nearest there are: 1.9.0"),
    ],
)
def test_a_version_or_its_neighbours(
    index: Path, monkeypatch: pytest.MonkeyPatch, version: str, expected: str
) -> None:
    assert index.exists()
    Cargo(monkeypatch, (101, NO_MATCH))
    try:
        found = crates.find("thing", version).version
    except UserError as error:
        found = error.fix
    assert found == expected


@pytest.mark.parametrize(
    ("name", "place"),
    [("a", "1/a"), ("ab", "2/ab"), ("Abc", "3/a/abc"), ("serde_x", "se/rd/serde_x")],
)
def test_places_in_an_index(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    file = home / "registry" / "index" / "m" / ".cache" / place
    file.parent.mkdir(parents=True)
    file.write_bytes(json.dumps({**LINES[0], "name": name}).encode())
    Cargo(monkeypatch, (101, NO_MATCH))
    assert [crate.name for crate in crates.versions(name)] == [name]


def test_versions_in_the_order_of_semantic_versioning() -> None:
    ordered = ["junk", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2"]
    ordered += ["1.0.0-beta.11", "1.0.0", "1.2.0", "1.10.0+build"]
    assert sorted(ordered[4:] + ordered[:4], key=crates.order) == ordered


def test_sources_are_kept_by_checksum_and_readable_to_all(
    empty_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    cargo = Cargo(monkeypatch, (0, ""), (0, ""), (0, ""), (0, ""))
    crate = Crate("thing", "1.9.0", features=("std",))
    found = crates.sources(crate, ("std",), empty_settings)
    assert [asked[0] for asked in cargo.asked] == ["generate-lockfile", "vendor"]
    assert 'thing = { version = "=1.9.0", features = ["std"] }' in cargo.manifests[-1]
    assert found.lock == "the lock"
    assert found.folder == crates.store(empty_settings) / f"thing-1.9.0-{'t' * 16}"
    assert (found.folder / "src" / "lib.rs").stat().st_mode & 0o044
    again = crates.sources(crate, ("std",), empty_settings)
    assert again.places == found.places
    assert sorted(path.name for path in crates.store(empty_settings).iterdir()) == sorted(
        place.name for place in found.places.values()
    )


def test_a_yanked_version_is_asked_for_by_its_number(
    empty_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    cargo = Cargo(monkeypatch, (0, ""), (0, ""), (0, ""))
    crates.sources(Crate("thing", "1.9.0", yanked=True), (), empty_settings)
    assert cargo.asked[0] == ["update", "thing", "--precise", "1.9.0"]


def test_without_a_network_cargos_own_copies_are_enough(
    empty_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    cargo = Cargo(monkeypatch, (101, NO_NETWORK), (0, ""), (0, ""))
    assert crates.sources(Crate("thing", "1.9.0"), (), empty_settings).lock == "the lock"
    assert cargo.asked[1] == ["generate-lockfile", "--offline"]


def test_dependencies_that_cannot_be_had_are_named(
    empty_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "    Updating index\nerror: failed to select a version for `y`.\n  no such version\n"
    Cargo(monkeypatch, (101, told))
    with pytest.raises(InfrastructureError, match=r"of thing 1\.9\.0: failed to select .* for `y`"):
        crates.sources(Crate("thing", "1.9.0"), (), empty_settings)


def test_without_a_toolchain_there_are_no_crates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchains, "discover", tuple)
    with pytest.raises(InfrastructureError, match="rustup toolchain install stable"):
        crates.versions("thing")
