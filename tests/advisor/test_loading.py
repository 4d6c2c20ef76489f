"""Which releases a check reads for the versions that files name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libdrift import config
from libdrift.advisor.loading import Releases
from libdrift.advisor.versions import GIVEN, VersionStep
from libdrift.errors import LibdriftError, UserError
from libdrift.history.store import Store
from libdrift.languages.python import static
from libdrift.records import Origin
from tests.history.small import function, surface
from tests.languages.python.registry import only_releases


@pytest.fixture
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Releases:
    """An empty history, and an index that has some releases of ``pkg``."""
    codes = {version: f"def f(a): 'As of {version}.'\n" for version in ("1.0", "1.4", "2.0")}
    only_releases(tmp_path, monkeypatch, codes)
    return Releases(config.load(), tmp_path / "history.sqlite")


@pytest.mark.parametrize(
    ("pinned", "is_range", "read", "said"),
    [
        ("1.4", False, "1.4", []),
        ("1.2", False, "1.0", ["pkg 1.2 is pinned but not available; 1.0 is used instead"]),
        ("0.9", False, "1.0", ["pkg 0.9 is pinned but not available; 1.0 is used instead"]),
        ("1.2", True, "1.4", []),
    ],
    ids=["there", "withdrawn", "older than all", "the bound of a range"],
)
def test_what_a_file_names_is_read_or_what_is_nearest(
    pinned: str,
    is_range: bool,  # noqa: FBT001
    read: str,
    said: list[str],
    releases: Releases,
) -> None:
    step, _ = releases.pair(VersionStep("pkg", pinned, "2.0", "requirements.txt", is_range))
    assert (step.old, step.new) == (read, "2.0")
    assert [str(problem) for problem in releases.problems] == said


def test_what_the_user_says_is_taken_as_it_is(releases: Releases) -> None:
    with pytest.raises(LibdriftError, match=r"pkg 1\.2 does not exist"):
        releases.pair(VersionStep("pkg", "1.2", "2.0", GIVEN))


def _add(path: Path, version: str, reader: str) -> None:
    with Store.open(path) as store:
        read = surface(version, function("pkg:f"))
        store.add(replace(read, origin=Origin(reader=reader)))


@pytest.mark.parametrize(
    ("readers", "read"),
    [
        ({"1.0": "old", "2.0": "older"}, ["1.0", "2.0"]),
        ({"1.0": "old"}, ["1.0", "2.0"]),
        ({"1.0": "old", "2.0": "old"}, []),
        ({"1.0": "", "2.0": "old"}, []),
    ],
    ids=["two others", "another, beside what is missing", "one other", "nobody knows"],
)
def test_releases_of_different_readers_are_read_again(
    readers: dict[str, str], read: list[str], releases: Releases
) -> None:
    for version, reader in readers.items():
        _add(releases.path, version, reader)
    releases.pair(VersionStep("pkg", "1.0", "2.0", GIVEN))
    with Store.open(releases.path, readonly=True) as store:
        now = {one.release.version: one.origin.reader for one in store.releases("pkg")}
    assert [version for version, reader in now.items() if reader == static.reader()] == read


def test_offline_releases_of_different_readers_are_refused(releases: Releases) -> None:
    _add(releases.path, "1.0", "old")
    _add(releases.path, "2.0", "older")
    releases.offline = True
    with pytest.raises(UserError, match="read by another version of libdrift, and --offline"):
        releases.pair(VersionStep("pkg", "1.0", "2.0", GIVEN))
