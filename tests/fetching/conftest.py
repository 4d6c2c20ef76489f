from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fetching.server import FaultyServer, serving


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with serving() as one:
        yield one
