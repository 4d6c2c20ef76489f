"""When releases came out, for breakdowns by year: a table of facts, so that nothing is asked.

``releases.json`` has the final releases of packages that benchmarks are about, by the day of their
first file on the package index, and those of Python and the JDK by their release notes. A release
that the table lacks has no date. ``benchmarks/release_dates.py`` makes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib import resources

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

# What is imported, where the package has another name.
_IMPORTED = {
    "pil": "pillow",
    "yaml": "pyyaml",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "bs4": "beautifulsoup4",
    "pytorch": "torch",
}


@cache
def released(package: str, version: str) -> date | None:
    """The day of a release; ``1.10`` is ``1.10.0``. ``None`` where it is not known."""
    name = canonicalize_name(package)
    days = _table().get(_IMPORTED.get(name, name), {})
    try:
        wanted = str(Version(version))
    except InvalidVersion:
        return None
    shorter = wanted
    while shorter.endswith(".0"):
        shorter = shorter.removesuffix(".0")
    spellings = (wanted, shorter, f"{shorter}.0", f"{shorter}.0.0")
    found = next((days[one] for one in spellings if one in days), None)
    return date.fromisoformat(found) if found else None


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    file = resources.files(__package__).joinpath("releases.json")
    found: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return found
