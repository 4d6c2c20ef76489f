"""Return types that only documentation tells."""

from __future__ import annotations

import pytest

from libdrift.languages.python.usage.documented import returned_class

SECTION = "Reads.\n\nReturns\n-------\n{}\n\nSee Also\n--------\nOther : more\n"
DOCS = [
    ("Reads.\n\n:param x: a path\n:rtype: Frame", "Frame"),
    ("Reads.\n\n:rtype: :class:`~tab.core.Frame`", "tab.core.Frame"),
    ("Reads.\n\n:rtype: `Frame`, or a list of them", ""),
    ("Reads.\n\n:rtype: list", ""),
    ("Returns a Frame.", ""),
    (SECTION.format("Frame"), "Frame"),
    (SECTION.format("Frame\n    All rows."), "Frame"),
    (SECTION.format("frame : Frame\n    All rows.\n\n    And more."), "Frame"),
    (SECTION.format("a : Frame\n    All.\nb : Row\n    First."), ""),
    (SECTION.format("Frame or Row"), ""),
    (SECTION.format("out : ndarray"), ""),
    (SECTION.format("The rows, as a Frame."), ""),
    ("    Returns\n    -------\n    Frame\n        All rows.\n", "Frame"),
]


@pytest.mark.parametrize(("doc", "expected"), DOCS)
def test_the_one_class_that_is_returned(doc: str, expected: str) -> None:
    assert returned_class(doc) == expected
