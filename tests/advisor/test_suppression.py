"""Comments, settings and a file of known findings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.advisor.suppression import (
    Suppressions,
    baseline_text,
    is_meant,
    project_settings,
    without_baseline,
)
from libdrift.errors import UserError
from tests.advisor.small import findings

OLD = "def f(): ...\ndef g(): ...\n"


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("pkg.f()", False),
        ("pkg.f()  # libdrift: ignore", True),
        ("pkg.f()  # libdrift:ignore[pkg.f]", True),
        ("pkg.f()  # libdrift: ignore[f]", True),
        ("pkg.f()  # libdrift: ignore[pkg.*]", True),
        ("pkg.f()  # libdrift: ignore[gone]", True),
        ("pkg.f()  # libdrift: ignore[pkg.g, f]", True),
        ("pkg.f()  # libdrift: ignore[pkg.g]", False),
        ("pkg.f()  # libdrift: ignore[]", False),
        ("pkg.f()  # noqa", False),
        ("pkg.f()\n# libdrift: skip-file", True),
        ("pkg.f()\n# libdrift: ignore", False),
    ],
)
def test_comments(line: str, *, taken: bool) -> None:
    code = f"import pkg\n{line}\n"
    (found,) = findings(OLD, "", code)
    assert Suppressions(code).takes(found) is taken


def test_names_of_options() -> None:
    (found,) = findings(OLD, "", "import pkg\npkg.f()\n")
    assert is_meant(found, ["pkg.f"])
    assert is_meant(found, ["gone"])
    assert not is_meant(found, ["kg.f", "deprecated"])


def test_settings(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.libdrift]\nto = ["a==1"]\nfrom = "a==0"\nignore = ["a.b"]\nexclude = ["v"]\n'
    )
    (tmp_path / "sub").mkdir()
    found = project_settings(tmp_path / "sub")
    assert (found.to, found.old, found.ignore, found.exclude) == (
        ("a==1",),
        ("a==0",),
        ("a.b",),
        ("v",),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.libdrift]\ntoo = 1", "too"),
        ("[tool.libdrift]\nto = 1", "to of"),
        ("[", "cannot be read"),
    ],
)
def test_wrong_settings_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(UserError, match=said):
        project_settings(tmp_path)


def test_a_baseline_hides_as_many_as_it_has(tmp_path: Path) -> None:
    known = [
        replace(item, file=str(tmp_path / "x.py"))
        for item in findings(OLD, "", "import pkg\npkg.f()\npkg.f()\n")
    ]
    file = tmp_path / "known.json"
    file.write_text(baseline_text(known[:1], tmp_path))
    moved = [replace(item, line=item.line + 10) for item in known]
    assert list(without_baseline(moved, file)) == moved[1:]
    elsewhere = [replace(item, file=str(tmp_path / "y.py")) for item in known]
    assert list(without_baseline(elsewhere, file)) == elsewhere


@pytest.mark.parametrize("text", ["", "{}", '{"findings": [1]}'])
def test_a_file_that_is_no_baseline(text: str, tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text(text)
    with pytest.raises(UserError, match="not a libdrift baseline"):
        list(without_baseline([], tmp_path / "known.json"))
    with pytest.raises(UserError, match="cannot be read"):
        list(without_baseline([], tmp_path / "gone.json"))


def test_lines_are_counted_as_python_does() -> None:
    code = "import pkg\nx = '\x0c\u2028'\r\npkg.f()  # libdrift: ignore\n"
    (found,) = findings(OLD, "def g(): ...", code)
    assert Suppressions(code).takes(found)


@pytest.mark.parametrize("text", ["tool = 1\n", "[tool]\nlibdrift = 1\n", "x = " + "[" * 99999])
def test_settings_of_another_shape(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    if text.startswith("tool"):
        assert project_settings(tmp_path).to == ()
    else:
        with pytest.raises(UserError, match=r"pyproject\.toml"):
            project_settings(tmp_path)


@pytest.mark.parametrize("count", ["1e999", "[" * 99999])
def test_a_baseline_of_another_shape(count: str, tmp_path: Path) -> None:
    row = f'{{"file": "", "symbol": "", "kind": "", "parameter": "", "count": {count}}}'
    (tmp_path / "known.json").write_text(f'{{"findings": [{row}]}}')
    with pytest.raises(UserError, match="not a libdrift baseline"):
        list(without_baseline([], tmp_path / "known.json"))
