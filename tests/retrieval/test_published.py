"""A suite's own documents, as what is searched and as what is right."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from libdrift.retrieval.published import PublishedPassages, SuiteDocument
from libdrift.retrieval.queries import query
from tests.retrieval.tasks import task

DOCUMENTS = (
    SuiteDocument("pkg", "1", "pkg.Frame.append", "Adds rows.", "append(rows)", ("rows",)),
    SuiteDocument("pkg", "1", "pkg.Frame.drop", "Takes columns away."),
    SuiteDocument("pkg", "2", "pkg.Frame.append", "Adds rows at the end, quickly."),
    SuiteDocument("pkg", "3", "7/page.md#1", "Concatenates.", tasks=frozenset({"7", "8"})),
    SuiteDocument("pkg", "3", "9/page.md#1", "Plots.", tasks=frozenset({"9"})),
)


def test_only_documents_of_the_release_are_found(tmp_path: Path) -> None:
    with closing(PublishedPassages(DOCUMENTS, tmp_path)) as passages:
        (found,) = passages.search(query("adding rows", "pkg", "1"))
        assert found.text == "pkg 1: append(rows)\nAdds rows."
        assert not passages.is_foreign(found, "1")
        assert passages.is_foreign(found, "2")
        (found,) = passages.search(query("adding rows", "pkg", "2"))
        assert "quickly" in found.text
        assert passages.search(query("adding rows", "pkg", "4")) == []


@pytest.mark.parametrize(
    ("version", "number", "symbol", "right"),
    [
        ("1", "x", "pkg.Frame.append", {"pkg.Frame.append"}),
        ("1", "x", "pkg.Frame.append()", {"pkg.Frame.append"}),
        ("2", "x", "pkg.Frame.drop", set()),
        ("1", "x", None, set()),
        ("3", "8", "pkg.concat", {"7/page.md#1"}),
        ("3", "x", "7/page.md#1", set()),  # it belongs to others
    ],
)
def test_which_are_right(
    tmp_path: Path, version: str, number: str, symbol: str | None, right: set[str]
) -> None:
    asked = task(version, id=number, symbol=symbol)
    with closing(PublishedPassages(DOCUMENTS, tmp_path)) as passages:
        assert passages.right(asked, lambda: frozenset({"of the history"})) == right
