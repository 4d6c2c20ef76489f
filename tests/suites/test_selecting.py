from __future__ import annotations

import pytest

from libdrift.errors import UserError
from libdrift.records import Suite
from libdrift.suites.selecting import selected
from tests.conftest import make_task

SUITE = Suite("small", "Small", "here", {f"t{n}": make_task(f"t{n}", n) for n in range(4)})
TASKS = list(SUITE.tasks.values())


@pytest.mark.parametrize(
    ("where", "limit", "expected"),
    [
        ((), None, ["t0", "t1", "t2", "t3"]),
        ((), 2, ["t0", "t1"]),
        (("id=t2",), None, ["t2"]),
        (("kind=generate", "python=3.11"), 1, ["t0"]),
        (("library=none", "version=1"), None, ["t0", "t1", "t2", "t3"]),
    ],
)
def test_conditions_hold_together(
    where: tuple[str, ...], limit: int | None, expected: list[str]
) -> None:
    assert list(selected(SUITE, TASKS, where, limit).tasks) == expected


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("libary=x", "no such fact. Did you mean library=…?"),
        ("library", "no condition"),
        ("library=numpy", "no task of small has library=numpy. library is one of none"),
        ("symbol=a.b", "Nothing is known of symbol here"),
        ("api_calls=x", "no such fact"),
    ],
)
def test_what_selects_nothing_says_why(where: str, message: str) -> None:
    with pytest.raises(UserError) as found:
        selected(SUITE, TASKS, (where,))
    assert message in str(found.value)
