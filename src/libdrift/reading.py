"""Files that anybody may have made: lines no longer than what is given for them, and JSON items."""

from __future__ import annotations

import codecs
import errno
import gzip
import hashlib
import io
import stat
import tarfile
import tomllib
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Self

from libdrift.errors import UserError

LINE_LIMIT = 64 << 20  # bytes: of the longest published task, a thousandfold
_BOM = codecs.BOM_UTF8
_GZIP = b"\x1f\x8b"
# A text that is longer than a buffer is read again with each one: outputs may have megabytes.
_BUFFER = 1024 * 1024
_LONGEST = 1 << 30  # bytes of a line that is passed over: what compresses well may have no end
_DEEPEST = 200  # lists and objects within each other
_MOST_DOTS = 250  # parts of one key: the parser's work grows with their square
_HEADER = 1 << 20  # bytes of a long name, or of other facts of one file


class _Unpacked(io.RawIOBase):
    """A compressed file's content. What is wrong with it is an ``OSError``, as of other files."""

    def __init__(self, path: Path) -> None:
        self._file = gzip.open(path)  # noqa: SIM115  (closed with this one)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  (as the base class has it)
        try:
            found = self._file.read(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise OSError(errno.EIO, f"not a complete gzip file ({error})") from error
        buffer[: len(found)] = found
        return len(found)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()
        super().close()


def opened(path: Path) -> BinaryIO:
    """A file for reading; one that gzip has compressed, whatever its name, as it was before."""
    file = path.open("rb")
    if not file.seekable():  # a pipe: what is read of it to look at it is gone
        return file
    if file.read(len(_GZIP)) != _GZIP:
        file.seek(0)
        return file
    file.close()
    return io.BufferedReader(_Unpacked(path), 1 << 16)


def read_small(path: Path, limit: int = LINE_LIMIT) -> bytes:
    """A file that has to be in memory whole; one without end is an ``OSError``, as others are."""
    with path.open("rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"it has over {limit >> 20} MB", str(path))
    return content


def read_small_file(path: Path, limit: int = LINE_LIMIT) -> bytes:
    """The same of a place that somebody else fills: a pipe there would be waited for for ever."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is not a file", str(path))
    return read_small(path, limit)


_TOLD = frozenset(
    {
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
    }
)


def toml_of(text: str) -> dict[str, Any]:
    """What a TOML text says; a ``ValueError`` of whatever kind where it is none."""
    for number, line in enumerate(text.split("\n"), start=1):
        key = line.partition("=")[0]
        dots = line if '"' in key or "'" in key else key  # in quotes, the sign ends no key
        if dots.count(".") > _MOST_DOTS:
            raise ValueError(f"line {number}: a key of over {_MOST_DOTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("it nests too deep") from error


class SmallHeader(tarfile.TarInfo):
    """A member of an archive; what is told of it is read into memory whole, and so has an end."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        found = super().frombuf(buf, encoding, errors)
        if found.type in _TOLD and found.size > _HEADER:
            raise tarfile.ReadError(f"a header of {found.size:,} bytes")
        if found.type == tarfile.GNUTYPE_SPARSE or found.size < 0:
            # A list of holes may have no end; less than nothing leads back to what was read.
            raise tarfile.ReadError("a file with holes, or of no size")
        return found


class Lines:
    """The lines of a file one by one, without their ends, and a hash of all that was read."""

    def __init__(self, path: Path, limit: int = LINE_LIMIT) -> None:
        self._path = path
        self._limit = limit
        self._digest = hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        """A line that is too long is the caller's mistake: what follows it is not read."""
        with opened(self._path) as file:
            number = 0
            while line := file.readline(self._limit + 1):
                number += 1
                self._digest.update(line)
                if len(line) > self._limit:
                    raise UserError(
                        f"{self._path}:{number}: a line of over {self._limit >> 20} MB",
                        "Give a file with one JSON object per line",
                    )
                yield line.removeprefix(_BOM if number == 1 else b"").removesuffix(b"\n")

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


class _Bounded:
    """A file that ends in an error where an item does not end: of gzip, a few bytes make many."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path = file, path
        self._size = self._items = 0  # bytes since an item began, items before it

    def begin(self) -> None:
        self._size = 0
        self._items += 1

    def read(self, size: int) -> bytes:
        found = self._file.read(size)
        self._size += len(found)
        if self._size > LINE_LIMIT + _BUFFER:
            raise UserError(
                f"{self._path}: what follows item {self._items} has over {LINE_LIMIT >> 20} MB",
                "Give a file whose items are smaller",
            )
        return found


def long_lines(path: Path, limit: int = LINE_LIMIT) -> Iterator[bytes | None]:
    """The lines of a file; ``None`` in the place of one that is too long, and then the others."""
    with opened(path) as file:
        first = True
        while line := file.readline(limit + 1):
            if len(line) <= limit:
                yield line.removeprefix(_BOM if first else b"").removesuffix(b"\n")
            else:
                _pass_over(file, line, path)
                yield None
            first = False


def _pass_over(file: BinaryIO, line: bytes, path: Path) -> None:
    """Read to the end of a line without keeping it; one that seems to have none is refused."""
    for _ in range(_LONGEST // _BUFFER):
        if not line or line.endswith(b"\n"):
            return
        line = file.readline(_BUFFER)
    raise UserError(
        f"{path}: a line of over {_LONGEST >> 20} MB", "Give a file with one JSON object per line"
    )


def json_items(path: Path) -> Iterator[tuple[str, Any]]:
    """The items of a JSON list, or of one under ``data``, with their places; one in memory."""
    import ijson  # type: ignore[import-untyped]

    number = 0
    try:
        with opened(path) as file:
            prefix = "item" if _start(file) == b"[" else "data.item"
            bounded = _Bounded(file, path)
            events = ijson.basic_parse(bounded, use_float=True, buf_size=_BUFFER)
            found = ijson.items(ijson.parse(_shallow(events)), prefix)
            for number, item in enumerate(found, start=1):
                bounded.begin()
                yield f"{path.name} item {number}", item
    except (ijson.JSONError, UnicodeDecodeError, RecursionError) as error:
        why = str(error).split("\n")[0].strip()
        behind = f" behind item {number}" if number else ""
        raise UserError(
            f"{path} is not JSON{behind} ({why})", "Get the file again from the authors' release"
        ) from error
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", "Check its permissions") from error


def _shallow(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Refuse what nests without end: each level takes as much memory as all above it."""
    import ijson

    depth = 0
    for event in events:
        if event[0].startswith("start_"):
            depth += 1
            if depth > _DEEPEST:
                raise ijson.JSONError("it nests too deep")
        elif event[0].startswith("end_"):
            depth -= 1
        yield event


def _start(file: BinaryIO) -> bytes:
    """The first byte that means something; the file stands before it."""
    if file.read(len(_BOM)) != _BOM:
        file.seek(0)
    while byte := file.read(1):
        if not byte.isspace():
            file.seek(-1, 1)
            break
    return byte
