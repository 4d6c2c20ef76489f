"""A project's command in exact environments, in a sandbox."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from libdrift import config
from libdrift.advisor import trials
from libdrift.advisor.trials import CommandTrial, trial_places, with_limits
from libdrift.advisor.versions import VersionStep
from libdrift.environments import Failed, Ready, discover
from libdrift.errors import UserError
from libdrift.records import Environment
from libdrift.sandbox import Limits, choose


def test_a_python_that_changes_is_that_of_each_side(tmp_path: Path) -> None:
    known = sorted({one.minor for one in discover()})
    step = VersionStep("python", known[0], known[-1], "--from")
    places = trial_places(tmp_path, "python run.py", [step], config.load())
    assert places.old.interpreter.startswith(known[0] + ".")
    assert places.new.interpreter.startswith(known[-1] + ".")


def test_a_command_runs_on_a_copy(tmp_path: Path) -> None:
    """Edited files in place of the project's, its own environment, and no trace in the project."""
    (tmp_path / "lib.py").write_text("VALUE = 1\n")
    (tmp_path / "run.py").write_text(
        "import lib, pathlib\npathlib.Path('made').write_text('x')\nraise SystemExit(lib.VALUE)\n"
    )
    settings = config.load()
    places = trial_places(tmp_path, "python run.py", [], settings)
    trial = CommandTrial(
        tmp_path, "python run.py", choose("bubblewrap", settings), with_limits(Limits(), 60)
    )
    assert trial.run(places.old, {}).status == 1
    after = trial.run(places.new, {tmp_path / "lib.py": b"VALUE = 0\n"})
    assert after.is_fine
    assert after.passed is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lib.py", "run.py"]


@pytest.mark.parametrize(
    "made",
    [
        "os.mkfifo(p)",
        "os.symlink('/dev/zero', p)",
        "open(p, 'w').write('<?xml version=\"1.0\" encoding=\"x\"?>')",
    ],
)
def test_a_report_that_is_a_trap_is_none(made: str, tmp_path: Path) -> None:
    """The command may put anything where its report belongs; a project may have pipes."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / ".python-version").write_bytes(b"/bin/\xff")
    (tmp_path / "run.py").write_text(f"import os\np = '.libdrift-report.xml'\n{made}\n")
    settings = config.load()
    places = trial_places(tmp_path, "python run.py", [], settings)
    backend = choose("bubblewrap", settings)
    trial = CommandTrial(tmp_path, "python run.py", backend, with_limits(Limits(), 60))
    done = trial.run(places.new, {})
    assert done.is_fine
    assert done.passed is None
    with pytest.raises(UserError, match="outside of"):
        trial.run(places.new, {Path("/elsewhere.py"): b""})


def test_a_command_cannot_fill_the_disk(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(
        "import time\nfor at in range(30):\n    open(str(at), 'w').write('x' * 1000000)\ntime.sleep(60)\n"
    )
    settings = config.load()
    places = trial_places(tmp_path, "python run.py", [], settings)
    trial = CommandTrial(
        tmp_path,
        "python run.py",
        choose("bubblewrap", settings),
        with_limits(Limits(), 30),
        most_written=20_000_000,
    )
    done = trial.run(places.new, {})
    assert (done.status, done.trouble) == (None, "disk")


def test_what_no_index_has_is_left_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old versions that cannot be installed are told, too: the new ones are tried all the same."""
    (tmp_path / "requirements.txt").write_text("nobody-has-it\nsix\n")
    asked: list[tuple[str, ...]] = []

    def build(environment: Environment, settings: object, *, wheels_only: bool) -> Ready | Failed:
        del settings
        assert wheels_only
        asked.append(environment.requirements)
        if "nobody-has-it" in environment.requirements:
            said = "Because nobody-has-it was not found in the package registry and you require it"
            return Failed(environment, said)
        if "pkg==1.0" in environment.requirements:
            return Failed(environment, "pkg==1.0 has no usable wheels")
        return Ready(environment, tmp_path, environment.runtime, tmp_path, (), fresh=True)

    monkeypatch.setattr(trials, "build", build)
    step = VersionStep("pkg", "1.0", "2.0", "--from")
    places = trial_places(tmp_path, "pytest -q", [step], config.load())
    assert places.old is None
    assert places.new.environment.requirements == ("pkg==2.0", "pytest", "six")
    assert [note.split(",")[0].split(":")[0] for note in places.notes] == [
        "nobody-has-it is required",
        "the old versions cannot be installed",
    ]
    assert sum("nobody-has-it" in one for one in asked) == 1
