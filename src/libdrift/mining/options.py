"""What is to be mined, and how."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from libdrift.errors import UserError

if TYPE_CHECKING:
    from libdrift.execution.engines import EngineChoice

_FIRST_YEAR = 1990  # a lower number is a version


class Runtime(StrEnum):
    """Which releases of the index are imported, beside being read."""

    AUTO = "auto"  # where reading has gaps: the newest of each minor series, for all of it
    NEVER = "never"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class MiningOptions:
    since: date | Version | None = None
    versions: tuple[str, ...] = ()
    all_minor: bool = False
    pre: bool = False
    yanked: bool = False
    runtime: Runtime = Runtime.AUTO
    examples: bool = False  # run those of each release in it and in its neighbours
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    engine: EngineChoice | None = None  # where the index's releases are read; None: here


def read_since(text: str) -> date | Version:
    """A date, a year or a version, as people write them."""
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return date.fromisoformat(text)
        if re.fullmatch(r"\d{4}", text) and int(text) >= _FIRST_YEAR:
            return date(int(text), 1, 1)
        return Version(text)
    except (ValueError, InvalidVersion) as error:
        raise UserError(
            f"--since {text!r} is neither a date nor a version", "Write 2021-01-01 or 1.26"
        ) from error
