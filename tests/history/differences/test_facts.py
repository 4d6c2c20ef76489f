"""Changes that release notes tell of, found between the releases themselves.

The archives come from the package index, as pip and uv are told of it; each is read once, without
import, by two processes. Nothing is kept.
"""

from __future__ import annotations

import multiprocessing
import os
import tomllib
from collections.abc import Collection, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError
from libdrift.history.differences.diff import compare
from libdrift.languages.python import static
from libdrift.languages.python.archives import choose, open_archive
from libdrift.languages.python.index import PackageIndex
from libdrift.mining.parse_cache import ParseCache
from libdrift.records import Change, ChangeKind, Surface

TABLE = Path(__file__).with_name("facts.toml")
WORKERS = 3  # one more than the cores of a small machine: each waits for the index at times
# The longest to read come first, so that no process works on while the other is done.
LARGE = ("scipy", "numpy", "pandas", "sympy", "matplotlib", "django", "sqlalchemy", "networkx")

Versions = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fact:
    package: str
    old: str
    new: str
    kind: str
    path: str
    aspect: str = ""
    parameter: str = ""
    replacement: str = ""

    @property
    def versions(self) -> Versions:
        return self.old, self.new

    def __str__(self) -> str:
        what = f"{self.path}({self.parameter})" if self.parameter else self.path
        return f"{self.package}-{self.new}-{self.kind}-{what}"


@dataclass(frozen=True, slots=True)
class Told:
    """The changes between two releases, and what replacements reach in the new one."""

    changes: tuple[Change, ...]
    targets: Mapping[str, str]

    def has(self, fact: Fact, change: Change) -> bool:
        return (
            fact.path in (change.path, *change.aliases)
            and change.kind == fact.kind
            and change.parameter == fact.parameter
            and fact.aspect in ("", change.aspect)
            and (not fact.replacement or self.same(fact.replacement, change.replacement))
        )

    def same(self, wanted: str, found: str) -> bool:
        """One thing may have several paths."""
        return wanted == found or self.targets.get(wanted, "-") == self.targets.get(found)


def _place(package: str) -> tuple[int, str]:
    return LARGE.index(package) if package in LARGE else len(LARGE), package


def facts() -> list[Fact]:
    return [Fact(**entry) for entry in tomllib.loads(TABLE.read_text("utf-8"))["fact"]]


def read_package(
    package: str, pairs: Collection[Versions], wanted: Collection[str], folder: Path
) -> dict[Versions, Told] | str:
    """In a process of its own: the changes of each pair, or why the index cannot be read."""
    index = PackageIndex.configured(os.environ)
    records = ParseCache(folder / "parsed.sqlite", static.VERSION)
    versions = list(dict.fromkeys(version for pair in pairs for version in pair))
    try:
        chosen = [item for item in index.releases(package) if item.release.version in versions]
        assert len(chosen) == len(versions)
        surfaces: dict[str, Surface] = {}
        for listing in chosen:
            with open_archive(choose(listing), package, index.web, folder) as archive:
                surfaces[listing.release.version] = static.extract(
                    listing.release, archive.members, archive.read, cache=records
                )
    except InfrastructureError as error:
        return str(error)
    finally:
        index.close()
        records.close()
    return {
        (old, new): told(compare(surfaces[old], surfaces[new]), surfaces[new], wanted)
        for old, new in pairs
    }


def told(changes: Collection[Change], new: Surface, wanted: Collection[str]) -> Told:
    targets: dict[str, str] = {}
    for path in {*wanted, *(change.replacement for change in changes)}:
        symbol = new.resolve(path)
        if symbol is not None:
            targets[path] = symbol.id
    return Told(tuple(changes), targets)


@pytest.fixture(scope="session")
def history(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[Versions, Told] | str]:
    """Of each package that a selected test asks for."""
    calls = [getattr(item, "callspec", None) for item in request.session.items]
    chosen = [call.params["fact"] for call in calls if call and "fact" in call.params]
    packages = sorted({fact.package for fact in chosen}, key=_place)
    folder = tmp_path_factory.mktemp("history")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(WORKERS, mp_context=context) as pool:
        running = {}
        for package in packages:
            mine = [fact for fact in chosen if fact.package == package]
            pairs = list(dict.fromkeys(fact.versions for fact in mine))
            wanted = {fact.replacement for fact in mine}
            running[package] = pool.submit(read_package, package, pairs, wanted, folder)
        return {package: future.result() for package, future in running.items()}


@pytest.mark.parametrize("fact", facts(), ids=str)
def test_known_fact(fact: Fact, history: dict[str, dict[Versions, Told] | str]) -> None:
    found = history[fact.package]
    if isinstance(found, str):
        pytest.skip(f"the package index cannot be read: {found}")
    pair = found[fact.versions]
    near = [change for change in pair.changes if fact.path in (change.path, *change.aliases)]
    assert any(pair.has(fact, change) for change in near), near


def test_table_is_large_and_without_repetition() -> None:
    table = facts()
    assert len(table) >= 75
    assert len(set(table)) == len(table)
    assert {fact.kind for fact in table} == set(ChangeKind)
