"""``libdrift mine`` on a folder of wheels: what it prints where, and how it ends."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from libdrift.cli.mine import mine
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.languages.python import static
from libdrift.records import Release, Surface
from tests.languages.python.registry import only_releases

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(mine)


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only source of packages."""
    codes = dict.fromkeys(("1.0", "1.0.1", "1.1"), "def f(): ...\n")
    return only_releases(tmp_path, monkeypatch, codes)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "-j", "1"], catch_exceptions=False)


def table(result: Result) -> list[str]:
    rows = [line for line in result.stdout.splitlines() if line.startswith(("┃", "│"))]
    return [" ".join(re.sub("[┃│]", " ", line).split()) for line in rows]


def test_a_table_of_what_is_new_and_what_was_there(wheels: Path) -> None:
    first = run("pkg", "--all-minor")
    assert first.exit_code == 0
    assert table(first) == ["package new already mined failed incomplete", "pkg 2 0 0 0"]
    assert table(run("pkg", "--runtime", "never"))[1] == "pkg 1 2 0 0"
    assert table(run("pkg", "--since", "1.1"))[1] == "pkg 0 1 0 0"


def test_what_another_libdrift_has_read_is_read_again(
    wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert table(run("pkg"))[1] == "pkg 3 0 0 0"
    assert table(run("pkg"))[1] == "pkg 0 3 0 0"
    monkeypatch.setattr(static, "reader", lambda: "another")
    assert table(run("pkg"))[1] == "pkg 3 0 0 0"


def test_json_has_the_same_with_reasons(wheels: Path, tmp_path: Path) -> None:
    (wheels / "pkg-1.2-py3-none-any.whl").write_bytes(b"no zip")
    (wheels / "pkg-new-py3-none-any.whl").write_bytes(b"")
    own = tmp_path / "own.sqlite"
    done = run("Pkg", "--since", "1.1", "--store", str(own), "--json")
    assert done.exit_code == 0  # a broken archive is told, and does not fail what works
    assert json.loads(done.stdout) == {
        "store": str(own),
        "packages": [
            {
                "package": "pkg",
                "new": 1,
                "present": 0,
                "incomplete": 0,
                "failed": [
                    {
                        "version": "1.2",
                        "reason": "pkg-1.2-py3-none-any.whl is damaged: File is not a zip file",
                    }
                ],
            }
        ],
        "problems": [],
    }
    assert "pkg 1.2 is not mined: pkg-1.2-py3-none-any.whl is damaged" in done.stderr
    assert "pkg: no version in 1 name: pkg-new-py3-none-any.whl" in done.stderr


def test_unknown_packages_and_versions_are_told_and_the_rest_is_mined(wheels: Path) -> None:
    done = run("nope", "pkg", "--versions", "1.0,1.9")
    assert done.exit_code == 2
    assert "no package 'nope' in" in done.stderr
    assert "pkg 1.9 does not exist. The nearest are 1.0.1, 1.1" in done.stderr
    assert table(done)[1] == "pkg 1 0 0 0"


def test_nothing_but_failures_is_a_failure(wheels: Path) -> None:
    (wheels / "pkg-1.2-py3-none-any.whl").write_bytes(b"no zip")
    assert run("pkg", "--versions", "1.2").exit_code == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["npm:left-pad"], "'npm' is not a known registry"),
        (["pkg==1.0"], "Run: libdrift mine pkg --versions 1.0"),
        (["../pkg"], "not the name of a package"),
        (["https://example.org/pkg.whl"], "is an address, but packages are mined by name"),
        (["pkg", "--versions", ""], "--versions is empty"),
        (["pkg", "--versions", " ,"], "--versions is empty"),
        (["pkg", "--since", ""], "neither a date nor a version"),
        (["pkg", "--since", "soon"], "neither a date nor a version"),
        (["pkg", "--since", "2021-13-01"], "neither a date nor a version"),
        (["pkg", "--runtime", "maybe"], "One of: auto, never, always"),
        (["pkg", "--versions", "1.0", "--all-minor"], "Leave out --since and --all-minor"),
    ],
)
def test_mistakes_are_one_line_with_the_fix(
    wheels: Path, arguments: list[str], message: str
) -> None:
    with pytest.raises(UserError) as caught:
        run(*arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_dates_that_the_source_does_not_tell(wheels: Path) -> None:
    for since in ("2021-01-01", "2021"):
        done = run("pkg", "--since", since)
        assert done.exit_code == 2
        assert "the index gives no upload dates. Give --since a version" in done.stderr
        assert "the newest" not in done.stderr


def test_nothing_chosen_is_told_with_the_reason(wheels: Path) -> None:
    done = run("pkg", "--since", "1989")  # no year, but a version
    assert done.exit_code == 0
    assert done.stderr == "pkg: no release since 1989; the newest is 1.1\n"
    (wheels / "young-1.0rc1-py3-none-any.whl").write_bytes(b"")
    done = run("young")
    assert done.stderr == "young: all releases are pre-releases or yanked (--pre, --yanked)\n"


def test_the_standard_library_is_a_package(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from libdrift.mining.sources import python

    asked: list[list[str]] = []

    def library(settings: Any, backend: Any, versions: list[str]) -> Any:
        asked.append(versions)
        for version in versions:
            release = Release("python", "python", version)
            yield release, Surface(release, (), {}, {}) if version > "3.11" else "it is old"

    class Interpreter:
        def __init__(self, version: str) -> None:
            self.version = version
            self.minor = version.rpartition(".")[0]

    found = [Interpreter("3.12.1"), Interpreter("3.11.7"), Interpreter("3.10.2")]
    monkeypatch.setattr(python, "standard_library", library)
    monkeypatch.setattr(python, "discover", lambda: found)
    monkeypatch.setattr(python, "choose", lambda *_: None)
    done = run("python", "--since", "3.11")
    assert asked == [["3.11.7", "3.12.1"]]
    assert table(done)[1] == "python 2 0 0 0"
    done = run("python", "--versions", "3.11,3.10.2,3.6")
    assert asked[1:] == [["3.10.2"]]
    assert table(done)[1] == "python 0 1 1 0"
    assert done.exit_code == 2
    assert "python 3.6 is not on this machine" in done.stderr
    with Store.open(tmp_path / "history.sqlite") as store:
        assert [item.release.version for item in store.releases("python")] == ["3.11.7", "3.12.1"]
