from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.errors import LibdriftError
from libdrift.languages.python.index import IndexFile, Listing
from libdrift.languages.python.web import IndexSources
from libdrift.mining import reading
from libdrift.records import Release
from tests.languages.python.registry import HASTY, Registry, serve, wheel

NAME = "pkg-1.0-py3-none-any.whl"


@pytest.fixture
def registry() -> Iterator[Registry]:
    with serve() as found:
        yield found


def _read(file: IndexFile, tmp_path: Path) -> reading.Reply:
    read = reading.reader(IndexSources(()), HASTY, tmp_path, ())
    return read(Listing(Release("python", "pkg", "1.0", None), (file,)))


def test_bytes_that_the_index_does_not_promise_may_come_right_another_time(
    registry: Registry, tmp_path: Path
) -> None:
    file = registry.file(NAME, wheel({"pkg/__init__.py": "a = 1\n"}))
    told = _read(replace(file, digest=f"sha256:{'0' * 64}"), tmp_path)
    assert (told.surface, told.transient) == (None, True)
    assert told.reason.startswith(f"{NAME} is refused: its sha256 is")
    assert _read(file, tmp_path).surface is not None


def test_an_archive_that_is_broken_stays_so(registry: Registry, tmp_path: Path) -> None:
    told = _read(registry.file(NAME, b"no zip"), tmp_path)
    assert (told.surface, told.transient) == (None, False)


def test_a_cache_that_cannot_be_written_is_told_before_a_process_is_started(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(LibdriftError, match="LIBDRIFT_CACHE"):
        reading.scratch_in(tmp_path / "cache")
