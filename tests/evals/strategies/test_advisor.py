"""The advisor in a model's place, on small releases in a history of their own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.evals.options import EvalOptions
from libdrift.evals.strategies.advisor import Advisor
from libdrift.execution.labels import LabelQuestion
from libdrift.history.store import Store
from libdrift.metrics.accuracies import ChangeExplanation
from libdrift.records import Environment, Facts, Gap, Split, Task, TaskKind, TestStyle
from libdrift.records import Tests as HiddenTests
from tests.advisor.small import surface
from tests.conftest import make_task
from tests.evals.small import evaluated, lines, write_tasks

WARNS = "import warnings\ndef row(a):\n    warnings.warn('Use `pkg.column` instead.', DeprecationWarning)\ndef column(a): ...\n"
CODE = "import pkg\ndef f(x):\n    return pkg.row(pkg.column(x))\n"
LABEL = {
    "pkg.row": ChangeExplanation("deprecation or replacement", "pkg.column", "2.0", ("1.0", "2.0"))
}


def asked(kind: TaskKind, identity: str) -> Task:
    place = Environment("python", "3.11", ("pkg==2.0",))
    question = LabelQuestion(LABEL, explain=kind is TaskKind.EXPLAIN, code=CODE)
    return Task(
        id=identity,
        suite="small",
        kind=kind,
        language="python",
        environment=place,
        title="",
        problem="Which ones?",
        starter=CODE,
        reference="{}",
        tests=(HiddenTests(Split.HIDDEN, TestStyle.LABELS, question.to_tests()),),
        facts=Facts(library="pkg", version="2.0", from_version="1.0"),
    )


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "history.sqlite"
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(path))
    with Store.open(path) as store:
        store.add(surface("def row(a): ...\ndef column(a): ...\n", "1.0"))
        store.add(surface(WARNS, "2.0"))
    return tmp_path


def test_it_locates_and_explains_without_a_model(history: Path) -> None:
    tasks = [asked(TaskKind.LOCATE, "t1"), asked(TaskKind.EXPLAIN, "t2")]
    write_tasks(history, tasks)
    found = evaluated("small.jsonl", "--strategy", "advisor", "--out", "out")
    assert (found["model"], found["outcomes"]) == ("advisor", {"passed": 2})
    assert found["usage"]["cost"] == 0
    answers = {line["task_id"]: line["answer"] for line in lines(history / "out/answers.jsonl")}
    assert json.loads(answers["t1"]) == ["pkg.row"]
    assert json.loads(answers["t2"])["pkg.row"]["replacement"] == "pkg.column"


@pytest.mark.parametrize(
    ("task", "fits"),
    [
        (asked(TaskKind.LOCATE, "t1"), True),
        (make_task("t1", 1), False),
        (replace(asked(TaskKind.MIGRATE, "t1"), gap=Gap("x")), False),
        (replace(asked(TaskKind.MIGRATE, "t1"), facts=Facts("pkg", "2.0")), False),
    ],
)
def test_it_fits_what_moves_code(task: Task, *, fits: bool) -> None:
    assert (Advisor.unfit(task, EvalOptions()) == "") is fits
