"""Real builds of small packages, in a cache of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from libdrift.config import Settings
from libdrift.environments import (
    Failed,
    Ready,
    build,
    build_all,
    builder,
    crates,
    entries,
    interpreters,
    prune,
    store,
    system,
    uv,
)
from libdrift.environments.recipes import recipe_for
from libdrift.errors import UserError
from libdrift.records import Environment

RUNTIME = f"{sys.version_info.major}.{sys.version_info.minor}"
SMALL = Environment("python", RUNTIME, ("iniconfig==2.0.0",), date(2026, 6, 1))


def ready(environment: Environment, settings: Settings) -> Ready:
    built = build(environment, settings)
    assert isinstance(built, Ready), built
    return built


def import_version(place: Ready, package: str) -> str:
    code = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run(
        [place.python, "-c", code], capture_output=True, text=True, check=True, env={}
    )
    return done.stdout.strip()


def test_built_once_recorded_and_listed(empty_settings: Settings) -> None:
    first = ready(SMALL, empty_settings)
    again = ready(SMALL, empty_settings)
    assert (first.fresh, again.fresh) == (True, False)
    assert first.folder == again.folder
    assert first.resolution == ("iniconfig==2.0.0",)
    assert import_version(first, "iniconfig") == "2.0.0"
    (entry,) = entries(empty_settings)
    assert (entry.status, entry.resolution) == ("ready", ("iniconfig==2.0.0",))
    assert "--hash=sha256:" in (first.folder / "requirements.lock").read_text()


def test_the_rest_is_resolved_as_of_the_date(empty_settings: Settings) -> None:
    old = Environment("python", RUNTIME, ("pytest==8.0.0",), date(2024, 2, 1))
    resolution = ready(old, empty_settings).resolution
    # Packaging 24.0 came in March 2024, pluggy 1.5 in April.
    assert "packaging==23.2" in resolution
    assert "pluggy==1.4.0" in resolution


def test_files_are_shared_by_hard_links(empty_settings: Settings) -> None:
    place = ready(SMALL, empty_settings)
    (module,) = place.folder.glob("venv/lib/*/site-packages/iniconfig/__init__.py")
    other = Environment("python", RUNTIME, ("iniconfig==2.0.0",), date(2026, 6, 2))
    (copy,) = ready(other, empty_settings).folder.glob(
        "venv/lib/*/site-packages/iniconfig/__init__.py"
    )
    if module.stat().st_nlink == 1:
        pytest.skip("uv's cache is on another file system: it copies")
    assert module.stat().st_ino == copy.stat().st_ino


def test_equal_environments_are_built_once_and_all_are_told(empty_settings: Settings) -> None:
    told: list[Ready | Failed] = []
    twice = [SMALL, SMALL, Environment("python", RUNTIME, ("iniconfig==99.0",))]
    results = build_all(twice, empty_settings, on_done=told.append)
    assert len(told) == len(results) == 2


def test_a_version_that_does_not_exist_is_a_reason_that_is_kept(empty_settings: Settings) -> None:
    built = build(Environment("python", RUNTIME, ("iniconfig==99.0",)), empty_settings)
    assert isinstance(built, Failed)
    assert "has no iniconfig==99.0" in built.reason
    (entry,) = entries(empty_settings)
    assert (entry.status, entry.reason) == ("failed", built.reason)


def test_an_unreachable_index_is_named(
    empty_settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    built = build(SMALL, empty_settings)
    assert isinstance(built, Failed)
    assert "the package index cannot be reached" in built.reason
    monkeypatch.undo()
    assert ready(SMALL, empty_settings).fresh
    assert [entry.status for entry in entries(empty_settings)] == ["ready"]


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        (Environment("python", RUNTIME, ("not a requirement",)), "cannot be read"),
        (Environment("cobol", "85", ()), "no builder for cobol"),
    ],
)
def test_what_cannot_be_built_says_why(
    environment: Environment, words: str, empty_settings: Settings
) -> None:
    built = build(environment, empty_settings)
    assert isinstance(built, Failed)
    assert words in built.reason


def test_a_cache_that_cannot_be_written_is_named(empty_settings: Settings) -> None:
    empty_settings.cache.parent.mkdir(exist_ok=True)
    empty_settings.cache.write_text("a file where the folder should be")
    built = build(SMALL, empty_settings)
    assert isinstance(built, Failed)
    assert str(empty_settings.cache) in built.reason


def test_a_missing_system_library_is_infrastructure(
    empty_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from libdrift.environments import system
    from libdrift.environments.recipes import knowledge

    piece = knowledge().system[0]
    monkeypatch.setattr(system, "missing", lambda *_: (piece,))
    built = build(SMALL, empty_settings)
    assert isinstance(built, Failed)
    assert piece.install in built.reason


@pytest.mark.parametrize("delay", [0.05, 0.3, 0.8])
def test_a_kill_leaves_nothing_half_built(empty_settings: Settings, delay: float) -> None:
    program = (
        "import sys; from libdrift import config; from libdrift.environments import build;"
        "from libdrift.records import Environment; from datetime import date;"
        f"build(Environment('python', {RUNTIME!r}, ('pytest==8.3.5',), date(2026, 6, 1)),"
        "config.load())"
    )
    environ = {**os.environ, "LIBDRIFT_CACHE": str(empty_settings.cache)}
    process = subprocess.Popen([sys.executable, "-c", program], env=environ, start_new_session=True)
    limit = time.monotonic() + 30
    while not (empty_settings.environments / store.BUILDING).exists():
        assert time.monotonic() < limit
        time.sleep(0.005)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    wanted = Environment("python", RUNTIME, ("pytest==8.3.5",), date(2026, 6, 1))
    home = store.home(empty_settings, recipe_for(wanted))
    assert not home.exists() or store.read(home) is not None
    place = ready(wanted, empty_settings)
    assert import_version(place, "pytest") == "8.3.5"
    assert list((empty_settings.environments / store.BUILDING).iterdir()) == []


def test_an_uninstalled_interpreter_means_building_anew(empty_settings: Settings) -> None:
    place = ready(SMALL, empty_settings)
    place.python.unlink()
    assert ready(SMALL, empty_settings).fresh


def test_prune_drops_what_is_old_and_what_failed(empty_settings: Settings) -> None:
    place = ready(SMALL, empty_settings)
    build(Environment("python", RUNTIME, ("iniconfig==99.0",)), empty_settings)
    assert [e.status for e in prune(empty_settings, days=30, dry_run=True)] == ["failed"]
    assert len(entries(empty_settings)) == 2
    assert [e.status for e in prune(empty_settings, days=30)] == ["failed"]
    assert place.folder.exists()
    os.utime(place.folder / store.RECORD, (0, 0))
    assert [e.status for e in prune(empty_settings, days=30)] == ["ready"]
    assert entries(empty_settings) == []
    assert not place.folder.exists()


@pytest.mark.parametrize("days", [float("nan"), float("inf"), -1.0])
def test_what_is_no_number_of_days_drops_nothing(empty_settings: Settings, days: float) -> None:
    """No time is later than `nan`: everything was dropped."""
    ready(SMALL, empty_settings)
    with pytest.raises(UserError, match="is not a number of days"):
        list(prune(empty_settings, days=days))
    with pytest.raises(UserError, match="is not a number of days"):
        list(crates.prune(empty_settings, days=days))
    assert [entry.status for entry in entries(empty_settings)] == ["ready"]


def test_using_an_environment_keeps_it_from_being_pruned(empty_settings: Settings) -> None:
    place = ready(SMALL, empty_settings)
    os.utime(place.folder / store.RECORD, (0, 0))
    ready(SMALL, empty_settings)
    assert list(prune(empty_settings, days=1)) == []


@pytest.mark.parametrize("runtime", ["3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13"])
def test_environments_of_every_supported_python_work(
    runtime: str, place_for: Callable[..., Ready]
) -> None:
    place = place_for(runtime)
    done = subprocess.run(
        [place.python, "-c", "import sys, pytest; print('%d.%d' % sys.version_info[:2])"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == runtime


def test_a_source_build_without_its_system_pieces_is_not_begun(
    empty_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "present", lambda *_: False)
    monkeypatch.setattr(builder, "_resolve", lambda *_: pytest.fail("it was begun"))
    failed = build(Environment("python", "3.10", ("matplotlib==3.4.0",)), empty_settings)
    assert isinstance(failed, Failed)
    assert failed.reason.startswith("needs freetype, qhull, missing here. Install with: apt-get")


def test_a_source_build_finds_the_files_that_its_variables_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = recipe_for(Environment("python", "3.10", ("matplotlib==3.4.0",)))
    told: list[str] = []

    def run(arguments: object, stdin: object = None, variables: Any = None) -> Any:
        told.append(Path(variables["MPLSETUPCFG"]).read_text())
        return subprocess.CompletedProcess([], 0, "", "")

    python = interpreters.discover()[0]  # it asks uv as well
    monkeypatch.setattr(uv, "run", run)
    assert builder._resolve(recipe, python, tmp_path) == ""
    assert builder._install(recipe, python, tmp_path) == ""
    assert len(told) == 2
    assert all("system_qhull = true" in text for text in told)


def test_with_wheels_only_nothing_is_built_from_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = recipe_for(Environment("python", RUNTIME, ("iniconfig==2.0.0",)))
    careful = replace(recipe, wheels_only=True)
    assert careful.key != recipe.key
    told: list[bool] = []

    def run(arguments: list[str], stdin: object = None, variables: object = None) -> Any:
        told.append("--no-build" in arguments)
        return subprocess.CompletedProcess([], 0, "", "")

    python = interpreters.discover()[0]  # it asks uv as well
    monkeypatch.setattr(uv, "run", run)
    for some in (recipe, careful):
        builder._resolve(some, python, tmp_path)
        builder._install(some, python, tmp_path)
    assert told == [False, False, True, True]
