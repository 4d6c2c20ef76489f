"""Texts that are searched by where a symbol has none, and what that changes in a release."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from libdrift.history.store import Store
from libdrift.retrieval import borrowing
from libdrift.retrieval.passages import MinedPassages
from libdrift.retrieval.queries import Query
from tests.history.small import function, klass, stored, surface

DOCS = {
    "pkg:Base": "",
    "pkg:Base.rows": "Give the rows.",
    "pkg:Frame": "",
    "pkg:Frame.rows": "",
    "pkg:Frame.plot": "",
    "pkg:plot": "Draw it.",
    "pkg:other": "",
}
BASES = {"pkg:Frame": ("pkg:Base",), "pkg:Base": ("pkg:Frame",)}  # a circle ends


def test_members_take_the_text_of_their_bases() -> None:
    assert borrowing.inherited(DOCS, BASES) == {"pkg:Frame.rows": "Give the rows."}


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (0, {"pkg:Frame.plot": "Draw it."}),
        (4, {}),  # a name that many have tells nothing
    ],
)
def test_a_rare_name_takes_the_text_of_its_namesake(others: int, expected: object) -> None:
    more = {f"pkg:C{at}.plot": f"Text {at}." for at in range(others)}
    assert borrowing.of_namesakes({**DOCS, **more}, ["pkg:Frame.plot", "pkg:other"]) == expected


OLD = (
    function("pkg:told", doc="Fold the sheets."),
    function("pkg:calm", doc="Sort the coins slowly."),
    function("pkg:same", doc="Sort the coins slowly."),
)
NEW = (
    function("pkg:told"),
    function("pkg:calm", "speed", doc="Sort the coins slowly."),
    function("pkg:same", doc="Sort the coins slowly."),
    klass("pkg:Canvas", doc="Has a text, and a length."),
    function("pkg:Canvas.textlength", "font", doc="Measure."),
    function("pkg:a", doc="A text of some length."),
    function("pkg:b", doc="Another text, of another length."),
)


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with stored(surface("1", *OLD), surface("2", *NEW)) as found:
        yield found


@pytest.mark.parametrize(
    ("version", "asked", "first"),
    [
        ("2", {"prose": "fold sheets"}, "pkg.told"),  # the release before tells what it is
        ("2", {"prose": "sort coins"}, "pkg.calm"),  # what is new in a release comes first
        ("1", {"prose": "sort coins"}, "pkg.calm"),  # of the first one, nothing is: by name
        ("2", {"prose": "its text length"}, "pkg.Canvas.textlength"),
        ("2", {"prose": "measure", "inside": "custom_text_length"}, "pkg.Canvas.textlength"),
        ("2", {"prose": "sort coins", "inside": "same"}, "pkg.same"),
    ],
)
def test_they_are_found_by_it(
    store: Store, tmp_path: Path, version: str, asked: dict[str, str], first: str
) -> None:
    passages = MinedPassages(store, tmp_path)
    found = passages.search(Query("pkg", version, "", **asked))
    assert found[0].path == first
    passages.close()


def test_a_document_says_no_more_than_its_own_release(store: Store, tmp_path: Path) -> None:
    passages = MinedPassages(store, tmp_path)
    (found,) = passages.search(Query("pkg", "2", "", prose="fold sheets"), 1)
    assert found.text == "pkg 2: pkg.told()"
    passages.close()
