"""Every language is run through ``conformance``: a newcomer's too."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

_ROOM = Path(str(resources.files("libdrift.languages")))
_LANGUAGES = sorted(path.parent.name for path in _ROOM.glob("*/__init__.py"))


@pytest.mark.parametrize("language", _LANGUAGES)
def test_a_language_is_checked(language: str) -> None:
    tests = Path(__file__).parent / language
    sources = [path.read_text(encoding="utf-8") for path in tests.glob("test_*.py")]
    assert any("conformance.faults(" in source for source in sources), (
        f"no test of {language} calls tests.languages.conformance.faults on a surface of its own"
    )
