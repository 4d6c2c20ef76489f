"""What an edit is asked for, what it must know of the releases, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from libdrift.records import Finding, Signature

SURE = 0.8  # what a finding and its replacement must have to be edited without `--risky`


@dataclass(frozen=True, slots=True)
class CallSignatures:
    """What a callable takes in both releases, and the new names of its old parameters."""

    old: Signature
    new: Signature
    renamed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class ReleaseKnowledge(Protocol):
    """What edits ask of the two releases; a full path names a symbol."""

    def signatures(self, finding: Finding) -> CallSignatures | None:
        """Of what a finding's call calls; None where one release does not tell."""
        ...

    def old_signature(self, finding: Finding) -> CallSignatures | None:
        """Of a callable that is gone: what it took is both sides."""
        ...

    def origin(self, finding: Finding) -> str:
        """Of a name that the old release only took from another package: its path there."""
        ...

    def is_module(self, path: str) -> bool:
        """At the target."""
        ...

    def is_loaded(self, path: str) -> bool:
        """Whether a module of the target is there once its package is imported."""
        ...


@dataclass(frozen=True, slots=True)
class LeftFinding:
    """A finding that stays in the code, and why."""

    finding: Finding
    reason: str
    is_risky: bool = False  # `--risky` would edit it


@dataclass(frozen=True, slots=True)
class EditResult:
    source: str
    applied: tuple[Finding, ...] = ()
    left: tuple[LeftFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one edit cannot be made."""

    reason: str
    is_risky: bool = False


class NothingKnown:
    """No release is known: names are told from classes by their spelling."""

    def signatures(self, finding: Finding) -> CallSignatures | None:
        del finding
        return None

    def old_signature(self, finding: Finding) -> CallSignatures | None:
        del finding
        return None

    def origin(self, finding: Finding) -> str:
        del finding
        return ""

    def is_module(self, path: str) -> bool:
        return path.rpartition(".")[2].islower()

    def is_loaded(self, path: str) -> bool:
        return "." not in path
