"""Words of the releases beside one lead to what has taken their place in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from libdrift.history.store import Store
from libdrift.retrieval.passages import MinedPassages
from libdrift.retrieval.queries import Query
from tests.history.small import function, klass, stored, surface

FIRST = (
    klass("pkg:App"),
    function("pkg:App.json_encoder", doc="Turns values into text."),
    function("pkg:App.run", doc="Listen."),
    function(
        "pkg:glue", doc="Attach tables at their ends.", gone="Use pkg.concat.", use="pkg.concat"
    ),
    function("pkg:concat", doc="Many at once."),
    function("pkg:calm", doc="Sleep."),
)
SECOND = (
    klass("pkg:App"),
    function("pkg:App.json_provider", doc="Serves the application."),
    function("pkg:App.runner", doc="Serves the application."),
    function("pkg:App.run", doc="Listen."),
    function("pkg:concat", doc="Many at once."),
    function("pkg:calm", doc="Sleep."),
)
THIRD = (function("pkg:calm", doc="Sleep.", gone="Tranquility is the new way."),)


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with stored(surface("1", *FIRST), surface("2", *SECOND), surface("3", *THIRD)) as found:
        yield found


def first(store: Store, folder: Path, version: str, prose: str) -> list[str]:
    with closing(MinedPassages(store, folder)) as passages:
        found = passages.search(Query("pkg", version, "", prose=prose), 1)
    assert all("encoder" not in item.text and "Tranq" not in item.text for item in found)
    return [item.path for item in found]


@pytest.mark.parametrize(
    ("version", "prose", "expected"),
    [
        ("2", "an encoder of values", ["pkg.App.json_provider"]),  # beside it, and of one word
        ("2", "attach tables", ["pkg.concat"]),  # as the warning said
        ("2", "tranquility", ["pkg.calm"]),  # as the next release says
        ("1", "tranquility", []),  # which is not the next one of this
        ("3", "an encoder of values", []),
    ],
)
def test_words_of_neighbours_find_what_this_release_has(
    store: Store, tmp_path: Path, version: str, prose: str, expected: list[str]
) -> None:
    assert first(store, tmp_path, version, prose) == expected
