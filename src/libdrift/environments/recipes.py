"""From an environment's pins to the recipe that builds it: the pins plus the known fixes."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from pydantic import BaseModel, ConfigDict

from libdrift.errors import UserError
from libdrift.records import Environment

# Part of every key: raise it when the way environments are built changes what is in them.
_LAYOUT = 1


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fix(_Entry):
    when: str
    reason: str
    python: str = ""
    constrain: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    setup: dict[str, str] = {}
    system: tuple[str, ...] = ()


class SystemPiece(_Entry):
    name: str
    install: str
    library: str = ""
    program: str = ""
    header: str = ""
    nltk: tuple[str, ...] = ()


class SystemNeed(_Entry):
    when: str
    system: tuple[str, ...]
    reason: str


class Knowledge(_Entry):
    fix: tuple[Fix, ...]
    system: tuple[SystemPiece, ...]
    need: tuple[SystemNeed, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    environment: Environment
    requirements: tuple[str, ...]
    constraints: tuple[str, ...]
    build_constraints: tuple[str, ...]
    fixes: tuple[Fix, ...]
    wheels_only: bool = False  # a source build runs code of the release, outside of any sandbox

    @property
    def setup(self) -> dict[str, str]:
        """Variables of a source build, each with the content of the file it must point at."""
        return {name: text for fix in self.fixes for name, text in fix.setup.items()}

    @property
    def system(self) -> tuple[str, ...]:
        """System pieces without which a source build cannot succeed."""
        return tuple(dict.fromkeys(name for fix in self.fixes for name in fix.system))

    @property
    def key(self) -> str:
        content = [
            _LAYOUT,
            self.environment.key,
            self.requirements,
            self.constraints,
            self.build_constraints,
            *([self.setup] if self.setup else []),
            *(["wheels only"] if self.wheels_only else []),
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:20]


@functools.cache
def knowledge() -> Knowledge:
    text = resources.files(__package__).joinpath("fixes.toml").read_text(encoding="utf-8")
    return Knowledge.model_validate(tomllib.loads(text))


def recipe_for(environment: Environment) -> Recipe:
    """Add to the pins what ``fixes.toml`` says that these releases need."""
    pins = pinned(environment.requirements)
    if not re.fullmatch(r"[0-9]+\.[0-9]+(\.[0-9]+)?", environment.runtime):
        raise UserError(f"{environment.runtime!r} is not a Python version", "Write it like 3.11")
    runtime = Version(environment.runtime)
    applied = tuple(
        fix
        for fix in knowledge().fix
        if matches(fix.when, pins) and SpecifierSet(fix.python).contains(runtime)
    )

    def collect(field: str) -> tuple[str, ...]:
        lines = (line for fix in applied for line in getattr(fix, field))
        # A fix never overrides what the environment itself pins.
        kept = (line for line in lines if canonicalize_name(Requirement(line).name) not in pins)
        return tuple(dict.fromkeys(kept))

    return Recipe(
        environment=environment,
        requirements=(*environment.requirements, *collect("add")),
        constraints=collect("constrain"),
        build_constraints=collect("build"),
        fixes=applied,
    )


def pinned(requirements: Iterable[str]) -> dict[str, Version | None]:
    """Canonical name to exact version (``None`` where a requirement has no exact pin)."""
    pins: dict[str, Version | None] = {}
    for text in requirements:
        try:
            requirement = Requirement(text)
            exact = [s.version for s in requirement.specifier if s.operator in ("==", "===")]
            version = Version(exact[0]) if exact and not exact[0].endswith("*") else None
        except (InvalidRequirement, InvalidVersion) as error:
            raise UserError(
                f"requirement {text!r} cannot be read: {str(error).splitlines()[0]}",
                "Write it like numpy==2.0.2",
            ) from error
        if requirement.url:
            raise UserError(
                f"requirement {text!r} names a place, not a version",
                "Write it like numpy==2.0.2",
            )
        pins[canonicalize_name(requirement.name)] = version
    return pins


def matches(when: str, pins: dict[str, Version | None]) -> bool:
    requirement = Requirement(when)
    name = canonicalize_name(requirement.name)
    if name not in pins:
        return False
    version = pins[name]
    return not requirement.specifier or (
        version is not None and requirement.specifier.contains(version, prereleases=True)
    )
