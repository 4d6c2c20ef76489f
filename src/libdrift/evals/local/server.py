"""A GGUF file as an OpenAI-compatible server on this machine, in a process of its own.

Chat, completions and embeddings are below ``base_url``; ``/infill`` is at the server's root. The
process lives as long as the ``with`` block, and never longer than this process, whatever ends it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import re
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import requests

from libdrift.errors import InfrastructureError, UserError

CONTEXT = 4096  # tokens of one request: prompt and answer
SLOTS = 4  # requests, or choices of one request, that are worked on at once
_MAGIC = b"GGUF"
_START = 900.0  # seconds: a large model on a slow disk
_HEALTH = 30.0
_STOP = 5.0
_DYING = 0.5  # a process that was killed is gone a little after its connections
_ERROR = re.compile(r"^[\d.]+ E +(.+)$", re.MULTILINE)
_TIME = re.compile(r"^[\d.]+ [A-Z] +")


@dataclass(frozen=True, slots=True)
class Served:
    """A running server. It gives at most ``slots`` choices (``n``) to a request."""

    base_url: str
    model: str
    context: int
    slots: int


@contextlib.contextmanager
def serve(
    path: Path,
    *,
    threads: int = 1,
    context: int = CONTEXT,
    slots: int = SLOTS,
    embeddings: bool = False,
) -> Iterator[Served]:
    """Serve a model while the block runs; its log is kept only if the server failed."""
    for name, number in {"threads": threads, "context": context, "slots": slots}.items():
        if number < 1:
            raise UserError(f"a model cannot be served with {name} = {number}", "Give 1 or more")
    file = _checked(path)
    options: dict[str, str | int] = {"threads": threads, "context": context, "slots": slots}
    options |= {"path": str(file), "name": file.stem, "embeddings": embeddings}
    child = _Child.start(file, options)
    try:
        address = child.address()
        try:
            yield Served(f"{address}/v1", file.stem, context, slots)
        except Exception as error:
            if child.ended(_DYING):
                raise child.failure("stopped") from error
            raise
        if child.ended(0):
            raise child.failure("stopped")
    finally:
        child.stop()


def _checked(path: Path) -> Path:
    fix = "Give the path of a model's GGUF file"
    file = path.absolute()
    if file.is_dir():
        raise UserError(f"{path} is a folder, not a model", fix)
    if file.exists() and not file.is_file():  # to read from a pipe would wait for ever
        raise UserError(f"{path} is not a GGUF file", fix)
    try:
        with file.open("rb") as opened:
            magic = opened.read(len(_MAGIC))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(f"{path} cannot be read: {reason}", fix) from error
    if magic != _MAGIC:
        raise UserError(f"{path} is not a GGUF file", fix)
    if importlib.util.find_spec("xllamacpp") is None:
        raise UserError(
            f"serving {file.name} needs xllamacpp",
            "Install it with: pip install 'libdrift[local]'",
        )
    return file


@dataclass(slots=True)
class _Child:
    """The server's process (see ``__main__``)."""

    file: Path
    log: Path
    process: subprocess.Popen[str]
    failed: bool = False

    @classmethod
    def start(cls, file: Path, options: dict[str, str | int]) -> _Child:
        with tempfile.NamedTemporaryFile(
            prefix="libdrift-server-", suffix=".log", delete=False
        ) as log:
            process = subprocess.Popen(
                # -P: the folder that we are in is no place to import modules from.
                [sys.executable, "-P", "-m", __package__, json.dumps(options)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # Ctrl-C is for this process to act on
            )
        return cls(file, Path(log.name), process)

    def address(self) -> str:
        """Where the server is, once it answers."""
        assert self.process.stdout is not None  # noqa: S101  (a pipe)
        if not select.select([self.process.stdout], [], [], _START)[0]:
            raise self.failure("did not start", f"nothing was heard of it for {_START:.0f} s")
        address = self.process.stdout.readline().strip()
        if not address:
            self.ended(_STOP)
            raise self.failure("did not start", self._first_error())
        try:
            with requests.Session() as session:
                session.trust_env = False  # a proxy does not lead back here
                session.get(f"{address}/health", timeout=_HEALTH).raise_for_status()
        except requests.RequestException as error:
            raise self.failure("did not start", str(error)) from error
        return address

    def ended(self, patience: float) -> bool:
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            return False
        return True

    def failure(self, what: str, reason: str = "") -> InfrastructureError:
        self.failed = True
        code = self.process.poll() or 0
        reason = reason or self._last_line()
        if code == -signal.SIGKILL:
            reason = "it was killed, as when memory runs out"
        elif code < 0:
            reason = f"ended by {signal.Signals(-code).name}: {reason}"
        return InfrastructureError(
            f"the server of {self.file.name} {what}: {reason or 'without a word'}",
            f"For more: cat {self.log}",
        )

    def stop(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        if not self.ended(_STOP):
            self.process.kill()
            self.process.wait()
        if not self.failed:
            self.log.unlink(missing_ok=True)

    def _first_error(self) -> str:
        """The cause: what comes after it are mere consequences."""
        found = _ERROR.search(self.log.read_text(encoding="utf-8", errors="replace"))
        return _plain(found[1]) if found else ""

    def _last_line(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((_plain(_TIME.sub("", line)) for line in reversed(lines) if line.strip()), "")


def _plain(line: str) -> str:
    return " ".join(line.split())
