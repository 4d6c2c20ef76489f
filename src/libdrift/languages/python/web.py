"""Requests to package indexes: bounded in time, size and number of attempts."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os.path import commonpath
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import requests
from requests.auth import AuthBase, HTTPBasicAuth
from requests.utils import get_netrc_auth

from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.python.index_config import Credential, IndexSources
from libdrift.version import __version__

_LOG = logging.getLogger(__name__)
_CHUNK = 1 << 16
_SLOWEST = 1024  # bytes a second, on average after the first minute
# A file that is compressed on the way has other sizes and ranges than the index says.
_AS_IS = {"Accept-Encoding": "identity"}
_PAGE = 256 << 20
_FILE = 8 << 30
_GONE = frozenset({404, 410})
_PARTIAL = 206
_UNFIT = 416  # a range that the file does not have
_REFUSED = frozenset({401, 403, 407})
_PASSING = frozenset({408, 429})  # with all of 5xx: worth another attempt


@dataclass(frozen=True, slots=True)
class HttpTimeouts:
    connect: float = 10.0
    read: float = 60.0  # between two pieces of an answer
    pauses: tuple[float, ...] = (0.5, 2.0)  # before the second attempt, the third…


@dataclass(frozen=True, slots=True)
class HttpResponse:
    status: int
    headers: Mapping[str, str]
    url: str
    body: bytes = b""

    @property
    def found(self) -> bool:
        return self.status not in _GONE

    @property
    def partial(self) -> bool:
        return self.status == _PARTIAL


class _TroubleError(Exception):
    """One attempt failed in a way that may pass."""


class Web:
    """A session with the credentials and certificates of the sources."""

    def __init__(self, sources: IndexSources, patience: HttpTimeouts | None = None) -> None:
        self._patience = patience or HttpTimeouts()
        self._session = requests.Session()
        self._session.auth = _Login(sources.credentials)
        self._session.headers["User-Agent"] = f"libdrift/{__version__}"
        self._verify: str | bool = sources.certificates or True
        self.requests = 0
        self.received = 0

    def get(self, url: str, headers: Mapping[str, str]) -> HttpResponse:
        """A page, in memory."""
        parts: list[bytes] = []
        return self._persist(url, headers, parts.append, parts.clear, parts)

    def part(self, url: str, span: str) -> HttpResponse:
        """Part of a file, such as ``0-99`` or ``-99``; without a body where it is not given so."""
        return self.get(url, {**_AS_IS, "Range": f"bytes={span}"})

    def download(self, url: str, target: BinaryIO) -> HttpResponse:
        """A whole file, into ``target``."""

        def restart() -> None:
            target.seek(0)
            target.truncate()

        return self._persist(url, _AS_IS, target.write, restart, None)

    def close(self) -> None:
        self._session.close()

    def _persist(
        self,
        url: str,
        headers: Mapping[str, str],
        write: Callable[[bytes], Any],
        restart: Callable[[], Any],
        parts: list[bytes] | None,
    ) -> HttpResponse:
        for pause in (*self._patience.pauses, None):
            restart()
            try:
                answer = self._attempt(url, headers, write, _FILE if parts is None else _PAGE)
            except (_TroubleError, requests.RequestException) as error:
                reason = str(error) if isinstance(error, _TroubleError) else trouble_of(error)
                _LOG.info("%s: %s", host(url), reason)
                if pause is None:
                    break
                time.sleep(pause)
            else:
                if parts is None:
                    return answer
                return HttpResponse(answer.status, answer.headers, answer.url, b"".join(parts))
        raise InfrastructureError(
            f"{host(url)} {reason}, {len(self._patience.pauses) + 1} times",
            "Try again later, or check the index settings of pip and uv",
        )

    def _attempt(
        self, url: str, headers: Mapping[str, str], write: Callable[[bytes], Any], limit: int
    ) -> HttpResponse:
        self.requests += 1
        started = time.monotonic()
        received = 0
        with self._session.get(
            url,
            headers=headers,
            stream=True,
            timeout=(self._patience.connect, self._patience.read),
            verify=self._verify,
        ) as response:
            answer = HttpResponse(response.status_code, response.headers, response.url)
            self._judge(answer)
            if not answer.found or ("Range" in headers and not answer.partial):
                return answer  # its body is of no use, and may be long
            for piece in response.iter_content(_CHUNK):
                received += len(piece)
                self.received += len(piece)
                if received > limit:
                    raise InfrastructureError(f"{host(url)} sends more than {limit >> 20} MB")
                elapsed = time.monotonic() - started
                if elapsed > self._patience.read and received < elapsed * _SLOWEST:
                    raise _TroubleError("sends less than 1 kB a second")
                write(piece)
        encoded = "Content-Encoding" in answer.headers
        expected = answer.headers.get("Content-Length", "")
        if not encoded and expected.isdecimal() and int(expected) != received:
            raise _TroubleError(f"ended an answer after {received} of {expected} bytes")
        return answer

    @staticmethod
    def _judge(answer: HttpResponse) -> None:
        status = answer.status
        if status in _REFUSED:
            raise UserError(
                f"{host(answer.url)} refuses access (HTTP {status})",
                "Give credentials in the index URL or in netrc, as for pip",
            )
        if status in _PASSING or status >= requests.codes.server_error:
            raise _TroubleError(f"answers with HTTP {status}")
        if status >= requests.codes.bad_request and answer.found and status != _UNFIT:
            raise InfrastructureError(f"{host(answer.url)} answers with HTTP {status}")


class _Login(AuthBase):
    """The credentials of the index whose address is nearest, else those of netrc."""

    def __init__(self, credentials: tuple[Credential, ...]) -> None:
        self._credentials = credentials

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        url = request.url or ""
        near = [item for item in self._credentials if host(item.url) == host(url)]
        if near:
            best = max(near, key=lambda item: len(commonpath([item.url, url])))
            HTTPBasicAuth(best.user, best.password)(request)
        else:
            login = get_netrc_auth(url)
            if login:
                HTTPBasicAuth(*login)(request)
        return request


def host(url: str) -> str:
    """An address down to its host: what may be shown, and where credentials may go."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def trouble_of(error: Exception) -> str:
    """What a failed request is, in words that read on from a host's name."""
    if isinstance(error, requests.exceptions.SSLError):
        return "shows a certificate that is not trusted"
    if isinstance(error, requests.exceptions.ConnectTimeout):
        return "cannot be reached"
    if isinstance(error, requests.exceptions.Timeout):
        return "does not answer in time"
    if isinstance(error, requests.exceptions.ProxyError):
        return "cannot be reached through the proxy"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "broke off an answer"
    if isinstance(error, requests.exceptions.ConnectionError):
        # A read that is too slow within the body comes as this too.
        slow = "timed out" in str(error).lower()
        return "does not answer in time" if slow else "cannot be reached"
    return f"cannot be asked ({type(error).__name__})"
