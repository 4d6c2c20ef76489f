from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.environments import Failed, Ready, build, interpreters, uv
from libdrift.errors import InfrastructureError
from libdrift.records import Environment


def test_the_interpreter_that_runs_us_is_found() -> None:
    versions = {interpreter.version for interpreter in interpreters.discover()}
    assert ".".join(map(str, sys.version_info[:3])) in versions


def test_virtual_environments_are_not_interpreters() -> None:
    prefixes = {interpreter.prefix for interpreter in interpreters.discover()}
    assert Path(sys.prefix) not in prefixes or sys.prefix == sys.base_prefix


def test_a_missing_interpreter_is_named_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = subprocess.CompletedProcess([], 1, "", "no download")
    monkeypatch.setattr(uv, "run", lambda *_: refused)
    with pytest.raises(InfrastructureError, match=r"Python 3\.99 .*uv python install 3\.99"):
        interpreters.find("3.99")


def test_python_2_is_had_by_name_and_is_nobodys_default(settings: Settings) -> None:
    assert not any(interpreter.is_old for interpreter in interpreters.discover())
    if not any(interpreter.is_old for interpreter in interpreters.discover(old=True)):
        pytest.skip("Python 2 is not on this machine")
    built = build(Environment("python", "2.7", ()), settings)
    assert isinstance(built, Ready)
    asked = subprocess.run(
        [str(built.python), "-c", "import json; print 1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (asked.stdout, asked.stderr) == ("1\n", "")


def test_nothing_is_installed_for_python_2(empty_settings: Settings) -> None:
    if not any(interpreter.is_old for interpreter in interpreters.discover(old=True)):
        pytest.skip("Python 2 is not on this machine")
    built = build(Environment("python", "2.7", ("six==1.16.0",)), empty_settings)
    assert isinstance(built, Failed)
    assert "nothing can be installed for Python 2.7" in built.reason


def test_broken_entries_on_the_path_do_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "python3.9"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    (tmp_path / "python3").symlink_to("nowhere")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    interpreters.discover.cache_clear()
    try:
        found = interpreters.discover()
        assert found
        assert all(tmp_path not in interpreter.path.parents for interpreter in found)
    finally:
        interpreters.discover.cache_clear()


def test_a_folder_that_cannot_be_read_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, pattern: str) -> list[Path]:
        raise PermissionError(13, "Permission denied", str(self / pattern))

    monkeypatch.setattr(Path, "glob", refuse)
    assert interpreters._below(tmp_path, "*") == []
