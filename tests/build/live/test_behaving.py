from __future__ import annotations

import pytest

from libdrift.build.live.behaving import is_left_open


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("The order of all elements in the partitions is undefined.", True),
        ("Which is first is not said: elements come in\n    arbitrary order.", True),
        ("The result is not guaranteed to be sorted.", True),
        ("Nodes are given in no particular order.", True),
        ("The value is implementation-defined.", True),
        ("There is no guarantee of the memory layout.", False),
        ("Raises an error where a name is undefined.", False),
        ("Give every item of a list twice, in their order.", False),
        ("", False),
    ],
)
def test_what_documentation_leaves_open(doc: str, *, expected: bool) -> None:
    assert is_left_open(doc) is expected
