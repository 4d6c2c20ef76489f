"""How the tests of a task can judge: proven by its reference, once, and kept by content.

A task's tests judge *remotely*, in a process that the answer never meets, where the reference
passes that way and liars fail. Elsewhere answer and tests share a process, and decoys prove a pass.
What was found is kept on disk by all that it depends on; a fault of the moment never is.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from pydantic import TypeAdapter, ValidationError

from libdrift import kept
from libdrift.execution.checks import bits_of_checks
from libdrift.execution.decoys import decoys
from libdrift.execution.liars import AGREEING, MARRED, NO_VALUE, liars
from libdrift.execution.plan import Job
from libdrift.records import Outcome
from libdrift.sandbox import Apart, Judgement, Program, Rehearsal

logger = logging.getLogger(__name__)

_VERSION = 5  # of what is kept
_DECOYS = 6  # of a task's tests
_REMOTE_DECOYS = 2  # of tests that ask the answer's objects, where no liar tells which are telling
_TRIES = 12  # to find decoys that the reference fails

RunTogether = Callable[[Program], Judgement]


class RunApart(Protocol):
    """Runs a program apart from its tests; patiently if it is sure to be right."""

    def __call__(
        self, program: Program, learned: dict[str, Any] | None, *, patient: bool
    ) -> Apart: ...


# Runs a task's tests, apart from them, on answers that do no harm: the reference, then liars.
Rehearse = Callable[[Rehearsal], list[Judgement]]


@dataclass(frozen=True, slots=True)
class TestRunners:
    """How a task's tests can be run."""

    apart: RunApart
    together: RunTogether
    rehearse: Rehearse


@dataclass(frozen=True, slots=True)
class Decoy:
    """Tests that a right answer must fail, and the cases that it fails: as the reference did."""

    tests: str
    failed: tuple[str, ...]
    cases: int  # failed or not

    def failed_by(self, judgement: Judgement) -> bool:
        """Whether a judgement fails exactly where the reference fails."""
        theirs = {case.name for case in judgement.cases if case.outcome != "passed"}
        whole = judgement.outcome is Outcome.FAILED and len(judgement.cases) == self.cases
        return whole and theirs == set(self.failed)


@dataclass(frozen=True, slots=True)
class Proven:
    """What a task's reference proves of its tests."""

    remote: bool
    why_not: str = ""  # judged remotely
    learned: dict[str, Any] | None = None  # what the reference's values are made of
    fooled_by: tuple[str, ...] = ()  # liars that pass these tests all the same
    decoys: tuple[Decoy, ...] = ()  # for tests that are not judged remotely, or that tell nothing
    tells: bool = True  # whether a pass proves anything: decoys tell right values from others
    seconds: float | None = None  # that the reference took, as answers are judged; none: not known


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
                    told = _Proving(job, ways).prove()
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


class _Proving:
    def __init__(self, job: Job, ways: TestRunners) -> None:
        self._program = replace(job.program, answer=job.reference)
        self._apart = ways.apart
        self._together = ways.together
        self._rehearse = ways.rehearse
        self._steady = True
        self._seconds: list[float] = []  # that the reference took together with its tests

    def prove(self) -> tuple[Proven, bool] | Judgement:
        """What is proven, and whether that would be the same at any other time."""
        try:
            proven = self._remote()
            if not proven.remote and not self._can_be_changed():
                # Nothing is proven by such tests, whether or not the reference passes them.
                return proven, self._steady
            if not proven.remote and not self._passes():
                # Of tests that no right answer is known to pass, a pass proves nothing.
                proven = replace(proven, tells=False)
            elif not proven.remote:
                found = self._decoys(self._on, _DECOYS)
                # Who reads these tests can tell which of two equal values was changed: a defence
                # against those who do not look, and no proof.
                weak = () if found else self._decoys(self._on, _DECOYS, repeated=True)
                seconds = max(self._seconds, default=None)
                proven = replace(proven, decoys=found or weak, tells=not weak, seconds=seconds)
        except _MomentError as moment:
            return moment.judgement
        return proven, self._steady

    def _can_be_changed(self) -> bool:
        """Whether these tests expect anything that a decoy could change."""
        tests = self._program.tests
        return bool(decoys(tests) or decoys(tests, repeated=True))

    def _passes(self) -> bool:
        """Whether the reference passes together with its tests."""
        own = self._together(self._program)
        self._check(own)
        self._seconds.append(own.seconds)
        return own.outcome is Outcome.PASSED

    def _on(self, tests: str) -> Judgement:
        return self._together(replace(self._program, tests=tests))

    def _remote(self) -> Proven:
        judged, learned = self._apart(self._program, None, patient=True)
        self._check(judged)
        if judged.outcome is not Outcome.PASSED or learned is None:
            return Proven(remote=False, why_not=_why(judged))
        learned["guess_bits"] = min(learned["guess_bits"], bits_of_checks(self._program.tests))
        # Once more as any other answer, held to what was learned; then those who know nothing.
        lies = liars(self._program.answer, self._program.tests)
        codes = [self._program.answer, *lies.values()]
        again, *lied = self._rehearse(Rehearsal(self._program, tuple(codes), learned))
        self._check(again)
        if again.outcome is not Outcome.PASSED:
            return Proven(remote=False, why_not=f"not the same twice: {_why(again)}")
        fooled = {}
        for (name, code), lie in zip(lies.items(), lied, strict=True):
            told = self._once_more(replace(self._program, answer=code), lie, learned)
            if told.outcome is Outcome.PASSED:
                fooled[name] = code
        if fooled.pop(NO_VALUE, None):
            fooled = {name: code for name, code in fooled.items() if name not in MARRED}
        asked = bool(learned.get("judged"))
        if not fooled and not asked:
            return Proven(remote=True, learned=learned, seconds=judged.seconds)
        # Who returns 0 where 0 is right fails where it is not, as the reference does. Who passes
        # there too passes anything: then every answer is tried on decoys that tell. So it is where
        # the answer's own objects are asked whether something holds: they may agree with anything.
        found = self._remote_decoys(fooled, learned)
        if not found:
            found = self._remote_decoys(fooled, learned, repeated=True)
        telling = {
            name: [decoy for decoy, unlike in found.items() if name in unlike] for name in fooled
        }
        chosen = dict.fromkeys(decoys[0] for decoys in telling.values() if decoys)
        if asked and not chosen:
            chosen = dict.fromkeys(list(found)[:_REMOTE_DECOYS])
        return Proven(
            remote=True,
            learned=learned,
            seconds=judged.seconds,
            fooled_by=tuple(fooled),
            decoys=tuple(chosen),
            tells=bool(found) and all(telling[name] for name in AGREEING if name in telling),
        )

    def _remote_decoys(
        self, fooled: dict[str, str], learned: dict[str, Any], *, repeated: bool = False
    ) -> dict[Decoy, set[str]]:
        """Decoys, each with the names of liars that do not fail it as the reference does.

        No more are looked for once each liar is found out by one.
        """
        found: dict[Decoy, set[str]] = {}
        answers = (self._program.answer, *fooled.values())

        def run(tests: str) -> Judgement:
            program = replace(self._program, tests=tests)
            own, *lied = self._rehearse(Rehearsal(program, answers, learned, brief=False))
            decoy = self._decoy(tests, own)
            if decoy is not None:
                found[decoy] = set()
                for (name, code), lie in zip(fooled.items(), lied, strict=True):
                    told = self._once_more(replace(program, answer=code), lie, learned)
                    if not decoy.failed_by(told):
                        found[decoy].add(name)
            return own

        def enough() -> bool:
            known = set().union(*found.values())
            return len(found) >= _REMOTE_DECOYS and known == set(fooled)

        self._decoys(run, _DECOYS, repeated=repeated, enough=enough)
        return found

    def _once_more(self, program: Program, lie: Judgement, learned: dict[str, Any]) -> Judgement:
        """What becomes of a liar, if it passes by what it has changed."""
        if lie.outcome is Outcome.INFRASTRUCTURE:
            raise _MomentError(lie)
        if lie.outcome is Outcome.PASSED and lie.changes:
            return self._held(program, learned)
        return lie

    def _held(self, program: Program, learned: dict[str, Any]) -> Judgement:
        return run_held(program, learned, lambda p, known: self._apart(p, known, patient=False)[0])

    def _check(self, judged: Judgement) -> None:
        if judged.outcome is Outcome.INFRASTRUCTURE:
            raise _MomentError(judged)
        if judged.outcome is Outcome.TIMEOUT:
            self._steady = False  # on another day it might have been quick enough
        if judged.killed:
            self._steady = False  # and nobody might have killed it

    def _decoys(
        self,
        run: Callable[[str], Judgement],
        wanted: int,
        *,
        repeated: bool = False,
        enough: Callable[[], bool] = lambda: False,
    ) -> tuple[Decoy, ...]:
        """Decoys that the reference fails, as many as wanted if there are so many."""
        found: list[Decoy] = []
        for tests in decoys(self._program.tests, repeated=repeated)[:_TRIES]:
            tried = run(tests)
            self._check(tried)
            self._seconds.append(tried.seconds)
            decoy = self._decoy(tests, tried)
            if decoy is not None:
                found.append(decoy)
            if len(found) == wanted or enough():
                break
        return tuple(found)

    @staticmethod
    def _decoy(tests: str, tried: Judgement) -> Decoy | None:
        """Changed tests, if the reference fails them."""
        failed = tuple(c.name for c in tried.cases if c.outcome != "passed")
        if tried.outcome is Outcome.FAILED and failed and not tried.stuck:
            return Decoy(tests, failed, len(tried.cases))
        return None


def run_held(
    program: Program,
    learned: dict[str, Any] | None,
    run: Callable[[Program, dict[str, Any] | None], Judgement],
) -> Judgement:
    """Run a program apart from its tests, held to what its reference needed.

    An answer that changes its arguments, as the reference does not, must pass without that too: or
    it might pass by changing what the tests compare its result with.
    """
    judgement = run(program, learned)
    if judgement.outcome is not Outcome.PASSED or not judgement.changes:
        return judgement
    again = run(program, {**(learned or {}), "ignores": True})
    if again.outcome is Outcome.FAILED:
        return replace(again, reason=f"passes only by changing its arguments: {again.reason}")
    return again


class _MomentError(Exception):
    """The machine could not tell, now."""

    def __init__(self, judgement: Judgement) -> None:
        super().__init__(judgement.reason)
        self.judgement = judgement


def _why(judgement: Judgement) -> str:
    return judgement.stuck or f"{judgement.outcome.value}: {judgement.reason}"


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
    written = [
        own / name for name in ("checks.py", "decoys.py", "liars.py", "literals.py", "proofs.py")
    ]
    for file in sorted((*guest, *written), key=lambda f: f.name):
        if file.name.endswith(".py"):
            digest.update(file.read_bytes())
    return digest.hexdigest()
