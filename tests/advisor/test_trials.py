"""A project's requirements, and its command in a sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from libdrift import config
from libdrift.advisor.trials import (
    Trial,
    project_requirements,
    project_root,
    trial_places,
    with_limits,
)
from libdrift.advisor.versions import VersionStep
from libdrift.environments import discover
from libdrift.sandbox import Limits, choose

PYPROJECT = """
[project]
name = "x"
requires-python = ">=3.9"
dependencies = ["numpy>=1.20", "six ; python_version < '3'"]
[project.optional-dependencies]
test = ["pytest-mock"]
plots = ["matplotlib"]
"""


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, []),
        (
            {
                "requirements.txt": "numpy==1.20.0  # why\n-r more.txt\nsix>=1\n\n-e .\ngit+https://x/y\n"
            },
            ["numpy==1.20.0", "six>=1"],
        ),
        ({"pyproject.toml": PYPROJECT}, ["numpy>=1.20", "pytest-mock"]),
        (
            {"pyproject.toml": PYPROJECT, "requirements-dev.txt": "tox[x]\n"},
            ["tox[x]", "numpy>=1.20", "pytest-mock"],
        ),
        (
            {
                "uv.lock": '[[package]]\nname = "six"\nversion = "1.16.0"\n',
                "requirements.txt": "numpy",
            },
            ["six==1.16.0"],
        ),
    ],
)
def test_requirements(files: dict[str, str], expected: list[str], tmp_path: Path) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    assert project_requirements(tmp_path) == expected


def test_a_project_is_found_from_inside(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    inner = tmp_path / "src" / "x"
    inner.mkdir(parents=True)
    assert project_root(inner) == tmp_path


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
    trial = Trial(
        tmp_path, "python run.py", choose("bubblewrap", settings), with_limits(Limits(), 60)
    )
    assert trial.run(places.old, {}).status == 1
    after = trial.run(places.new, {tmp_path / "lib.py": b"VALUE = 0\n"})
    assert after.is_fine
    assert after.passed is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lib.py", "run.py"]
