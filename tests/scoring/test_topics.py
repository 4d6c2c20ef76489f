from __future__ import annotations

import pytest

from libdrift.scoring import topics
from libdrift.scoring.topics import topic_of


@pytest.mark.parametrize(
    ("library", "language", "topic"),
    [
        ("numpy", "python", "scientific computing"),
        ("Flask", "python", "web"),
        ("scikit_learn", "python", "machine learning"),
        ("math", "python", "standard library"),
        # A crate has the name of a module of Python's.
        ("time", "rust", "tools"),
        ("std", "rust", "standard library"),
        ("jdk", "java", "standard library"),
        ("nobody-knows-it", "python", None),
    ],
)
def test_what_a_library_is_for(library: str, language: str, topic: str | None) -> None:
    assert topic_of(library, language) == topic


def test_no_library_is_for_two_things() -> None:
    names = [name for listed in topics._TOPICS.values() for name in listed.split()]
    assert len(names) == len(set(names))
