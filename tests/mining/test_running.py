"""Any source: what is kept, what is read again, and what fails."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest
from packaging.version import Version

from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.history.store import Store
from libdrift.mining import (
    Event,
    FailedRelease,
    ListedPackage,
    MinedRelease,
    MiningOptions,
    MissingPackage,
    Warned,
)
from libdrift.mining.events import summed
from libdrift.mining.running import events
from libdrift.mining.sources.base import Offered, Offers, Pair, Reading, Source, outcomes
from libdrift.records import Release, Surface
from tests.history.small import stored

_OFFERED = (
    Offered(Release("x", "pkg", "1.0.0", date(2020, 1, 1)), "1.0"),
    Offered(Release("x", "pkg", "1.0.1", date(2020, 2, 1))),
    Offered(Release("x", "pkg", "1.1.0", date(2021, 1, 1))),
    Offered(Release("x", "pkg", "1.2.0-rc.1", date(2021, 6, 1)), pre=True),
    Offered(Release("x", "pkg", "1.2.0", date(2022, 1, 1)), yanked=True),
)


def _pair(release: Release) -> Pair:
    fails = release.version == "1.1.0"
    return release, "it does not build" if fails else Surface(release, (), {}, {})


class Registry(Source):
    where = "on the registry"

    def __init__(self, offered: Sequence[Offered] | LibdriftError = _OFFERED) -> None:
        super().__init__("pkg")
        self.offered = offered
        self.asked: list[str] = []

    def offers(self, package: str) -> Offers:
        if isinstance(self.offered, LibdriftError):
            raise self.offered
        return Offers(package, tuple(self.offered))

    def read(self, wanted: Sequence[Release]) -> Reading:
        self.asked += [release.version for release in wanted]
        return outcomes(map(_pair, wanted), transient=False)


class NoToolchain(Registry):
    def read(self, wanted: Sequence[Release]) -> Reading:
        raise InfrastructureError(f"no toolchain for {len(wanted)}", "Get one")


def mined(source: Source, store: Store, options: MiningOptions | None = None) -> list[Event]:
    return list(events([source], options or MiningOptions(), store))


def test_what_is_read_is_kept_and_not_read_again() -> None:
    with stored() as store:
        source = Registry()
        found = mined(source, store)
        assert [type(event) for event in found] == [
            ListedPackage,
            MinedRelease,
            MinedRelease,
            FailedRelease,
        ]
        assert source.asked == ["1.0.0", "1.0.1", "1.1.0"]
        assert store.failures()[0].reason == "it does not build"
        again = mined(source, store, MiningOptions(versions=("1.0.0",)))
        assert again == [ListedPackage("pkg", 0, 1)]


def test_a_registry_that_cannot_be_reached_is_said_once() -> None:
    with stored() as store:
        (event,) = mined(Registry(InfrastructureError("no network", "Try again later")), store)
    assert isinstance(event, MissingPackage)
    assert str(event.error) == "no network. Try again later"


def test_what_cannot_be_read_at_all_is_said_once() -> None:
    with stored() as store:
        listed, missing = mined(NoToolchain(), store)
    assert isinstance(listed, ListedPackage)
    assert isinstance(missing, MissingPackage)
    assert str(missing.error) == "no toolchain for 3. Get one"


def test_nothing_chosen_has_a_reason() -> None:
    with stored() as store:
        (listed,) = mined(Registry(), store, MiningOptions(Version("7")))
    assert listed == ListedPackage("pkg", 0, 0, nothing="pkg: no release since 7 on the registry")


def test_what_a_source_warns_of_comes_first() -> None:
    source = Registry([])
    source.warnings = ("less than you think",)
    with stored() as store:
        assert mined(source, store)[0] == Warned("less than you think")


_A, _B = Release("x", "a", "1"), Release("x", "b", "1")


@pytest.mark.parametrize(
    ("happened", "code"),
    [
        ([ListedPackage("a", 1, 0), MinedRelease(_A, 3, complete=True)], 0),
        ([ListedPackage("a", 1, 0), MinedRelease(_A, 3, complete=False, transient=True)], 3),
        ([ListedPackage("a", 1, 0), FailedRelease(_A, "broken", transient=False)], 3),
        ([ListedPackage("a", 1, 1), FailedRelease(_A, "broken", transient=False)], 0),
        ([ListedPackage("a", 1, 1), FailedRelease(_A, "no network", transient=True)], 3),
        ([ListedPackage("a", 0, 1), MissingPackage("b", InfrastructureError("no network"))], 3),
        ([ListedPackage("a", 0, 1), MissingPackage("b", UserError("no such package"))], 2),
        ([ListedPackage("a", 0, 1, ("a 2 is not there",))], 2),
    ],
)
def test_how_it_ended(happened: list[Event], code: int) -> None:
    assert summed(happened).exit_code == code


def test_the_sum_of_what_happened() -> None:
    failed = FailedRelease(_B, "broken", transient=False)
    found = summed(
        [
            ListedPackage("a", 1, 2, skipped=tuple("123456"), nothing=""),
            ListedPackage("b", 1, 0),
            ListedPackage("c", 0, 0, nothing="c: no releases"),
            MinedRelease(_A, 3, complete=False, notes=("was odd",)),
            failed,
        ]
    )
    rows = [(item.package, item.new, item.present, item.incomplete) for item in found.packages]
    assert rows == [("a", 1, 2, 1), ("b", 0, 0, 0), ("c", 0, 0, 0)]
    assert found.packages[1].failed == found.failed == (failed,)
    assert found.notes == (
        "a: no version in 6 names: 1, 2, 3, 4, 5, …",
        "a 1 was odd",
        "c: no releases",
    )
