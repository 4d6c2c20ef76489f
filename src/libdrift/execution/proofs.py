"""How the tests of a task can judge: proven by its reference, once, and kept by content.

A task's tests judge *remotely*, in a process that the answer never meets, where the reference
passes that way and liars fail. Elsewhere answer and tests share a process, and decoys prove a pass.
What was found is kept on disk by all that it depends on; a fault of the moment never is.
"""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import asdict
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from libdrift import kept
from libdrift.execution.plan import Job
from libdrift.execution.proving import Proven, Proving, TestRunners
from libdrift.sandbox import Judgement

logger = logging.getLogger(__name__)

_VERSION = 5  # of what is kept

_PROVEN = TypeAdapter(Proven)
KIND, FORMAT = "proof", 1
_UNSEALED = b'{"remote"'  # as files begin that were written before files were sealed


def _content(data: bytes) -> bytes:
    return data if data.startswith(_UNSEALED) else kept.unseal(KIND, FORMAT, data)


def check_file(data: bytes) -> None:
    """Raise a ``ValueError`` unless a file of the store can be read."""
    _PROVEN.validate_json(_content(data))


class Proofs:
    """What references have proven, by content: in memory, and on disk."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._known: dict[str, Proven] = {}

    def of(self, job: Job, ways: TestRunners) -> Proven | Judgement:
        """What is proven of a job's tests; or why the machine could not tell."""
        key = _key(job)
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._known:
                found = self._read(key)
                if found is None:
                    told = Proving(job, ways).prove()
                    if isinstance(told, Judgement):
                        return told
                    found, steady = told
                    if steady:
                        self._write(key, found)
                self._known[key] = found
            return self._known[key]

    def known(self, job: Job) -> Proven | None:
        """What was proven of a job's tests before; ``None`` if nothing was, or nothing lasting."""
        key = _key(job)
        return self._known.get(key) or self._read(key)

    def reference_seconds(self, job: Job) -> float | None:
        """How long a job's reference took when its tests were proven; ``None`` if not known."""
        found = self._known.get(_key(job))
        return found.seconds if found else None

    def _path(self, key: str) -> Path | None:
        return self._folder / key[:2] / f"{key}.json" if self._folder else None

    def _read(self, key: str) -> Proven | None:
        path = self._path(key)
        if path is None or not path.is_file():
            return None
        try:
            return _PROVEN.validate_json(_content(path.read_bytes()))
        except (ValidationError, OSError, ValueError) as error:
            logger.warning("%s cannot be read, and is computed again: %s", path, error)
            return None

    def _write(self, key: str, proven: Proven) -> None:
        """Whole, or not at all; a disk that is full only means to prove it again."""
        path = self._path(key)
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            kept.write_whole(path, kept.seal(KIND, FORMAT, json.dumps(asdict(proven)).encode()))
        except OSError as error:
            logger.warning("results cannot be stored in %s: %s", path.parent, error)


def _key(job: Job) -> str:
    program = job.program
    parts = (
        str(_VERSION), _makers(), job.environment.key, program.style.value, program.module,
        program.tests, job.reference,
    )  # fmt: skip
    digest = blake2b(digest_size=20)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


@cache
def _makers() -> str:
    """What makes a proof, as a fingerprint: the guest, and who writes liars and decoys."""
    digest = blake2b(digest_size=20)
    guest = resources.files("libdrift.sandbox.guest").iterdir()
    own = resources.files("libdrift.execution")
    written = [own / f"{name}.py" for name in "checks decoys liars literals proofs proving".split()]
    for file in sorted((*guest, *written), key=lambda f: f.name):
        if file.name.endswith(".py"):
            digest.update(file.read_bytes())
    return digest.hexdigest()
