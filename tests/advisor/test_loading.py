"""Which releases a check reads for the versions that files name."""

from __future__ import annotations

from pathlib import Path

import pytest

from libdrift import config
from libdrift.advisor.loading import Releases
from libdrift.advisor.versions import GIVEN, VersionStep
from libdrift.errors import LibdriftError
from tests.languages.python.registry import only_source, wheel


@pytest.fixture
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Releases:
    """An empty history, and an index that has some releases of ``pkg``."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    only_source(folder, monkeypatch)
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "cache"))
    for version in ("1.0", "1.4", "2.0"):
        path = folder / f"pkg-{version}-py3-none-any.whl"
        path.write_bytes(wheel({"pkg/__init__.py": f"def f(a): 'As of {version}.'\n"}))
    return Releases(config.load(), tmp_path / "history.sqlite")


@pytest.mark.parametrize(
    ("pinned", "is_range", "read", "said"),
    [
        ("1.4", False, "1.4", []),
        ("1.2", False, "1.0", ["pkg 1.2 is pinned and cannot be had; 1.0 is read in its place"]),
        ("0.9", False, "1.0", ["pkg 0.9 is pinned and cannot be had; 1.0 is read in its place"]),
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
