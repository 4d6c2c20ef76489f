"""A manifest of tasks: which releases and symbols they are of, and their hashes. No text."""

from __future__ import annotations

import hashlib
from datetime import date

import msgspec

from libdrift.errors import UserError
from libdrift.suites.own_tasks import BROKEN, SUITE_NAME

SCHEMA_VERSION = 1
PYTHON = "python"
_PLACES = 2  # of a pair, where environments are built


class PairPlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the examples of one release ran."""

    runtime: str
    requirements: tuple[str, ...]
    as_of: date | None = None


class PairEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two releases of a package, and where each was run; of compiled languages they tell that."""

    package: str
    old: str
    new: str
    places: tuple[PairPlace, ...] = ()
    most: int = 0  # of the JDK: changes of one kind that were looked at

    @property
    def key(self) -> tuple[str, str, str]:
        return self.package, self.old, self.new


class TaskEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One task; ``parts`` are hashes of what it consists of, to say what differs."""

    id: str
    package: str
    old: str
    new: str
    family: str
    symbol: str
    hash: str
    parts: dict[str, str] = {}

    @property
    def pair(self) -> tuple[str, str, str]:
        return self.package, self.old, self.new


class TaskManifest(msgspec.Struct, frozen=True):
    schema_version: int
    name: str
    title: str
    pairs: tuple[PairEntry, ...]
    tasks: tuple[TaskEntry, ...]
    language: str = PYTHON

    @property
    def digest(self) -> str:
        text = "\n".join(sorted(f"{task.id} {task.hash}" for task in self.tasks))
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def parse(data: bytes, where: str) -> TaskManifest:
    try:
        found = msgspec.json.decode(data, type=TaskManifest)
    except BROKEN as error:
        raise UserError(
            f"{where} is not a manifest of tasks ({error})", "`libdrift build live` writes one"
        ) from error
    if found.schema_version != SCHEMA_VERSION:
        raise UserError(f"{where} has format {found.schema_version}")
    if not SUITE_NAME.fullmatch(found.name):  # it names a file, and comes from anybody
        raise UserError(
            f"{where} has no name for a suite: {found.name!r}",
            "Write letters, digits, dots and dashes",
        )
    if found.language == PYTHON:
        for pair in found.pairs:
            if len(pair.places) != _PLACES:
                raise UserError(f"{where} does not say where {pair.package} {pair.new} was run")
    return found


def written(manifest: TaskManifest) -> bytes:
    """As a file that two versions of can be compared line by line."""
    lines = [
        f'"schema_version": {manifest.schema_version}',
        f'"name": {_text(manifest.name)}',
        f'"title": {_text(manifest.title)}',
        f'"pairs": {_rows(manifest.pairs)}',
        f'"tasks": {_rows(manifest.tasks)}',
    ]
    if manifest.language != PYTHON:
        lines.insert(3, f'"language": {_text(manifest.language)}')
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _rows(items: tuple[msgspec.Struct, ...]) -> str:
    return "[\n" + ",\n".join(_text(item) for item in items) + "\n]"
