"""``libdrift docs``: a symbol exactly as of one release."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from libdrift.cli.docs import docs_command
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.records import Origin, Symbol, SymbolKind, VersionNote
from tests.history.small import function, klass, surface

app = typer.Typer(rich_markup_mode=None)
app.command()(docs_command)

DOC = """Do it.

    Parameters
    ----------
    a : half a pair \ud800
    """
OLD = replace(
    function("pkg.core:f", "a", doc=DOC), notes=(VersionNote("versionadded", "1.0", "x"),)
)
NEW = function("pkg.core:f", "a", "b=1", gone="Use g.", use="g")
PI = Symbol("pkg:PI", SymbolKind.CONSTANT, annotation="float", value="3.14")
BARE = Symbol("pkg:thing", SymbolKind.UNKNOWN)
NAMES = {"pkg.f": "pkg.core:f"}


@pytest.fixture(autouse=True)
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(tmp_path / "history.sqlite"))
    with Store.open(tmp_path / "history.sqlite") as store:
        store.add(surface("1.0", OLD, PI, names=NAMES))
        store.add(surface("2.0", NEW, klass("pkg:C"), BARE, names=NAMES))


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments)
    if done.exception:
        raise done.exception
    return done.stdout


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ("pkg.f", "--at", "1.0"),
            [
                "pkg.f(a)",
                "  function of pkg 1.0",
                "  defined at pkg.core:f",
                "",
                "Do it.",
                "",
                "Parameters",
                "----------",
                "a : half a pair ?",
            ],
        ),
        (
            ("pkg.f",),
            [
                "pkg.f(a, b=1)",
                "  function of pkg 2.0, the newest mined release",
                "  defined at pkg.core:f",
                "  deprecated: Use g.",
                "",
                "(no documentation in this release)",
            ],
        ),
        (
            ("pkg.core.f", "--at", "2"),
            [
                "pkg.core.f(a, b=1)",
                "  function of pkg 2.0",
                "  the same as pkg.f",
                "  defined at pkg.core:f",
                "  deprecated: Use g.",
                "",
                "(no documentation in this release)",
            ],
        ),
        (
            ("pkg.thing", "--at", "2.0"),
            [
                "pkg.thing",
                "  name of pkg 2.0",
                "  defined at pkg:thing",
                "",
                "(no documentation in this release)",
            ],
        ),
        (
            ("pkg.PI", "--at", "1.0"),
            [
                "pkg.PI: float = 3.14",
                "  constant of pkg 1.0",
                "  defined at pkg:PI",
                "",
                "(no documentation in this release)",
            ],
        ),
    ],
)
def test_what_is_printed(arguments: tuple[str, ...], lines: list[str]) -> None:
    assert run(*arguments).splitlines() == lines


def test_json() -> None:
    old, new = (json.loads(run("pkg.f", "--at", version, "--json")) for version in ("1.0", "2.0"))
    assert (
        old.items()
        >= {
            "path": "pkg.f",
            "package": "pkg",
            "version": "1.0",
            "newest": False,
            "signature": "(a)",
            "deprecated": None,
            "defined": "pkg.core:f",
        }.items()
    )
    assert old["doc"].endswith("a : half a pair ?")
    assert old["notes"] == [{"kind": "versionadded", "version": "1.0", "text": "x"}]
    assert new["deprecated"] == {"message": "Use g.", "replacement": "g", "conditional": False}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("pkg.f", "--at", "1.5", "--no-mine"),
            r"^pkg 1\.5 is not mined; nearest mined: 1\.0 and 2\.0\. Run: libdrift mine pkg --versions 1\.5$",
        ),
        (
            ("pkg.PI",),
            r"^pkg\.PI is not in pkg 2\.0; of the mined releases it is in 1\.0\. Run: libdrift docs pkg\.PI --at 1\.0$",
        ),
        (("f",), r"Did you mean: pkg\.f\? If not, run: libdrift mine f$"),
        (("pkg.f", "--store", "nowhere", "--no-mine"), "nothing is mined yet"),
        (("pkg.f", "--at", "banana"), r"^banana is not a version\."),
        (("pkg.f", "--at", ""), r"^the version is empty\."),
        (
            ("pkgg.nothing",),
            r"^no mined package has pkgg\.nothing\. Did you mean a name in pkg\? If not, run: libdrift mine pkgg$",
        ),
        (("pkgg",), r"^no mined package has pkgg\. Did you mean: pkg\? If not"),
        (("pkgg", "--no-mine"), r"^no mined package has pkgg\. Did you mean: pkg\?$"),
        (("other.f", "--package", " "), r"^the package's name is empty\."),
        (
            ("pkg.D.get", "--store", "GAPS"),
            r"^no mined release of pkg \(1\.0\) has pkg\.D\.get, but pkg inherits from other\.Base,"
            r" which was not imported\. Run: libdrift mine pkg --versions 1\.0 --runtime auto$",
        ),
        (("pkg.D.fnd", "--store", "GAPS"), r"not imported\. Did you mean: pkg\.D\.find\?$"),
        (("pkg.E.get", "--store", "GAPS"), r"has pkg\.E\.get\. Run: libdrift history search"),
    ],
)
def test_refusals(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    gaps = tmp_path / "gaps.sqlite"
    with Store.open(gaps) as store:
        known = [klass("pkg:C", "other.Base"), klass("pkg:D", "pkg:C"), klass("pkg:E")]
        plain = surface("1.0", *known, function("pkg:D.find"))
        store.add(replace(plain, origin=Origin(gaps=("pkg: inherits from other.Base",))))
    with pytest.raises(UserError, match=message):
        run(*(str(gaps) if item == "GAPS" else item for item in arguments))
