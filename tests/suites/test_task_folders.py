from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from libdrift import config, suites
from libdrift.errors import UserError
from libdrift.jobs.building import init_suite
from libdrift.records import Environment, Split, TaskKind, TestStyle
from libdrift.suites import task_folders

LEAST = 'python = "3.11"\nproblem = "Write f()."\n'


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Two good tasks, one of them in a group."""
    folder = tmp_path / "mine"
    for place in (folder / "good", folder / "group" / "other"):
        place.mkdir(parents=True)
        write(place, LEAST)
    return folder


def write(place: Path, sheet: str, **programs: str) -> None:
    (place / "task.toml").write_text(sheet, encoding="utf-8")
    usual = {"reference": "def f():\n    return 1\n", "hidden": "from answer import f\n"}
    for name, text in {**usual, **programs}.items():
        (place / f"{name}.py").write_text(text, encoding="utf-8")


def test_little_has_to_be_written(suite: Path) -> None:
    found = task_folders.read(suite)
    assert (found.name, found.argument, list(found.tasks)) == (
        "mine",
        str(suite),
        ["good", "other"],
    )
    task = found.tasks["good"]
    assert (task.suite, task.title, task.kind) == ("mine", "good", TaskKind.GENERATE)
    assert task.environment == Environment("python", "3.11", ("pytest==8.3.5",))
    assert [(one.split, one.style) for one in task.tests] == [(Split.HIDDEN, TestStyle.PYTEST)]
    assert (task.facts.library, task.wrong, task.starter) == ("python", None, "")


def test_all_that_can_be_written_is_read(suite: Path) -> None:
    (suite / "suite.toml").write_text('name = "own"\ntitle = "Own"\nas_of = 2026-01-02\n')
    sheet = (
        'title = "T"\nlibrary = "Pillow"\nruntime = "3.12"\nmodule = "solution"\nkind = "migrate"\n'
        'requirements = ["six==1.17.0", "pillow[x]==11.0.0"]\nchange = "moved"\ntags = ["a"]\n'
        'release_date = 2024-10-15\nproblem = "P"\n[tests]\nhidden = "script"\n'
        '[wrong]\nrequirements = ["pillow==9.0.0"]\nas_of = 2025-01-01\nnote = "N"\n'
    )
    programs = {"wrong": "w", "visible": "v", "prefix": "def f", "suffix": "", "starter": "s"}
    write(suite / "good", sheet, **programs)
    found = task_folders.read(suite)
    assert (found.name, found.title) == ("own", "Own")
    task = found.tasks["good"]
    pins = ("six==1.17.0", "pillow[x]==11.0.0")
    assert task.environment == Environment("python", "3.12", pins, date(2026, 1, 2))
    assert task.wrong is not None
    other = Environment("python", "3.12", ("pillow==9.0.0",), date(2025, 1, 1))
    assert (task.wrong.environment, task.wrong.code, task.wrong.note) == (other, "w", "N")
    assert (task.facts.library, task.facts.version) == ("Pillow", "11.0.0")
    assert (task.facts.change, task.facts.tags) == ("moved", ("a",))
    assert {one.style for one in task.tests} == {TestStyle.SCRIPT}
    assert (task.prefix, task.starter, task.module) == ("def f", "s", "solution")


def link(place: Path) -> None:
    (place / "reference.py").unlink()
    (place / "reference.py").symlink_to("/etc/passwd")


def folder_for_file(place: Path) -> None:
    (place / "hidden.py").unlink()
    (place / "hidden.py").mkdir()


def fifo(place: Path) -> None:
    os.mkfifo(place / "wrong.py")


def loop(place: Path) -> None:
    (place / "visible.py").symlink_to("visible.py")


BAD: dict[str, tuple[str | Callable[[Path], object], str]] = {
    "toml": ("x = = 1\n", r"not TOML .*line 1.* Fix that line"),
    "field": (LEAST + 'tittle = "x"\n', "no task has a field 'tittle' .did you mean 'title'"),
    "missing": (lambda place: (place / "hidden.py").unlink(), "hidden.py is missing. Write"),
    "renamed": (
        lambda place: (place / "hidden.py").rename(place / "hiden.py"),
        "hidden.py is missing; is it hiden.py",
    ),
    "file": (lambda place: (place / "visble.py").write_text(""), "did you mean 'visible.py'"),
    "sheet": (
        lambda place: (place / "task.toml").rename(place / "Task.toml"),
        "task.toml is missing",
    ),
    "link": (link, "reference.py is a link out of the folder"),
    "fifo": (fifo, "wrong.py is not a file"),
    "loop": (loop, "cannot read visible.py"),
    "folder": (folder_for_file, "hidden.py is not a file"),
    "huge": (
        lambda place: (place / "starter.py").write_text("#" * 2_000_000),
        "starter.py has 1 MB. Keep it below 1 MB",
    ),
    "binary": (lambda place: (place / "starter.py").write_bytes(b"\xff"), "is not UTF-8"),
    "version": ('problem = "P"\npython = 3.11\n', 'python is 3.11. Write python = "3.11"'),
    "no version": ('problem = "P"\n', "python is not told"),
    "pins": (LEAST + 'requirements = "six==1.17.0"\n', "Write a list"),
    "loose": (LEAST + 'requirements = ["six>=1"]\n', "not an exact pin: write NAME==VERSION"),
    "library": (LEAST + 'library = "six"\n', 'Add "six==VERSION" to requirements'),
    "problem": ('python = "3.11"\n', "problem is missing"),
    "date": (LEAST + 'as_of = "2026"\n', "as_of = 2026-06-01"),
    "change": (LEAST + 'change = "x"\n', r"`\$\.change`; one of introduced"),
    "type": (LEAST + "title = 3\n", "Expected `str`, got `int`"),
    "language": (LEAST + 'language = "perl"\n', "language is 'perl'. Write one of python"),
    "no wrong": (LEAST + '[wrong]\nnote = "n"\n', "has .wrong., but its program is missing"),
    "wrong": (lambda place: (place / "wrong.py").write_text(""), "has no .wrong."),
    "wrong's": (LEAST + '[wrong]\npyton = "3"\n', "its program is missing"),
    "tests": (LEAST + '[tests]\nhiden = "script"\n', "Write .tests. with hidden"),
    "java": (LEAST + 'language = "java"\n', "reference.java is missing"),
}


@pytest.mark.parametrize("case", BAD)
def test_one_bad_task_is_named_and_leaves_the_others(suite: Path, case: str) -> None:
    spoil, message = BAD[case]
    shutil.copytree(suite / "good", suite / "bad")
    if callable(spoil):
        spoil(suite / "bad")
    else:
        (suite / "bad" / "task.toml").write_text(spoil, encoding="utf-8")
    found = task_folders.read(suite)
    assert list(found.tasks) == ["good", "other"]
    (bad,) = found.left_out
    assert (bad.where, bad.task_id) == (str(suite / "bad"), "bad")

    assert re.search(message, bad.message)
    assert "\n" not in bad.message


def test_a_folder_that_leads_out_is_no_task(suite: Path, tmp_path: Path) -> None:
    shutil.copytree(suite / "good", tmp_path / "elsewhere")
    (suite / "bad").symlink_to(tmp_path / "elsewhere")
    (bad,) = task_folders.read(suite).left_out
    assert "a link out of the folder" in bad.message


def test_an_id_stands_once(suite: Path) -> None:
    shutil.copytree(suite / "good", suite / "group" / "good")
    found = task_folders.read(suite)
    assert [one.where for one in found.left_out] == [str(suite / "group" / "good")]
    assert "repeats task 'good'" in found.left_out[0].message


def test_a_bad_task_that_is_asked_for_is_told(
    suite: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (suite / "good" / "task.toml").write_text("")
    loaded = suites.load(str(suite), config.load())
    assert f"{suite}/good left out: task.toml: problem is missing" in caplog.text
    with pytest.raises(UserError, match=r"good cannot be used: .*problem is missing"):
        suites.select(loaded, ["good"])


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "has no tasks: no task.toml is below it"),
        ({"own.jsonl": ""}, "Give a file: .*own.jsonl"),
        ({"a/task.toml": "", "b/task.toml": ""}, "no task of .* can be used: .*and 1 more"),
        ({"suite.toml": "nam = 1"}, "no suite has a field 'nam' .did you mean 'name'"),
        ({"suite.toml": 'as_of = "x"'}, "as_of is 'x'. Write as_of = 2026-06-01$"),
        ({"suite.toml": "title = 1"}, 'title is 1. Write title = "TEXT"$'),
        ({"suite.toml": 'name = "../x"'}, "not a name for a suite"),
        ({"suite.toml": "="}, "suite.toml is not TOML"),
        ({"suite.toml": f"as_of = 0x{'f' * 9000}"}, "digits"),
        ({"suite.toml": f"{'a.' * 9000}a = 1"}, "a key of over 250 parts"),
        ({"a/task.toml": f"problem = {'9' * 5000}"}, "digits"),
        ({"a/task.toml": f"problem = 'p'\npython = 0x{'f' * 9000}"}, "no task of"),
    ],
)
def test_a_folder_without_tasks_is_refused(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=message):
        task_folders.read(tmp_path)


def test_a_missing_folder_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no folder .*`libdrift build init"):
        suites.load(f"{tmp_path}/none/", config.load())


def test_a_copy_of_the_shipped_suite_is_a_suite_of_ones_own(tmp_path: Path) -> None:
    shipped = suites.load("starter", config.load())
    folder = Path(suites.starter.__file__).parent
    shutil.copytree(folder / "tasks", tmp_path / "starter" / "tasks")
    copy = suites.load(str(tmp_path / "starter"), config.load())
    assert (copy.name, list(copy.tasks)) == ("starter-tasks", list(shipped.tasks))
    assert copy.environments == shipped.environments


def test_a_first_task_is_written_and_nothing_over_it(tmp_path: Path) -> None:
    folder = tmp_path / "own" / "suite"
    files = init_suite(folder)
    assert "suite.toml" in files
    (task,) = task_folders.read(folder).tasks.values()
    assert task.wrong is not None
    assert {one.split for one in task.tests} == set(Split)
    with pytest.raises(UserError, match="already exists"):
        init_suite(folder)
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="already exists"):
        init_suite(tmp_path / "file")
