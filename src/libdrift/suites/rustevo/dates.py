"""When a release was published: of Rust by its release notes, of crates by the registry's index.

``published.json`` has every release from 2021 to February 2025 of what the benchmark is about.
"""

from __future__ import annotations

import json
from datetime import date
from functools import cache
from importlib import resources


def published(library: str, version: str) -> date | None:
    """The day of a release of ``std`` or of a crate; ``None`` where it is not known."""
    found = _table().get(library, {}).get(version.partition("+")[0])
    return date.fromisoformat(found) if found else None


@cache
def _table() -> dict[str, dict[str, str]]:
    file = resources.files(__package__).joinpath("published.json")
    found: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return found
