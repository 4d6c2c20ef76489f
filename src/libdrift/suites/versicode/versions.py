"""Version strings as the data spells them: ``==1.1.0``, ``==2.x``, ``>=1.7``, ``v1.2 ``, …"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

# `=`, `^` and `~` are other package managers' spellings.
_OPERATORS = ("===", "==", "~=", "!=", ">=", "<=", ">", "<", "=", "^", "~")
_OPERATOR = "|".join(map(re.escape, _OPERATORS))
# Numbers first; then whatever a package manager lets stand there: `rc1`, `RELEASE`, `x`, `*`.
_VERSION = r"[vV]?\d+(?:[._+-]?(?:[0-9A-Za-z]+|\*))*"
_CLAUSE = re.compile(rf"\s*({_OPERATOR})?\s*({_VERSION})\s*,?")
_EXACT = ("", "=", "==", "===")
_OPEN_PARTS = ("x", "*")


@dataclass(frozen=True, slots=True)
class Clause:
    operator: str  # empty where none is written
    version: str  # without a leading `v`

    @property
    def open(self) -> bool:
        """Whether a part of it may be anything: ``2.x``."""
        return any(part.lower() in _OPEN_PARTS for part in re.split(r"[._+-]", self.version))


@dataclass(frozen=True, slots=True)
class VersionClauses:
    """What a version string asks for: all of its clauses."""

    clauses: tuple[Clause, ...]

    @property
    def text(self) -> str:
        """In one spelling: an exact version alone, anything else with its operators."""
        first = self.clauses[0]
        if len(self.clauses) == 1 and first.operator in _EXACT:
            return first.version
        return ",".join((clause.operator or "==") + clause.version for clause in self.clauses)

    @property
    def exact(self) -> str | None:
        """The one version that is meant, if it is one."""
        first = self.clauses[0]
        alone = len(self.clauses) == 1 and first.operator in _EXACT and not first.open
        return first.version if alone else None

    @property
    def major(self) -> bool:
        """A major version, as the paper counts them, is one that no patch followed: ``2.4.0``.

        By this rule the published migrations fall into the four parts of its Table 2.
        """
        first = self.clauses[0]
        parts = re.split(r"[._+-]", first.version)
        return not first.open and all(part.strip("0") == "" for part in parts[2:])


@cache
def parse(text: str) -> VersionClauses | None:
    """What ``text`` asks for; ``None`` where it is no version."""
    clauses: list[Clause] = []
    place, rest = 0, text.strip()
    while place < len(rest):
        match = _CLAUSE.match(rest, place)
        if match is None or (clauses and not match[1]):
            return None
        clauses.append(Clause(match[1] or "", match[2].lstrip("vV")))
        place = match.end()
    return VersionClauses(tuple(clauses)) if clauses else None


def step(source: VersionClauses | None, target: VersionClauses | None) -> str | None:
    """The paper's category of a migration: ``major-to-minor`` and the like."""
    if source is None or target is None:
        return None
    return "-to-".join("major" if wanted.major else "minor" for wanted in (source, target))
