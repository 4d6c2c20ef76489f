"""A run on disk: ``run.json`` (what and where from) and ``verdicts.jsonl`` (append-only)."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from libdrift import kept
from libdrift.errors import LibdriftError, UserError, write_failure
from libdrift.records import Verdict
from libdrift.version import __version__

SCHEMA_VERSION = 1
VERDICTS = "verdicts.jsonl"
TASKS = "tasks.jsonl"  # what is known of its tasks, so that a report needs no data set
RUNS = "runs"  # the folder of all runs, where no other is asked for
_VERDICT = TypeAdapter(Verdict)
_Key = tuple[str, int, str]


class RunFolder:
    """One run. Verdicts are appended as they come and survive whatever happens next."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._verdicts = path / VERDICTS

    @contextlib.contextmanager
    def open(self, description: dict[str, Any]) -> Iterator[dict[_Key, Verdict]]:
        """Lock the folder and yield what an earlier call with the same fingerprint computed."""
        if self.path.exists() and not self.path.is_dir():
            raise UserError(f"{self.path} is not a folder", "Choose another place with --out")
        lock = FileLock(self.path / ".lock")
        created = [one for one in (self.path, *self.path.parents) if not one.exists()]
        with _disk(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            try:
                lock.acquire(timeout=0)
            except Timeout as error:  # which is an OSError too
                raise UserError(
                    f"{self.path} is being written by another libdrift",
                    "Wait until it ends, or choose another folder with --out",
                ) from error
        with lock:
            known = self.describe()
            # A run's first file is its description: what has others but not that is no run.
            names = self._names()
            if not known and "run.json" in names:
                if self._computed(names):
                    raise damaged_description(self.path)
                names.remove("run.json")  # nothing is lost with it
            if not known and names:
                raise UserError(
                    f"{self.path} contains something other than a run ({min(names)})",
                    "Choose another folder with --out",
                )
            if known and known.get("fingerprint") != description["fingerprint"]:
                if self._computed(names):
                    raise UserError(
                        f"{self.path} contains another run",
                        "Choose another folder with --out, or delete this one",
                    )
                known = {}  # a command that was mistyped left nothing but its description
            if not known:
                # Now, not at the end: a run that is killed must be known again.
                self.write_description(description)
            try:
                yield self._recover()
            except LibdriftError:
                if not known and not self._computed(self._names()):
                    self._remove(created)
                raise

    def _names(self) -> list[str]:
        return [one.name for one in self.path.iterdir() if not one.name.startswith(".")]

    def _remove(self, created: Sequence[Path]) -> None:
        """Undo what this call made, if anything: a mistaken command leaves no folder behind."""
        if self.path not in created:
            return
        shutil.rmtree(self.path)
        for parent in created[1:]:
            with contextlib.suppress(OSError):  # another run has come to be there
                parent.rmdir()

    def _computed(self, names: Sequence[str]) -> bool:
        """Whether a run has anything but what it is about."""
        others = [self.path / name for name in names if name not in {"run.json", TASKS}]
        return any(one.is_dir() or one.stat().st_size for one in others)

    def describe(self) -> dict[str, Any]:
        try:
            found = json.loads((self.path / "run.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(found, dict):
            return {}
        check_format(found, self.path)
        return found

    def write_description(self, content: dict[str, Any]) -> None:
        """Write ``run.json`` whole or not at all."""
        text = json.dumps({"schema_version": SCHEMA_VERSION, **content}, indent=1, default=str)
        self.write("run.json", (text + "\n").encode())

    def write(self, name: str, content: bytes) -> None:
        """Write one of the run's files whole or not at all."""
        with _disk(self.path):
            kept.write_whole(self.path / name, content)

    def append(self, verdict: Verdict) -> None:
        line = json.dumps(asdict(verdict), ensure_ascii=True) + "\n"
        with _disk(self.path), self._verdicts.open("ab") as file:
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())

    def verdicts(self) -> list[Verdict]:
        """All verdicts; where one was computed again, the last one counts."""
        found: dict[_Key, Verdict] = {}
        with contextlib.suppress(FileNotFoundError), self._verdicts.open("rb") as file:
            for line in file:
                with contextlib.suppress(ValidationError):
                    verdict = _VERDICT.validate_json(line)
                    found[verdict.task_id, verdict.sample, verdict.split] = verdict
        return list(found.values())

    def _recover(self) -> dict[_Key, Verdict]:
        mend(self._verdicts)
        return {
            (verdict.task_id, verdict.sample, verdict.split): verdict
            for verdict in self.verdicts()
            if verdict.outcome.graded
        }


def check_format(description: dict[str, Any], path: Path) -> None:
    """Refuse a run that a newer libdrift wrote: it is not misread."""
    written = description.get("schema_version", SCHEMA_VERSION)
    if not isinstance(written, int) or written > SCHEMA_VERSION:
        raise UserError(
            f"{path} was written by a newer libdrift (format {str(written)[:20]}, this one knows "
            f"{SCHEMA_VERSION})",
            "Update libdrift, or choose another folder",
        )


def damaged_description(path: Path) -> UserError:
    return UserError(
        f"{path} has a damaged run.json, so its verdicts cannot be used",
        f"Run the same command with another --out; `libdrift doctor --runs {path}` shows details",
    )


def not_a_run(path: Path, why: str) -> UserError:
    return UserError(
        f"{path} is not a run: {why}",
        "A run is the folder that `libdrift score` or `libdrift eval` names in its line `run: …`, "
        f"by default one below ./{RUNS}",
    )


def why_not(path: Path, error: Exception, file: str = "run.json") -> str:
    """What keeps a folder from being a run, if reading its file ended in an error."""
    if not path.exists():
        return "there is no such folder"
    if path.is_file() and path.name != file:
        return "it is a file, not a folder"
    if isinstance(error, FileNotFoundError):
        return f"it has no {file}"
    return f"its {file} cannot be read ({getattr(error, 'strerror', None) or 'malformed'})"


def command_of(description: Mapping[str, Any]) -> str:
    """The command that made a run, to be pasted; in words where it is not known."""
    made = description.get("provenance")
    words = made.get("command") if isinstance(made, dict) else None
    if isinstance(words, list) and len(words) > 1 and words[1] in {"score", "eval", "demo"}:
        return f"libdrift {shlex.join(map(str, words[1:]))}"
    return "the `libdrift score` or `libdrift eval` command that made it"


def folder_name(*parts: str) -> str:
    """A folder's name of some texts, such as a suite's name: one that is in no other folder."""
    return "-".join(re.sub(r"[^\w.+-]+", "_", part)[:100] for part in parts)


def mend(path: Path) -> None:
    """Cut off what a kill or a full disk left of a last line: it is computed again."""
    if not path.is_file():
        return
    size = path.stat().st_size
    with path.open("rb+") as file:
        block = 1 << 16
        end = size
        while end > 0:
            start = max(0, end - block)
            file.seek(start)
            position = file.read(end - start).rfind(b"\n")
            if position >= 0:
                file.truncate(start + position + 1)
                return
            end = start
        file.truncate(0)


def keep_lines(path: Path, good: Callable[[bytes], bool]) -> None:
    """Drop the lines of a file that are not good: whole, or not at all."""
    mend(path)
    if not path.is_file():
        return
    with path.open("rb") as file:
        if all(map(good, file)):
            return
    with kept.being_written(path) as scratch, path.open("rb") as old, scratch.open("wb") as new:
        new.writelines(line for line in old if good(line))


def provenance() -> dict[str, Any]:
    """Where an artifact came from."""
    return {
        "libdrift": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv,
    }


@contextlib.contextmanager
def _disk(path: Path) -> Iterator[None]:
    try:
        yield
    except LibdriftError:
        raise
    except OSError as error:
        raise write_failure(path, error, kept="verdicts so far are kept") from error
