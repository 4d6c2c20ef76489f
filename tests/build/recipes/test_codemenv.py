"""CODEMENV's recipe: programs that run in one release and not in the other, with their labels."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.build.recipes import codemenv
from libdrift.build.recipes.changed import changes_between
from libdrift.build.recipes.options import HARD, RecipeOptions
from libdrift.build.recipes.steps import RecipeStart, RejectedProduct
from libdrift.records import ChangeKind, TaskKind
from tests.build.recipes.local import LocalExecutor, driven, made, objections, places, surfaces
from tests.history.small import stored

OPTIONS = RecipeOptions("codemenv-pkg")
PROGRAM = "```python\nimport pkg\n\n\ndef around(sizes):\n    return [pkg.ring(size) for size in sizes]\n```"
MOVED = PROGRAM.replace("pkg.ring", "pkg.circle")
INPUTS = json.dumps({"inputs": ["[1]", "[2, 3]", "[]"]})
GOOD = {"program": [PROGRAM], "inputs": [INPUTS], "migrate": [MOVED]}


def starts(options: RecipeOptions = OPTIONS) -> dict[str, RecipeStart]:
    with stored(*surfaces()) as store:
        changes = changes_between(store, "pkg", "1.0", "2.0", codemenv.KINDS)
    return {start.about: start for start in codemenv.starts(changes, places(), options)}


@pytest.fixture
def executor(tmp_path: Path) -> LocalExecutor:
    return LocalExecutor(tmp_path)


def test_a_program_becomes_three_proven_tasks(executor: LocalExecutor) -> None:
    result, asked = driven(starts()["pkg.ring"].begin(), GOOD, executor)
    migrate, locate, explain = made(result)
    assert [one.stage for one in asked] == ["program", "inputs", "migrate"]
    assert [one.kind for one in made(result)] == [
        TaskKind.MIGRATE,
        TaskKind.LOCATE,
        TaskKind.EXPLAIN,
    ]
    assert migrate.tests[0].expected == "[6]\n[12, 18]\n[]\n"
    assert "pkg.circle" in migrate.reference
    assert migrate.wrong is not None
    assert "pkg.ring" in migrate.wrong.code
    assert json.loads(locate.reference) == ["pkg.ring"]
    told = json.loads(explain.reference)["pkg.ring"]
    assert (told["kind"], told["replacement"], told["version"]) == (
        "replacement",
        "pkg.circle",
        "2.0",
    )
    assert (migrate.facts.direction, migrate.facts.incompatibilities) == ("OLD2NEW", 1)
    assert [objections(task, executor) for task in made(result)] == [None] * 3


@pytest.mark.parametrize(
    ("faults", "stage", "told"),
    [
        ({"program": ["Sorry {", PROGRAM]}, "program", "does not parse"),
        ({"program": ["```python\nx = 1\n```", PROGRAM]}, "program", "no function"),
        (
            {"program": [PROGRAM.replace("pkg.ring", "pkg.square"), PROGRAM]},
            "program",
            "does not use pkg.ring",
        ),
        (
            {"program": [PROGRAM.replace("[pkg.ring", "[pkg.disc(size) + pkg.ring"), PROGRAM]},
            "program",
            "also uses pkg.disc",
        ),
        ({"inputs": ["[1], [2], [3]", INPUTS]}, "inputs", "not a JSON object"),
        ({"inputs": ['{"inputs": ["[1]"]}', INPUTS]}, "inputs", "1 inputs, and not 3"),
        ({"inputs": ['{"inputs": ["[1", "[2]", "3"]}', INPUTS]}, "inputs", "between the paren"),
        ({"migrate": [PROGRAM, MOVED]}, "migrate", "does not run with pkg 2.0"),
        ({"migrate": [MOVED.replace("circle(size)", "circle(1)"), MOVED]}, "migrate", "must print"),
    ],
)
def test_a_fault_goes_back_to_the_model(
    executor: LocalExecutor, faults: dict[str, list[str]], stage: str, told: str
) -> None:
    result, asked = driven(starts()["pkg.ring"].begin(), {**GOOD, **faults}, executor)
    assert len(made(result)) == 3
    (repair,) = [one for one in asked if one.attempt]
    assert repair.stage == stage
    assert told in repair.prompt
    assert faults[stage][0] in repair.prompt


def test_a_program_that_fails_where_it_should_run_is_repaired(executor: LocalExecutor) -> None:
    code = PROGRAM.strip("`").removeprefix("python\n")
    mended = json.dumps({"code": code, "inputs": ["[1]", "[2]", "[3]"]})
    faulty = {**GOOD, "inputs": ['{"inputs": ["1", "2", "3"]}'], "repair": ["{}", mended]}
    result, asked = driven(starts()["pkg.ring"].begin(), faulty, executor)
    assert made(result)[0].tests[0].expected == "[6]\n[12]\n[18]\n"
    repairs = [one for one in asked if one.stage == "repair"]
    assert "'int' object is not iterable" in repairs[0].prompt
    assert 'no text "code"' in repairs[1].prompt


def test_what_cannot_be_repaired_is_rejected_with_its_reason(executor: LocalExecutor) -> None:
    steps = starts(replace(OPTIONS, attempts=1))["pkg.ring"].begin()
    result, asked = driven(steps, {**GOOD, "migrate": [PROGRAM]}, executor)
    assert isinstance(result, RejectedProduct)
    assert result.stage == "migrate"
    assert "does not run with pkg 2.0" in result.reason
    assert len(asked) == 4


def test_a_label_that_is_in_both_releases_is_no_start(executor: LocalExecutor) -> None:
    (executor.folder / "2.0/pkg/__init__.py").write_text("def ring(radius): return 6 * radius\n")
    result, asked = driven(starts()["pkg.ring"].begin(), GOOD, executor)
    assert result == RejectedProduct("labels", "pkg.ring is in pkg 2.0 too")
    assert not asked


def test_hard_programs_have_several_calls_and_the_way_back_is_asked_for() -> None:
    hard = starts(replace(OPTIONS, difficulty=HARD, calls=2))
    assert set(hard) == {"pkg.disc, pkg.ring"}
    backward = starts(replace(OPTIONS, backward=True))
    assert "pkg.cube" in backward
    assert "pkg.ring" not in backward


def test_a_hard_program_has_a_label_for_each_call(executor: LocalExecutor) -> None:
    code = PROGRAM.replace("pkg.ring(size)", "pkg.ring(size) + pkg.disc(size)")
    moved = code.replace("pkg.ring", "pkg.circle").replace("pkg.disc", "pkg.area_of")
    hard = starts(replace(OPTIONS, difficulty=HARD))["pkg.disc, pkg.ring"]
    # One of the two alone is not what was asked for.
    replies = {**GOOD, "program": [PROGRAM, code], "migrate": [moved]}
    result, asked = driven(hard.begin(), replies, executor)
    migrate, locate, _ = made(result)
    assert "does not use pkg.disc" in asked[1].prompt
    assert json.loads(locate.reference) == ["pkg.disc", "pkg.ring"]
    assert (migrate.facts.difficulty, migrate.facts.incompatibilities) == ("hard", 2)
    assert [objections(task, executor) for task in made(result)] == [None] * 3


def test_changes_tell_what_each_release_has() -> None:
    with stored(*surfaces()) as store:
        changes = changes_between(store, "pkg", "1.0", "2.0", codemenv.KINDS)
    found = {api.path: api for api in changes.apis}
    assert found["pkg.ring"].change.replacement == "pkg.circle"
    assert found["pkg.ring"].told(newer=False).startswith("pkg.ring(radius)\nGive the length")
    assert found["pkg.cube"].kind is ChangeKind.INTRODUCED
    assert found["pkg.cube"].told(newer=False) == "not there"
    assert "pkg.disc" in changes.gone
