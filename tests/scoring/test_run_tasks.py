"""What is known of tasks stands in a run's folder, whichever way the run was made."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import MappingProxyType

from libdrift.execution import RunFolder
from libdrift.records import Suite, TaskKind
from libdrift.scoring.groups import facts_of, groups
from libdrift.scoring.measures import MEASURES, AnswerMeasures, write_measures
from libdrift.scoring.run_tasks import run_tasks, write_tasks
from tests.scoring.texts import text_suite


def test_facts_are_groups_and_what_is_finer() -> None:
    for task in text_suite().tasks.values():
        found = facts_of(task, date(2020, 1, 1))
        for group in groups(task, date(2020, 1, 1))[1:]:
            name, _, value = group.partition("=")
            assert found[name] == value
        assert found["kind"] == task.kind.value
        assert found["release"] == task.facts.version


def test_kinds_that_do_not_compare_are_counted_apart() -> None:
    suite = text_suite()
    first, *rest = suite.tasks.values()
    assert {one.counted_as for one in run_tasks(suite)} == {"hidden"}
    mixed = {first.id: replace(first, kind=TaskKind.LOCATE)} | {one.id: one for one in rest[:1]}
    found = [one.counted_as for one in run_tasks(replace(suite, tasks=MappingProxyType(mixed)))]
    assert found == ["locate", rest[0].kind.value]


def test_verified_is_said_where_a_list_is_known() -> None:
    suite = text_suite()
    first = next(iter(suite.tasks))
    assert "verified" not in next(run_tasks(suite)).facts
    told = {one.task_id: one.facts["verified"] for one in run_tasks(suite, {first})}
    assert [told[first], *set(told.values())].count("yes") == 2


def test_the_files_of_a_folder(tmp_path: Path) -> None:
    suite = text_suite()
    name, task = next(iter(suite.tasks.items()))
    odd = replace(task, facts=replace(task.facts, library="half \ud800"))
    folder = RunFolder(tmp_path)
    write_tasks(folder, Suite("s", "S", "", MappingProxyType({name: odd})))
    (line,) = (tmp_path / "tasks.jsonl").read_text().splitlines()
    assert json.loads(line)["facts"]["library"] == "half ?"
    write_measures(folder, [])
    assert not (tmp_path / MEASURES).exists()
    write_measures(folder, [AnswerMeasures("a", 1, {"api_hit_rate": 1.0})])
    assert json.loads((tmp_path / MEASURES).read_text()) == {
        "task_id": "a", "sample": 1, "values": {"api_hit_rate": 1.0},
    }  # fmt: skip
