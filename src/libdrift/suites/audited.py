"""Lists of verified tasks: what an audit proved, kept as data beside a suite, or in one's own file.

One's own list says of each task what was proven: its environment, reference and tests, as a hash.
A task that has changed since is not verified any more.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib import resources
from pathlib import Path
from types import MappingProxyType

import msgspec
from pydantic import BaseModel, ConfigDict, ValidationError

from libdrift import kept
from libdrift.errors import UserError
from libdrift.reading import read_small
from libdrift.records import Split, Suite, Task
from libdrift.scoring import AuditResult
from libdrift.version import __version__

logger = logging.getLogger(__name__)

SCHEMA_VERSION = 1
_REASON = 120  # characters of a reason that are kept: what failed, not all that was said


@dataclass(frozen=True, slots=True)
class Audited:
    """What an audit said of a task. ``reasons`` has the splits that its reference fails."""

    task_id: str
    verified: bool
    reasons: Mapping[Split, str]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    verified: bool
    # Why the reference does not pass the split; empty where it passes, or has no such tests.
    hidden: str
    visible: str
    reason: str = ""  # what no split's own reason says
    content: str = ""  # what was proven, as a hash; lists that ship go by their task ids


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: int
    suite: str
    date: date | None  # of the audit
    libdrift: str | None  # the version that made it
    tasks: dict[str, _Entry]


def read(name: str) -> Mapping[str, Audited]:
    """The list that ships with a suite, by task id; empty where none does."""
    file = resources.files(__package__).joinpath(name, "verified.json")
    if not file.is_file():
        return MappingProxyType({})
    return _audited(_File.model_validate_json(file.read_text(encoding="utf-8")).tasks)


def read_file(path: Path, suite: Suite) -> Mapping[str, Audited]:
    """One's own list, as ``write`` made it, without the tasks that are others now."""
    again = f"Make it with: libdrift audit SUITE --write {shlex.quote(str(path))}"
    try:
        found = _File.model_validate_json(read_small(path))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", again) from error
    except ValidationError as error:
        raise UserError(f"{path} is not a list of verified tasks", again) from error
    if found.schema_version != SCHEMA_VERSION or found.suite != suite.name:
        what = f"{found.suite} (format {found.schema_version})"
        raise UserError(f"{path} is a list for {what}, not for {suite.name}", again)
    listed = {task_id: entry for task_id, entry in found.tasks.items() if task_id in suite.tasks}
    same = {
        task_id: entry
        for task_id, entry in listed.items()
        if entry.content in {"", _content(suite.tasks[task_id])}
    }
    if len(same) < len(listed):
        count = len(listed) - len(same)
        logger.warning("%s: tasks that have changed since are not verified: %d", path, count)
    if not same:
        raise UserError(f"{path} has no current task of {suite.name}", again)
    return _audited(same)


def _audited(entries: Mapping[str, _Entry]) -> Mapping[str, Audited]:
    audited = {
        task_id: Audited(
            task_id,
            entry.verified,
            MappingProxyType({s: r for s in Split if (r := getattr(entry, s.value))}),
        )
        for task_id, entry in entries.items()
    }
    return MappingProxyType(audited)


def write(path: Path, suite: Suite, results: Iterable[AuditResult]) -> None:
    """Keep an audit as such a list, whole or not at all."""
    tasks = {result.task_id: _entry(result, suite.tasks[result.task_id]) for result in results}
    file = _File(
        schema_version=SCHEMA_VERSION,
        suite=suite.name,
        date=datetime.now(UTC).date(),
        libdrift=__version__,
        tasks=tasks,
    )
    content = file.model_dump(mode="json", exclude_defaults=True)
    kept.write_whole(path, (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())


def _content(task: Task) -> str:
    """What a proof is about: where a task's programs run, those programs, and its tests."""
    proven = (task.environment, task.module, task.reference, task.tests, task.wrong)
    return hashlib.sha256(msgspec.json.encode(proven)).hexdigest()[:16]


def _entry(result: AuditResult, task: Task) -> _Entry:
    reasons = {item.split: item.reason[:_REASON] for item in result.splits}
    return _Entry(
        verified=result.verified,
        hidden=reasons.get(Split.HIDDEN, ""),
        visible=reasons.get(Split.VISIBLE, ""),
        reason="" if result.verified or any(reasons.values()) else result.reason,
        content=_content(task),
    )
