"""Files that anybody may have made."""

from __future__ import annotations

import gzip
import hashlib
import os
import tracemalloc
from pathlib import Path

import pytest

from libdrift.errors import UserError
from libdrift.reading import Lines, json_items, read_small, read_small_file, toml_of


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"a\nb", [b"a", b"b"]),
        (b"\xef\xbb\xbfa\r\n\n\xef\xbb\xbfb\n", [b"a\r", b"", b"\xef\xbb\xbfb"]),
        (b"12345678\n", [b"12345678"]),
    ],
)
def test_lines(tmp_path: Path, content: bytes, lines: list[bytes]) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    found = Lines(path, limit=9)
    assert list(found) == lines
    assert found.sha256 == hashlib.sha256(content).hexdigest()


def test_a_line_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"short\n" + b"x" * 100)
    with pytest.raises(UserError, match="file:2: a line of over 0 MB"):
        list(Lines(path, limit=9))


def test_a_device_without_end(tmp_path: Path) -> None:
    (tmp_path / "file").symlink_to("/dev/zero")
    with pytest.raises(UserError, match="file:1: a line of over"):
        list(Lines(tmp_path / "file", limit=1 << 16))


def test_a_file_that_nests_without_end_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b'[{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]")
    tracemalloc.start()
    try:
        with pytest.raises(UserError, match="nests too deep"):
            list(json_items(path))
        assert tracemalloc.get_traced_memory()[1] < 50 << 20
    finally:
        tracemalloc.stop()


def test_an_item_without_end_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some kilobytes of gzip become any number of megabytes."""
    monkeypatch.setattr("libdrift.reading.LINE_LIMIT", 1 << 20)
    path = tmp_path / "answers.json.gz"
    small = b'{"a": "' + b"y" * 900_000 + b'"}'
    with gzip.open(path, "wb") as file:
        file.write(b"[" + b", ".join([small] * 5) + b', {"a": "')
        for _ in range(4):
            file.write(b"x" * (1 << 20))
        file.write(b'"}]')
    items = json_items(path)
    assert len([next(items) for _ in range(5)]) == 5
    with pytest.raises(UserError, match="what follows item 5 has over 1 MB"):
        next(items)


def test_what_has_to_be_in_memory_has_an_end() -> None:
    with pytest.raises(OSError, match="it has over 0 MB"):
        read_small(Path("/dev/zero"), limit=9)


def test_toml_with_many_dots_in_its_values() -> None:
    text = f'a.b = "{"." * 1000}"\nc = ["{"x==1.2.3, " * 300}"]\n'
    assert set(toml_of(text)) == {"a", "c"}


@pytest.mark.parametrize(
    "text",
    [
        f"{'a.' * 100_000}a = 1",
        f"""{'"="."b c".' * 50_000}a = 1""",
        f"a = {'[' * 20_000}",
        f"a = {'9' * 5000}",
        "a = ",
    ],
)
def test_toml_that_would_take_for_ever_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        toml_of(text)


def test_a_pipe_is_no_small_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is not a file"):
        read_small_file(tmp_path / "pipe")
