from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.retrieval.dense import Embedder
from libdrift.retrieval.documents import Document
from libdrift.retrieval.passages import MinedPassages, Way
from libdrift.retrieval.queries import Query, query
from tests.history.small import function, klass, stored, surface

OLD = (
    klass("pkg.core:Base", doc="What both have."),
    function("pkg.core:Base.append", "other", doc="Append rows to the end."),
    klass("pkg:Frame", "pkg.core:Base", doc="A table of rows."),
    function("pkg:read", "path", "line_terminator", doc="Read a file of commas."),
    function("pkg:join", "a", "b", doc="Append tables to each other at the end."),
    klass("pkg:AxisError", doc="Raised for bad numbers."),
    function("pkg.plot:line", "x", "y", doc="Draw between points."),
    function("pkg.area:fill", "x", "y", doc="Draw between points."),
)
NEW = (
    klass("pkg:Frame", doc="A table of rows."),
    function("pkg:read", "path", "lineterminator", doc="Read a file of semicolons."),
)


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    names = {"pkg.load": "pkg:read"}
    with stored(surface("1", *OLD, names=names), surface("2.0", *NEW, names=names)) as found:
        yield found


@pytest.fixture
def passages(store: Store, tmp_path: Path) -> Iterator[MinedPassages]:
    found = MinedPassages(store, tmp_path)
    yield found
    found.close()


def found(store: Store, folder: Path, asked: Query) -> list[Document]:
    """As a new process finds it."""
    with closing(MinedPassages(store, folder)) as passages:
        return passages.search(asked)


def paths(passages: MinedPassages, asked: Query, way: Way = Way.BM25) -> list[str]:
    return [item.path for item in passages.search(asked, 3, way)]


@pytest.mark.parametrize(
    ("version", "text", "first"),
    [
        ("1", "read commas", "pkg.read"),
        ("2.0", "read commas", "pkg.read"),
        ("2", "semicolons", "pkg.read"),
        ("1", "semicolons", None),
        ("1", "terminators", "pkg.read"),
        ("1", "the exception for an axis", "pkg.AxisError"),
        ("1", "appending to the end of tables", "pkg.join"),
        ("2", "append", None),
        ("1", "", None),
    ],
)
def test_only_the_release_is_searched(
    passages: MinedPassages, version: str, text: str, first: str | None
) -> None:
    given = passages.search(query(text, "pkg", version))
    assert (given[0].path if given else None) == first
    written = {"2": "2.0"}.get(version, version)
    assert all(item.header.startswith(f"pkg {written}: {item.path}") for item in given)
    assert {item.version for item in given} <= {written}


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        (
            Query("pkg", "1", "", prose="append at the end", given=("pkg.Frame",)),
            "pkg.core.Base.append",
        ),
        (Query("pkg", "1", "", prose="append tables at the end"), "pkg.join"),
        (Query("pkg", "1", "", prose="tables of rows", named=("pkg.load.x.y",)), "pkg.Frame"),
        (Query("pkg", "1", "", prose="unknown", named=("pkg.load.x.y", "pkg")), "pkg.read"),
        (Query("pkg", "1", "", prose="unknown", returned=("pkg.Frame",)), "pkg.Frame"),
        (Query("pkg", "1", "", prose="draw between points", scope="pkg.plot"), "pkg.plot.line"),
        (Query("pkg", "1", "", prose="draw between points", scope="pkg.area"), "pkg.area.fill"),
        (Query("pkg", "1", "", prose="draw between points", scope="no.such"), "pkg.area.fill"),
        (Query("pkg", "1", "", prose="draw between points", inside="use_plot"), "pkg.plot.line"),
        (Query("pkg", "1", "", parameters="a b"), "pkg.join"),
    ],
)
def test_the_code_at_hand_decides(passages: MinedPassages, asked: Query, first: str) -> None:
    assert paths(passages, asked)[0] == first


def test_a_release_that_is_not_mined_is_refused(passages: MinedPassages) -> None:
    with pytest.raises(UserError, match=r"pkg 3 is not mined"):
        passages.search(query("x", "pkg", "3"))
    with pytest.raises(UserError, match="no_such"):
        passages.search(query("x", "no_such", "3"))


def test_an_index_is_kept_and_made_anew_where_its_file_is_broken(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = query("read", "pkg", "1")
    expected = found(store, tmp_path, asked)
    (file,) = tmp_path.iterdir()  # nothing half written is left beside it
    with monkeypatch.context() as patch:
        patch.setattr("libdrift.retrieval.mined.contents", None)  # not read again
        assert found(store, tmp_path, asked) == expected
    file.write_bytes(b"no database" * 100)
    assert found(store, tmp_path, asked) == expected
    assert file.read_bytes().startswith(b"SQLite")
    blocked = tmp_path / "file"
    blocked.touch()
    assert found(store, blocked, asked) == expected


def test_what_was_mined_again_is_read_again(tmp_path: Path) -> None:
    asked = query("first second", "pkg", "1")
    with stored(surface("1", function("pkg:f", doc="First."))) as store:
        assert "First" in found(store, tmp_path, asked)[0].text
        store.add(surface("1", function("pkg:f", doc="Second.")))
        assert "Second" in found(store, tmp_path, asked)[0].text


def test_any_thread_may_search_what_is_ready(passages: MinedPassages) -> None:
    passages.prepare("pkg", "1")
    asked = [query(text, "pkg", "1") for text in ("read", "append", "draw") * 20]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(passages.search, asked))
    assert together == [passages.search(item) for item in asked]


def counted(texts: Sequence[str]) -> list[list[float]]:
    """A model that knows three words."""
    return [
        [float(text.lower().count(word)) for word in ("rows", "draw", "comma")] for text in texts
    ]


def test_search_by_meaning_and_by_both(store: Store, tmp_path: Path) -> None:
    passages = MinedPassages(store, tmp_path, Embedder("counting", counted))
    passages.prepare("pkg", "1", Way.DENSE)
    meant = Query("pkg", "1", "comma comma", prose="rows")
    assert paths(passages, meant, Way.DENSE)[0] == "pkg.read"
    assert "pkg.read" not in paths(passages, meant)
    assert "pkg.read" in paths(passages, meant, Way.HYBRID)
    both = Query("pkg", "1", "rows", prose="table of rows")
    assert paths(passages, both, Way.HYBRID)[0] == "pkg.Frame"
    passages.close()


def test_without_a_model_there_is_no_search_by_meaning(passages: MinedPassages) -> None:
    with pytest.raises(UserError, match="embedding model"):
        passages.search(query("x", "pkg", "1"), way=Way.DENSE)
