"""How well documents are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.analysis.searches import is_foreign, measure_searches
from libdrift.retrieval.passages import MinedPassages
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
        assert all(is_foreign(item, task("1"), store) for item in passages.search(asked))
        for item in passages.search(query("append a table", "pkg", "1")):
            assert not is_foreign(item, task("1"), store)
            assert is_foreign(replace(item, text=item.text + "x"), task("1"), store)
        passages.close()
