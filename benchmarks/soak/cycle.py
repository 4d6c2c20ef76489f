"""Some faults upon one run: the command is disturbed, run again, and compared at its end.

The same command that goes on after a fault meets the next one, which is harder to survive than one
fault alone, and cheaper to try. After each fault, what is left over is looked for, and what is
whole by then is compared; all is compared once the command came to its end.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import threading
import time
from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from benchmarks.soak import damage, leaks
from benchmarks.soak.faults import Fault, Strike
from benchmarks.soak.workloads import Lines, Workload
from benchmarks.soak.world import World

_PATIENCE = 400.0  # seconds, for a command that usually takes a few
_SHORTER = 0.6  # of the usual work, for a run that goes on
_GRACE = 2.0
_AGAIN = 2  # times that the same command may be needed: one may meet damage, and mend it
_TRACE = "Traceback (most recent call last)"


@dataclass(slots=True)
class Outcome:
    """What a fault did."""

    workload: str
    kind: str
    after: list[str] = field(default_factory=list)  # faults that the same run met before
    injected: bool = False
    code: int = 0
    lost: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)  # a trace, a hang, no way on
    seconds: float = 0.0
    said: str = ""
    printed: str = ""

    @property
    def survived(self) -> bool:
        return not (self.lost or self.changed or self.leaked or self.unexplained)


@dataclass(frozen=True, slots=True)
class Baseline:
    """An undisturbed run."""

    lines: Lines
    seconds: float
    cpu: float  # seconds of processors


def baseline(world: World, workload: Workload, runs: int) -> Baseline:
    """The last of some undisturbed runs, which must be alike."""
    place = world.root / "runs" / f"undisturbed-{workload.name}"
    place.mkdir()
    found: list[Baseline] = []
    for number in range(runs):  # the first one builds environments: faults are timed by the last
        inner = place / str(number)
        inner.mkdir()
        started, before = time.monotonic(), _spent()
        done = _run(world, workload, inner)
        if done.returncode:
            raise SystemExit(f"{workload.name} fails undisturbed: {done.stderr[-2000:]}")
        took = time.monotonic() - started
        found.append(Baseline(workload.lines(world, inner, done.stdout), took, _spent() - before))
    if any(one.lines != found[0].lines for one in found):
        raise SystemExit(f"{workload.name} differs from run to run, undisturbed")
    return found[-1]


def _spent() -> float:
    """Seconds of processors, of all that ended below us."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def _run(world: World, workload: Workload, place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        workload.command(world, place),
        env=world.environ(),
        cwd=world.root,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=_PATIENCE,
        stdin=subprocess.DEVNULL,
        start_new_session=True,  # as one that is disturbed: the kernel shares time by sessions
    )


def cycle(
    world: World,
    workload: Workload,
    faults: deque[Fault],
    usual: Baseline,
    chance: random.Random,
) -> list[Outcome]:
    """Disturb a run and the runs that go on with it, until it is done or ``faults`` are used up.

    What is wrong at the end counts for the last of the faults.
    """
    place = world.root / "runs" / f"{workload.name}-{chance.getrandbits(40):x}"
    place.mkdir()
    found: list[Outcome] = []
    kept: dict[str, list[str]] = {name: [] for name in workload.files}
    done = False
    while faults and not done and all(one.survived for one in found):
        fault = faults.popleft()
        one = Outcome(workload.name, fault.kind, [other.kind for other in found])
        found.append(one)
        started = time.monotonic()
        shorter = replace(usual, cpu=usual.cpu * _SHORTER ** len(one.after))
        _strike(world, workload, fault, shorter, chance, place, one)
        _stay(place, kept, one)
        done = not (one.code or fault.kind == "torn line" or one.unexplained)
        if done:  # it came to its end in spite of all: there is nothing to go on with
            _compare(workload.lines(world, place, one.printed), usual, one)
        elif workload.verdicts:
            _compare_part(workload.verdicts(place), usual, one)
        one.seconds = time.monotonic() - started
    last, started = found[-1], time.monotonic()
    if not done:
        _resume(world, workload, place, usual, last)
        _stay(place, kept, last)
    last.leaked += [*leaks.processes(), *leaks.files(world, place), *leaks.locks(world)]
    last.seconds += time.monotonic() - started
    if all(one.survived for one in found):
        shutil.rmtree(place, ignore_errors=True)
    _clean(world)
    return found


def _strike(
    world: World,
    workload: Workload,
    fault: Fault,
    usual: Baseline,
    chance: random.Random,
    place: Path,
    found: Outcome,
) -> None:
    mounts = leaks.mounts(world)
    found.injected = _disturb(world, workload, fault, usual, chance, place, found)
    found.leaked += leaks.processes()
    found.leaked += [f"mount {one}" for one in leaks.mounts(world) - mounts]
    if fault.kind == "torn line":
        torn = [damage.tear(place / name, chance) for name in workload.files]
        found.injected = any(torn)


def _stay(place: Path, kept: dict[str, list[str]], found: Outcome) -> None:
    """What was whole in files that only grow is there still, and each verdict is there once."""
    torn = found.kind == "torn line"
    for name, lines in kept.items():
        now = _whole_lines(place / name)
        gone = [line for line in lines if line not in now]
        if torn:  # its own last line
            gone = [line for line in gone if line != lines[-1]]
        found.lost += [f"line of {name}: {line[:100]!r}" for line in gone]
        found.changed += _twice(now) if name.endswith("verdicts.jsonl") else []
        kept[name] = now


def _disturb(
    world: World,
    workload: Workload,
    fault: Fault,
    usual: Baseline,
    chance: random.Random,
    place: Path,
    found: Outcome,
) -> bool:
    it = Strike(world, workload, place, chance, world.environ(), cpu=usual.cpu)
    # Pipes: a file would fall to the full disk, and to limits of size, itself.
    told: tuple[list[bytes], list[bytes]] = ([], [])
    try:
        injected = fault.before(it)
        process = subprocess.Popen(
            it.wrap(workload.command(world, place)),
            env=it.environ,
            cwd=world.root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        it.pid = process.pid
        it.running = lambda: process.poll() is None
        listeners = [
            threading.Thread(target=_listen, args=(stream, lines), daemon=True)
            for stream, lines in zip((process.stdout, process.stderr), told, strict=True)
        ]
        for listener in listeners:
            listener.start()
        try:
            injected = fault.during(it) and injected
            found.code = process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            found.unexplained.append(f"hangs after {fault.kind}")
            process.kill()
            found.code = process.wait()
        for listener in listeners:
            listener.join(_GRACE)  # what outlives the command, and holds its pipe, is a leak
    finally:
        for step in reversed(it.undo):
            step()
    found.printed, found.said = (b"".join(lines).decode("utf-8", "replace") for lines in told)
    if _TRACE in found.said:
        found.unexplained.append("a trace: " + found.said.rstrip().splitlines()[-1][:300])
    elif found.code > 0 and not found.said.strip():
        found.unexplained.append(f"ended with {found.code} and said nothing")
    return injected


def _listen(stream: IO[bytes] | None, told: list[bytes]) -> None:
    assert stream is not None  # noqa: S101  (a pipe)
    with stream:
        while data := os.read(stream.fileno(), 1 << 16):
            told.append(data)


def _resume(world: World, workload: Workload, place: Path, usual: Baseline, found: Outcome) -> None:
    for attempt in range(_AGAIN):
        try:
            done = _run(world, workload, place)
        except subprocess.TimeoutExpired:
            found.unexplained.append("the same command hangs when it is run again")
            return
        if _TRACE in done.stderr:
            found.unexplained.append("a trace when run again: " + done.stderr.rstrip()[-1500:])
            return
        if done.returncode == 0 and (attempt or "infrastructure" not in done.stdout):
            break
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        found.unexplained.append(f"does not go on ({done.returncode}): {' '.join(last)[:400]}")
        return
    _compare(workload.lines(world, place, done.stdout), usual, found)


def _compare(lines: Lines, usual: Baseline, found: Outcome) -> None:
    for key, line in usual.lines.items():
        if key not in lines:
            found.lost.append(key)
        elif lines[key] != line:
            found.changed.append(f"{key}: {line[:200]} → {lines[key][:200]}")
    found.changed += [f"{key}: new" for key in lines if key not in usual.lines]


def _compare_part(lines: Lines, usual: Baseline, found: Outcome) -> None:
    """What a run that is not done has come to so far."""
    for key, line in lines.items():
        if line != usual.lines.get(key):
            found.changed.append(f"{key}: {usual.lines.get(key, '')[:200]} → {line[:200]}")


def _whole_lines(path: Path) -> list[str]:
    """Lines that say something: a torn one does not."""
    if not path.is_file():
        return []
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if line.endswith("\n") and isinstance(told, dict) and told:
            found.append(line)
    return found


def _twice(lines: list[str]) -> list[str]:
    """Answers that were judged again though they had their verdict."""
    seen: set[tuple[object, ...]] = set()
    found = []
    for line in lines:
        told = json.loads(line)
        if told.get("outcome") == "infrastructure":
            continue
        key = (told.get("task_id"), told.get("sample"), told.get("split"))
        if key in seen:
            found.append(f"judged twice: {key}")
        seen.add(key)
    return found


def _clean(world: World) -> None:
    """What leaked is told once, and not for every fault that follows."""
    for one in world.temporary.iterdir():
        if one.is_dir() and not one.is_symlink():
            shutil.rmtree(one, ignore_errors=True)
        else:
            one.unlink(missing_ok=True)
    shutil.rmtree(world.cache / "environments" / ".building", ignore_errors=True)
    for parent in [world.cache]:
        for file in parent.rglob("tmp*"):
            if "venv" not in file.parts and file.is_file():
                file.unlink()
