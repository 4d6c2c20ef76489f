"""Where symbols stand in the files of a release: by release, and gone with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.errors import LibdriftError
from libdrift.history.store import Store
from libdrift.history.store.checking import damage
from libdrift.history.store.places import _of_module, packed, place_of
from libdrift.languages.python.static import of_sources
from libdrift.records import Surface

FIRST = {
    "pkg/__init__.py": "from pkg.core import Frame as Frame\n\ndef read(): ...\nLIMIT = 3\n",
    "pkg/core.py": "import os\n\n@str\nclass Frame:\n    def rows(self): ...\n",
}
SECOND = {**FIRST, "pkg/core.py": f"'''New lines.'''\n\n{FIRST['pkg/core.py']}"}


def read(version: str, sources: dict[str, str]) -> Surface:
    return of_sources(sources, version, "pkg")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = Store.open(tmp_path / "history.sqlite")
    opened.add(read("1", FIRST))
    opened.add(read("2", SECOND))
    return opened


@pytest.mark.parametrize(
    ("version", "symbol", "expected"),
    [
        ("1", "pkg:read", "pkg/__init__.py:3"),
        ("1", "pkg:LIMIT", "pkg/__init__.py:4"),
        ("1", "pkg.core:Frame", "pkg/core.py:4"),
        ("1", "pkg.core:Frame.rows", "pkg/core.py:5"),
        ("1", "pkg.core", "pkg/core.py:1"),
        ("2", "pkg:read", "pkg/__init__.py:3"),
        ("2", "pkg.core:Frame.rows", "pkg/core.py:7"),
        ("2.0", "pkg.core:Frame.rows", "pkg/core.py:7"),
        ("1", "pkg.core:Frame.none", ""),
        ("1", "no.such:thing", ""),
        ("3", "pkg:read", ""),
    ],
)
def test_each_release_has_its_own(store: Store, version: str, symbol: str, expected: str) -> None:
    with store:
        assert place_of(store, "pkg", version, symbol) == expected


def test_what_is_mined_again_or_removed_is_forgotten(store: Store) -> None:
    with store:
        store.add(read("1", SECOND))
        assert place_of(store, "pkg", "1", "pkg.core:Frame.rows") == "pkg/core.py:7"
        store.remove("pkg", "1")
        rows = store.db.execute("SELECT version FROM places").fetchall()
        assert [row[0] for row in rows] == ["2"]


def test_a_stub_is_a_place_where_there_is_no_code(tmp_path: Path) -> None:
    with Store.open(tmp_path / "history.sqlite") as store:
        store.add(read("1", {"pkg/__init__.pyi": "\ndef f() -> int: ...\n"}))
        assert place_of(store, "pkg", "1", "pkg:f") == "pkg/__init__.pyi:2"


def test_names_of_any_kind_are_packed() -> None:
    assert packed({"pkg:\udc80": "a:b.py:3", "pkg": "a:b.py:1"})


def test_damage_is_told(store: Store) -> None:
    with store:
        assert not damage(store.db)
        store.db.execute("UPDATE places SET data = x'00' WHERE version = '2'")
        assert damage(store.db) == ["places of symbols in 2 are not what was stored"]
        with pytest.raises(LibdriftError, match="doctor --deep"):
            place_of(store, "pkg", "2", "pkg:read")


def test_of_several_files_of_one_module_the_one_with_the_name_is_meant() -> None:
    data = packed({"a:x": "a.py:1", "a:y": "a.pyi:2", "a.b:x": "a/b.py:3", "é:x": "é.py:4"})
    assert dict(_of_module(data, "a")) == {"a.py": {"x": 1}, "a.pyi": {"y": 2}}
    assert dict(_of_module(data, "é")) == {"é.py": {"x": 4}}
    assert not dict(_of_module(data, "b"))
