"""A package index on this machine, with a library of our own that drifts; it fails when told to.

Nothing of a soak depends on the network: what is mined and installed is made here, wheels and one
release that is built from source.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import http.server
import io
import tarfile
import threading
import time
import zipfile
from typing import Literal

LIBRARY = "soakling"
VERSIONS = ("1.0", "1.1", "2.0")
SOURCE = "1.0"  # this one has no wheel
COMPILES = "soakling-compiles"  # in the command line of what builds it
_DAY = (2020, 1, 1, 0, 0, 0)
_MODULES = 6  # reading a release takes a moment, so that a fault can come in the middle
Mode = Literal["well", "refuses", "cuts", "hangs", "lies"]


def _core(version: str) -> str:
    old = '''"""Sums and names."""


def total(values):
    """Add numbers.

    >>> total([1, 2])
    3
    """
    return sum(values)


def label(name, upper=False):
    """A name for a thing."""
    return name.upper() if upper else name
'''
    new = old.replace("def total(values)", "def summed(values, start=0)")
    new = new.replace("return sum(values)", "return sum(values, start)")
    new = new.replace("total(", "summed(").replace("upper=False", "*, upper=False")
    return {"1.0": old, "1.1": old + "\n\nDIGITS = 3\n", "2.0": new}[version]


def _module(number: int) -> str:
    body = "\n\n".join(
        f"def step_{number}_{at}(first, second={at}):\n"
        f'    """Step {at}."""\n    return first + second'
        for at in range(40)
    )
    return f'"""Steps of part {number}."""\n\n\n{body}\n'


# A compiler, which takes a moment where somebody waits for uv; else it goes on for long.
_COMPILER = """\
import os, time


def above(pid):
    with open(f"/proc/{pid}/stat") as told:
        return int(told.read().rpartition(")")[2].split()[1])


uv = above(os.getppid())
waits = above(uv)
time.sleep(0.7)
try:
    waits_still = above(uv) == waits
except OSError:
    waits_still = False
if not waits_still:
    time.sleep(120)
"""
_BACKEND = f"""\
import pathlib, shutil, subprocess, sys

HERE = pathlib.Path(__file__).parent


def build_wheel(folder, settings=None, metadata=None):
    told = [sys.executable, "-c", {_COMPILER!r}, "{COMPILES}"]
    subprocess.run(told, check=True)
    (made,) = HERE.glob("*.whl")
    shutil.copy(made, folder)
    return made.name
"""


def source(version: str) -> bytes:
    """The library as its source, which a compiler of its own makes into the wheel."""
    name = f"{LIBRARY}-{version}"
    made = wheel(version)
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        texts = {one: archive.read(one) for one in archive.namelist() if ".dist-info" not in one}
        texts["PKG-INFO"] = archive.read(f"{name}.dist-info/METADATA")
    texts["backend.py"] = _BACKEND.encode()
    texts[f"{name}-py3-none-any.whl"] = made
    texts["pyproject.toml"] = (
        b'[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    )
    buffer = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for path, data in texts.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def wheel(version: str) -> bytes:
    """The library at a version; always the same bytes."""
    names = {f"{LIBRARY}/part_{at}.py": _module(at) for at in range(_MODULES)}
    which = "summed" if version == "2.0" else "total"
    names[f"{LIBRARY}/__init__.py"] = (
        f'"""A library that drifts."""\n\nfrom {LIBRARY}.core import label, {which}\n\n'
        f'__all__ = ["label", "{which}"]\n__version__ = "{version}"\n'
    )
    names[f"{LIBRARY}/core.py"] = _core(version)
    info = f"{LIBRARY}-{version}.dist-info"
    names[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {LIBRARY}\nVersion: {version}\nRequires-Python: >=3.7\n"
    )
    names[f"{info}/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: soak\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    rows = []
    for name, text in names.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode()
        rows.append(f"{name},sha256={digest.rstrip('=')},{len(text.encode())}")
    names[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in names.items():
            archive.writestr(zipfile.ZipInfo(name, _DAY), text)
    return buffer.getvalue()


class PackageIndex:
    """A simple index over HTTP. ``mode`` says how it answers from now on."""

    def __init__(self) -> None:
        self.mode: Mode = "well"
        self._files = {f"{LIBRARY}-{SOURCE}.tar.gz": source(SOURCE)}
        self._files |= {
            f"{LIBRARY}-{one}-py3-none-any.whl": wheel(one) for one in VERSIONS if one != SOURCE
        }
        index = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                index.answer(self)

            do_HEAD = do_GET  # noqa: N815  (its own name)

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/simple"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        mode = self.mode
        if mode == "refuses":
            request.send_error(503)
            return
        if mode == "hangs":
            time.sleep(3)
        name = request.path.rstrip("/").rpartition("/")[2]
        if request.path.rstrip("/") == f"/simple/{LIBRARY}":
            links = "".join(
                f'<a href="/files/{file}#sha256={hashlib.sha256(data).hexdigest()}" '
                f'data-requires-python="&gt;=3.7">{file}</a><br>\n'
                for file, data in self._files.items()
            )
            body, kind = f"<!DOCTYPE html><html><body>{links}</body></html>".encode(), "text/html"
        elif name in self._files:
            body, kind = self._files[name], "application/octet-stream"
        else:
            request.send_error(404)
            return
        if mode == "lies":
            body = body[:-8] + b"\0" * 8
        request.send_response(200)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        request.send_header("Cache-Control", "no-cache")
        request.end_headers()
        if request.command == "GET":
            request.wfile.write(body[: len(body) // 2] if mode == "cuts" else body)
        if mode == "cuts":
            request.close_connection = True


class QuietHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (its own name)
        del format, args


class Server(http.server.ThreadingHTTPServer):
    """One whose clients may be killed in the middle of an answer."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        del request, client_address
