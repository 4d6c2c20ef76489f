"""Crates of exact versions: how they are written, and why some cannot be had."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.environments import crates
from libdrift.environments.crate_troubles import Unavailable, refusal, why, yanked
from libdrift.environments.crates import (
    CommandResult,
    CrateBuild,
    Crates,
    Requirement,
    crate_names,
    parse,
    provide,
)
from libdrift.languages.rust.toolchains import Toolchain
from libdrift.records import Environment

NOWHERE = Toolchain("none", "1.95.0", nightly=False, sysroot=Path("/nonexistent"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bitflags=2.4.0", Requirement("bitflags", "=2.4.0", None)),
        ("tempfile=3", Requirement("tempfile", "3", None)),
        ("nom==7.1.3", Requirement("nom", "=7.1.3", None)),
        ("serde=>=1.0, <2", Requirement("serde", ">=1.0, <2", None)),
        ("tokio=1.40.0[rt, macros]", Requirement("tokio", "=1.40.0", ("rt", "macros"))),
        ("rand=0.8.4[]", Requirement("rand", "=0.8.4", ())),
        ("bitflags", None),
        ("bitflags 2.4", None),
        ('a=1" }\n[patch]', None),
        ("", None),
    ],
)
def test_requirements(text: str, expected: Requirement | None) -> None:
    assert parse(text) == expected


def test_names_as_programs_write_them() -> None:
    place = Environment("rust", "1.84.0", ("rand-core=0.6.4", "nonsense"))
    assert crate_names(place) == {"rand_core"}


@pytest.mark.parametrize(
    ("stderr", "reason"),
    [
        (
            "error: no matching package named `nosuch` found\nlocation searched: index",
            "there is no crate named nosuch",
        ),
        (
            'error: failed to select a version for the requirement `bitflags = "=9.9.9"`\n'
            "candidate versions found which didn't match: 2.9.0",
            "there is no bitflags 9.9.9",
        ),
        (
            'error: failed to select a version for the requirement `old = "=1.0.0"`\n'
            "  version 1.0.0 is yanked",
            "old 1.0.0 was yanked. Take a version that was not; see them with: cargo info old",
        ),
        (
            "error: failed to select a version for `a`.\npackage `p` depends on `a` with feature "
            "`x` but `a` does not have that feature.",
            "a has no feature x",
        ),
        ("error: failed to download\n  Could not resolve host", "cargo cannot reach its registry"),
        ("    Updating index\nerror: something else", "cargo cannot get it: something else"),
    ],
)
def test_why_cargo_refuses(stderr: str, reason: str) -> None:
    assert refusal(stderr).reason.startswith(reason)


@pytest.mark.parametrize(
    ("stderr", "reason"),
    [
        (
            "error: failed to run custom build command for `openssl-sys v0.9.103`\n"
            "  The system library `openssl` required by crate `openssl-sys` was not found.",
            "openssl-sys needs the system library openssl: install its development package, "
            "such as libopenssl-dev or openssl-devel",
        ),
        ("error: could not compile `redox_syscall` (lib)", "redox_syscall is for another platform"),
        (
            "error: failed to run custom build command for `x v1.0.0`\n  error: no cmake",
            "the build script of x failed: error",
        ),
        (
            "error: could not compile `old` (lib) due to 1 previous error",
            "old does not compile with Rust 1.95.0: bad syntax",
        ),
    ],
)
def test_why_crates_do_not_compile(stderr: str, reason: str) -> None:
    told = [{"reason": "compiler-message", "message": {"level": "error", "message": "bad syntax"}}]
    assert why(told, stderr, "1.95.0").reason.startswith(reason)


@pytest.mark.parametrize("requirement", ["bad", "bitflags=2.4.0"])
def test_what_cannot_be_had_is_said(empty_settings: Settings, requirement: str) -> None:
    def build(_: CrateBuild) -> CommandResult:
        raise AssertionError

    place = Environment("rust", "1.84.0", (requirement,))
    told = provide(place, NOWHERE, empty_settings, build)
    assert isinstance(told, Unavailable)
    assert requirement in told.reason or "no cargo" in told.reason


def test_one_version_of_a_crate(empty_settings: Settings) -> None:
    place = Environment("rust", "1.84.0", ("rand-core=0.6.4", "rand_core=0.5.1"))
    told = provide(place, NOWHERE, empty_settings, lambda _: CommandResult(0, "", ""))
    assert told == Unavailable("rand-core is asked for twice: keep one version of it")


@pytest.mark.parametrize(
    ("stderr", "transient"),
    [
        ("error: could not compile `a` (lib)\n  (signal: 9, SIGKILL: kill)", True),
        ("error: could not compile `a` (lib)\n  No space left on device (os error 28)", True),
        ("error: could not compile `a` (lib) due to 1 previous error", False),
    ],
)
def test_no_room_is_a_fault_of_the_moment(stderr: str, transient: bool) -> None:  # noqa: FBT001
    assert why((), stderr, "1.95.0").transient is transient
    assert refusal("error: failed to download\n  Could not resolve host").transient
    assert not refusal("error: no matching package named `nosuch` found").transient


@pytest.mark.parametrize(
    ("first", "tries"),
    [
        (Unavailable("a does not compile"), 2),  # with less, it may
        (Unavailable("it took too long", transient=True), 1),  # what is made of that is not kept
        ({"externs": {}, "native": []}, 1),
    ],
)
def test_features_are_left_out_for_what_is_wrong_with_them_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: object, tries: int
) -> None:
    def never(_: CrateBuild) -> CommandResult:
        raise AssertionError

    builder = crates._Builder([Requirement("a", "=1.0.0", None)], NOWHERE, tmp_path, never)
    told = {"packages": [{"name": "a", "features": {"x": []}}]}
    asked: list[object] = []

    def attempt(features: object) -> object:
        asked.append(features)
        return first if len(asked) == 1 else {"externs": {"a": "x"}, "native": []}

    monkeypatch.setattr(builder, "_metadata", lambda *_: told)
    monkeypatch.setattr(builder, "_try", attempt)
    built = builder.build()
    assert asked == [{"a": ["x"]}, {}][:tries]
    assert (built == first) is (tries == 1)


# cargo as far as choosing goes: `old` 1.0.0 was yanked, so it has to stand in the lock file.
_CARGO = """#!{python}
import json, pathlib, sys
lock = pathlib.Path("Cargo.lock")
if 'name = "old"\\nversion = "1.0.0"' not in (lock.read_text() if lock.exists() else ""):
    asked = "=1.0.0" if '"=1.0.0"' in pathlib.Path("Cargo.toml").read_text() else "1.0"
    print(f'error: failed to select a version for the requirement `old = "{{asked}}"`', file=sys.stderr)
    sys.exit("  version 1.0.0 is yanked")
if sys.argv[1] == "vendor":
    pathlib.Path("vendor").mkdir()
else:
    node = {{"id": "own", "deps": [{{"name": "old", "pkg": "old 1.0.0"}}]}}
    print(json.dumps({{"packages": [], "resolve": {{"root": "own", "nodes": [node]}}}}))
"""


@pytest.mark.parametrize(
    ("requirement", "had"), [("old=1.0.0", True), ("old=1.0", False)], ids=["exactly", "any of it"]
)
def test_a_yanked_version_is_taken_where_it_is_asked_for_exactly(
    empty_settings: Settings, tmp_path: Path, requirement: str, *, had: bool
) -> None:
    cargo = tmp_path / "bin" / "cargo"
    cargo.parent.mkdir()
    cargo.write_text(_CARGO.format(python=sys.executable), encoding="utf-8")
    cargo.chmod(0o755)
    place = Toolchain("t", "1.95.0", nightly=False, sysroot=tmp_path)

    def build(work: CrateBuild) -> CommandResult:
        made = {
            "reason": "compiler-artifact",
            "filenames": [str(work.write[0] / "libold.rlib")],
            "target": {"kind": ["lib"]},
            "package_id": "old 1.0.0",
        }
        return CommandResult(0, json.dumps(made), "")

    told = provide(Environment("rust", "1.84.0", (requirement,)), place, empty_settings, build)
    if had:
        assert isinstance(told, Crates)
        assert told.names == {"old"}
    else:
        assert isinstance(told, Unavailable)
        assert told.reason.startswith("old 1.0 was yanked")


def test_which_version_was_yanked() -> None:
    lines = (
        'error: failed to select a version for the requirement `futures-util = "=0.3.30"`',
        "  version 0.3.30 is yanked",
    )
    assert yanked("\n".join(lines)) == ("futures-util", "0.3.30")
    assert yanked(lines[0]) is None
