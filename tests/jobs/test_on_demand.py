"""Questions about releases that are not mined yet: which are meant, read, or refused."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.history.store import Store
from libdrift.jobs import histories, on_demand, stored
from libdrift.jobs.on_demand import OnDemand
from libdrift.records import Origin
from tests.history.small import function, surface
from tests.languages.python.registry import only_releases, wheel

VERSIONS = ("1.4.9", "1.5.0", "1.5.2", "1.5.3rc1", "2.0", "2.0.1", "2.2.0", "3.0.0.7")


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty history, and an index that has some releases of ``pkg``."""
    codes = {
        version: f"def f(a): 'As of {version}.'\n" + ("def g(): ...\n" if version >= "2" else "")
        for version in VERSIONS
    }
    folder = only_releases(tmp_path, monkeypatch, codes)
    (folder / "pkg-4.0.0-py3-none-any.whl").write_bytes(b"no zip")
    return tmp_path / "history.sqlite"


def unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """An index at a port that nobody listens to."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{port}/simple")
    monkeypatch.setattr("time.sleep", lambda _: None)  # between attempts


@pytest.mark.parametrize(
    ("asked", "mined", "expected"),
    [
        (("1.5.0", "2.2.0"), (), ("1.5.0", "2.2.0")),
        (("1.5", "2.2"), (), ("1.5.2", "2.2.0")),  # the newest, but for pre-releases
        (("1", "3"), (), ("1.5.2", "3.0.0.7")),
        (("2.0",), (), ("2.0",)),  # a release of that very name
        (("2.0.0",), (), ("2.0",)),  # equal by the index's rules
        (("3.0.0",), (), ("3.0.0.7",)),
        (("1.5",), ("1.5.0",), ("1.5.2",)),  # what is mined is not the newest
        (("1.5.0", "2.2"), ("1.5.0", "2.2.0"), ("1.5.0", "2.2.0")),
        ((None,), (), ("4.0.0",)),
        ((None,), ("1.5.0",), ("1.5.0",)),  # the newest mined one
    ],
)
def test_which_releases_are_meant(
    history: Path, asked: tuple[str | None, ...], mined: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    with Store.open(history) as store:
        for version in mined:
            store.add(surface(version, function("pkg:f")))
    found = on_demand.meant(history, "pkg", asked, OnDemand())
    assert found.versions == expected
    assert found.missing == tuple(one for one in dict.fromkeys(expected) if one not in mined)


def test_a_diff_reads_what_is_missing_and_says_so(history: Path) -> None:
    said: list[str] = []
    events: list[object] = []
    ways = OnDemand(said=said.append, progress=events.append)
    found = histories.diff("pkg", "1.5", "2.2", on_demand=ways)
    assert (found.old, found.new) == ("1.5.2", "2.2.0")
    assert [(change.kind, change.path) for change in found.changes] == [("introduced", "pkg.g")]
    assert said == [
        "pkg 1.5 is 1.5.2: the newest of the series",  # and 2.2 is 2.2.0 by any rule
        "reading pkg 1.5.2 and 2.2.0, not mined yet",
    ]
    assert len(events) == 3  # listed, and two releases
    said.clear()
    histories.diff("pkg", "1.5.2", "2.2.0", on_demand=ways)
    assert said == []


def test_other_questions_read_what_is_missing_too(history: Path) -> None:
    assert histories.docs("pkg.f", "1.5").symbol.doc == "As of 1.5.2."
    assert histories.surface("pkg", "1.4").release.version == "1.4.9"
    found = stored.search_release("pkg", "f", "2.2")
    assert (found.version, [hit.path for hit in found.hits]) == ("2.2.0", ["pkg.f"])
    assert sorted(stored.stored("pkg").releases["pkg"][0].release.version) == sorted("1.4.9")


def test_a_life_takes_the_last_release_of_every_series(history: Path) -> None:
    found = histories.history_of("pkg.g")
    assert (found.introduced, found.removed) == ("2.0.1", None)
    assert list(found.dates) == ["1.4.9", "1.5.2", "2.0.1", "2.2.0", "3.0.0.7"]
    with pytest.raises(UserError, match=r"no mined release of pkg .* has pkg\.nothing"):
        histories.history_of("pkg.nothing")


def test_a_package_may_be_called_otherwise(history: Path) -> None:
    folder = history.parent / "wheels"
    (folder / "pillow-1.0-py3-none-any.whl").write_bytes(wheel({"PIL/__init__.py": "A = 1\n"}))
    (folder / "other-1.0-py3-none-any.whl").write_bytes(wheel({"mod/__init__.py": "B = 1\n"}))
    (folder / "mod-1.0-py3-none-any.whl").write_bytes(wheel({"another/__init__.py": ""}))
    assert histories.docs("PIL.A").package == "pillow"
    with pytest.raises(UserError, match=r"^mod 1\.0 has no module mod\. .*--package NAME$"):
        histories.docs("mod.B")
    assert histories.docs("mod.B", package="other").package == "other"


REFUSED = [
    (lambda: histories.diff("pkg", "1.5", "9"), UserError, r"^pkg 9 does not exist\. The nearest are"),
    (lambda: histories.diff("pkg", "2.2", "1.5"), UserError, r"^2\.2\.0 is later than 1\.5\.2\. Run: libdrift diff pkg 1\.5\.2 2\.2\.0$"),
    (lambda: histories.diff("nope", "1", "2"), UserError, r"^no package 'nope' in .*\. Check the spelling"),
    (lambda: histories.diff("", "1", "2"), UserError, r"^the package's name is empty\."),
    (lambda: histories.diff("pkg", "", "2"), UserError, r"^the version is empty\."),
    (lambda: histories.diff("pkg", "1.5", "4"), InfrastructureError, r"^pkg 4\.0\.0 could not be mined: pkg-4\.0\.0-py3-none-any\.whl is damaged"),
    (lambda: histories.surface("../pkg", "1"), UserError, r"is not the name of a package"),
    (lambda: histories.docs("nope.f"), UserError, r"^no package 'nope' in"),
    (lambda: histories.docs(""), UserError, r"^nothing is mined yet\."),
    (lambda: histories.history_of("nope.f"), UserError, r"^no package 'nope' in"),
    (lambda: histories.docs("pkg.f", "latest"), UserError, r"^latest is not a version\."),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "kind", "message"), REFUSED)
def test_what_does_not_exist_is_refused(
    history: Path, ask: object, kind: type[LibdriftError], message: str
) -> None:
    with pytest.raises(kind, match=message) as caught:
        ask()  # type: ignore[operator]
    assert "\n" not in str(caught.value)


def test_nothing_is_read_for_versions_in_the_wrong_order(history: Path) -> None:
    with pytest.raises(UserError):
        histories.diff("pkg", "2.2", "1.5")
    assert not history.exists()


SLIPS = [
    ("pkg.f.g", r"^no mined release of pkg"),
    ("f", r"^no mined package has f\. Did you mean: pkg\.f\? If not, run: libdrift mine f$"),
    ("p.f", r"Did you mean: pkg\.f\?"),  # as after `import pkg as p`
    ("pkgg.f", r"Did you mean: pkg\.f\? If not, run: libdrift mine pkgg$"),
    ("pkgg.nothing", r"Did you mean a name in pkg\? If not, run: libdrift mine pkgg$"),
]


@pytest.mark.parametrize(("symbol", "message"), SLIPS)
def test_no_package_is_read_for_a_slip(history: Path, symbol: str, message: str) -> None:
    folder = history.parent / "wheels"
    for name in ("f", "p", "pkgg"):
        (folder / f"{name}-1.0-py3-none-any.whl").write_bytes(wheel({f"{name}/__init__.py": ""}))
    histories.surface("pkg", "1.5")
    for ask in (histories.docs, histories.history_of):
        with pytest.raises(UserError, match=message):
            ask(symbol)
    assert list(stored.stored().releases) == ["pkg"]


def test_where_mining_is_refused_only_mined_releases_count(history: Path) -> None:
    said: list[str] = []
    never = OnDemand(allowed=False, said=said.append)
    with pytest.raises(UserError, match="nothing is mined yet"):
        histories.diff("pkg", "1.5", "2.2", on_demand=never)
    histories.diff("pkg", "1.5.0", "2.0.1")
    found = histories.diff("pkg", "1.5", "2", on_demand=never)
    assert (found.old, found.new) == ("1.5.0", "2.0.1")
    assert said == ["pkg 2 is 2.0.1: the newest of the series that is mined"]
    for ask, message in (
        (lambda: histories.diff("pkg", "1.5", "2.2", on_demand=never), r"^pkg 2\.2 is not mined; nearest mined: 2\.0\.1\. Run: libdrift mine pkg --versions 2\.2$"),
        (lambda: histories.diff("other", "1", "2", on_demand=never), r"^other is not mined\. Run: libdrift mine other --versions 1,2$"),
        (lambda: histories.docs("yaml.load", on_demand=never), r"^no mined package has yaml\.load\. Run: libdrift mine pyyaml$"),
        (lambda: histories.docs("other.name", on_demand=never), r"^no mined package has other\.name\. Run: libdrift mine other$"),
    ):  # fmt: skip
        with pytest.raises(UserError, match=message):
            ask()


def test_without_a_network_mined_releases_do(
    history: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    histories.diff("pkg", "1.5.0", "2.0.1")
    unreachable(monkeypatch)
    said: list[str] = []
    found = histories.diff("pkg", "1.5", "2", on_demand=OnDemand(said=said.append))
    assert (found.old, found.new) == ("1.5.0", "2.0.1")
    assert "cannot be reached" in said[0]
    assert said[1:] == ["pkg 2 is 2.0.1: the newest of the series that is mined"]
    for ask, message in (
        (lambda: histories.diff("pkg", "1.5.0", "2.2"), r"^pkg 2\.2 is not mined, and http://127\S+ cannot be reached.*\. Try again later"),
        (lambda: histories.diff("other", "1", "2"), r"^other 1 and 2 is not mined, and "),
        (lambda: histories.docs("other.f"), r"^other is not mined, and "),
        (lambda: histories.history_of("other.f"), r"cannot be reached"),
    ):  # fmt: skip
        with pytest.raises(InfrastructureError, match=message):
            ask()


def test_a_package_that_only_the_history_has(history: Path) -> None:
    """Mined from an index that is not configured now."""
    for wheel_file in (history.parent / "wheels").iterdir():
        wheel_file.unlink()
    with Store.open(history) as store:
        store.add(surface("1.5.0", function("pkg:f")))
    assert histories.surface("pkg", "1.5").release.version == "1.5.0"
    with pytest.raises(UserError, match=r"^pkg 2\.2 is not mined; nearest mined: 1\.5\.0"):
        histories.surface("pkg", "2.2")


def test_what_another_libdrift_has_read_is_read_again_before_it_is_compared(history: Path) -> None:
    with Store.open(history) as store:  # it did not see `f`
        other = surface("1.5.0", function("pkg:other"))
        store.add(replace(other, origin=Origin(reader="old")))
    said: list[str] = []
    found = histories.diff("pkg", "1.5.0", "2.2.0", on_demand=OnDemand(said=said.append))
    assert [(change.kind, change.path) for change in found.changes] == [("introduced", "pkg.g")]
    assert said == [
        "reading pkg 2.2.0, not mined yet",
        "reading pkg 1.5.0, read by another libdrift",
    ]
