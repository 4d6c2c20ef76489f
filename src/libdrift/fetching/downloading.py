"""One file over HTTP: resumed where it broke off, bounded in time and size, checked at the end.

A file grows as ``NAME.part`` and gets its name when its bytes are what they must be. So a file with
its name is whole, and one that somebody put there by hand is taken as if it had been downloaded.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import HTTPError, ReadTimeoutError

from libdrift.errors import InfrastructureError
from libdrift.fetching.sources import PinnedFile
from libdrift.languages.python.web import trouble_of
from libdrift.version import __version__

_LOG = logging.getLogger(__name__)
_CHUNK = 1 << 16
_SLOWEST = 1024  # bytes a second, on average
_REDIRECTS = 5
_PARTIAL = 206
_UNFIT = 416  # a range that the file does not have
_GONE = frozenset({404, 410})
_PASSING = frozenset({408, 425, 429})  # with all of 5xx: worth another attempt
_MOST = 50  # attempts that each bring a little
LARGEST = 2 << 30  # bytes; of what has no known size


@dataclass(frozen=True, slots=True)
class DownloadPatience:
    connect: float = 10.0
    read: float = 30.0  # seconds between two pieces, and before slowness counts
    pauses: tuple[float, ...] = (0.5, 2.0, 5.0)  # after attempts that brought nothing


class _BrokenOffError(Exception):
    """One attempt ended early, in a way that may pass."""


class _TooSlowError(_BrokenOffError):
    """What came is kept, and still counts as nothing: else a trickle would go on for an hour."""


class FileDownloader:
    """Downloads by one session; ``on_bytes`` hears how many bytes of a file are there."""

    def __init__(
        self,
        patience: DownloadPatience | None = None,
        on_bytes: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._patience = patience or DownloadPatience()
        self._on_bytes = on_bytes
        self._session = requests.Session()
        self._session.max_redirects = _REDIRECTS
        self._session.headers["User-Agent"] = f"libdrift/{__version__}"
        # A file that is compressed on the way has other sizes and ranges.
        self._session.headers["Accept-Encoding"] = "identity"

    def close(self) -> None:
        self._session.close()

    def get(self, url: str, target: Path, pin: PinnedFile, others: str = "") -> None:
        """Bring a file to ``target``; raise with the way to bring it and ``others`` by hand."""
        part = target.with_name(f"{target.name}.part")
        part.parent.mkdir(parents=True, exist_ok=True)
        fruitless = 0
        reason = ""
        for _ in range(_MOST):
            before = _size(part)
            try:
                self._attempt(url, part, pin, others)
                _refuse_short(part, pin)
            except (_BrokenOffError, requests.RequestException) as error:
                reason = str(error) if isinstance(error, _BrokenOffError) else trouble_of(error)
                _LOG.info("%s: %s", url, reason)
                slow = isinstance(error, _TooSlowError)
                fruitless = 0 if _size(part) > before and not slow else fruitless + 1
                if fruitless > len(self._patience.pauses):
                    break
                time.sleep(self._patience.pauses[max(fruitless - 1, 0)])
                continue
            flaw = pin.flaw(part)
            if not flaw:
                part.replace(target)
                _etag(part).unlink(missing_ok=True)
                return
            part.unlink()
            if not before:  # else its beginning may be from another time: once more, anew
                raise _refused(url, f"is not the file that is pinned ({flaw})")
        raise InfrastructureError(f"{_host(url)} {reason}", _by_hand(url, target, others))

    def _attempt(self, url: str, part: Path, pin: PinnedFile, others: str) -> None:
        start = self._start(part, pin)
        if start == pin.size:
            return
        headers = {}
        if start:
            headers["Range"] = f"bytes={start}-"
            if tag := _read(_etag(part)):
                headers["If-Range"] = tag
        patience = (self._patience.connect, self._patience.read)
        with self._session.get(url, headers=headers, stream=True, timeout=patience) as response:
            _judge(response, url, part, others)
            if response.status_code != _PARTIAL:
                start = 0  # the server has no ranges, or another file by now
            elif not response.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
                part.unlink()
                raise _BrokenOffError("sends another part than requested")
            self._refuse_length(response, start, pin, url)
            _etag(part).write_text(_strong(response.headers.get("ETag", "")), encoding="utf-8")
            self._write(response, part, start, pin.size or LARGEST)

    @staticmethod
    def _start(part: Path, pin: PinnedFile) -> int:
        """How many bytes are there to go on from."""
        start = _size(part)
        # Two halves are told from a whole by a hash, or by the server's own mark of the file.
        tied = pin.sha256 or pin.git_blob or _read(_etag(part))
        if start and (not tied or start > (pin.size or LARGEST)):
            part.unlink()
            return 0
        return start

    @staticmethod
    def _refuse_length(response: requests.Response, start: int, pin: PinnedFile, url: str) -> None:
        told = response.headers.get("Content-Length", "")
        if not told.isdecimal():
            return
        total = start + int(told)
        if pin.size is not None and total != pin.size:
            flaw = f"{total:,} bytes, not {pin.size:,}"
            raise _refused(url, f"is not the file that is pinned ({flaw})")
        if total > LARGEST:
            raise _refused(url, f"would send {total:,} bytes")

    def _write(self, response: requests.Response, part: Path, start: int, limit: int) -> None:
        began = time.monotonic()
        done = start
        with part.open("ab" if start else "wb") as file:
            for piece in _pieces(response):
                done += len(piece)
                if done > limit:
                    raise _refused(response.url, f"sends more than {limit:,} bytes")
                file.write(piece)
                self._on_bytes(done)
                gone = time.monotonic() - began
                if gone > self._patience.read and done - start < gone * _SLOWEST:
                    raise _TooSlowError("sends less than 1 kB a second")


def _pieces(response: requests.Response) -> Iterator[bytes]:
    """What comes, as it comes: a cut loses nothing that was there before it."""
    try:
        while piece := response.raw.read1(_CHUNK):
            yield piece
    except ReadTimeoutError as error:
        raise _BrokenOffError("does not answer in time") from error
    except HTTPError as error:
        raise _BrokenOffError("broke off an answer") from error


def _by_hand(url: str, target: Path, others: str) -> str:
    """How to bring a file where this machine cannot."""
    return f"Get {url} by other means, put it at {target} and run the same command{others}"


def _judge(response: requests.Response, url: str, part: Path, others: str) -> None:
    status = response.status_code
    ways = (*(one.url for one in response.history), response.url)
    if url.startswith("https:") and not all(one.startswith("https:") for one in ways):
        raise _refused(url, "leads to an address without encryption")
    if status == _UNFIT:
        part.unlink(missing_ok=True)
        raise _BrokenOffError("has no such part of the file")
    if status in _PASSING or status >= requests.codes.server_error:
        raise _BrokenOffError(f"answers with HTTP {status}")
    if status >= requests.codes.bad_request:
        target = part.with_name(part.name.removesuffix(".part"))
        what = "is gone" if status in _GONE else "is refused"
        raise InfrastructureError(f"{url} {what} (HTTP {status})", _by_hand(url, target, others))


def _refused(url: str, why: str) -> InfrastructureError:
    return InfrastructureError(f"{url} {why}", "Nothing of it is used; try another network")


def _refuse_short(part: Path, pin: PinnedFile) -> None:
    """An answer without a length may end anywhere: what is there is kept, and gone on from."""
    if pin.size is not None and _size(part) < pin.size:
        raise _BrokenOffError(f"broke off after {_size(part):,} of {pin.size:,} bytes")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _etag(part: Path) -> Path:
    return part.with_name(f"{part.name}.etag")


def _strong(tag: str) -> str:
    """A mark that promises the same bytes; a weak one does not."""
    return "" if tag.startswith("W/") else tag


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _host(url: str) -> str:
    return urlsplit(url).hostname or url
