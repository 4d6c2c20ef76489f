"""A package index on this machine, and archives to put in it."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import os
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from libdrift.languages.python.index import IndexFile, PackageIndex
from libdrift.languages.python.index_config import IndexSources
from libdrift.languages.python.web import HttpTimeouts

# Quick to give up: what fails in a test fails again at once.
HASTY = HttpTimeouts(connect=1, read=0.3, pauses=(0,))


def wheel(members: Mapping[str, str | bytes], record: Mapping[str, str] | None = None) -> bytes:
    """A wheel of ``pkg``; ``record`` has checksums that are not the true ones."""
    data = {name: _bytes(content) for name, content in members.items()}
    sums = {name: record_sum(content) for name, content in data.items()} | dict(record or {})
    lines = [f"{name},{digest},{len(data[name])}" for name, digest in sums.items()]
    data["pkg-1.0.dist-info/RECORD"] = "\n".join(lines).encode()
    return zipped(data)


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def tarred(members: Mapping[str, str | bytes | tarfile.TarInfo], mode: str = "w:gz") -> bytes:
    """A tar; a TarInfo in place of content is put in as it is, with nothing in it."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            if isinstance(content, tarfile.TarInfo):
                archive.addfile(content)
                continue
            data = _bytes(content)
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return target.getvalue()


def record_sum(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={digest.decode().rstrip('=')}"


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


@dataclass
class Registry:
    """What the server has, how it behaves, and what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)  # path: content
    kinds: dict[str, str] = field(default_factory=dict)  # path: Content-Type
    troubles: dict[str, list[int]] = field(default_factory=dict)  # path: status of the next answers
    ranges: bool = True
    login: str = ""  # user:password that every path wants
    stall: bool = False  # begin an answer and never end it
    asked: list[tuple[str, str]] = field(default_factory=list)  # path, Range
    url: str = ""
    released: threading.Event = field(default_factory=threading.Event)

    def publish(
        self,
        package: str,
        archives: Mapping[str, bytes],
        *,
        dates: Mapping[str, str] | None = None,
        html: bool = False,
        yanked: frozenset[str] = frozenset(),
    ) -> None:
        """A package's page, as JSON with sizes and dates or as plain HTML."""
        rows = []
        for name, content in archives.items():
            path = f"/files/{name}"
            self.files[path] = content
            digest = hashlib.sha256(content).hexdigest()
            row = {"filename": name, "url": path, "hashes": {"sha256": digest}}
            row |= {"size": len(content), "yanked": name in yanked}
            if dates and name in dates:
                row["upload-time"] = f"{dates[name]}T12:00:00Z"
            rows.append(row)
        page = f"/simple/{package}/"
        if html:
            links = [
                f'<a href="{row["url"]}#sha256={row["hashes"]["sha256"]}">{row["filename"]}</a>'
                for row in rows
            ]
            self.files[page] = "\n".join(links).encode()
            self.kinds[page] = "text/html"
        else:
            meta = {"api-version": "1.1"}
            data = {"meta": meta, "name": package, "files": rows, "versions": []}
            self.files[page] = json.dumps(data).encode()
            self.kinds[page] = "application/vnd.pypi.simple.v1+json"

    def index(self, **sources: tuple[str, ...]) -> PackageIndex:
        return PackageIndex(IndexSources((f"{self.url}/simple/",), **sources), HASTY)  # type: ignore[arg-type]

    def file(self, name: str, content: bytes, *, size: int | None = None) -> IndexFile:
        self.files[f"/files/{name}"] = content
        digest = hashlib.sha256(content).hexdigest()
        url = f"{self.url}/files/{name}"
        return IndexFile(name, url, name.endswith(".whl"), f"sha256:{digest}", size)


def local(folder: Path, name: str, content: bytes) -> IndexFile:
    path = folder / name
    path.write_bytes(content)
    return IndexFile(name, str(path), name.endswith(".whl"))


@contextlib.contextmanager
def serve() -> Iterator[Registry]:
    registry = Registry()

    class Handler(_Handler):
        site = registry

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    registry.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield registry
    finally:
        registry.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    site: Registry
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        site, path = self.site, self.path
        asked = self.headers.get("Range", "")
        site.asked.append((path, asked))
        if site.troubles.get(path):
            return self._answer(site.troubles[path].pop(0), b"")
        if site.login and self.headers.get("Authorization") != _basic(site.login):
            return self._answer(401, b"")
        if path not in site.files:
            return self._answer(404, b"")
        content = site.files[path]
        if site.stall:
            return self._begin(content)
        if asked and site.ranges:
            first, _, last = asked.removeprefix("bytes=").partition("-")
            start = int(first) if first else max(0, len(content) - int(last))
            end = min(int(last) + 1 if first and last else len(content), len(content))
            span = f"bytes {start}-{end - 1}/{len(content)}"
            return self._answer(206, content[start:end], {"Content-Range": span})
        return self._answer(200, content)

    def _answer(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        kind = self.site.kinds.get(self.path, "application/octet-stream")
        for name, value in {"Content-Type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):  # a client need not wait for the end
            self.wfile.write(body)

    def _begin(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:1])
        self.site.released.wait(10)
        self.close_connection = True

    def log_message(self, *args: object) -> None:
        pass


def _basic(login: str) -> str:
    return f"Basic {base64.b64encode(login.encode()).decode()}"


def only_source(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have pip and uv, and so libdrift, know of packages in a folder alone."""
    for name in os.environ:
        if name.startswith(("PIP_", "UV_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("UV_NO_CONFIG", "1")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


def only_releases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, releases: Mapping[str, str]
) -> Path:
    """A folder of releases of ``pkg`` as the only source, by their code; caches are empty."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    only_source(folder, monkeypatch)
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(tmp_path / "history.sqlite"))
    for version, code in releases.items():
        path = folder / f"pkg-{version}-py3-none-any.whl"
        path.write_bytes(wheel({"pkg/__init__.py": code}))
    return folder
