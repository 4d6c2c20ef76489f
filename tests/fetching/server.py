"""A server of files with every fault that a network has."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Faults:
    """What goes wrong with a file, and how often."""

    cut: list[int] = field(default_factory=list)  # bytes after which each next answer breaks off
    statuses: list[int] = field(default_factory=list)  # answers before the file is given
    ranges: bool = True
    etag: str = '"one"'
    length: int | None = 0  # told; 0: the right one, None: none
    drip: float = 0.0  # seconds before each piece
    piece: int = 1024
    wrong_range: bool = False  # sends another part than it was asked for
    redirect: str = ""
    chunked: bool = False  # as servers send what they make on demand


class FaultyServer:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.faults: dict[str, Faults] = {}
        self.asked: list[tuple[str, str]] = []  # paths and ranges
        own = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                own.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        faults = self.faults.get(request.path, Faults())
        wanted = request.headers.get("Range", "")
        self.asked.append((request.path, wanted))
        if faults.redirect or faults.statuses or request.path not in self.files:
            status = 302 if faults.redirect else faults.statuses.pop(0) if faults.statuses else 404
            request.send_response(status)
            if faults.redirect:
                request.send_header("Location", faults.redirect)
            request.send_header("Content-Length", "0")
            request.send_header("Connection", "close")
            request.end_headers()
            return
        content = self.files[request.path]
        start = 0
        changed = request.headers.get("If-Range", faults.etag) != faults.etag
        if wanted and faults.ranges and not changed:
            start = int(re.findall(r"bytes=(\d+)-", wanted)[0])
            if start >= len(content):
                request.send_response(416)
                request.send_header("Content-Length", "0")
                request.send_header("Connection", "close")
                request.end_headers()
                return
            shown = start + 1 if faults.wrong_range else start
            request.send_response(206)
            request.send_header("Content-Range", f"bytes {shown}-{len(content) - 1}/{len(content)}")
        else:
            request.send_response(200)
        body = content[start:]
        if faults.chunked:
            request.send_header("Transfer-Encoding", "chunked")
        elif faults.length is not None:
            request.send_header("Content-Length", str(faults.length or len(body)))
        if faults.etag:
            request.send_header("ETag", faults.etag)
        request.send_header("Connection", "close")
        request.end_headers()
        cut = bool(faults.cut)
        if cut:
            body = body[: faults.cut.pop(0)]
        try:
            for at in range(0, len(body), faults.piece):
                time.sleep(faults.drip)
                piece = body[at : at + faults.piece]
                head = b"%x\r\n" % len(piece) if faults.chunked else b""
                request.wfile.write(head + piece + (b"\r\n" if head else b""))
            if faults.chunked and not cut:
                request.wfile.write(b"0\r\n\r\n")
        except OSError:
            return  # the client has seen enough


@contextmanager
def serving() -> Iterator[FaultyServer]:
    server = FaultyServer()
    thread = threading.Thread(target=server.http.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()
        thread.join()
