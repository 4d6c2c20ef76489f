from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from packaging.version import Version

from libdrift.languages.python.index import PackageIndex
from libdrift.languages.python.index_config import IndexSources
from libdrift.mining import MiningOptions
from libdrift.mining.selecting import select, series
from libdrift.mining.sources.base import Offered, Offers, Reading, Source, outcomes
from libdrift.mining.sources.index import IndexSource
from libdrift.records import Release


class Plain(Source):
    where = "on the registry"

    def offers(self, package: str) -> Offers:
        raise NotImplementedError

    def read(self, wanted: Sequence[Release]) -> Reading:
        return outcomes(((one, "") for one in wanted), transient=False)


def made(version: str, day: str = "", also: str = "", *, yanked: bool = False) -> Offered:
    release = Release("pypi", "pkg", version, date.fromisoformat(day) if day else None)
    return Offered(release, also, Version(version).is_prerelease, yanked)


OFFERED = (
    made("1.0", "2020-01-01"),
    made("1.0.1", "2020-06-01"),
    made("1.0.2", "2021-05-01"),
    made("1.1", "2021-01-01", yanked=True),
    made("1.1.1", "2021-02-01", "one"),
    made("2.0rc1", "2021-03-01"),
    made("2.0", "2021-04-01"),
)


def chosen(
    source: Source, options: MiningOptions, offered: Sequence[Offered] = OFFERED
) -> tuple[str, list[str]]:
    found, problems = select(source, Offers("pkg", tuple(offered)), options)
    return " ".join(one.release.version for one in found), problems


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (MiningOptions(), "1.0 1.0.1 1.0.2 1.1.1 2.0"),
        (MiningOptions(pre=True), "1.0 1.0.1 1.0.2 1.1.1 2.0rc1 2.0"),
        (MiningOptions(yanked=True), "1.0 1.0.1 1.0.2 1.1 1.1.1 2.0"),
        (MiningOptions(date(2021, 2, 1)), "1.0.2 1.1.1 2.0"),
        (MiningOptions(Version("1.1")), "1.1.1 2.0"),
        (MiningOptions(Version("2.0.0")), "2.0"),
        (MiningOptions(all_minor=True), "1.0.2 1.1.1 2.0"),
        (MiningOptions(date(2021, 6, 1)), ""),
        (MiningOptions(versions=("2.0rc1", "1.1", "1.0.0")), "1.0 1.1 2.0rc1"),
        (MiningOptions(versions=("one",)), "1.1.1"),
    ],
)
def test_selection(options: MiningOptions, expected: str) -> None:
    assert chosen(Plain("pkg"), options) == (expected, [])


@pytest.mark.parametrize(
    ("offered", "expected"),
    [((*OFFERED, made("2.1")), "1.0.2 2.0 2.1"), ((made("0.1"), *OFFERED), "1.0.2 2.0")],
)
def test_a_release_without_a_date_is_recent_after_a_recent_one(
    offered: Sequence[Offered], expected: str
) -> None:
    assert chosen(Plain("pkg"), MiningOptions(date(2021, 4, 1)), offered) == (expected, [])


UNDATED = [made("1.0")]


@pytest.mark.parametrize(
    ("options", "offered", "of_index", "of_others"),
    [
        (
            MiningOptions(versions=("1.1.5",)),
            OFFERED,
            "pkg 1.1.5 does not exist. The nearest are 1.1, 1.1.1, 2.0",
            "pkg 1.1.5 is not on the registry. The nearest: 1.1.1 and 2.0rc1",
        ),
        (
            MiningOptions(versions=("9",)),
            OFFERED,
            "pkg 9 does not exist. The nearest are 1.1.1, 2.0",
            "pkg 9 is not on the registry. The nearest: 2.0",
        ),
        (
            MiningOptions(versions=("latest",)),
            (),
            "'latest' is not a version. Write it as 1.26.4",
            "pkg latest is not on the registry. There is none",
        ),
        (
            MiningOptions(date(2021, 1, 1)),
            UNDATED,
            "pkg: the index gives no upload dates. Give --since a version instead of 2021-01-01",
            "pkg: the dates of its releases are not known. Write --since VERSION",
        ),
    ],
)
def test_what_was_asked_for_and_is_not_there(
    options: MiningOptions, offered: Sequence[Offered], of_index: str, of_others: str
) -> None:
    index = IndexSource(["pkg"], options, PackageIndex(IndexSources(())), Path("unused"))
    assert chosen(index, options, offered) == ("", [of_index])
    assert chosen(Plain("pkg"), options, offered) == ("", [of_others])


def test_the_series_of_a_version() -> None:
    assert series("1.26.4") == series("1.26") == (0, 1, 26)
    assert series("1!2") == (1, 2, 0)
    assert series("31.1-jre") == ("31", "1-jre")


def test_options_have_a_worker_for_each_core() -> None:
    assert MiningOptions().workers == os.cpu_count()
