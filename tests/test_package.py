"""What is released: a wheel and a source archive with all that they need, and nothing else.

The wheel is installed into an environment of its own and run outside of the checkout.
`make bench-wheel` does the same with pip and every Python that libdrift is for.
"""

from __future__ import annotations

import email
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from libdrift.environments import uv
from libdrift.version import __version__

ROOT = Path(__file__).parent.parent
CACHES = re.compile(
    r"__pycache__|\.py[co]$|\.(mypy|ruff|pytest|import_linter)_cache|\.hypothesis|\.venv|/runs/|\.sqlite"
)
# What is shipped beside Python, each with something that is read at run time.
DATA = (
    "libdrift/py.typed libdrift/cli/help_pages.toml libdrift/environments/fixes.toml libdrift/fetching/sources.toml"
    " libdrift/evals/templates/program.txt libdrift/execution/known/python.txt libdrift/languages/java/Compiler.java"
    " libdrift/reports/explorer/assets/page.html.j2 libdrift/suites/releases.json"
    " libdrift/suites/gitchameleon/verified.json libdrift/suites/versicode/templates/block.txt"
    " libdrift/sandbox/hostile_rust/abort.rs libdrift/commit.txt"
).split()


def run(*command: str, cwd: Path, **variables: str) -> str:
    outside = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=cwd, env={**outside, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both archives; the wheel is built from the source archive, as an index would."""
    folder = tmp_path_factory.mktemp("dist")
    run(uv.binary(), "build", "--quiet", "--out-dir", str(folder), str(ROOT), cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (found,) = dist.glob("*.whl")
    return found


def tracked() -> set[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("no checkout: nobody says which files belong to it")
    new = ("--cached", "--others", "--exclude-standard")
    shown = run("git", "ls-files", *new, "src/libdrift", cwd=ROOT)
    paths = [Path(line) for line in shown.splitlines() if (ROOT / line).exists()]
    return {path.relative_to("src").as_posix() for path in paths}


def test_the_wheel_has_what_it_must(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        commit = archive.read("libdrift/commit.txt").decode().strip()
    own = {name for name in names if name.startswith("libdrift/")}
    assert own == tracked() | {"libdrift/commit.txt"}, "the files of the checkout, and no other"
    assert set(DATA) <= own
    assert any(name.startswith("libdrift/suites/starter/tasks/") for name in own)
    others = {name.partition("/")[2] for name in names - own}
    assert others == {
        "data/share/man/man1/libdrift.1",
        "METADATA",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
        "RECORD",
    }
    assert not [name for name in names if CACHES.search(name)]
    assert re.fullmatch("[0-9a-f]{40}(-changed)?", commit)


def test_the_source_archive_has_what_it_must(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    top = {name.partition("/")[0] for name in names}
    assert top == set(
        "src tests docs benchmarks README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE Makefile"
        " PKG-INFO SECURITY.md hatch_build.py mkdocs.yml pyproject.toml uv.lock .gitignore".split()
    )
    assert {
        "src/libdrift/commit.txt",
        "src/libdrift/py.typed",
        "tests/conftest.py",
        "docs/data.md",
    } <= names
    assert not [name for name in names if CACHES.search(name)]


def test_metadata_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        told = email.message_from_bytes(archive.read(f"libdrift-{__version__}.dist-info/METADATA"))
    assert (told["Name"], told["Version"], told["License-Expression"]) == (
        "libdrift",
        __version__,
        "Apache-2.0",
    )
    assert told["Requires-Python"] == ">=3.11"
    assert told["Description-Content-Type"] == "text/markdown"
    kinds = told.get_all("Classifier") or []
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)} <= set(kinds)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(told.get_all("Provides-Extra") or []) == set(project["optional-dependencies"])


def test_the_wheel_works_by_itself(wheel: Path, tmp_path: Path) -> None:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    run(uv.binary(), "venv", "--quiet", "--python", sys.executable, "own", cwd=tmp_path)
    pins = run(
        uv.binary(),
        "export",
        "--frozen",
        "--quiet",
        "--no-dev",
        "--no-emit-project",
        "--no-hashes",
        "--project",
        str(ROOT),
        cwd=tmp_path,
    )
    (tmp_path / "pins.txt").write_text(pins, "utf-8")
    run(
        uv.binary(),
        "pip",
        "install",
        "--quiet",
        "--python",
        "own/bin/python",
        "--constraint",
        "pins.txt",
        str(wheel),
        cwd=tmp_path,
    )
    program = str(tmp_path / "own/bin/libdrift")
    assert re.match(
        rf"libdrift {re.escape(__version__)} \(commit [0-9a-f]{{12}}",
        run(program, "--version", cwd=tmp_path),
    )
    place = run(
        str(tmp_path / "own/bin/python"),
        "-c",
        "import libdrift; print(libdrift.__file__)",
        cwd=tmp_path,
    )
    assert place.strip() == str(
        tmp_path / f"own/lib/python{python}/site-packages/libdrift/__init__.py"
    )
    assert (tmp_path / "own/share/man/man1/libdrift.1").is_file()
    shown = json.loads(run(program, "demo", "--quick", "--json", cwd=tmp_path))
    assert {name: found["outcomes"] for name, found in shown.items()} == {
        "reference": {"passed": 2},
        "wrong-version": {"failed": 2},
    }
