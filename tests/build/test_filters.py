from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.build import filters
from libdrift.build.filters import ParsedSource, Rejection

LATIN = "# -*- coding: latin-1 -*-\nname = 'Jürgen'\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", Rejection.EMPTY),
        (b" \n\t\n", Rejection.EMPTY),
        (b"x = 1\0\n", Rejection.NUL),
        ("name = 'Jürgen'\n".encode("latin-1"), Rejection.ENCODING),
        (b"# coding: no-such-thing\nx = 1\n", Rejection.ENCODING),
        (b"# coding: latin-1\n" + "x = 'é'".encode("utf-16"), Rejection.NUL),
        (b"x = '" + b"a" * 1000 + b"'\n", Rejection.LONG_LINE),
        (b"\n".join([b"x = '" + b"a" * 150 + b"'"] * 9), Rejection.LONG_LINES),
        (b"x = [\n" + b"    (), [], {}, (),\n" * 30 + b"]\n", Rejection.FEW_LETTERS),
        (b"print 'two'\n", Rejection.SYNTAX),
        (b"def f(:\n", Rejection.SYNTAX),
    ],
)
def test_each_file_has_its_reason(tmp_path: Path, content: bytes, expected: Rejection) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(content)
    assert filters.read(path) is expected


def test_deep_nesting_is_no_crash() -> None:
    assert filters.parsed("word = " + "not " * 200_000 + "word") in {
        Rejection.DEEP,
        Rejection.SYNTAX,
    }


def test_huge_and_missing_files(tmp_path: Path) -> None:
    huge = tmp_path / "huge.py"
    huge.write_bytes(b"x = 1\n" * 200_000)
    assert filters.read(huge) is Rejection.HUGE
    assert filters.read(tmp_path / "none.py") is Rejection.UNREADABLE


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (LATIN.encode("latin-1"), LATIN),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"x = 1\r\ny = 2\rz = 3\n", "x = 1\ny = 2\nz = 3\n"),
        (b"word = '\\d'\n", "word = '\\d'\n"),
    ],
)
def test_text_is_read_as_python_reads_it(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(content)
    found = filters.read(path)
    assert isinstance(found, ParsedSource)
    assert found.text == expected
