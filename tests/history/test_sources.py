"""Releases that come one by one: which are chosen, what is kept, and what fails."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest
from packaging.version import Version

from libdrift.errors import InfrastructureError
from libdrift.history.mining import Failed, Listed, Mined, Missing, Options
from libdrift.history.sources import Offered, Read, Source, mine
from libdrift.records import Release, Surface
from tests.history.small import stored

_OFFERED = (
    Offered(Release("x", "pkg", "1.0.0", date(2020, 1, 1)), "1.0"),
    Offered(Release("x", "pkg", "1.0.1", date(2020, 2, 1))),
    Offered(Release("x", "pkg", "1.1.0", date(2021, 1, 1))),
    Offered(Release("x", "pkg", "1.2.0-rc.1", date(2021, 6, 1)), pre=True),
    Offered(Release("x", "pkg", "1.2.0", date(2022, 1, 1)), yanked=True),
)


def _read(wanted: Sequence[Offered]) -> Read:
    for one in wanted:
        release = one.release
        fails = release.version == "1.1.0"
        yield release, "it does not build" if fails else Surface(release, (), {}, {})


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        (Options(), ["1.0.0", "1.0.1", "1.1.0"]),
        (Options(pre=True, yanked=True), ["1.0.0", "1.0.1", "1.1.0", "1.2.0-rc.1", "1.2.0"]),
        (Options(since=date(2020, 2, 1)), ["1.0.1", "1.1.0"]),
        (Options(since=Version("1.1")), ["1.1.0"]),
        (Options(all_minor=True), ["1.0.1", "1.1.0"]),
        (Options(versions=("1.0", "1.2.0")), ["1.0.0", "1.2.0"]),  # asked for: yanked or not
    ],
)
def test_what_is_chosen(options: Options, chosen: list[str]) -> None:
    asked: list[str] = []

    def read(wanted: Sequence[Offered]) -> Read:
        asked.extend(one.release.version for one in wanted)
        return _read(wanted)

    with stored() as store:
        events = list(mine(Source("pkg", lambda: _OFFERED, read), options, store))
    assert asked == chosen
    assert isinstance(events[0], Listed)
    assert events[0].new == len(chosen)


def test_what_is_read_is_kept_and_not_read_again() -> None:
    source = Source("pkg", lambda: _OFFERED, _read, passing=False)
    with stored() as store:
        events = list(mine(source, Options(), store))
        kinds = [type(event) for event in events]
        assert kinds == [Listed, Mined, Mined, Failed]
        assert store.failures()[0].reason == "it does not build"
        again = list(mine(source, Options(versions=("1.0.0",)), store))
        assert again == [Listed("pkg", 0, 1)]


def test_a_version_that_is_not_there_is_named_with_its_neighbours() -> None:
    source = Source("pkg", lambda: _OFFERED, _read, where="on the registry")
    with stored() as store:
        (listed,) = mine(source, Options(versions=("1.0.5",)), store)
    assert isinstance(listed, Listed)
    expected = "pkg 1.0.5 is not on the registry. The nearest: 1.0.1 and 1.1.0"
    assert listed.problems == (expected,)


def test_a_registry_that_cannot_be_reached_is_said_once() -> None:
    def offered() -> Sequence[Offered]:
        raise InfrastructureError("no network", "Try again later")

    with stored() as store:
        (event,) = mine(Source("pkg", offered, _read), Options(), store)
    assert isinstance(event, Missing)
    assert str(event.error) == "no network. Try again later"


def test_a_date_says_nothing_of_releases_without_dates() -> None:
    offered = [Offered(Release("x", "pkg", "1.0.0"))]
    with stored() as store:
        options = Options(since=date(2020, 1, 1))
        (event,) = mine(Source("pkg", lambda: offered, _read), options, store)
    assert isinstance(event, Listed)
    assert event.problems == (
        "pkg: the dates of its releases are not known. Write --since VERSION",
    )
