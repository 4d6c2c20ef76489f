"""The documents of each problem."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.errors import MissingDataError
from libdrift.jobs.retrieving import PUBLISHED, RetrievalOptions, measure_retrieval
from libdrift.suites.gitchameleon.corpus import documents
from tests.suites.gitchameleon.small import BARE, PROBLEM, packed

SHARED = "# Reading\n\nIniConfig reads the text of an ini file; get gives the value of a key.\n"
FILES = {
    "2/read.md": SHARED,
    "2/page.html": "<h1>Sections</h1><p>A section holds keys.</p>",
    "2/raw.bin": "0",
    "3/read.md": SHARED,
    "3/more.md": "Lines and line numbers.",
    "99/read.md": "Of no problem.",
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    packed(tmp_path / "gitchameleon", BARE, PROBLEM, {**PROBLEM, "example_id": "3"})
    return tmp_path


def test_pages_that_problems_share_are_right_for_each(data: Path, settings: Settings) -> None:
    for name, content in FILES.items():
        path = data / "gitchameleon" / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    found = {item.name: item for item in documents(replace(settings, data=data))}
    assert {name: set(item.tasks) for name, item in found.items()} == {
        "2/page.html#1": {"2"},
        "2/read.md#1": {"2", "3"},
        "3/more.md#1": {"3"},
    }
    options = RetrievalOptions(documents=PUBLISHED, store=data / "h.sqlite", data=data)
    quality = measure_retrieval("gitchameleon", options).quality
    assert {item.task_id: item.hit for item in quality.searches} == {"2": True, "3": True}
    assert quality.without_gold == ("10",)
    assert quality.foreign == 0


def test_data_without_them_says_where_they_belong(data: Path, settings: Settings) -> None:
    with pytest.raises(MissingDataError, match="no documents of problems") as refused:
        documents(replace(settings, data=data))
    assert "documents/NUMBER" in str(refused.value)
