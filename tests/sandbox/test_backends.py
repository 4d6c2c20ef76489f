from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.environments import Ready
from libdrift.errors import InfrastructureError, UserError
from libdrift.records import Outcome, TestStyle
from libdrift.sandbox import Limits, Program, backends, choose, judge


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


def test_a_trial_that_is_killed_while_it_starts_leaves_no_process(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    script = f"sleep 600 & echo $! > {told}; kill -KILL $$"
    assert backends.why_not_started(["sh", "-c", script]) == ""  # it fails, without a word
    left = Path(f"/proc/{told.read_text().strip()}/stat")
    for _ in range(100):  # whoever adopts it may take its time to bury it
        if not left.exists() or left.read_text().rpartition(")")[2].split()[0] == "Z":
            break
        time.sleep(0.05)
    else:
        pytest.fail("the process that it started is alive")


def test_shared_data_is_readable_in_the_sandbox(
    tmp_path: Path, settings: Settings, place: Ready
) -> None:
    tmp_path.chmod(0o755)  # guests of root are another user
    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "words").write_text("one two")
    backend = choose("bubblewrap", replace(settings, nltk_data=(tmp_path, tmp_path / "absent")))
    answer = "import os\nfolder = os.environ['NLTK_DATA']"
    tests = "assert open(os.path.join(folder, 'corpora', 'words')).read() == 'one two'"
    program = Program(answer, tests, TestStyle.SCRIPT)
    assert judge(program, place, backend, Limits()).outcome is Outcome.PASSED
