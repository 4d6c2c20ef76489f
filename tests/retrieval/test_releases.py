from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.history.questions import document
from libdrift.history.store import Store
from libdrift.mining.crew import NOT_IMPORTED
from libdrift.mining.probing import Prober
from libdrift.records import Origin, Provenance, Release, Surface, Symbol, SymbolKind
from libdrift.retrieval.releases import (
    import_mined,
    mine_missing,
    missing,
    other_release,
    undocumented,
)
from tests.history.small import function, stored, surface
from tests.languages.python.registry import only_source, wheel
from tests.retrieval.tasks import task


@pytest.mark.parametrize(
    ("version", "wrong", "changed", "expected"),
    [
        ("1.0", "pkg==3.0", "2.0", "3.0"),  # the wrong answer's own
        ("1.0", "Pkg===3", "2.0", "3.0"),
        ("1.0", "pkg==9.0", "2.0", "2.0"),  # which is not mined
        ("1.0", "other==3.0", "2.0", "2.0"),
        ("3.0", "no requirement!", "2.0", "1.0"),
        ("1.0", "", "4.0", "3.0"),  # nothing on the other side: the farthest
        ("3.0", "", None, "1.0"),
        ("1", "", None, "3.0"),
        ("9", "", None, "1.0"),
        ("0.1", "pkg==0.1", None, "3.0"),
    ],
)
def test_the_release_that_misleads(
    version: str, wrong: str, changed: str | None, expected: str
) -> None:
    with stored(*(surface(item, function("pkg:f")) for item in ("1.0", "2.0", "3.0"))) as store:
        assert other_release(task(version, wrong, changed_in=changed), store) == expected


def test_without_another_release_there_is_none() -> None:
    with stored(surface("1.0", function("pkg:f"))) as store:
        assert other_release(task("1"), store) is None
        assert other_release(task("1", library="unknown"), store) is None


def test_what_tasks_need_and_the_history_has_not() -> None:
    tasks = [
        task("1", "pkg==2"),
        task("1.0", "pkg==3"),
        task("4"),
        task("4"),
        task("5", language="rust"),
        task("6", language="rust", library="std"),
        task("7", language="java", library="jdk"),
        task("8", language="javascript"),  # of no registry that is mined
    ]
    others = (("crate:pkg", "5"), ("rust", "6"), ("jdk", "7"))
    with stored(surface("1.0", function("pkg:f"))) as store:
        assert missing(tasks, store) == (("pkg", "4"), *others)
        wrong = (("pkg", "2"), ("pkg", "3"), ("pkg", "4"))
        assert missing(tasks, store, other=True) == (*wrong, *others)


def test_the_release_that_misleads_of_a_language_with_another_name_for_it() -> None:
    found = surface("1.70.0", function("std:f"))
    rust = replace(found, release=Release("rust", "rust", "1.70.0"), roots=("std",))
    later = replace(rust, release=Release("rust", "rust", "1.71.0"))
    with stored(rust, later) as store:
        asked = task("1.70.0", language="rust", library="std")
        assert other_release(asked, store) == "1.71.0"
        assert missing([asked], store) == ()


COMPILED = Symbol("pkg:fast", SymbolKind.ATTRIBUTE)
DOCUMENTED = function("pkg:f", doc="Do it.")
READ = Origin("pkg.whl", gaps=("pkg: compiled",))
WHOLE = Origin("pkg.whl")
USES = "import pkg\npkg.fast(1)\npkg.f()\n"


@pytest.mark.parametrize(
    ("origin", "symbol", "reference", "dark"),
    [
        (READ, "pkg.fast", "", True),
        (READ, "pkg.fast(x)", "", True),
        (READ, "pkg.f", USES, False),  # the symbol alone counts, where there is one
        (READ, "", USES, True),
        (READ, "", "import pkg\npkg.f()\n", False),
        (READ, "", "import pkg\npkg.f.name.other\n", False),
        (READ, "pkg.unseen", "", True),
        (replace(READ, gaps=("pkg: inherits from other.A",)), "pkg.gone", "", False),
        (READ, "pkg.N", "", False),  # a number
        (READ, "other.unseen", "", False),  # of no package that is mined
        (WHOLE, "pkg.unseen", "", False),
        (WHOLE, "pkg.fast", "", True),  # a decorator may document it
        (replace(READ, runtime="1.0"), "pkg.fast", "", False),
        (replace(READ, gaps=(f"{NOT_IMPORTED}no wheel",)), "pkg.fast", "", False),  # tried
    ],
)
def test_releases_that_reading_does_not_tell_enough_of(
    origin: Origin, symbol: str, reference: str, *, dark: bool
) -> None:
    asked = task("1", symbol=symbol, reference=reference)
    number = Symbol("pkg:N", SymbolKind.CONSTANT, value="3")
    with stored(replace(surface("1.0", COMPILED, DOCUMENTED, number), origin=origin)) as store:
        assert undocumented([asked, asked], store) == ((("pkg", "1"),) if dark else ())
        assert undocumented([replace(asked, language="rust")], store) == ()
        assert undocumented([task("9", symbol=symbol)], store) == ()


def test_they_are_imported_and_failures_told(
    empty_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``pkg.fast`` is made at run time, and has a documentation only then."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    only_source(wheels, monkeypatch)
    for version in ("1.0", "2.0"):
        path = wheels / f"pkg-{version}-py3-none-any.whl"
        path.write_bytes(wheel({"pkg/__init__.py": "import other\nfast = other.make()\n"}))

    def imported(_: Prober, release: Release, __: Surface) -> Surface | str:
        if release.version == "2.0":
            return "it has no wheel for this platform"
        fast = function("pkg:fast", "x", doc="Fast.")
        known = replace(surface("1.0", replace(fast, provenance=(Provenance.RUNTIME,))))
        return replace(known, release=release, origin=Origin(runtime="1.0"))

    monkeypatch.setattr(Prober, "__call__", imported)
    tasks = [task(version, symbol="pkg.fast") for version in ("1.0", "2.0")]
    with Store.open(tmp_path / "history.sqlite") as store:
        assert mine_missing(missing(tasks, store), store, empty_settings) == ()
        dark = undocumented(tasks, store)
        assert dark == (("pkg", "1.0"), ("pkg", "2.0"))
        (failed,) = import_mined(dark, store, empty_settings)
        assert (failed.version, failed.reason) == (
            "2.0",
            "not imported: it has no wheel for this platform",
        )
        assert document(store, "pkg.fast", "1.0").symbol.doc == "Fast."
        assert undocumented(tasks, store) == ()


def test_missing_releases_are_mined_and_failures_told(
    empty_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    only_source(wheels, monkeypatch)
    source = {"pkg/__init__.py": "def f(): ...\n"}
    (wheels / "pkg-1.0-py3-none-any.whl").write_bytes(wheel(dict(source)))
    (wheels / "pkg-2.0-py3-none-any.whl").write_bytes(b"broken")
    needed = [("pkg", "1.0"), ("pkg", "2.0"), ("pkg", "3.0"), ("nosuch", "1"), ("no name!", "1")]
    with Store.open(tmp_path / "history.sqlite") as store:
        failed = mine_missing(needed, store, empty_settings)
        assert store.versions(store.number("pkg")) == ["1.0"]
        assert missing([task("1.0")], store) == ()
    assert [(item.package, item.version) for item in failed] == needed[1:]
    reasons = ["is damaged", "does not exist", "no package 'nosuch'", "not the name of a package"]
    for item, reason in zip(failed, reasons, strict=True):
        assert reason in item.reason
    # Where the `mine` command keeps what it parsed, too.
    assert (empty_settings.cache / "mining" / "parsed.sqlite").is_file()
