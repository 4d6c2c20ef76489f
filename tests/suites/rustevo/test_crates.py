from __future__ import annotations

import pytest

from libdrift.suites.rustevo import crates


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("use tempfile::tempdir;", {"tempfile"}),
        ("use std::io;\nfn f() { io::stdin(); }", {"std"}),
        ("use tokio::time;\nfn f() { time::sleep(1); }", {"tokio"}),
        ("extern crate libc;", {"libc"}),
        ("#[tokio::test]\nasync fn f() {}", {"tokio"}),
        ("fn f() { assert_eq!(libc::AF_INET, 2); }", {"libc"}),
        ("fn f() -> http::Request<()> { todo!() }", {"http"}),
        ("mod mock { pub fn f() {} }\nfn g() { mock::f() }", set()),
        ("mod mock { pub fn f() {} }\nuse mock::f;", set()),
        ('// use nix::libc;\nconst A: &str = "nix::x";', set()),
        ("use nix", {"nix"}),
        ("", set()),
    ],
)
def test_names_that_paths_begin_with(code: str, names: set[str]) -> None:
    assert crates.named(code) == names


def test_the_crate_at_stake_is_exact_and_others_are_not() -> None:
    code = "use hyper::Body;\nuse http::Request;\nuse made_up::thing;\nuse anyhow::Result;\n"
    old = crates.requirements("hyper", "0.14.25", code)
    new = crates.requirements("hyper", "1.5.1", code)
    assert (old[0][:13], new[0][:11]) == ("hyper=0.14.25", "hyper=1.5.1")
    assert "http=0.2" in old
    assert {"http=1", "anyhow=1", "tokio-test=0.4"} < set(new), "what is named, and what is usual"
    assert not [pin for pin in new if "made_up" in pin]
    assert crates.requirements(None, "1.77.0", "use rand::Rng;") == ("rand=0.8",)


def test_tasks_of_a_crate_share_their_environment() -> None:
    one = crates.requirements("libc", "0.2.168", "use mockall::automock;")
    assert one == crates.requirements("libc", "0.2.168", "use libc::AF_INET;")


def test_a_crate_by_the_name_that_code_writes() -> None:
    assert crates.written("redox_syscall") == "syscall"
    found = crates.requirements("redox_syscall", "0.5.8", "use syscall::call;")
    assert found == ("redox_syscall=0.5.8",)


@pytest.mark.parametrize(
    ("crate", "version", "toolchain"),
    [
        ("hyper", "1.5.1", "1.84.0"),
        ("time", "0.3.28", "1.79.0"),
        ("time", "0.3.35", "1.84.0"),
        ("time", "0.3.4+odd", "1.79.0"),
    ],
)
def test_a_toolchain_that_can_compile_the_crate(crate: str, version: str, toolchain: str) -> None:
    assert crates.toolchain(crate, version) == toolchain
