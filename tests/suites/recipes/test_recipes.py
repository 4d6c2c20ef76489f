"""Suites that are built from a manifest, without building: what is there already is read."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_struct

from libdrift import config, suites
from libdrift.build.live.records import LiveFamily
from libdrift.errors import UserError
from libdrift.jobs.listing import overview
from libdrift.suites import recipes, task_files
from libdrift.suites.recipes.manifest import (
    PairEntry,
    PairPlace,
    TaskEntry,
    TaskManifest,
    parse,
    written,
)
from tests.build.live.gates.test_reading import NEW, OLD, task

NAMES = recipes.names()
PLACE = PairPlace("3.11", ("pkg==1.0",))
MANIFEST = TaskManifest(
    1,
    "small",
    "Small",
    (PairEntry("pkg", "1.0", "2.0", (PLACE, PLACE)),),
    (TaskEntry("t", "pkg", "1.0", "2.0", "migrate", "pkg.f", "abc", {"tests": "def"}),),
)


def test_a_manifest_is_read_as_it_was_written() -> None:
    assert parse(written(MANIFEST), "here") == MANIFEST
    assert MANIFEST.digest == parse(written(MANIFEST), "here").digest


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"schema_version": "x"}'])
def test_what_is_no_manifest(text: str) -> None:
    with pytest.raises(UserError, match="here is not a manifest of tasks"):
        parse(text.encode(), "here")


@pytest.mark.parametrize("name", NAMES)
def test_shipped_manifests_hold_together(name: str) -> None:
    manifest = recipes.manifest_of(name)
    assert manifest.name == name
    pairs = {pair.key for pair in manifest.pairs}
    assert {entry.pair for entry in manifest.tasks} == pairs
    assert len({entry.id for entry in manifest.tasks}) == len(manifest.tasks)
    for entry in manifest.tasks:
        assert len(entry.hash) == 24
        assert entry.package in entry.id


def test_the_shipped_benchmark_is_wide() -> None:
    manifest = recipes.manifest_of("drift-2026-11")
    days = {pair.key: pair.places[1].as_of for pair in manifest.pairs}
    years = Counter(day.year for entry in manifest.tasks if (day := days[entry.pair]))
    families = Counter(entry.family for entry in manifest.tasks)
    assert len(manifest.tasks) >= 400
    assert len({entry.package for entry in manifest.tasks}) >= 30
    assert set(years) == set(range(2021, 2027))
    assert min(years.values()) >= 20
    assert set(families) == {family.value for family in LiveFamily}
    assert min(families.values()) >= 20
    assert max(families.values()) <= len(manifest.tasks) / 2


@pytest.mark.parametrize("name", NAMES)
def test_a_list_of_suites_builds_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path))
    built = "libdrift.jobs.remaking_live.build_recipe"
    monkeypatch.setattr(built, lambda *_: pytest.fail("it is built"))
    assert name in suites.names()
    assert name not in suites.written()
    row = next(row for row in overview() if row["suite"] == name)
    assert row["tasks"] == len(recipes.manifest_of(name).tasks)


def test_what_was_built_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings = replace(config.load(), cache=tmp_path)
    monkeypatch.setattr(recipes, "manifest_of", lambda _: MANIFEST)
    built: list[str] = []

    def build(name: str, path: Path) -> None:
        built.append(name)
        task_files.write(path, "small-built", "Small", [task(OLD, NEW)], {})

    monkeypatch.setattr("libdrift.jobs.remaking_live.build_recipe", build)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            suite = recipes.load("small", settings)
    assert built == ["small"]
    assert caplog.text.count("is built once") == 1
    assert (suite.name, suite.argument) == ("small", "small")
    assert [one.suite for one in suite.tasks.values()] == ["small"]


def test_a_manifest_of_another_language_has_no_places() -> None:
    pair = PairEntry("crate:x", "1.0", "2.0")
    other = replace_struct(MANIFEST, pairs=(pair,), language="rust")
    assert parse(written(other), "here") == other
    with pytest.raises(UserError, match=r"here does not say where crate:x 2\.0 was run"):
        parse(written(replace_struct(MANIFEST, pairs=(pair,))), "here")
