"""The guest's modules, as they import one another inside the sandbox."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import libdrift.sandbox

FOLDER = Path(libdrift.sandbox.__file__).parent / "guest"


@pytest.fixture
def guest(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """A function that imports a module of the guest's by its bare name."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(FOLDER))
    yield importlib.import_module
    for name in set(sys.modules) - before:
        found = getattr(sys.modules[name], "__file__", None) or ""
        if Path(found).parent == FOLDER:
            del sys.modules[name]
