from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.records import Symbol, SymbolKind
from libdrift.retrieval.searching import search
from tests.history.small import function, klass, stored, surface

OLD = (
    klass("pkg:DataFrame", doc="A table of rows."),
    function("pkg:DataFrame.append", "other", doc="Append rows to the end."),
    function("pkg:read_csv", "path", "line_terminator", doc="Read a file of commas."),
    function("pkg:mean", doc="The average; see median."),
    function("pkg:where", doc="Choose."),
    function("pkg.core:read_csv_inner", doc="Read a file of commas."),
    function("pkg._private:read_csv", doc="Read a file of commas."),
)
NEW = (
    klass("pkg:DataFrame", doc="A table of rows."),
    function("pkg:concat", "objects", doc="Put rows after rows."),
    function("pkg:read_csv", "path", "lineterminator", doc="Read a file of semicolons."),
)


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    several = {f"pkg.n{at}": f"pkg.core:n{at}" for at in range(5)}  # makes `core` an inner part
    more = [Symbol(where, SymbolKind.CONSTANT) for where in several.values()]
    with stored(surface("1", *OLD, *more, names=several), surface("2", *NEW)) as found:
        yield found


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("indexes")


@pytest.mark.parametrize(
    ("version", "query", "expected"),
    [
        ("1", "read csv", ["pkg.read_csv", "pkg.core.read_csv_inner"]),
        ("1", "read_csv", ["pkg.read_csv", "pkg.core.read_csv_inner"]),
        ("1", "csv", ["pkg.read_csv", "pkg.core.read_csv_inner"]),
        ("1", "data frame", ["pkg.DataFrame", "pkg.DataFrame.append"]),
        ("1", "dataframe", ["pkg.DataFrame", "pkg.DataFrame.append"]),
        ("1", "appending", ["pkg.DataFrame.append"]),
        ("2", "appending", []),
        ("1", "line_terminator", ["pkg.read_csv"]),
        ("2", "line_terminator", []),
        ("2", "lineterminator", ["pkg.read_csv"]),
        ("1", "semicolons", []),
        ("2", "semicolons", ["pkg.read_csv"]),
        ("1", "the average", ["pkg.mean"]),
        ("1", "see", ["pkg.mean"]),
        ("1", "other", []),  # of the little words, which only names answer to
        ("1", "where", ["pkg.where"]),
        ("1", "", []),
        ("1", "  _ \n", []),
    ],
)
def test_only_what_holds_in_the_release_is_found(
    store: Store, indexes: Path, version: str, query: str, expected: list[str]
) -> None:
    assert [hit.path for hit in search(store, ("pkg", version), query, indexes)] == expected


def test_a_hit_is_the_symbol_of_that_release(store: Store, indexes: Path) -> None:
    (hit,) = search(store, ("pkg", "2"), "csv", indexes)
    assert hit.symbol == NEW[2]
    assert hit.score > 0
    assert len(search(store, ("pkg", "1"), "rows csv mean", indexes, limit=2)) == 2
    with pytest.raises(UserError, match="pkg 3 is not mined"):
        search(store, ("pkg", "3"), "csv", indexes)


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'",
        "AND",
        "a OR",
        "NOT a",
        "NEAR(a b)",
        "a*",
        "^a",
        "doc: a",
        "{doc}: a",
        "-a",
        "a + b",
        "(",
        "\0",
        "\ud800",
        "²",
        "ａ",
        "漢字",
        "a" * 10_000,
        " ".join(f"w{at}" for at in range(5000)),
    ],
)
def test_any_text_is_a_query(store: Store, indexes: Path, query: str) -> None:
    assert isinstance(search(store, ("pkg", "1"), query, indexes), list)


@given(query=st.text())
@settings(max_examples=50, deadline=None)
def test_any_text_at_all_is_a_query(store: Store, indexes: Path, query: str) -> None:
    assert isinstance(search(store, ("pkg", "1"), query, indexes), list)
