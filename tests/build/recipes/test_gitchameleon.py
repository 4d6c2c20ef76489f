"""GitChameleon's recipe: a problem, its tests, and the answer of someone with another release."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.build.recipes import gitchameleon
from libdrift.build.recipes.changed import changes_between
from libdrift.build.recipes.options import RecipeOptions
from libdrift.build.recipes.steps import RecipeStart, RejectedProduct
from libdrift.records import Split
from tests.build.recipes.local import LocalExecutor, driven, made, objections, places, surfaces
from tests.history.small import stored

OPTIONS = RecipeOptions("gitchameleon-pkg")
STARTER = "import pkg\n\n\ndef around(size):\n"
SOLUTION = f"{STARTER}    return pkg.circle(size) + 1\n"
PROBLEM = {
    "problem": "Write around(size): the length of a closed curve of that size, and one more.",
    "starter": STARTER,
    "solution": SOLUTION,
    "test": "assert around(1) == 7",
}
HIDDEN = "```python\nassert around(2) == 13\nassert around(0) == 1\n```"
WRONG = f"```python\n{SOLUTION.replace('circle', 'ring')}```"
GOOD = {
    "problem": [json.dumps(PROBLEM)],
    "hidden tests": [HIDDEN],
    "wrong-version answer": [WRONG],
}


def starts(options: RecipeOptions = OPTIONS) -> dict[str, RecipeStart]:
    with stored(*surfaces()) as store:
        changes = changes_between(store, "pkg", "1.0", "2.0", gitchameleon.KINDS)
    return {start.about: start for start in gitchameleon.starts(changes, places(), options)}


@pytest.fixture
def executor(tmp_path: Path) -> LocalExecutor:
    return LocalExecutor(tmp_path)


def test_a_problem_with_both_tests_and_a_wrong_version(executor: LocalExecutor) -> None:
    result, asked = driven(starts()["pkg.circle"].begin(), GOOD, executor)
    (task,) = made(result)
    assert [one.stage for one in asked] == list(GOOD)
    assert {tests.split for tests in task.tests} == {Split.HIDDEN, Split.VISIBLE}
    assert task.facts.symbol == "pkg.circle"
    assert task.wrong is not None
    assert "circle" not in task.problem + task.starter + task.id + task.title
    assert objections(task, executor) is None


def test_what_is_new_must_fail_in_the_release_before(executor: LocalExecutor) -> None:
    text = json.dumps(PROBLEM).replace("pkg.circle(size) + 1", "pkg.cube(size)")
    text = text.replace("== 7", "== 1")
    replies = {"problem": [text], "hidden tests": ["```python\nassert around(2) == 8\n```"]}
    result, asked = driven(starts()["pkg.cube"].begin(), replies, executor)
    (task,) = made(result)
    assert task.wrong is None
    assert len(asked) == 2
    assert objections(task, executor) is None
    # The same without the new API is valid at both releases, and so says nothing of either.
    both = replace(task, reference=task.reference.replace("pkg.cube(size)", "size ** 3"))
    assert objections(both, executor) == ("other release", "the reference passes at 1.0 too")


@pytest.mark.parametrize(
    ("stage", "fault", "told"),
    [
        ("problem", "{'problem': ", "not a JSON object"),
        ("problem", '{"problem": "x"}', 'no text "starter"'),
        ("problem", json.dumps({**PROBLEM, "problem": "Call Circle."}), "says circle"),
        ("problem", json.dumps({**PROBLEM, "solution": "def around("}), "does not parse"),
        (
            "problem",
            json.dumps({**PROBLEM, "solution": f"{STARTER}    return 1"}),
            "not use circle",
        ),
        ("problem", json.dumps({**PROBLEM, "test": "around(1)"}), "assert nothing"),
        ("problem", json.dumps({**PROBLEM, "test": "assert around(1) == 8"}), "not pass these"),
        ("hidden tests", "```python\nimport pytest\nassert 1\n```", "without pytest"),
        ("hidden tests", "```python\nassert around(2) == 0\n```", "AssertionError"),
        ("hidden tests", "```python\nassert around\n```", "without a body passes"),
        ("wrong-version answer", f"```python\n{SOLUTION}```", "passes with pkg 2.0 too"),
        (
            "wrong-version answer",
            "```python\ndef around(size):\n    return 2\n```",
            "fails with pkg",
        ),
    ],
)
def test_a_fault_goes_back_to_the_model(
    executor: LocalExecutor, stage: str, fault: str, told: str
) -> None:
    replies = {**GOOD, stage: [fault, GOOD[stage][0]]}
    result, asked = driven(starts()["pkg.circle"].begin(), replies, executor)
    assert len(made(result)) == 1
    (repair,) = [one for one in asked if one.attempt]
    assert repair.stage == stage
    assert told in repair.prompt


def test_tests_that_stay_wrong_end_it(executor: LocalExecutor) -> None:
    replies = {**GOOD, "hidden tests": ["```python\nassert around(2) == 0\n```"]}
    result, asked = driven(starts()["pkg.circle"].begin(), replies, executor)
    assert isinstance(result, RejectedProduct)
    assert result.stage == "hidden tests"
    assert len(asked) == 1 + 1 + OPTIONS.attempts
