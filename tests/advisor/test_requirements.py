"""What a project says that it needs, file by file."""

from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.advisor.requirements import project_requirements, project_root

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
                "setup.cfg": "[options]\ninstall_requires =\n    numpy>=1.20\n    six\n"
                "[options.extras_require]\ntest = pytest\n"
            },
            ["numpy>=1.20", "six", "pytest"],
        ),
        (
            {
                "setup.py": "NEEDS = ['numpy>=1.20']\nsetup(install_requires=NEEDS, extras_require="
                "{'dev': ['tox'], 'doc': ['x']}, tests_require=['pytest', VERSION])"
            },
            ["numpy>=1.20", "tox", "pytest"],
        ),
        ({"setup.py": "print 'Python 2'"}, []),
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


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "project = 1\ndependency-groups = []\n"),
        ("pyproject.toml", "[project]\ndependencies = [1, {}]\noptional-dependencies = 'x'\n"),
        ("pyproject.toml", "[project]\ndependencies = 'numpy'\n"),
        ("setup.py", "x = 1\0"),
        ("uv.lock", "[[package]]\nname = 'a @ file:///a.whl#'\nversion = '1'\n"),
        ("uv.lock", '[[package]]\nname = "a"\nversion = "1\\n--index-url x"\n'),
    ],
)
def test_what_is_no_requirement_is_none(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "requirements.txt").mkdir()
    assert project_requirements(tmp_path) == []
