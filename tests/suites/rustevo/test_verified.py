from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.config import Settings
from libdrift.suites import audited, rustevo
from tests.published import published


def test_what_the_audit_ships() -> None:
    found = audited.read("rustevo")
    assert (len(found), sum(item.verified for item in found.values())) == (308, 175)
    assert not found["7"].verified, "its tests are words"


@pytest.mark.published
def test_the_list_is_of_the_published_tasks(empty_settings: Settings) -> None:
    suite = rustevo.load(replace(empty_settings, data=published("rustevo").parent))
    found = audited.read("rustevo")
    assert set(found) == set(suite.tasks)
    std = [task for task in suite.tasks.values() if task.facts.library == "std"]
    assert sum(not found[task.id].reasons for task in std if task.tests) >= 0.9 * len(std)
