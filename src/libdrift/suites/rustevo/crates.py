"""The crates that a task needs: its own at the exact version, and those that its code names.

The data tells the crate at stake and nothing else. What tests and references use beside it is
found by the paths that they write, and taken in a version of the benchmark's own day: January 2025.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from packaging.version import Version

from libdrift.metrics import trees

# Features that the crates at stake need for all of their API; by default they have but a part.
_FEATURES = {
    "hyper": ("full",),
    "libc": ("extra_traits",),
    "rand": ("small_rng",),
    "rustix": ("all-apis",),
    "rustls": ("dangerous_configuration",),
    "time": ("formatting", "local-offset", "macros", "parsing"),
    "tokio": ("full", "test-util"),
}
# Crates by the name that code writes: requirement and features. Ranges, not pins, where a crate
# shares a dependency with one at stake (`libc`), so that both can be had.
_COMPANIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "anyhow": ("anyhow=1", ()),
    "approx": ("approx=0.5", ()),
    "arbitrary": ("arbitrary=1", ()),
    "assert_matches": ("assert_matches=1", ()),
    "async_std": ("async-std=1", ()),
    "async_trait": ("async-trait=0.1", ()),
    "base64": ("base64=0.22", ()),
    "bitflags": ("bitflags=2", ()),
    "byteorder": ("byteorder=1", ()),
    "bytes": ("bytes=1", ()),
    "cfg_if": ("cfg-if=1", ()),
    "chrono": ("chrono=0.4", ()),
    "criterion": ("criterion=0.5", ()),
    "crossbeam": ("crossbeam=0.8", ()),
    "crossbeam_channel": ("crossbeam-channel=0.5", ()),
    "ctor": ("ctor=0.2", ()),
    "env_logger": ("env_logger=0.11", ()),
    "errno": ("errno=0.3", ()),
    "fake_instant": ("fake_instant=0.4", ()),
    "flate2": ("flate2=1", ()),
    "futures": ("futures=0.3", ()),
    "futures_channel": ("futures-channel=0.3", ()),
    "futures_core": ("futures-core=0.3", ()),
    "futures_util": ("futures-util=0.3", ()),
    "getrandom": ("getrandom=0.2", ()),
    "hex": ("hex=0.4", ()),
    "http": ("http=1", ()),
    "http_body": ("http-body=1", ()),
    "http_body_util": ("http-body-util=0.1", ()),
    "hyper": ("hyper=1", ("full",)),
    "hyper_util": ("hyper-util=0.1", ("full",)),
    "indoc": ("indoc=2", ()),
    "itertools": ("itertools=0.13", ()),
    "lazy_static": ("lazy_static=1", ()),
    "libc": ("libc=0.2", ()),
    "log": ("log=0.4", ("std",)),
    "memmap2": ("memmap2=0.9", ()),
    "mockall": ("mockall=0.13", ()),
    "mockall_double": ("mockall_double=0.3", ()),
    "mockito": ("mockito=1", ()),
    "nix": (
        "nix=>=0.26,<0.30",
        (
            "fs",
            "mman",
            "net",
            "process",
            "ptrace",
            "sched",
            "signal",
            "socket",
            "time",
            "uio",
            "user",
        ),
    ),
    "nom": ("nom=7", ()),
    "num_cpus": ("num_cpus=1", ()),
    "num_traits": ("num-traits=0.2", ()),
    "once_cell": ("once_cell=1", ()),
    "parking_lot": ("parking_lot=0.12", ()),
    "pin_project": ("pin-project=1", ()),
    "pin_project_lite": ("pin-project-lite=0.2", ()),
    "pin_utils": ("pin-utils=0.1", ()),
    "predicates": ("predicates=3", ()),
    "pretty_assertions": ("pretty_assertions=1", ()),
    "proptest": ("proptest=1", ()),
    "quickcheck": ("quickcheck=1", ()),
    "quickcheck_macros": ("quickcheck_macros=1", ()),
    "rand": ("rand=0.8", ()),
    "rand_chacha": ("rand_chacha=0.3", ()),
    "rand_core": ("rand_core=0.6", ("std",)),
    "rand_pcg": ("rand_pcg=0.3", ()),
    "rcgen": ("rcgen=0.11", ()),
    "regex": ("regex=1", ()),
    "rstest": ("rstest=0.23", ()),
    "rustix": ("rustix=0.38", ("all-apis",)),
    "rustls": ("rustls=0.21", ("dangerous_configuration",)),
    "rustls_pemfile": ("rustls-pemfile=1", ()),
    "scopeguard": ("scopeguard=1", ()),
    "serde": ("serde=1", ("derive",)),
    "serde_json": ("serde_json=1", ()),
    "serial_test": ("serial_test=3", ()),
    "signal_hook": ("signal-hook=0.3", ()),
    "smallvec": ("smallvec=1", ()),
    "socket2": ("socket2=0.5", ("all",)),
    "static_assertions": ("static_assertions=1", ()),
    "syscall": ("redox_syscall=0.5", ()),
    "tempdir": ("tempdir=0.3", ()),
    "tempfile": ("tempfile=3", ()),
    "test_case": ("test-case=3", ()),
    "textwrap": ("textwrap=0.16", ()),
    "thiserror": ("thiserror=1", ()),
    "time": ("time=0.3", ("formatting", "macros", "parsing")),
    "tokio": ("tokio=1", ("full", "test-util")),
    "tokio_rustls": ("tokio-rustls=0.24", ()),
    "tokio_stream": ("tokio-stream=0.1", ()),
    "tokio_test": ("tokio-test=0.4", ()),
    "tokio_util": ("tokio-util=0.7", ("full",)),
    "tower": ("tower=0.4", ("full",)),
    "tower_service": ("tower-service=0.3", ()),
    "tracing": ("tracing=0.1", ()),
    "tracing_subscriber": ("tracing-subscriber=0.3", ()),
    "url": ("url=2", ()),
    "uuid": ("uuid=1", ("v4",)),
    "webpki": ("rustls-webpki=0.101", ()),
    "webpki_roots": ("webpki-roots=0.25", ()),
    "winapi": ("winapi=0.3", ()),
}
# What tests of a crate's tasks use beside it. All of its tasks get all of that: one environment is
# built instead of one for each test's own choice, and answers may use the same.
_BESIDE: dict[str, tuple[str, ...]] = {
    "hyper": (
        "async_trait",
        "bytes",
        "futures",
        "futures_core",
        "futures_util",
        "http",
        "http_body",
        "http_body_util",
        "mockall",
        "pin_project_lite",
        "tokio",
        "tokio_test",
        "tokio_util",
        "tower_service",
    ),
    "libc": ("lazy_static", "mockall", "nix", "tempfile"),
    "rustix": ("env_logger", "libc", "log", "mockall", "socket2", "tempfile"),
    "rustls": ("log", "webpki"),
    "time": ("chrono",),
}
# What the published program takes for crates, and the newest that a crate's older releases can be
# compiled by: before 0.3.35, `time` leaves a type open that later compilers cannot tell.
_TOOLCHAIN = "1.84.0"
_TIME = (Version("0.3.35"), "1.79.0")
# hyper's first major version has other companions and features than what came before it.
_BEFORE_HYPER_1 = {"http": "http=0.2", "http_body": "http-body=0.4"}
_HYPER_0 = ("backports", "full")
# Crates whose code writes another name than their package's.
_WRITTEN = {"redox_syscall": "syscall"}


def toolchain(crate: str, version: str) -> str:
    """The version of Rust that tasks about a crate are for."""
    fixed, newest = _TIME
    return newest if crate == "time" and _version(version) < fixed else _TOOLCHAIN


def requirements(crate: str | None, version: str, code: str) -> tuple[str, ...]:
    """What an environment must have for ``code`` about ``crate`` (``None``: only the standard)."""
    old_hyper = crate == "hyper" and version.startswith("0.")
    found = []
    if crate is not None:
        features = _HYPER_0 if old_hyper else _FEATURES.get(crate, ())
        found.append(_spelt(f"{crate}={version}", features))
    beside = named(code).union(_BESIDE.get(crate or "", ()))
    for name in sorted(beside - {written(crate or "std")}):
        known = _COMPANIONS.get(name)
        if known is None:
            continue  # a module or type that the code brings in some other way, or a made-up crate
        requirement, features = known
        if old_hyper:
            requirement = _BEFORE_HYPER_1.get(name, requirement)
        found.append(_spelt(requirement, features))
    return tuple(found)


def written(crate: str) -> str:
    """The name under which code reaches a crate."""
    return _WRITTEN.get(crate, crate.replace("-", "_"))


def named(code: str) -> frozenset[str]:
    """Names that paths in Rust code begin with and that nothing in the code itself brings in."""
    modules: set[str] = set()
    imported: set[str] = set()
    begun: set[str] = set()
    used: set[str] = set()
    tokens = [*_tokens(code), ("", "")]
    before = ("", "")
    in_use = opened = False  # inside a `use`; just behind its key word
    for (kind, text), (after, _) in pairwise(tokens):
        if kind in {"use", "crate"} and (kind == "use" or before[0] == "extern"):
            in_use = opened = True
        elif kind == ";":
            in_use = False
        elif kind == "identifier":
            if opened:
                used.add(text)
            elif in_use:
                imported.add(text)
            elif before[0] == "mod":
                modules.add(text)
            elif after == "::" and before[0] != "::":
                begun.add(text)
            opened = False
        before = (kind, text)
    return frozenset((used | (begun - imported)) - modules)


def _tokens(code: str) -> Iterator[tuple[str, str]]:
    """The leaves of the syntax tree that matter here: kind and text."""
    data = trees.encoded(code)
    for node in trees.walk(trees.root(data, "rust")):
        if node.child_count == 0 and node.start_byte < node.end_byte:
            kind = "identifier" if node.type.endswith("identifier") else node.type
            yield kind, data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _version(text: str) -> Version:
    """Cargo's versions are Python's too, but for odd ends, which say nothing here."""
    numbers = re.match(r"\d+(?:\.\d+)*", text)
    return Version(numbers[0] if numbers else "0")


def _spelt(requirement: str, features: tuple[str, ...]) -> str:
    return requirement + (f"[{','.join(features)}]" if features else "")
