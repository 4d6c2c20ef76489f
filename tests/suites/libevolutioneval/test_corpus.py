"""The documents that were published with the tasks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift import suites
from libdrift.config import Settings
from libdrift.errors import MissingDataError, UserError
from libdrift.jobs.retrieving import PUBLISHED, RetrievalOptions, measure_retrieval
from libdrift.suites.libevolutioneval.corpus import documents
from tests.published import published
from tests.suites.libevolutioneval.small import SHEETS, text


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, rows in SHEETS.items():
        path = tmp_path / "libevolutioneval" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(rows))
    return tmp_path


def test_every_entry_is_a_document(data: Path, settings: Settings) -> None:
    first, second = documents(replace(settings, data=data))
    assert (first.package, first.version, first.name) == ("attrs", "21.3.0", "attrs.setters.frozen")
    assert first.parameters == ("instance", "attribute")
    assert first.text.startswith("Forbid changes.")
    assert "attribute: the name" in first.text
    assert second.name == "attrs.x"


def test_it_is_searched_and_right(data: Path, tmp_path: Path) -> None:
    options = RetrievalOptions(documents=PUBLISHED, store=tmp_path / "h.sqlite", data=data)
    found = measure_retrieval("libevolutioneval", options)
    hits = {item.task_id: item.hit for item in found.quality.searches}
    assert hits["attrs_synth_1000/v_21_3_0/1"]
    assert set(found.quality.without_gold) >= {"attrs_direct_api/v_21_3_0/1"}
    assert found.to_json()["documents"] == "published"


def test_data_without_them_says_so(data: Path, settings: Settings) -> None:
    for path in data.rglob("package_apis/*/*.jsonl"):
        path.unlink()
    with pytest.raises(MissingDataError, match="no package_apis"):
        list(documents(replace(settings, data=data)))


def test_a_suite_without_documents_says_which_have_some(settings: Settings) -> None:
    with pytest.raises(UserError, match="starter has no documents") as refused:
        suites.published_documents("starter", settings)
    assert "libevolutioneval" in str(refused.value)


@pytest.mark.published
def test_the_published_ones(settings: Settings) -> None:
    data = published("libevolutioneval").parent
    counts = Counter(item.package for item in documents(replace(settings, data=data)))
    assert counts["torch"] == pytest.approx(29_400, rel=0.01)
    assert counts["matplotlib"] == pytest.approx(35_600, rel=0.01)
