"""Files that name versions, and what is read of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from libdrift.advisor.pins import installed, read_file, usual
from libdrift.advisor.versions import read_pins, steps, tables
from libdrift.errors import UserError

FILES: list[tuple[str, str, dict[str, str], dict[str, str]]] = [
    ("uv.lock", 'version = 1\n[[package]]\nname = "numpy"\nversion = "1.26.4"\n[[package]]\nname = "mine"\nversion = "0.1"\nsource = { editable = "." }\n', {"numpy": "1.26.4"}, {}),
    ("poetry.lock", '[[package]]\nname = "Pandas"\nversion = "1.5.3"\n', {"pandas": "1.5.3"}, {}),
    ("pylock.toml", '[[packages]]\nname = "attrs"\nversion = "23.1.0"\n[[packages]]\nname = "from-git"\n', {"attrs": "23.1.0"}, {}),
    ("Pipfile.lock", json.dumps({"default": {"flask": {"version": "==2.0.1"}}, "develop": {"pytest": {"version": "==7.0"}, "local": {"path": "."}}}), {"flask": "2.0.1", "pytest": "7.0"}, {}),
    ("environment.yml", "name: x\ndependencies:\n  - python=3.9\n  - numpy=1.24.4=py39_0\n  - conda-forge::scipy=1.9\n  - pandas>=1\n  - pip:\n    - flask==2.0.1\n", {"python": "3.9", "numpy": "1.24.4", "scipy": "1.9", "flask": "2.0.1"}, {}),
    ("requirements.txt", "numpy==1.24.4  # pinned\npandas[all]==1.5.3 ; python_version > '3'\nflask>=2.0,<3\nscipy ~= 1.9\n# x==1\n-e .\nbare\nstar==1.*\nhashed==1.0 \\\n  --hash=sha256:ab\nancient==1.0; python_version < '3.0'\nolder==1.0; python_version < '3.8' --hash=sha256:ab\n", {"older": "1.0", "numpy": "1.24.4", "pandas": "1.5.3", "hashed": "1.0"}, {"flask": "2.0", "scipy": "1.9", "star": "1"}),
    ("pyproject.toml", '[project]\nrequires-python = ">=3.9"\ndependencies = ["numpy==1.24.4", "pandas>=1.5"]\n[dependency-groups]\ndev = ["pytest>=7", {include-group = "x"}]\n[tool.poetry.dependencies]\nflask = "^2.0"\nscipy = {version = "1.9.1"}\n', {"numpy": "1.24.4", "scipy": "1.9.1"}, {"python": "3.9", "pandas": "1.5", "pytest": "7", "flask": "2.0"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "exact", "lowest"), FILES, ids=[row[0] for row in FILES])
def test_files(
    name: str, text: str, exact: dict[str, str], lowest: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    found = read_file(tmp_path / name)
    assert (found.source, dict(found.exact), dict(found.lowest)) == (name, exact, lowest)


def test_requirements_that_lead_to_each_other(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("-r more.txt\nnumpy==1.0\n")
    (tmp_path / "more.txt").write_text("-r requirements.txt\nscipy==2.0\n-r gone.txt\n")
    assert read_file(tmp_path / "requirements.txt").exact == {"numpy": "1.0", "scipy": "2.0"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("uv.lock", "not [toml"),
        ("Pipfile.lock", "[]"),
        ("x.csv", ""),
        ("poetry.lock", "package = 3"),
    ],
)
def test_what_is_no_such_file_is_refused_in_a_line(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=name):
        read_file(tmp_path / name)


def test_an_environment_tells_what_it_has(tmp_path: Path) -> None:
    place = tmp_path / ".venv/lib/python3.11/site-packages/Some_Thing-1.2.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: Some_Thing\nVersion: 1.2\n")
    (tmp_path / ".venv/pyvenv.cfg").write_text("home = /usr\nversion_info = 3.11.7\n")
    assert installed(tmp_path / ".venv").exact == {"some-thing": "1.2", "python": "3.11"}


def test_the_surest_source_is_asked_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["a>=1", "b>=1", "c>=1"]\n')
    (tmp_path / "requirements.txt").write_text("a==2\nb==2\n")
    (tmp_path / "uv.lock").write_text('[[package]]\nname = "a"\nversion = "3"\n')
    known = tables(tmp_path / "code.py", pytest.fail)
    found, untold = steps(dict.fromkeys("abcd", "9"), {}, known)
    assert [(step.package, step.old, step.source) for step in found] == [
        ("a", "3", "uv.lock"),
        ("b", "2", "requirements.txt"),
        ("c", "1", "the lowest that pyproject.toml allows"),
    ]
    assert untold == ["d"]
    given, _ = steps({"a": "9"}, {"a": "1.5"}, known)
    assert (given[0].old, given[0].source) == ("1.5", "--from")


def test_requirements_of_parts_of_a_project_are_asked_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    project = tmp_path / "project"
    files = {
        "requirements.txt": "a==1\nb>=1\n",
        "requirements/base.txt": "a==2\nb==2\n",
        "tests/requirements.txt": "b==3\nc==3\n",
        ".github/workflows/requirements.txt": "d==4\n",
        "venv/requirements.txt": "e==5\n",
        "../neighbour/requirements.txt": "f==6\n",
    }
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    known = tables(project, pytest.fail, tmp_path)
    targets = dict.fromkeys("abcdef", "9")
    found, untold = steps(targets, {}, known)
    assert [(one.package, one.old) for one in found] == [
        ("a", "1"),
        ("b", "2"),
        ("c", "3"),
        ("d", "4"),
    ]
    assert untold == ["e", "f"]


def test_a_broken_lock_file_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text("<<<<<<< HEAD")
    (tmp_path / "requirements.txt").write_text("a==2\n")
    told: list[str] = []
    known = tables(tmp_path, told.append)
    assert len(told) == 1
    assert "uv.lock" in told[0]
    assert any(table.exact.get("a") == "2" for table in known)


def test_targets(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text('[[package]]\nname = "a"\nversion = "3"\n')
    asked = ["NumPy==2.1.0", "Sci_Kit", str(tmp_path / "uv.lock")]
    assert read_pins(asked, "--to") == {"numpy": "2.1.0", "sci-kit": "", "a": "3"}


@pytest.mark.parametrize("text", ["numpy>=2", "numpy=2", "==2", "gone.lock", "folder/x"])
def test_a_wrong_target_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="--to"):
        read_pins([text], "--to")


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        ("numpy>=2", "numpy==2"),
        ("numpy=2.1", "numpy==2.1"),
        ("a-b ~= 3.0", "a-b==3.0"),
        ("numpy==", "numpy==VERSION"),
        ("==2", "numpy==2.1.0"),
        ("2.2.3", "NAME==2.2.3"),
    ],
)
def test_a_wrong_target_is_told_as_it_should_be(text: str, pin: str) -> None:
    with pytest.raises(UserError) as told:
        read_pins([text], "--to")
    assert str(told.value).endswith(f"Write --to {pin}")


def test_usual_names() -> None:
    assert usual("Foo__bar.Baz") == "foo-bar-baz"
