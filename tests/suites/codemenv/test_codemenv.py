from __future__ import annotations

import ast
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from libdrift import config
from libdrift.errors import MissingDataError
from libdrift.execution import labels
from libdrift.records import ChangeKind, Environment, Split, Suite, TaskKind, TestStyle
from libdrift.suites import codemenv
from libdrift.suites.codemenv.samples import direction_of, script_of
from tests.published import published
from tests.suites.codemenv.samples import FUNCTION, easy, hard, java, write


def loaded(folder: Path) -> Suite:
    return codemenv.load(replace(config.load(), data=folder))


def one(tmp_path: Path, name: str, row: dict[str, Any]) -> Suite:
    write(tmp_path / "codemenv" / name, row)
    return loaded(tmp_path)


def test_an_easy_sample_is_three_tasks(tmp_path: Path) -> None:
    suite = one(tmp_path, "python_easy.jsonl", easy("x1"))
    assert list(suite.tasks) == ["x1/locate", "x1/explain", "x1/migrate"]
    assert [task.kind for task in suite.tasks.values()] == [
        TaskKind.LOCATE,
        TaskKind.EXPLAIN,
        TaskKind.MIGRATE,
    ]
    locate, explain, migrate = suite.tasks.values()
    assert json.loads(locate.reference) == ["numpy.row_stack"]
    told = json.loads(explain.reference)["numpy.row_stack"]
    assert told.pop("text").startswith("np.row_stack has been")
    assert told == {"kind": "deprecation", "version": "2.0", "replacement": "numpy.vstack"}
    question = labels.of_task(explain)
    assert question is not None
    assert question.labels["numpy.row_stack"].version is None
    assert question.labels["numpy.row_stack"].between == ("1.26", "2.0")
    assert migrate.reference == ""
    assert migrate.starter == FUNCTION
    (tests,) = migrate.tests
    assert (tests.split, tests.style, tests.expected) == (Split.HIDDEN, TestStyle.OUTPUT, "[]\n")
    assert tests.code.startswith("\nimport numpy as np\ndef joined")
    assert "`" not in tests.code
    assert migrate.wrong is not None
    assert migrate.wrong.environment.requirements == ("numpy==1.26.0",)
    for task in suite.tasks.values():
        facts = task.facts
        assert task.environment.requirements == ("numpy==2.0.0",)
        assert (facts.library, facts.version, facts.from_version) == ("numpy", "2.0.0", "1.26.0")
        assert (facts.direction, facts.difficulty) == ("OLD2NEW", "easy")
        assert (facts.category, facts.change) == ("deprecation", ChangeKind.DEPRECATED)
        assert (facts.symbol, facts.api_calls) == ("numpy.row_stack", ("numpy.row_stack",))
        assert task.source["doc_string"] == "Stacks."
        assert "row_stack" not in task.problem + task.title
    # Only what runs needs a place to run in.
    assert suite.environments == (migrate.environment,)


def test_a_hard_sample_has_several_labels(tmp_path: Path) -> None:
    suite = one(tmp_path, "python_hard.jsonl", hard("x2"))
    task = suite.tasks["x2/explain"]
    found = labels.of_task(task)
    assert found is not None
    assert found.explain
    assert {
        name: (one.kind, one.version, one.replacement) for name, one in found.labels.items()
    } == {
        "tensorflow.erf": ("replacement", None, "tensorflow.math.erf"),
        "tensorflow.sparse_add": ("deprecation", "2.0", "tensorflow.sparse.add"),
    }
    assert found.code.startswith("import tensorflow as tf\ndef total")
    assert (task.facts.category, task.facts.symbol, task.facts.changed_in) == (None, None, None)
    assert task.facts.difficulty == "hard"
    locate = labels.of_task(suite.tasks["x2/locate"])
    assert locate is not None
    assert labels.compare('["tf.erf", "tf.sparse_add"]', locate).right
    assert not labels.compare('["tf.erf"]', locate).right


def test_a_java_sample_is_compiled(tmp_path: Path) -> None:
    suite = one(tmp_path, "java.jsonl", java("x3"))
    migrate = suite.tasks["x3/migrate"]
    assert migrate.environment == Environment("java", "11", ())
    assert (migrate.tests[0].style, migrate.tests[0].code) == (TestStyle.COMPILE, migrate.starter)
    assert migrate.facts.api_calls == ("java.applet.AudioClip",)
    assert migrate.facts.difficulty is None
    assert migrate.wrong is not None
    assert migrate.wrong.environment == Environment("java", "8", ())
    found = labels.of_task(suite.tasks["x3/locate"])
    assert found is not None
    assert labels.compare("`AudioClip`", found).right
    explain = labels.of_task(suite.tasks["x3/explain"])
    assert explain is not None
    assert explain.labels["java.applet.AudioClip"].replacement == ""


@pytest.mark.parametrize(
    ("origin", "target", "direction"),
    [
        ("1.26", "2.0", "OLD2NEW"),
        ("3.1", "3.10", "OLD2NEW"),  # as versions
        ("3.10", "3.9", "NEW2OLD"),
        ("tensorflow2.0", "tensorflow1.15", "NEW2OLD"),
        ("tensorflow1.15", "2.0.0", "OLD2NEW"),
        ("1.0", "1.0", "NEW2OLD"),
        ("old", "2.0", None),
    ],
)
def test_the_direction_is_that_of_the_versions(
    origin: str, target: str, direction: str | None
) -> None:
    assert direction_of(origin, target) == direction


def test_a_script_loses_its_fences_and_the_word_python() -> None:
    text = '```python\nprint("python", "```")\n```'
    assert script_of(text) == '\nprint("", "")\n'


def test_other_layouts_and_absent_files_are_fine(tmp_path: Path) -> None:
    write(tmp_path / "codemenv/eval_data/easy_code.jsonl", easy("x1"))
    write(tmp_path / "codemenv/eval_data/java_code.jsonl", java("x3"))
    assert {task.id for task in loaded(tmp_path).tasks.values() if task.kind == "locate"} == {
        "x1/locate",
        "x3/locate",
    }
    with pytest.raises(MissingDataError):
        loaded(tmp_path / "nowhere")


def test_what_cannot_be_used_is_counted_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(
        tmp_path / "codemenv/python_easy.jsonl",
        easy("good"),
        "{not json",
        "[1]",
        easy("no-label", signature="(x)"),
        easy("no-version", origin_version="old"),
        easy("wrong-type", update=3),
        easy("no-package", package="numpy; x"),
        easy("good"),
        easy("guess", compare_version="1.24"),
    )
    write(tmp_path / "codemenv/python_hard.jsonl", hard("odd", update_list=["one"]))
    (tmp_path / "codemenv/java.jsonl").write_bytes(b"\xff\xfe{}\n")
    with caplog.at_level(logging.WARNING):
        suite = loaded(tmp_path)
    assert {name.partition("/")[0] for name in suite.tasks} == {"good", "guess"}
    assert suite.tasks["guess/migrate"].environment.requirements == ("numpy==1.24",)
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("CODEMENV: 9 samples left out (python_easy.jsonl:2: not JSON, ")
    assert "1 versions whose release is a guess (numpy 1.24 at python_easy.jsonl:9)" in line
    (tmp_path / "codemenv/python_easy.jsonl").unlink()
    with pytest.raises(MissingDataError):
        loaded(tmp_path)


@pytest.mark.published
def test_published_samples_are_all_read(caplog: pytest.LogCaptureFixture) -> None:
    folder = published("codemenv")
    suite = loaded(folder.parent)
    assert not caplog.records
    lines = sum(len(path.read_bytes().splitlines()) for path in folder.glob("*.jsonl"))
    assert len(suite.tasks) == 3 * lines
    known = 0
    for task in suite.tasks.values():
        if task.kind is TaskKind.MIGRATE:
            if task.language == "python":
                ast.parse(task.tests[0].code)
            continue
        question = labels.of_task(task)
        assert question is not None
        assert labels.compare(task.reference, question).right
        known += sum(bool(one.kind) for one in question.labels.values())
        assert task.facts.direction in {"OLD2NEW", "NEW2OLD"}
    assert known >= 0.99 * sum(len(t.facts.api_calls) for t in suite.tasks.values()) / 3


@pytest.mark.published
def test_a_list_of_all_names_is_right_by_the_released_rule_alone() -> None:
    suite = loaded(published("codemenv").parent)
    strict = contained = count = 0
    for task in suite.tasks.values():
        question = labels.of_task(task)
        if task.kind is not TaskKind.LOCATE or task.language != "python" or question is None:
            continue
        tree = ast.parse(question.code)
        names = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        names |= {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        if len(names) <= len(question.labels):
            continue
        found = labels.compare(json.dumps(sorted(names)), question)
        count += 1
        strict += found.right
        contained += not any(found.wrong.values())
    assert strict == 0
    assert contained >= 0.97 * count


def _with(reference: str, **changed: str | None) -> str:
    return json.dumps({name: {**told, **changed} for name, told in json.loads(reference).items()})


_WRONG: tuple[dict[str, str | None], ...] = (
    {"version": "0.1"},
    {"version": "99.0"},
    {"version": None},
    {"replacement": "foo.bar"},
    {"replacement": "use `foo.bar`"},
    {"kind": "unchanged"},
    {"kind": "added, deprecated, replaced"},
)


def _explained(suite: Suite) -> None:
    """A right answer in many shapes is right, and one that says nothing true is not."""
    for task in suite.tasks.values():
        question = labels.of_task(task)
        if task.kind is not TaskKind.EXPLAIN or question is None:
            continue
        told = json.loads(task.reference)
        for one in told.values():
            del one["text"]
        right = json.dumps(told)
        shapes = [
            task.reference,
            right,
            repr(told),
            right.replace("}}", ",},}"),
            json.dumps([{"API": name, **one} for name, one in told.items()]),
            json.dumps(
                {name: {k.title(): v for k, v in one.items()} for name, one in told.items()}
            ),
        ]
        for text in shapes:
            assert labels.compare(text, question).right, (task.id, text)
        wrong = [_with(right, **changed) for changed in _WRONG]
        wrong.append(json.dumps({name: {**one, "replacement": name} for name, one in told.items()}))
        for text in wrong:
            assert not labels.compare(text, question).right, (task.id, text)


def test_explanations_are_graded_by_what_is_known(tmp_path: Path) -> None:
    folder = tmp_path / "codemenv"
    new = easy(
        "new",
        signature="np.isdtype(x)",
        update="New in numpy 2.0.",
        update_type="Add",
        compare_signature="",
        origin_version="2.0",
        compare_version="1.26",
        solution_function="def joined(rows):\n    return np.isdtype(rows)",
    )
    write(folder / "python_easy.jsonl", easy("x1"), new)
    write(folder / "python_hard.jsonl", hard("x2"))
    unknown = java("x4", update="The Applet API is deprecated.")
    write(folder / "java.jsonl", java("x3"), unknown)
    suite = loaded(tmp_path)
    _explained(suite)
    question = labels.of_task(suite.tasks["new/explain"])
    assert question is not None
    for replacement, right in ((None, True), ("np.issubdtype", True), ("np.foobar", False)):
        text = _with(suite.tasks["new/explain"].reference, replacement=replacement)
        assert labels.compare(text, question).right is right, replacement


@pytest.mark.published
def test_published_explanations_are_graded_by_what_is_known() -> None:
    _explained(loaded(published("codemenv").parent))


@pytest.mark.published
def test_paths_that_are_made_up_name_nothing() -> None:
    for task in loaded(published("codemenv").parent).tasks.values():
        question = labels.of_task(task)
        if task.kind is not TaskKind.LOCATE or question is None:
            continue
        for made_up in ("{root}.bogus.{last}", "bogus.{last}", "bogus.{name}"):
            names = [
                made_up.format(root=name.partition(".")[0], last=name.rpartition(".")[2], name=name)
                for name in question.labels
            ]
            assert not labels.compare(json.dumps(names), question).right, (task.id, names)
