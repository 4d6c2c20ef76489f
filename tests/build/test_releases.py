from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from libdrift.build.lifecycles import Lifecycle
from libdrift.build.releases import MinedReleases, ReleaseAt
from libdrift.languages.python.usage import UNKNOWN, Given
from tests.build.repos import history

FIGURE = Given("pkg.Figure")
AXES = Given("pkg.core.Axes")


@pytest.fixture
def release() -> Iterator[ReleaseAt]:
    with history() as store:
        found = MinedReleases(store).get("pkg", "2.0.0")
        assert found is not None
        yield found


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pkg.core.Figure", FIGURE),
        ("pkg.plots.figure", FIGURE),  # known to the package, if not imported where it is named
        ("pkg.plots.maybe", FIGURE),
        ("pkg.plots.pair", Given("", (FIGURE, UNKNOWN))),
        ("pkg.core.Figure.grid", AXES),
        ("pkg.Figure.copy", FIGURE),
        ("pkg.core.Axes.plot", Given("", (Given("pkg.core.Line"),), open=True)),
        ("pkg.core.Axes.count", None),
        ("pkg.plots.plain", None),
        ("pkg.plots.secret", UNKNOWN),
        ("pkg.plots.none", UNKNOWN),
    ],
)
def test_what_a_call_gives(release: ReleaseAt, path: str, expected: Given | None) -> None:
    assert release.call(path) == expected


def test_what_an_attribute_holds(release: ReleaseAt) -> None:
    assert release.attribute("pkg.Figure.axes") == Given("", (AXES,), open=True)
    assert release.attribute("pkg.Figure.none") == UNKNOWN


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["pkg.plots.gone", "pkg.Figure.none", "pkg.none.none"], {True}),
        # What a value has depends on its class, which is unknown.
        (["pkg.plots.fresh", "pkg.plots.settings.update", "other.thing"], {False}),
    ],
)
def test_what_it_is_known_to_lack(
    release: ReleaseAt, paths: list[str], expected: set[bool]
) -> None:
    assert {release.lacks(path) for path in paths} == expected


def test_its_date_and_the_lives_of_symbols(release: ReleaseAt) -> None:
    assert release.date == date(2021, 3, 4)
    assert release.lifecycle("pkg.plots.fresh") is Lifecycle.INTRODUCED
    assert release.lifecycle("pkg.plots.figure") is Lifecycle.UNCHANGED
    assert release.lifecycle("pkg.plots.gone") is None
    assert release.has_member("plot")
    assert not release.has_member("figure")


def test_what_is_not_mined() -> None:
    assert MinedReleases().get("pkg", "2.0") is None
    with history() as store:
        assert MinedReleases(store).get("pkg", "3.0") is None
        assert MinedReleases(store).get("other", "1.0") is None
