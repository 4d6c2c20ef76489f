from __future__ import annotations

import errno
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libdrift.errors import LibdriftError, UserError
from libdrift.history.store import Store, schema
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Parameter,
    ParameterKind,
    Provenance,
    Release,
    Signature,
    Surface,
    Symbol,
    SymbolKind,
    VersionNote,
)
from tests.history.small import function, stored, surface

# --- what goes in comes out

SOME = st.sampled_from
TEXT = st.text(max_size=6)
PROVENANCE = SOME([(Provenance.STATIC,), (Provenance.STUB, Provenance.RUNTIME), ()])
MODULES = ["pkg", "pkg.a", "pkg._b"]
THINGS = ["pkg.a:f", "pkg._b:C", "pkg._b:C.m", "pkg:D", "pkg:D.m"]

signatures = st.builds(
    Signature,
    st.lists(
        st.builds(Parameter, SOME("xyz"), SOME(ParameterKind), SOME([None, "", "1"]), TEXT),
        max_size=2,
    ).map(tuple),
    TEXT,
)
symbols = st.builds(
    Symbol,
    id=st.just(""),
    kind=SOME(SymbolKind),
    signature=st.none() | signatures,
    doc=TEXT | st.just("half a pair: \ud800"),
    deprecations=st.lists(
        st.builds(Deprecation, TEXT, TEXT, TEXT, TEXT, TEXT, st.booleans()), max_size=1
    ).map(tuple),
    notes=st.lists(st.builds(VersionNote, TEXT, TEXT, TEXT), max_size=1).map(tuple),
    bases=SOME([(), ("pkg:D",), ("pkg._b:C", "builtins.dict")]),
    traits=SOME([(), ("async", "classmethod")]),
    value=TEXT,
    annotation=TEXT,
    body=SOME(["", "ab12"]),
    sketch=SOME([(), (1, 2**63), (2**32,)]),
    provenance=PROVENANCE,
)
names = st.builds(Name, SOME([*MODULES, *THINGS, "os.path:join"]), SOME(Binding), PROVENANCE)
surfaces = st.builds(
    lambda found, scopes, roots, outside, tombstones, origin, day: Surface(
        Release("pypi", "pkg", "0", day),
        roots,
        {key: replace(item, id=key) for key, item in found.items()},
        scopes,
        outside,
        tombstones,
        origin,
    ),
    st.dictionaries(SOME(MODULES + THINGS), symbols, min_size=1, max_size=4),
    st.dictionaries(
        SOME([*MODULES, "pkg._b:C", "pkg:D"]),
        st.dictionaries(SOME(["f", "C", "m", "a", "_x"]), names, max_size=3),
        max_size=3,
    ),
    SOME([(), ("pkg",), ("pkg", "pkg_extra")]),
    st.dictionaries(SOME(["builtins.dict"]), SOME([(), ("keys", "get")]), max_size=1),
    st.dictionaries(SOME(["pkg.gone"]), TEXT, max_size=1),
    st.builds(Origin, TEXT, files=st.integers(0, 9), unread=SOME([(), ("a.py: no",)])),
    SOME([None, date(2024, 2, 29)]),
)
VERSIONS = ["0.9", "0.10", "1.0rc1", "1.0", "1.0.post1", "2004d"]
IN_ORDER = ["2004d", "0.9", "0.10", "1.0rc1", "1.0", "1.0.post1"]

# Few shapes again and again: spans must meet, part and grow together.
histories = st.lists(surfaces, min_size=1, max_size=3).flatmap(
    lambda few: st.lists(st.tuples(SOME(VERSIONS), st.none() | SOME(few)), min_size=1, max_size=9)
)


def rows(store: Store) -> list[list[tuple[object, ...]]]:
    """All that the tables say, without the numbers that depend on the order of writing."""
    return [
        store.db.execute(query).fetchall()
        for query in (
            "SELECT i.text, first, last, p.text, s.data, d.data, c.data FROM symbols"
            " JOIN ids i ON i.id = symbol LEFT JOIN paths p ON p.id = path"
            " LEFT JOIN blobs s ON s.id = shape LEFT JOIN blobs d ON d.id = doc"
            " LEFT JOIN blobs c ON c.id = code ORDER BY 1, 2",
            "SELECT i.text, l.text, first, last, t.text, h.text FROM names"
            " JOIN ids i ON i.id = scope JOIN labels l ON l.id = name"
            " JOIN ids t ON t.id = target JOIN labels h ON h.id = how ORDER BY 1, 2, 3",
            "SELECT position, version, date, roots FROM releases ORDER BY 1",
            "SELECT text FROM paths ORDER BY 1",
            "SELECT data FROM blobs ORDER BY 1",
        )
    ]


@given(history=histories)
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_what_was_added_comes_back_whatever_the_order(
    history: list[tuple[str, Surface | None]],
) -> None:
    """Adding, replacing and removing in any order is as if only what is left was ever added."""
    left: dict[str, Surface] = {}
    with stored() as store, stored() as plain:
        for version, item in history:
            if item is None and version in left:
                store.remove("pkg", version)
                del left[version]
            elif item is not None:
                left[version] = replace(item, release=replace(item.release, version=version))
                store.add(left[version])
        ordered = [version for version in IN_ORDER if version in left]
        for version in ordered:
            plain.add(left[version])
            assert store.surface("pkg", version) == left[version]
        assert store.surfaces("pkg", ordered) == [left[version] for version in ordered]
        assert store.versions(store.number("pkg")) == ordered
        assert rows(store) == rows(plain)


# --- what is there


F1 = function("pkg:f", "a")
F2 = function("pkg:f", "a", "b=1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "history.sqlite"


def test_releases_are_in_the_order_of_versions_with_what_is_known_of_them(path: Path) -> None:
    origin = Origin("pkg-1.10.whl", "sha256:0", files=3)
    with Store.open(path) as store:
        store.add(replace(surface("1.10", F1, day=date(2024, 1, 2)), origin=origin))
        store.add(surface("1.9", F1))
        found = store.releases("pkg")
        assert [str(item.release) for item in found] == ["pkg 1.9", "pkg 1.10"]
        assert found[1].release.date == date(2024, 1, 2)
        assert found[1].origin == origin
        assert found[1].mined.tzinfo
        assert store.packages() == ["pkg"]
        assert store.releases("other") == []
        assert store.has(Release("pypi", "pkg", "1.9"))
        assert not store.has(Release("pypi", "pkg", "1.8"))
        assert not store.has(Release("crates", "pkg", "1.9"))


def test_a_content_that_goes_on_costs_no_new_rows(path: Path) -> None:
    with Store.open(path) as store:
        store.add(surface("1.0", F1, function("pkg:g", doc="Words.")))
        counts = [counted(store, table) for table in ("symbols", "names", "blobs")]
        store.add(surface("1.1", F1, function("pkg:g", doc="Words.")))
        assert [counted(store, table) for table in ("symbols", "names", "blobs")] == counts
        store.add(surface("1.2", F1, function("pkg:g", doc="Other words.")))
        assert counted(store, "blobs") == counts[2] + 1


def test_releases_that_are_read_together_share_what_stayed(path: Path) -> None:
    with Store.open(path) as store:
        store.add(surface("1.0", F1, function("pkg:g", doc="Words.")))
        store.add(surface("1.1", F2, function("pkg:g", doc="Words.")))
        old, new = store.surfaces("pkg", ["1.0", "1.1"])
    assert new.symbols["pkg:g"] is old.symbols["pkg:g"]
    assert new.scopes["pkg"]["g"] is old.scopes["pkg"]["g"]
    assert new.symbols["pkg:f"] != old.symbols["pkg:f"]
    assert new.scopes["pkg"] is not old.scopes["pkg"]  # somebody may add to one


def counted(store: Store, table: str) -> int:
    return int(store.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_a_release_that_is_not_there_is_named_with_the_way_to_get_it(path: Path) -> None:
    with Store.open(path) as store:
        store.add(surface("1.0", F1))
        for ask in (store.surface, store.remove):
            with pytest.raises(
                UserError, match=r"pkg 2\.0 is not mined; .*Run: libdrift mine pkg --"
            ):
                ask("pkg", "2.0")


def test_a_failure_is_remembered_until_the_release_is_mined(path: Path) -> None:
    bad, worse = Release("pypi", "pkg", "1.0"), Release("pypi", "other", "3", date(2020, 1, 1))
    with Store.open(path) as store:
        store.note_failure(bad, "archive is broken")
        store.note_failure(bad, "no files")
        store.note_failure(worse, "no wheel")
        assert [(item.release, item.reason) for item in store.failures()] == [
            (worse, "no wheel"),
            (bad, "no files"),
        ]
        assert store.packages() == []
        store.add(surface("1.0", F1))
        assert store.failures("pkg") == []
        assert len(store.failures("other")) == 1
        assert store.failures("nothing") == []


@pytest.mark.parametrize(
    ("path_asked", "package"),
    [
        ("sklearn", "scikit-learn"),
        ("sklearn.svm.SVC", "scikit-learn"),
        ("sklearnex", None),
        ("google.cloud.storage.Client", "google-cloud-storage"),
        ("google.auth.x", "google-auth"),
        ("google", None),
        ("shared.x", "shared"),
        ("", None),
    ],
)
def test_a_path_belongs_to_the_package_with_its_root(
    path: Path, path_asked: str, package: str | None
) -> None:
    roots = {
        "scikit-learn": ("sklearn",),
        "google-cloud-storage": ("google.cloud.storage",),
        "google-auth": ("google.auth",),
        "a-fork-of-shared": ("shared",),
        "shared": ("shared", "_shared"),
    }
    with Store.open(path) as store:
        for name, own in roots.items():
            store.add(Surface(Release("pypi", name, "1"), own, {}, {}))
        assert store.package_of(path_asked) == package


def test_a_package_is_found_by_the_spelling_that_the_index_takes(path: Path) -> None:
    with Store.open(path) as store:
        store.add(Surface(Release("pypi", "scikit-learn", "1"), ("sklearn",), {}, {}))
        assert store.surface("Scikit_Learn", "1").release.package == "scikit-learn"


# --- bad files, old files, new files


def refused(path: Path, *, readonly: bool) -> str:
    with pytest.raises(UserError) as caught:
        Store.open(path, readonly=readonly)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("readonly", [True, False])
def test_files_that_are_not_ours_are_refused_and_left_alone(
    tmp_path: Path, *, readonly: bool
) -> None:
    text, other, newer = (tmp_path / name for name in ("text", "other", "newer"))
    text.write_text("not a database, but long enough to be looked at" * 100)
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE mine (x)")
    db.close()
    Store.open(newer).close()
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    before = [item.read_bytes() for item in (text, other, newer)]
    assert "is not a history" in refused(text, readonly=readonly)
    assert "of another program" in refused(other, readonly=readonly)
    assert "written by a newer libdrift (schema 99" in refused(newer, readonly=readonly)
    assert [item.read_bytes() for item in (text, other, newer)] == before


@pytest.mark.parametrize("readonly", [True, False])
def test_places_where_no_history_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, readonly: bool
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    said = refused(folder, readonly=readonly)
    assert said == f"{folder} is a folder, but the history is a file. Name {folder}/history.sqlite"
    file = folder / "file"
    Store.open(file).close()

    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)  # root may open anything
    said = refused(file, readonly=readonly)
    assert said.startswith(f"the history {file} cannot be used: Permission denied. Name another")


def test_a_new_history_needs_a_folder_that_can_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    said = refused(tmp_path / "file" / "history", readonly=False)
    assert f"{tmp_path}/file is a file" in said
    monkeypatch.setattr(os, "access", lambda *_: False)
    said = refused(tmp_path / "history", readonly=False)
    assert f"{tmp_path}/history cannot be used: its folder cannot be written to" in said


def test_a_damaged_file_is_told_in_one_line(path: Path) -> None:
    with Store.open(path) as store:
        store.add(surface("1.0", F1, *(function(f"pkg:g{at}", doc=str(at)) for at in range(200))))
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with Store.open(path, readonly=True) as store:
        asks: list[Callable[[], object]] = [
            store.packages,
            store.failures,
            lambda: store.releases("pkg"),
            lambda: store.surface("pkg", "1.0"),
            lambda: store.package_of("pkg.f"),
            lambda: store.has(Release("pypi", "pkg", "1.0")),
        ]
        for ask in asks:
            with pytest.raises(UserError, match="malformed"):
                ask()


def test_reading_needs_a_store(path: Path) -> None:
    assert refused(path, readonly=True) == "nothing is mined yet. Run: libdrift mine PACKAGE"
    assert not path.parent.exists()


@pytest.mark.parametrize("readonly", [True, False])
def test_an_older_file_is_brought_up_to_date(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, readonly: bool
) -> None:
    was = surface("1.0", F1)
    with Store.open(path) as store:
        store.add(was)
    later = "ALTER TABLE releases ADD COLUMN yanked INTEGER;\nUPDATE releases SET yanked = 7;"
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, later))
    with Store.open(path, readonly=readonly) as store:
        assert schema.version_of(store.db) == len(schema.MIGRATIONS)
        assert store.db.execute("SELECT yanked FROM releases").fetchall() == [(7,)]
        assert store.surface("pkg", "1.0") == was


def test_a_file_with_words_loses_them_and_nothing_else(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the first schema: it had full-text tables, which are ``retrieval``'s business now."""
    was = surface("1.0", F1)
    with monkeypatch.context() as then:
        then.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        with Store.open(path) as store:
            store.add(was)
    with Store.open(path, readonly=True) as store:
        assert store.surface("pkg", "1.0") == was
        tables = {row[0] for row in store.db.execute("SELECT name FROM sqlite_master")}
        assert not {name for name in tables if "words" in name}


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(path) as store:
        store.add(surface("1.0", F1))
    with monkeypatch.context() as changed:
        broken = "CREATE TABLE half (x);\nINSERT INTO nowhere VALUES (1);"
        changed.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, broken))
        with pytest.raises(LibdriftError):
            Store.open(path)
    with Store.open(path) as store:
        assert schema.version_of(store.db) == len(schema.MIGRATIONS)
        assert not store.db.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchall()


# --- others at the same file


def test_a_reader_sees_one_moment_while_a_writer_adds(path: Path) -> None:
    old, new = surface("2.0", F1), surface("1.0", F2)
    with Store.open(path) as writer, Store.open(path, readonly=True) as reader:
        writer.add(old)
        with reader.snapshot():
            assert reader.surface("pkg", "2.0") == old
            writer.add(new)  # moves 2.0 to another position
            assert reader.surface("pkg", "2.0") == old
            assert len(reader.releases("pkg")) == 1
        assert reader.surface("pkg", "2.0") == old
        assert reader.surface("pkg", "1.0") == new


def test_a_reader_cannot_write(path: Path) -> None:
    with Store.open(path) as store:
        store.add(surface("1.0", F1))
    with Store.open(path, readonly=True) as reader, pytest.raises(LibdriftError, match="readonly"):
        reader.add(surface("2.0", F1))


def test_a_store_in_a_folder_that_cannot_be_written_to_is_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(path) as store:
        store.add(surface("1.0", F1))
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with Store.open(path, readonly=True) as reader:
        assert reader.versions(1) == ["1.0"]
        assert not path.with_name("history.sqlite-shm").exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from libdrift.history.store import spans, writing
from libdrift.history.store import Store
from tests.history.small import function, stored, surface

put = spans.put
def halfway(db, table, *rest):
    if table is spans.NAMES:
        os.kill(os.getpid(), signal.SIGKILL)
    put(db, table, *rest)

with Store.open(Path(sys.argv[1])) as store:
    store.add(surface("1.0", function("pkg:f", "a")))
    spans.put = halfway
    store.add(surface("0.9", function("pkg:f", "a", "b=1", doc="New.")))
"""


def test_a_kill_in_the_middle_leaves_what_was_there_before(path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, path], check=False)
    assert killed.returncode == -signal.SIGKILL
    with Store.open(path) as store, stored(surface("1.0", F1)) as plain:
        assert store.versions(1) == ["1.0"]
        assert rows(store) == rows(plain)
        store.add(surface("0.9", F2))
        assert store.surface("pkg", "0.9") == surface("0.9", F2)
