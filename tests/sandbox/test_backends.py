from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.sandbox import backends, choose


def test_an_unknown_sandbox_is_the_callers_mistake(settings: Settings) -> None:
    with pytest.raises(UserError, match="unknown sandbox 'jail'"):
        choose("jail", settings)


def test_a_missing_bubblewrap_is_a_refusal_with_the_install_line(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(backends.shutil, "which", lambda _: None)
    monkeypatch.setattr(backends, "_bundled", lambda: None)
    backends.find_bwrap.cache_clear()
    try:
        with pytest.raises(InfrastructureError, match="apt-get install bubblewrap"):
            choose("bubblewrap", settings)
    finally:
        backends.find_bwrap.cache_clear()


def test_a_bubblewrap_that_does_not_start_is_named(settings: Settings) -> None:
    backends.find_bwrap.cache_clear()
    with pytest.raises(InfrastructureError, match="/nowhere/bwrap"):
        choose("bubblewrap", replace(settings, bwrap="/nowhere/bwrap"))


def test_the_bundled_bubblewrap_works_where_there_is_one() -> None:
    bundled = backends._bundled()
    if bundled is None:
        pytest.skip("no bundled bubblewrap for this platform")
    assert backends.find_bwrap(bundled) == bundled
