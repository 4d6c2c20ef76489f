"""How well documents are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.analysis.searches import measure_searches
from libdrift.records import Release
from libdrift.retrieval import folders
from libdrift.retrieval.index import IndexEntry
from libdrift.retrieval.passages import FolderPassages, MinedPassages
from libdrift.retrieval.queries import query, query_for
from tests.history.small import function, klass, stored, surface
from tests.retrieval.tasks import gapped, task

OLD = (
    klass("pkg:Frame", doc="A table."),
    function("pkg:Frame.append", doc="Append rows."),
    function("pkg.plot:line", "x", "y", doc="Draw a line between the points."),
)
NEW = (function("pkg:later", doc="Append rows, later."),)


def test_the_figures(tmp_path: Path) -> None:
    with stored(surface("1", *OLD), surface("2", *NEW)) as store:
        tasks = [
            task(id="found", symbol="pkg.Frame.append"),
            gapped(id="gap", symbol="pkg.plot.line"),
            task("2", id="missed", symbol="pkg", problem="Append rows.", starter=""),
            task(id="nothing", symbol=None),
            task("3", id="unknown", symbol="pkg.Frame"),
        ]
        passages = MinedPassages(store, tmp_path)
        found = measure_searches(tasks, passages, store, k=2)
        assert [item.task_id for item in found.searches if item.hit] == ["found", "gap"]
        assert (found.without_gold, found.not_mined) == (("nothing",), ("unknown",))
        assert found.hit == pytest.approx(2 / 3)
        assert found.recall == pytest.approx(2 / 3)
        assert found.precision == pytest.approx(1 / 3)
        assert found.mrr == pytest.approx(2 / 3)
        assert found.ndcg == pytest.approx(2 / 3)
        assert found.foreign == 0
        by_version = found.of(lambda item: item.release[1])
        assert {name: item.hit for name, item in by_version.items()} == {"1": 1.0, "2": 0.0}
        empty = measure_searches([], passages, store)
        assert (empty.hit, empty.precision, empty.recall, empty.mrr) == (None,) * 4
        passages.close()


def test_a_document_of_another_version_is_seen(tmp_path: Path) -> None:
    with stored(surface("1", *OLD), surface("2", *NEW, OLD[0])) as store:
        passages = MinedPassages(store, tmp_path)
        asked = replace(query_for(task("1")), version="2")
        assert all(passages.is_foreign(item, "1") for item in passages.search(asked))
        for item in passages.search(query("append a table", "pkg", "1")):
            assert not passages.is_foreign(item, "1")
            assert passages.is_foreign(replace(item, text=item.text + "x"), "1")
        passages.close()


def test_in_a_folder_passages_on_the_right_symbol_are_right(tmp_path: Path) -> None:
    files = {
        "pkg/1/frame.md": "# pkg.Frame\n\nA table.\n\n## append\n\nAdds rows to a table.",
        "pkg/1/other.md": "# Rows\n\nSee `pkg.Frame.append`, and not `pkg.Frame.appended`.",
        "pkg/2/frame.md": "# append\n\nAdds rows.",
    }
    for name, text in files.items():
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    asked = task(id="rows", symbol="pkg.Frame.append", problem="Add rows to a table.")
    with stored(surface("1", *OLD), surface("2", *NEW)) as store:
        passages = FolderPassages(tmp_path / "docs", tmp_path / "cache")
        found = measure_searches([asked, task("2", id="none", symbol="pkg.x")], passages, store)
        passages.close()
    (search,) = found.searches
    assert search.wanted == {"frame.md#2"}
    assert (found.hit, found.foreign, found.without_gold) == (1.0, 0, ("none",))


@pytest.mark.parametrize(
    ("symbols", "right"),
    [
        ({"pkg.Frame.append"}, {"a"}),  # a title is more than a mention
        ({"pkg.Frame.drop"}, {"b"}),
        ({"pkg.Frame.dro"}, set()),
        (set(), set()),
    ],
)
def test_what_a_passage_is_about(symbols: set[str], right: set[str]) -> None:
    entries = [
        IndexEntry("a", "1", "", own="Frame.append(rows)", body="Adds."),
        IndexEntry("b", "1", "", own="Appending", body="pkg.Frame.append, pkg.Frame.drop."),
    ]
    assert folders.naming(entries, frozenset(symbols)) == right


def test_tasks_of_the_standard_library_of_rust_are_searched(tmp_path: Path) -> None:
    plain = surface("1.70.0", function("std.vec:push", doc="Appends an element to the back."))
    rust = replace(plain, release=Release("rust", "rust", "1.70.0"), roots=("std",))
    asked = task(
        "1.70.0",
        language="rust",
        library="std",
        symbol="std.vec.push",
        problem="Append an element.",
        starter="fn f() {}",
    )
    with stored(rust) as store:
        passages = MinedPassages(store, tmp_path)
        found = measure_searches([asked], passages, store)
        passages.close()
    assert (found.hit, found.not_mined) == (1.0, ())
