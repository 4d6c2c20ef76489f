from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from libdrift.build.live import compiled_proofs, java_tasks
from libdrift.build.live.compiled import MARK, content_hash, prove
from libdrift.build.live.java_documents import JavaLink, JdkSources
from libdrift.config import Settings
from libdrift.execution import Options
from libdrift.languages.java import jdks
from libdrift.records import ChangeKind, Task, TaskKind
from libdrift.sandbox import Backend
from tests.build.live.java_surfaces import thread_step


class Told(JdkSources):
    """As the documentation of Java 19 has it."""

    def __init__(self) -> None:
        self._archives = []

    def instead(self, path: str) -> tuple[JavaLink, ...]:
        return (JavaLink("", "threadId"),) if path.endswith("getId") else ()


@pytest.fixture(scope="module")
def options(settings: Settings, bubblewrap: Backend) -> Options:
    if not any(jdk.feature >= 19 for jdk in jdks.discover()):
        pytest.skip("no JDK from 19 on is on this machine")
    return Options(settings, bubblewrap)


@pytest.fixture(scope="module")
def drafts(options: Options) -> list[Task]:
    return java_tasks.drafts(thread_step(), options, Told(), Counter(), 4)


def test_a_deprecation_and_what_came_are_asked_for(drafts: list[Task]) -> None:
    found = {(task.kind, task.facts.change, task.facts.direction) for task in drafts}
    assert found == {
        (TaskKind.LOCATE, ChangeKind.DEPRECATED, "old-to-new"),
        (TaskKind.EXPLAIN, ChangeKind.DEPRECATED, "old-to-new"),
        (TaskKind.MIGRATE, ChangeKind.DEPRECATED, "old-to-new"),
        (TaskKind.LOCATE, ChangeKind.INTRODUCED, "new-to-old"),
        (TaskKind.EXPLAIN, ChangeKind.INTRODUCED, "new-to-old"),
    }
    by_kind = {(task.kind, task.facts.change): task for task in drafts}
    located = by_kind[TaskKind.LOCATE, ChangeKind.DEPRECATED]
    assert json.loads(located.reference) == ["java.lang.Thread.getId"]
    explained = by_kind[TaskKind.EXPLAIN, ChangeKind.DEPRECATED]
    assert json.loads(explained.reference)["java.lang.Thread.getId"] == {
        "kind": "deprecation",
        "replacement": "java.lang.Thread.threadId",
        "version": "19",
    }
    migrated = by_kind[TaskKind.MIGRATE, ChangeKind.DEPRECATED]
    assert "thread.getId()" in migrated.starter
    assert migrated.reference == migrated.starter.replace("getId", "threadId")
    assert len({task.id for task in drafts}) == len(drafts)


def test_each_is_proven_and_what_is_not_true_is_not(drafts: list[Task], options: Options) -> None:
    found = prove(drafts, compiled_proofs.trials, options)
    assert (len(found.tasks), dict(found.dropped)) == (len(drafts), {})
    told = drafts[0].source[MARK]
    calm = drafts[0].starter.replace("getId", "getPriority").replace("threadId", "getPriority")
    lies = [
        # Nothing in it changed.
        replace(drafts[0], id="calm", starter=calm),
        # The line at stake is another.
        replace(drafts[0], id="line", source={MARK: {**told, "lines": "1"}}),
        # It does not compile anywhere.
        replace(drafts[0], id="broken", starter="public class Sample {"),
        # It is not what is asked for.
        replace(drafts[0], id="wrong", reference='["java.lang.Thread.isAlive"]'),
    ]
    audited = compiled_proofs.audit_compiled([*drafts, *lies], options)
    assert [one.task_id for one in audited if not one.verified] == [task.id for task in lies]


def test_the_same_releases_give_the_same_tasks(drafts: list[Task], options: Options) -> None:
    again = java_tasks.drafts(thread_step(), options, Told(), Counter(), 4)
    assert content_hash(again) == content_hash(drafts)
    assert content_hash(again[1:]) != content_hash(drafts)
