from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from libdrift.config import Settings
from libdrift.environments import Ready, build
from libdrift.sandbox import Backend, Limits, Unprotected
from libdrift.sandbox.backends import Launch
from libdrift.sandbox.conformance import PLAIN, check


@pytest.fixture(scope="module")
def plain(settings: Settings) -> Ready:
    built = build(PLAIN, settings)
    assert isinstance(built, Ready), built
    return built


@pytest.mark.parametrize("forked", [False, True])
def test_bubblewrap_conforms(bubblewrap: Backend, plain: Ready, forked: bool) -> None:  # noqa: FBT001
    failed = [result for result in check(bubblewrap, plain, forked=forked) if not result.ok]
    assert failed == []


def test_nothing_is_run_without_isolation(plain: Ready) -> None:
    (result,) = check(Unprotected(), plain)
    assert not result.ok


@dataclass(frozen=True)
class Leaky:
    """Bubblewrap with one of its protections taken out."""

    inner: Backend
    without: str
    name: str = "leaky"
    isolates: bool = True

    @contextlib.contextmanager
    def launch(
        self, place: Ready, limits: Limits, control: int, *, script: str = "fresh"
    ) -> Iterator[Launch]:
        with self.inner.launch(place, limits, control, script=script) as launch:
            argv = [part for part in launch.argv if part != self.without]
            yield replace(launch, argv=argv)


@pytest.mark.parametrize(
    ("without", "check_name"),
    [
        ("--unshare-net", "no network"),
    ],
)
def test_a_leak_is_found(bubblewrap: Backend, plain: Ready, without: str, check_name: str) -> None:
    results = {r.name: r.ok for r in check(Leaky(bubblewrap, without), plain, quick=True)}
    assert not results[check_name]
    assert results["an honest answer passes"]
