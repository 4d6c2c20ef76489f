"""`libdrift check` and `libdrift explain`: what they read, say and refuse, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from libdrift.advisor.releases import ReleasePair
from libdrift.cli.check import check_command
from libdrift.cli.explain import explain_command
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.languages.python.static import of_sources
from libdrift.records import Release

RELEASES = {
    "1.0": "def f(items, axis=0):\n    '''Fold it.'''\ndef h(x, y=1): ...\ndef k(): ...",
    "1.5": "import warnings\ndef f(items, axis=0):\n    warnings.warn('use `fold`', DeprecationWarning)\n"
    "def fold(items, axis=0):\n    '''Fold items.\n\n    >>> fold([1])\n    '''\n"
    "def h(x): ...\ndef k(): ...",
    "2.0": "def fold(items, axis=0):\n    '''Fold items.\n\n    >>> fold([1])\n    '''\n"
    "def h(x): ...\n@deprecated('old')\ndef k(): ...",
}  # fmt: skip
app = typer.Typer()
app.command("check")(check_command)
app.command("explain")(explain_command)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "history.sqlite"
    with Store.open(path) as opened:
        for version, source in RELEASES.items():
            opened.add(of_sources({"pkg/__init__.py": source}, version, "pkg"))
        for version, source in (("1", "def a(): ..."), ("2", "")):
            opened.add(of_sources({"lib/__init__.py": source}, version, "some-library"))
    return path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "code.py").write_text("import pkg\npkg.f([1])\npkg.h(1, y=2)\npkg.k()\n")
    return tmp_path


def run(store: Path, *arguments: str) -> Result:
    asked = [*arguments, "--store", str(store), "--offline"]
    return CliRunner().invoke(app, asked, catch_exceptions=False)


def check(store: Path, *arguments: str) -> Result:
    return run(store, "check", "code.py", *arguments)


BETWEEN = ("--from", "pkg==1.0", "--to", "pkg==2.0")


def test_text_and_exit_codes(store: Path, project: Path) -> None:
    done = check(store, *BETWEEN)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "code.py:2:1: error renamed: pkg.f is now pkg.fold",
        "code.py:3:10: error parameter-gone: pkg.h: parameter y is gone (by 1.5)",
        "code.py:4:1: warning deprecated: pkg.k is deprecated",
        "2 errors, 1 warning, 0 notes in 1 file",
    ]
    assert "pkg 1.0 (--from) → 2.0" in done.stderr
    (project / "code.py").write_text("import pkg\npkg.k()\n")
    assert check(store, *BETWEEN).exit_code == 0
    assert check(store, *BETWEEN, "--fail-on", "warning").exit_code == 1
    assert check(store, *BETWEEN, "--level", "error").stdout.startswith("0 errors, 0 warnings")


def test_json(store: Path, project: Path) -> None:
    del project
    told = json.loads(check(store, *BETWEEN, "--format", "json").stdout)
    assert [row["symbol"] for row in told["findings"]] == ["pkg.f", "pkg.h", "pkg.k"]
    assert told["steps"] == [
        {"package": "pkg", "old": "1.0", "new": "2.0", "source": "--from", "is_range": False}
    ]
    assert json.loads(check(store, *BETWEEN, "--json").stdout) == told


@pytest.mark.parametrize(("style", "said"), [("sarif", '"2.1.0"'), ("github", "::error file=")])
def test_other_formats(style: str, said: str, store: Path, project: Path) -> None:
    del project
    assert said in check(store, *BETWEEN, "--format", style).stdout


def test_versions_from_files(store: Path, project: Path) -> None:
    (project / "requirements.txt").write_text("pkg==1.0\nother==3\nsome_library==1\n")
    (project / "new.lock").write_text(
        '[[package]]\nname = "pkg"\nversion = "2.0"\n[[package]]\nname = "some-library"\nversion = "2"\n'
    )
    done = check(store, "--to", "new.lock")
    assert done.exit_code == 1
    assert "pkg 1.0 (requirements.txt) → 2.0" in done.stderr
    assert "some-library" not in done.stderr  # it is not imported
    (project / "code.py").write_text("import lib\nlib.a()\n")
    done = check(store, "--to", "new.lock")
    assert "error gone: lib.a is gone" in done.stdout
    assert "some-library 1 (requirements.txt) → 2" in done.stderr
    assert "lib.a is gone" in check(store, "--to-latest").stdout


def test_settings_of_the_project(store: Path, project: Path) -> None:
    (project / "pyproject.toml").write_text(
        "[tool.libdrift]\nto = ['pkg==2.0']\nfrom = ['pkg==1.0']\nignore = ['pkg.h', 'deprecated']\n"
    )
    done = check(store)
    assert done.stdout.splitlines() == [
        "code.py:2:1: error renamed: pkg.f is now pkg.fold",
        "1 error, 0 warnings, 0 notes in 1 file; 2 suppressed",
    ]


def test_a_baseline(store: Path, project: Path) -> None:
    assert check(store, *BETWEEN, "--write-baseline", "known.json").exit_code == 1
    assert check(store, *BETWEEN, "--baseline", "known.json").exit_code == 0
    with (project / "code.py").open("a") as file:
        file.write("pkg.f([2])\n")
    done = check(store, *BETWEEN, "--baseline", "known.json")
    assert done.stdout.splitlines()[0].startswith("code.py:")
    assert done.stdout.splitlines()[-1] == "1 error, 0 warnings, 0 notes in 1 file; 3 suppressed"


def test_files_that_do_not_parse_are_named(store: Path, project: Path) -> None:
    (project / "two.py").write_text("import pkg\nprint 'pkg'\n")
    (project / "conflict.py").write_text("import pkg\n<<<<<<< HEAD\nx = 1\n=======\n")
    (project / "cells.ipynb").write_text(
        json.dumps({"cells": [{"cell_type": "code", "source": "%time\nimport pkg\npkg.f()"}]})
    )
    done = run(store, "check", *BETWEEN)
    assert "two.py: left out: line 2" in done.stderr
    assert "conflict.py: left out: line 2" in done.stderr
    assert "cells.ipynb:cell 1:3:1: error renamed" in done.stdout
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((), "no target"),
        (("--to", "pkg"), "pkg: the version that the code was written for is unknown"),
        (("--to", "pkg>=2"), "not an exact version"),
        (("--to", "pkg==2.0", "--format", "xml"), "--format"),
        (("--to", "pkg==2.0", "--level", "bad"), "--level"),
        (("--to", "gone.lock"), "no such file"),
        (("--to", "pkg==2.0", "--format", "sarif", "--json"), "cannot be combined"),
    ],
)
def test_mistakes_are_refused(
    asked: tuple[str, ...], said: str, store: Path, project: Path
) -> None:
    del project
    with pytest.raises(UserError, match=said):
        check(store, *asked)


def test_a_package_that_cannot_be_had_is_named_and_the_rest_goes_on(
    store: Path, project: Path
) -> None:
    del project
    done = check(store, *BETWEEN, "--from", "none==1", "--to", "none==2")
    assert done.exit_code == 1
    assert "none 1 and 2: not mined" in done.stderr
    alone = check(store, "--from", "none==1", "--to", "none==2")
    assert alone.exit_code == 2
    assert alone.stdout == "0 errors, 0 warnings, 0 notes in 1 file; nothing could be compared\n"


def test_explain_a_symbol(store: Path, project: Path) -> None:
    del project
    told = run(store, "explain", "pkg.f", "--from", "1.0", "--to", "2.0").stdout
    for line in (
        "pkg.f: pkg 1.0 → 2.0",
        "  deprecated in: 1.5",
        "  gone in: 2.0; last there in 1.5",
        "  in 1.0: f(items, axis=0)",
        "  it says: use `fold`",
        "  instead: pkg.fold(items, axis=0)",
        "    >>> fold([1])",
    ):
        assert line in told.splitlines()


def test_explain_says_what_check_says_to_use(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a name whose going is no change in the history: only the definition tells."""
    path = tmp_path / "history.sqlite"
    errors = "class AxisError(Exception):\n    '''Wrong axis.'''\n"
    with Store.open(path) as opened:
        for version, source in (("1.0", "from pkg.errors import AxisError"), ("2.0", "")):
            files = {"pkg/__init__.py": source, "pkg/errors.py": errors}
            opened.add(of_sources(files, version, "pkg"))
    (project / "code.py").write_text("import pkg\npkg.AxisError\n")
    assert "pkg.errors.AxisError" in check(path, *BETWEEN).stdout
    monkeypatch.setattr(ReleasePair, "changes_of", lambda *_: [])
    told = run(path, "explain", "pkg.AxisError", "--from", "1.0", "--to", "2.0").stdout
    assert "  instead: pkg.errors.AxisError" in told


def test_explain_a_line(store: Path, project: Path) -> None:
    del project
    done = run(store, "explain", "code.py:3", *BETWEEN, "--json")
    (told,) = json.loads(done.stdout)
    assert told["symbol"] == "pkg.h"
    assert [row["parameter"] for row in told["findings"]] == ["y"]
    again = r"libdrift check code\.py --from pkg==1\.0 --to pkg==2\.0 --level info"
    with pytest.raises(UserError, match=f"no change affects this line. See: {again}"):
        run(store, "explain", "code.py:1", *BETWEEN)
    with pytest.raises(UserError, match="--from soon names no version of pkg"):
        run(store, "explain", "pkg.f", "--from", "soon")
    with pytest.raises(UserError, match=r"neither.*libdrift history search pkg nothing"):
        run(store, "explain", "pkg.nothing", *BETWEEN)
    with pytest.raises(UserError, match=r"Name a line: libdrift explain code\.py:LINE"):
        run(store, "explain", "code.py", *BETWEEN)


def test_a_missing_path_is_told_before_a_missing_version(store: Path, project: Path) -> None:
    del project
    with pytest.raises(UserError, match=r"nowhere\.py: no such file"):
        run(store, "check", "nowhere.py", "--to", "pkg==2.0")


def test_a_python_that_is_none_is_refused(store: Path, project: Path) -> None:
    with pytest.raises(UserError, match="--python 'banana' is not a version of Python"):
        check(store, "--python", "banana")


def test_python_is_a_target_like_any_package(store: Path, project: Path) -> None:
    done = check(store, "--to", "python==3.13", "--from", "python==3.11")
    assert "python 3.13: not mined, and --offline was given" in done.stderr.replace("3.11 and ", "")
    with pytest.raises(UserError, match=r"Write --python 3\.13"):
        check(store, "--to", "python", "--from", "python==3.11")


def test_what_the_first_mined_release_deprecates_may_be_older(
    project: Path, tmp_path: Path
) -> None:
    path = tmp_path / "own.sqlite"
    source = "class A:\n    def f(self):\n        warnings.warn(f'{type(self).__name__}.f is deprecated', DeprecationWarning)\n"
    with Store.open(path) as opened:
        for version, text in (("1", f"import warnings\n{source}"), ("2", "class A: ...")):
            opened.add(of_sources({"pkg/__init__.py": text}, version, "pkg"))
    lines = run(path, "explain", "pkg.A.f", "--from", "1", "--to", "2").stdout.splitlines()
    assert "  deprecated in: 1 or before" in lines
    assert "  it says: A.f is deprecated" in lines


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("new-package==1.0", "Add --from new-package==VERSION"),
        ("new-package==1", "Add --from"),  # a series
        ("new-package==9.9", r"new-package has no release 9\.9\. Its newest is 1\.1"),
        ("no-package==1.0", "nobody has no-package"),
    ],
)
def test_what_is_not_there_is_not_asked_about(
    store: Path, project: Path, target: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Source:
        def offers(self, package: str) -> Any:
            if package != "new-package":
                raise UserError(f"nobody has {package}")
            listed = [Release("pypi", package, version) for version in ("1.0", "1.1")]
            return SimpleNamespace(releases=[SimpleNamespace(release=one) for one in listed])

    monkeypatch.setattr("libdrift.advisor.loading.sources_of", lambda *_: [Source()])
    asked = ["check", "code.py", "--to", target, "--store", str(store)]
    with pytest.raises(UserError, match=message):
        CliRunner().invoke(app, asked, catch_exceptions=False)
