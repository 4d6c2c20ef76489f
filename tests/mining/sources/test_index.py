from __future__ import annotations

import functools
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.version import Version

from libdrift.errors import InfrastructureError, UserError
from libdrift.history.store import Store
from libdrift.languages.python.index import Listing, PackageIndex
from libdrift.languages.python.index_config import IndexSources
from libdrift.languages.python.web import HttpTimeouts
from libdrift.mining import (
    Event,
    FailedRelease,
    ListedPackage,
    MinedRelease,
    MiningOptions,
    MissingPackage,
    Runtime,
    reading,
    running,
)
from libdrift.mining.running import events as mining_events
from libdrift.mining.sources.index import IndexSource
from libdrift.records import Binding, Name, Provenance, Release, Surface, Symbol, SymbolKind
from tests.languages.python.registry import HASTY, wheel

READER = reading.reader
SOURCE = '"""A package."""\n\ndef f(a, b=1):\n    """Do."""\n'


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "history.sqlite") as found:
        yield found


def put(folder: Path, version: str, *, compiled: bool = False) -> None:
    members: dict[str, str | bytes] = {"pkg/__init__.py": SOURCE}
    if compiled:
        members["pkg/fast.cpython-311-x86_64-linux-gnu.so"] = b"\x7fELF"
    (folder / f"pkg-{version}-py3-none-any.whl").write_bytes(wheel(members))


def happening(
    packages: list[str],
    options: MiningOptions,
    store: Store,
    index: PackageIndex,
    cache: Path,
    **more: object,
) -> Generator[Event, None, None]:
    source = IndexSource(packages, options, index, cache, **more)  # type: ignore[arg-type]
    return mining_events([source], options, store)


def mined(
    folder: Path, store: Store, options: MiningOptions | None = None, **more: object
) -> list[Event]:
    index = PackageIndex(IndexSources((), (str(folder),)), HASTY)
    cache = folder.parent / "cache"
    try:
        chosen = options or MiningOptions(workers=1)
        return list(happening(["pkg"], chosen, store, index, cache, **more))
    finally:
        index.close()


def test_new_releases_are_read_and_kept_once(wheels: Path, store: Store) -> None:
    put(wheels, "1.0")
    put(wheels, "1.1")
    put(wheels, "2.0rc1")
    first = mined(wheels, store)
    assert first[0] == ListedPackage("pkg", new=2, present=0)
    assert [event.release.version for event in first[1:] if isinstance(event, MinedRelease)] == [
        "1.0",
        "1.1",
    ]
    put(wheels, "1.2")
    (wheels / "pkg-odd.tar.gz").write_bytes(b"")
    again = mined(wheels, store)
    assert again[0] == ListedPackage("pkg", new=1, present=2, skipped=("pkg-odd.tar.gz",))
    assert len(again) == 2
    found = store.releases("pkg")
    assert [item.release.version for item in found] == ["1.0", "1.1", "1.2"]
    assert found[0].origin.artifact == "pkg-1.0-py3-none-any.whl"
    assert found[0].origin.digest.startswith("sha256:")
    surface = store.surface("pkg", "1.2")
    symbol = surface.resolve("pkg.f")
    assert symbol is not None
    assert str(symbol.signature) == "(a, b=1)"


def test_what_cannot_be_read_is_told_kept_in_mind_and_the_rest_goes_on(
    wheels: Path, store: Store
) -> None:
    put(wheels, "1.0")
    (wheels / "pkg-1.1-py3-none-any.whl").write_bytes(b"no zip")
    (wheels / "pkg-1.2-py3-none-any.whl").write_bytes(wheel({"../evil.py": ""}))
    put(wheels, "1.3")
    events = mined(wheels, store)
    failed = {event.release.version: event for event in events if isinstance(event, FailedRelease)}
    assert failed["1.1"].reason == "pkg-1.1-py3-none-any.whl is damaged: File is not a zip file"
    assert "'../evil.py' leads outside of it" in failed["1.2"].reason
    assert not failed["1.1"].transient
    assert [item.release.version for item in store.releases("pkg")] == ["1.0", "1.3"]
    assert {item.release.version for item in store.failures("pkg")} == {"1.1", "1.2"}
    put(wheels, "1.1")
    put(wheels, "1.2")
    assert len(mined(wheels, store)) == 3
    assert store.failures("pkg") == []


def test_the_callers_mistakes_do_not_stop_other_packages(wheels: Path, store: Store) -> None:
    put(wheels, "1.0")
    index = PackageIndex(IndexSources((), (str(wheels),)), HASTY)
    options = MiningOptions(versions=("1.0", "1.5"), workers=1)
    events = list(happening(["nope", "pkg", "pkg"], options, store, index, wheels.parent / "cache"))
    assert isinstance(events[0], MissingPackage)
    assert isinstance(events[0].error, UserError)
    assert events[1] == ListedPackage("pkg", 1, 0, ("pkg 1.5 does not exist. The nearest are 1.0",))
    assert isinstance(events[2], MinedRelease)
    assert len(events) == 3


def broken_reader(*arguments: object, log: Path, times: int) -> Callable[[Listing], reading.Reply]:
    """A reader that is killed by release 1.1, so many times."""
    read = READER(*arguments)  # type: ignore[arg-type]

    def answer(listing: Listing) -> reading.Reply:
        if listing.release.version == "1.1":
            with log.open("a") as file:
                file.write("x")
            if log.stat().st_size <= times:
                os.kill(os.getpid(), signal.SIGKILL)
        return read(listing)

    return answer


@pytest.mark.parametrize(("times", "tried", "failures"), [(1, 2, 0), (99, 2, 1)])
def test_a_reader_that_is_killed_is_replaced_and_its_release_tried_again(
    wheels: Path,
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    times: int,
    tried: int,
    failures: int,
) -> None:
    for version in ("1.0", "1.1", "1.2"):
        put(wheels, version)
    log = tmp_path / "log"
    monkeypatch.setattr(reading, "reader", functools.partial(broken_reader, log=log, times=times))
    events = mined(wheels, store)
    failed = [event for event in events if isinstance(event, FailedRelease)]
    assert len(failed) == failures
    assert all(event.transient and "kills its reader" in event.reason for event in failed)
    assert len(log.read_text()) == tried
    assert len(store.releases("pkg")) == 3 - failures


def test_an_early_end_keeps_what_is_done_and_leaves_no_process(wheels: Path, store: Store) -> None:
    for number in range(6):
        put(wheels, f"1.{number}")
    index = PackageIndex(IndexSources((), (str(wheels),)), HASTY)
    events = happening(["pkg"], MiningOptions(workers=2), store, index, wheels.parent / "cache")
    assert isinstance(next(events), ListedPackage)
    assert isinstance(next(events), MinedRelease)
    events.close()
    assert len(store.releases("pkg")) == 1
    assert multiprocessing.active_children() == []


class Prober:
    """Sees a function in the compiled part of each release."""

    def __init__(self, trouble: str = "", raises: Exception | None = None) -> None:
        self.asked: list[str] = []
        self._trouble = trouble
        self._raises = raises

    def __call__(self, release: Release, surface: Surface) -> Surface | str:
        self.asked.append(release.version)
        if self._raises:
            raise self._raises
        if self._trouble:
            return self._trouble
        own = (Provenance.RUNTIME,)
        symbol = Symbol("pkg.fast:g", SymbolKind.FUNCTION, provenance=own)
        module = Symbol("pkg.fast", SymbolKind.MODULE, provenance=own)
        symbols = {**surface.symbols, symbol.id: symbol, module.id: module}
        scopes = {scope: dict(names) for scope, names in surface.scopes.items()}
        scopes["pkg"]["fast"] = Name("pkg.fast", Binding.SUBMODULE, own)
        scopes["pkg.fast"] = {"g": Name(symbol.id, Binding.DEFINED, own)}
        origin = replace(surface.origin, runtime=release.version)
        return Surface(release, surface.roots, symbols, scopes, origin=origin)


VERSIONS = ("1.0", "1.0.1", "1.1", "1.1.1")


@pytest.mark.parametrize(
    ("runtime", "asked", "seen"),
    [
        (Runtime.AUTO, ["1.0.1", "1.1.1"], {"1.0": "1.0.1", "1.0.1": "1.0.1", "1.1": "1.1.1", "1.1.1": "1.1.1"}),
        (Runtime.NEVER, [], dict.fromkeys(VERSIONS, "")),
        (Runtime.ALWAYS, list(VERSIONS), {version: version for version in VERSIONS}),
    ],
)  # fmt: skip
def test_releases_are_imported_where_that_is_wanted(
    wheels: Path, store: Store, runtime: Runtime, asked: list[str], seen: dict[str, str]
) -> None:
    for version in VERSIONS:
        put(wheels, version, compiled=True)
    probe = Prober()
    events = mined(wheels, store, MiningOptions(runtime=runtime, workers=2), probe=probe)
    assert sorted(probe.asked, key=Version) == asked
    assert {item.release.version: item.origin.runtime for item in store.releases("pkg")} == seen
    found = store.surface("pkg", "1.0").resolve("pkg.fast.g")
    assert (found is not None) == bool(asked)
    if runtime is Runtime.AUTO:
        assert found is not None
        assert found.provenance == (Provenance.CARRIED,)
    assert len(events) == 5


def test_sources_without_gaps_need_no_import(wheels: Path, store: Store) -> None:
    put(wheels, "1.0")
    probe = Prober()
    mined(wheels, store, probe=probe)
    assert probe.asked == []


@pytest.mark.parametrize(
    ("probe", "note", "again"),
    [
        (Prober(trouble="it breaks"), "not imported: it breaks", 0),
        (Prober(raises=UserError("it breaks")), "not imported: it breaks", 0),
        (Prober(raises=InfrastructureError("no time")), "not imported this time: no time", 1),
    ],
)
def test_an_import_that_fails_is_noted_and_the_sources_count(
    wheels: Path, store: Store, probe: Prober, note: str, again: int
) -> None:
    put(wheels, "1.0", compiled=True)
    put(wheels, "1.0.1", compiled=True)
    events = mined(wheels, store, probe=probe)
    notes = [event.notes for event in events if isinstance(event, MinedRelease)]
    assert notes == [(note,), ()]
    assert not store.releases("pkg")[1].origin.complete
    # A fault of the moment does not last: the release is tried anew, and known from then on.
    well = Prober()
    mined(wheels, store, MiningOptions(versions=("1.0.1",)), probe=well)
    assert len(well.asked) == again
    assert bool(store.releases("pkg")[1].origin.runtime) is bool(again)


def test_a_bug_in_a_probe_is_not_swallowed(wheels: Path, store: Store) -> None:
    put(wheels, "1.0", compiled=True)
    with pytest.raises(ZeroDivisionError):
        mined(wheels, store, probe=Prober(raises=ZeroDivisionError()))


def test_the_network_is_told_from_the_archive(wheels: Path, store: Store) -> None:
    page = wheels.parent / "simple" / "pkg"
    page.mkdir(parents=True)
    name = "pkg-1.0-py3-none-any.whl"
    (page / "index.html").write_text(f'<a href="http://127.0.0.1:9/{name}">{name}</a>')
    index = PackageIndex(IndexSources((str(page.parent),)), HttpTimeouts(0.2, 0.2, ()))
    events = list(
        happening(["pkg"], MiningOptions(workers=1), store, index, wheels.parent / "cache")
    )
    assert isinstance(events[1], FailedRelease)
    assert events[1].transient
    assert "http://127.0.0.1:9 cannot be reached" in events[1].reason


def test_without_a_network_not_every_release_is_tried(
    wheels: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_HOPELESS", 2)
    page = wheels.parent / "simple" / "pkg"
    page.mkdir(parents=True)
    links = [f"pkg-1.{number}-py3-none-any.whl" for number in range(9)]
    (page / "index.html").write_text(
        "".join(f'<a href="http://127.0.0.1:9/{name}">{name}</a>' for name in links)
    )
    index = PackageIndex(IndexSources((str(page.parent),)), HttpTimeouts(0.2, 0.2, ()))
    with pytest.raises(InfrastructureError, match=r"2 releases in a row failed.*are kept"):
        list(happening(["pkg"], MiningOptions(workers=1), store, index, wheels.parent / "cache"))
    assert len(store.failures("pkg")) == 2
