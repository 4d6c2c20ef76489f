from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from libdrift.build import excerpts, pins, usage, uses
from libdrift.build.excerpts import Level
from libdrift.build.filters import Rejection
from libdrift.build.usage import UsageOptions
from libdrift.records import ChangeKind, Environment, Task, TaskKind
from libdrift.suites import task_files
from tests.build.repos import history, repository, write

CODE = '''\
# A script.
from pkg import plots


def draw(data):
    """Show it to somebody."""
    figure = plots.figure()
    plots.fresh(data)  # new
    figure.grid(data)
    return figure
'''


def build(tmp_path: Path, code: str, **options: object) -> list[Task]:
    made = usage.usage([repository(tmp_path / "r", {"m.py": code})], UsageOptions(**options))  # type: ignore[arg-type]
    return list(made)


def test_a_task_and_its_facts(tmp_path: Path) -> None:
    found = repository(tmp_path / "repo", {"src/m.py": CODE})
    with history() as store:
        made = usage.usage([found], UsageOptions(levels=(Level.LINE,)), store)
        tasks = {task.id: task for task in made}
    assert list(tasks) == [f"repo/src/m.py:{line}:line" for line in (7, 8, 9)]
    task = tasks["repo/src/m.py:8:line"]
    assert (task.suite, task.kind, task.language) == ("usage", TaskKind.COMPLETE, "python")
    assert task.environment == Environment("python", "", ("pkg==2.0",))
    assert task.problem == "Show it to somebody."
    assert task.reference == "plots.fresh(data)"
    facts = task.facts
    assert (facts.library, facts.version, facts.symbol) == ("pkg", "2.0", "pkg.plots.fresh")
    assert (facts.lifecycle, facts.change) == ("introduced", ChangeKind.INTRODUCED)
    assert (facts.release_date, facts.granularity) == (date(2021, 3, 4), "line")
    assert (facts.scenario, facts.access) == ("realistic", "direct")
    assert facts.source == "downstream_application_code"
    grid = tasks["repo/src/m.py:9:line"]
    assert (grid.facts.symbol, grid.facts.access) == ("pkg.Figure.grid", "indirect")
    assert grid.gap is not None
    assert (grid.gap.token, grid.gap.hint) == ("grid", "figure")
    assert grid.gap.aliases == ("plots", "figure")
    assert grid.gap.line == "figure.grid(data)"


def test_without_a_history_less_is_known(tmp_path: Path) -> None:
    (task,) = build(tmp_path, "import pkg\nx = pkg.do(1)", levels=(Level.MIDDLE,))
    assert task.facts.lifecycle is None
    assert task.facts.release_date is None
    assert task.starter == "import pkg\nx = <fill>"


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.TOKEN, Level.LINE])
def test_without_a_description_the_problem_is_empty(tmp_path: Path, level: Level) -> None:
    (task,) = build(tmp_path, "import pkg\nx = pkg.do(1)", levels=(level,))
    assert task.problem == ""


def test_all_levels_and_what_is_read_back_is_what_was_written(tmp_path: Path) -> None:
    found = repository(tmp_path / "repo", {"m.py": CODE})
    with history() as store:
        made = usage.usage([found], store=store)
        tasks = list(made)
        again = list(usage.usage([found], store=store))
    assert tasks == again
    assert [task.id.rpartition(":")[2] for task in tasks[:4]] == [
        "middle",
        "token",
        "line",
        "block",
    ]
    assert len(tasks) == 10
    place = tmp_path / "tasks.jsonl"
    task_files.write(place, "usage", "Usage", tasks, {})
    assert list(task_files.read(place).tasks.values()) == tasks
    assert made.built.tasks == ()
    assert made.built.counts == {
        "repositories": 1,
        "files": 1,
        "files with uses": 1,
        "uses": 3,
        "middle tasks": 3,
        "token tasks": 3,
        "line tasks": 3,
        "block tasks": 1,
    }
    assert made.built.left_out == {excerpts.ASKED: 2}


@pytest.mark.parametrize(
    ("code", "lines", "reason"),
    [
        ("pkg.a(1)\npkg.a(2)", [2], usage.REPEATED),
        ("x = pkg.a(1)\nx.go(1)\ny = pkg.b(1)\ny.go(2)", [2, 3, 4], usage.REPEATED),
        ("x = pkg.a(1)\nx.b(1)\npkg.b(1)", [2, 3, 4], ""),
        ("pkg.a(pkg.b(1))\npkg.a(2)", [3], usage.CROWDED),
        ("pkg.a(\n    pkg.b(1),\n)", [3], usage.CROWDED),
        ("x = pkg.a(1).b(2)", [2], ""),
        ("pkg.a(f'{pkg.b(1)}')", [2], uses.QUOTED),
    ],
)
def test_one_api_a_line_and_none_twice(
    tmp_path: Path, code: str, lines: list[int], reason: str
) -> None:
    found = repository(tmp_path / "r", {"m.py": f"import pkg\n{code}\n"})
    made = usage.usage([found], UsageOptions(levels=(Level.TOKEN,)))
    assert [int(task.id.split(":")[1]) for task in made] == lines
    assert set(made.built.left_out) == {reason} - {""}


def test_two_libraries_in_a_line_are_two_tasks(tmp_path: Path) -> None:
    code = {"m.py": "import one, two\none.a(two.b(1))\n"}
    found = repository(tmp_path / "r", code, "one==1\ntwo==2\n")
    made = usage.usage([found], UsageOptions(levels=(Level.LINE,)))
    assert [task.id for task in made] == ["r/m.py:2:line", "r/m.py:2~2:line"]
    only = usage.usage([found], UsageOptions(levels=(Level.LINE,), libraries=("Two",)))
    assert [task.facts.symbol for task in only] == ["two.b"]


def test_bad_files_are_counted(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "empty.py": "",
        "nul.py": b"import pkg\0",
        "two.py": "import pkg\nprint pkg.a(1)\n",
        "latin.py": b"import pkg\nname = '\xe9'\npkg.a(name)\n",
        "cookie.py": b"# coding: latin-1\nimport pkg\nname = '\xe9'; pkg.a(name)\r\n",
        "wild.py": "import pkg\nword = pkg" + ".word(1)" * 10 + "\n",
        "deep.py": "import pkg\nword = pkg" + ".w(\n1)" * 900 + "\n",
        "plain.py": "import os\nos.getcwd()\n",
        "loose.py": "import pkg\nreturn pkg.a(1)\n",
    }
    found = repository(tmp_path / "r", files)
    made = usage.usage([found], UsageOptions(levels=(Level.TOKEN,)))
    assert sorted(task.id for task in made) == ["r/cookie.py:3:token", "r/wild.py:2:token"]
    assert made.built.left_out == {
        Rejection.EMPTY: 1,
        Rejection.NUL: 1,
        Rejection.SYNTAX: 2,
        Rejection.ENCODING: 1,
        Rejection.DEEP: 1,
        usage.FOREIGN: 1,
    }


def test_repositories_without_pins_are_named_with_the_fix(tmp_path: Path) -> None:
    loose = repository(tmp_path / "loose", {"m.py": CODE}, "pkg>=2\n???\n")
    fine = repository(tmp_path / "fine", {"m.py": CODE})
    made = usage.usage([loose, fine], UsageOptions(levels=(Level.TOKEN,)))
    assert len(list(made)) == 3
    assert made.built.left_out == {usage.UNPINNED: 1, pins.BROKEN_LINE: 1}
    (note,) = made.notes
    assert note.startswith("loose pins no exact version. Add a requirements.txt")


def test_repositories_of_one_name_and_one_given_twice(tmp_path: Path) -> None:
    one = repository(tmp_path / "a/repo", {"m.py": "import pkg\npkg.do(1)\n"})
    two = repository(tmp_path / "b/repo", {"m.py": "import pkg\npkg.do(1)\n"})
    made = usage.usage([one, two, one], UsageOptions(levels=(Level.LINE,)))
    assert [task.id for task in made] == ["repo/m.py:2:line", "repo~2/m.py:2:line"]


def test_an_empty_repository(tmp_path: Path) -> None:
    found = repository(write(tmp_path / "r", {}), {})
    assert list(usage.usage([found])) == []
