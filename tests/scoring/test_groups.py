from __future__ import annotations

from libdrift.scoring.groups import groups, level
from tests.conftest import make_task
from tests.scoring.texts import text_suite

TASKS = text_suite().tasks


def test_a_level_is_what_is_asked_for() -> None:
    assert [level(task) for task in TASKS.values()] == [
        "token",
        "line",
        "block",
        "migrate",
        "middle",
    ]
    assert level(make_task("t", 1)) == "generate"


def test_only_what_is_known_makes_a_group() -> None:
    assert groups(TASKS["line"]) == (
        "all",
        "library=shapes",
        "version=shapes 2.0",
        "year=2021",
        "source=stackoverflow",
        "language=python",
        "level=line",
    )
    assert {"lifecycle=introduced", "access=direct"} <= set(groups(TASKS["middle"]))
    assert "step=major-to-major" in groups(TASKS["migration"])
