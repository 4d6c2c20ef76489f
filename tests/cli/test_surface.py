"""``libdrift surface``: what is said of a release."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from libdrift.cli.surface import surface_command
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.records import Origin
from tests.history import small

app = typer.Typer(rich_markup_mode=None)
app.command()(surface_command)


@pytest.fixture(autouse=True)
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(tmp_path / "history.sqlite"))
    read = Origin("pkg.whl", "sha256:0", python="3.11", gaps=("pkg: compiled", "pkg.b: compiled"))
    many = replace(read, gaps=tuple(f"pkg.m{at}: compiled" for at in range(12)))
    with Store.open(tmp_path / "history.sqlite") as store:
        store.add(replace(small.surface("1.0"), origin=replace(read, runtime="1.0.1")))
        store.add(replace(small.surface("2.0", small.function("pkg:f")), origin=many))


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments)
    if done.exception:
        raise done.exception
    return done.stdout


def test_gaps_that_import_closed() -> None:
    assert run("pkg", "1.0").splitlines() == [
        "pkg 1.0  1 public path, 1 symbol, complete",
        "  kinds     1 module",
        "  known by  static 1",
        "  from      pkg.whl  sha256:0",
        "  imported  release 1.0.1; conditions read for Python 3.11",
        "  gaps      closed by import of 1.0.1:",
        "            pkg: compiled",
        "            pkg.b: compiled",
    ]


def test_gaps_that_are_open() -> None:
    first, *_, before, last = run("pkg", "2.0").splitlines()
    assert first == "pkg 2.0  2 public paths, 2 symbols, incomplete"
    assert before == "            pkg.m9: compiled"
    assert last == "            … and 2 more (--json)"
    assert len(json.loads(run("pkg", "2.0", "--json"))["origin"]["gaps"]) == 12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pkgg", "1.0", "--no-mine"), r"^pkgg is not mined\. Did you mean pkg\?$"),
        (
            ("other", "1.0", "--no-mine"),
            r"^other is not mined\. Run: libdrift mine other --versions 1\.0$",
        ),
        (("pkg", "latest"), r"^latest is not a version\."),
    ],
)
def test_refusals(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        run(*arguments)
