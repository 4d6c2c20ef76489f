"""Lists of verified tasks: what an audit proved, kept as data beside a suite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict

from libdrift import __version__
from libdrift.execution import AuditResult
from libdrift.records import Split

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
    found = _File.model_validate_json(file.read_text(encoding="utf-8"))
    audited = {
        task_id: Audited(
            task_id,
            entry.verified,
            MappingProxyType({s: r for s in Split if (r := getattr(entry, s.value))}),
        )
        for task_id, entry in found.tasks.items()
    }
    return MappingProxyType(audited)


def write(path: Path, suite: str, results: Iterable[AuditResult]) -> None:
    """Keep an audit as such a list, whole or not at all."""
    tasks = {result.task_id: _entry(result) for result in results}
    file = _File(
        schema_version=SCHEMA_VERSION,
        suite=suite,
        date=datetime.now(UTC).date(),
        libdrift=__version__,
        tasks=tasks,
    )
    scratch = path.with_name(f".{path.name}.part")
    content = file.model_dump(mode="json", exclude_defaults=True)
    scratch.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    scratch.replace(path)


def _entry(result: AuditResult) -> _Entry:
    reasons = {item.split: item.reason[:_REASON] for item in result.splits}
    return _Entry(
        verified=result.verified,
        hidden=reasons.get(Split.HIDDEN, ""),
        visible=reasons.get(Split.VISIBLE, ""),
        reason="" if result.verified or any(reasons.values()) else result.reason,
    )
