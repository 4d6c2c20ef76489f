from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """Inspect sets up logging for a whole process: other tests have theirs as it was."""
    root = logging.getLogger()
    level, handlers, disabled = root.level, root.handlers[:], logging.root.manager.disable
    yield
    root.setLevel(level)
    root.handlers[:] = handlers
    logging.disable(disabled)
