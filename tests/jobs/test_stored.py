"""The history as a file: what is taken out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.jobs import stored
from libdrift.records import Release
from tests.history.small import function, surface


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "history.sqlite"
    many = [function(f"pkg:f{at}", doc=f"{at} " * 200) for at in range(200)]
    with Store.open(path) as store:
        store.add(surface("1.0", *many))
        store.add(surface("2.0", function("pkg:g")))
        store.note_failure(Release("pypi", "pkg", "3.0"), "no files")
        store.note_failure(Release("pypi", "broken", "1.0"), "no files")
    return path


@pytest.mark.parametrize(
    ("package", "version", "versions", "failures", "left"),
    [
        ("pkg", "1.0", ("1.0",), (), (["2.0"], ["1.0", "3.0"])),
        ("Pkg", "1", ("1.0",), (), (["2.0"], ["1.0", "3.0"])),
        ("pkg", "3.0", (), ("3.0",), (["1.0", "2.0"], ["1.0"])),
        ("pkg", None, ("1.0", "2.0"), ("3.0",), ([], ["1.0"])),
        ("broken", None, (), ("1.0",), (["1.0", "2.0"], ["3.0"])),
    ],
)
def test_remove(
    history: Path,
    package: str,
    version: str | None,
    versions: tuple[str, ...],
    failures: tuple[str, ...],
    left: tuple[list[str], list[str]],
) -> None:
    size = history.stat().st_size
    planned = stored.removable(package, version, history)
    assert (planned.versions, planned.failures) == (versions, failures)
    removed = stored.remove_releases(package, version, history)
    assert (removed.versions, removed.failures) == (versions, failures)
    with Store.open(history, readonly=True) as store:
        assert store.versions(store.number("pkg")) == left[0]
        assert [item.release.version for item in store.failures()] == left[1]
        assert store.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    if "1.0" in versions:  # the large one
        assert 0 < removed.freed <= size
        assert history.stat().st_size < size


@pytest.mark.parametrize(
    ("package", "version", "message"),
    [
        ("pkg", "9", r"^pkg 9 is not mined\. Run: libdrift history list pkg$"),
        ("pkg", "", r"^the version is empty\. Run: libdrift history list pkg$"),
        ("other", None, r"^other is not mined\. Run: libdrift history list$"),
        ("pkgg", None, r"^pkgg is not mined\. Did you mean pkg\?$"),
        ("", None, r"^the package's name is empty\."),
    ],
)
def test_what_is_not_there_is_not_removed(
    history: Path, package: str, version: str | None, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        stored.remove_releases(package, version, history)
    with Store.open(history, readonly=True) as store:
        assert store.versions(store.number("pkg")) == ["1.0", "2.0"]


def test_nothing_is_made_where_there_is_no_history(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing is mined yet"):
        stored.remove_releases("pkg", None, tmp_path / "history.sqlite")
    assert list(tmp_path.iterdir()) == []
