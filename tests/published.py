"""The published datasets beside the checkout, for tests that are marked ``published``."""

from __future__ import annotations

from pathlib import Path

import pytest

_DATA = Path(__file__).parent.parent.parent / "shared" / "data"


def published(*parts: str) -> Path:
    """A file or folder of the published data; the test is skipped where it is absent."""
    path = _DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the published data is not here: no ../shared/data/{'/'.join(parts)}")
    return path
