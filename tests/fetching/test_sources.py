"""The shipped table of sources: what it must say of every benchmark."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import PurePosixPath

import pytest

from libdrift import suites
from libdrift.fetching import DataSource, PinnedFile, known_sources
from libdrift.records import Suite
from tests.published import published


def test_every_benchmark_that_needs_data_has_a_source() -> None:
    needing = {
        name
        for name in suites.names()
        if suites.benchmark_of(Suite(name, "", "")).find_data is not None
    }
    assert set(known_sources()) == needing


@pytest.mark.parametrize("source", known_sources().values(), ids=lambda one: one.suite)
def test_its_line_is_complete(source: DataSource) -> None:
    assert source.title
    assert source.licence
    assert source.citation
    if not source.downloads:
        assert source.wanted, "what to look for"
        return
    assert re.fullmatch("[0-9a-f]{40}", source.commit)
    assert source.released
    for download in source.downloads:
        assert download.url.startswith("https://")
        assert source.commit in download.url, "the address is of the pinned commit"
        assert download.files or download.pattern
        for path, pin in download.files.items():
            assert re.fullmatch("[0-9a-f]{64}", pin.sha256)
            assert pin.size
            assert ".." not in PurePosixPath(path).parts
            assert not path.startswith("/")


def test_sizes_are_told_where_all_are_known() -> None:
    sizes = {name: source.size for name, source in known_sources().items()}
    assert sizes["codemenv"] == 1_354_917 + 879_595 + 556_070
    assert sizes["versicode"] is None
    assert sizes["libevolutioneval"] is None


@pytest.mark.published
def test_the_pins_are_of_the_published_bytes() -> None:
    """The hidden tests in their packed form are the authors' files, byte by byte."""
    folder = published("gitchameleon")
    pins = known_sources()["gitchameleon"].pinned
    found = {
        "dataset/dataset.jsonl": (folder / "problems.jsonl").read_bytes(),
        "dataset/ground_truth_solutions.jsonl": (folder / "solutions.jsonl").read_bytes(),
    }
    for row in (folder / "hidden_tests.jsonl").read_text("utf-8").split("\n"):
        if row:
            test = json.loads(row)
            path = f"dataset/hidden_tests/test_sample_{test['example_id']}.py"
            found[path] = test["hidden_test"].encode()
    made = {
        path: PinnedFile(path, len(content), hashlib.sha256(content).hexdigest())
        for path, content in found.items()
    }
    assert made == pins
