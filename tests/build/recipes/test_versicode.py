"""VersiCode's recipes: snippets to complete, pairs to edit, functions with four kinds of tests."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.build.excerpts import Level
from libdrift.build.migration import migrations
from libdrift.build.recipes import versicode
from libdrift.build.recipes.options import EXECUTABLE, RecipeOptions
from libdrift.build.recipes.snippets import DOWNSTREAM, Snippet, documented, used_api
from libdrift.build.recipes.steps import RejectedProduct, Steps
from libdrift.history.views import View
from tests.build.recipes.local import (
    AFTER,
    BEFORE,
    LocalExecutor,
    driven,
    made,
    objections,
    surfaces,
)
from tests.history.small import stored

OPTIONS = RecipeOptions("versicode-pkg")
PLACES = {"1.0": BEFORE, "2.0": AFTER}
DESCRIBED = json.dumps({"description": "Prints the area between four sides of length three."})
STARTER = "import pkg\n\n\ndef area(side):\n"
REFACTORED = {
    "description": "Write area(side): the area between four sides of that length.",
    "starter": STARTER,
    "solution": f"{STARTER}    return pkg.square(side)\n",
}
TESTS = {
    "value": "assert area(3) == 9",
    "type": "assert isinstance(area(2), int)",
    "exception": "try:\n    area(None)\nexcept TypeError:\n    pass\nelse:\n    raise AssertionError",
    "call": "from unittest import mock\nwith mock.patch('pkg.square') as seen:\n    area(2)\nseen.assert_called_once_with(2)",
}


@pytest.fixture
def executor(tmp_path: Path) -> LocalExecutor:
    return LocalExecutor(tmp_path)


def snippets() -> dict[str, Snippet]:
    return {one.symbol: one for one in documented(View(surfaces()[1]))}


def steps(snippet: Snippet, options: RecipeOptions = OPTIONS) -> Steps:
    lacking = {"pkg.circle": BEFORE}
    (start,) = versicode.starts([snippet], PLACES, options, lacking)
    return start.begin()


def test_examples_of_documentation_are_snippets() -> None:
    found = snippets()
    assert set(found) == {"pkg.circle", "pkg.square"}
    assert found["pkg.square"].code == "import pkg\narea = pkg.square(3)\nprint(area)\n"
    assert found["pkg.square"].line == 2


def test_a_snippet_is_masked_at_three_levels(executor: LocalExecutor) -> None:
    result, _ = driven(steps(snippets()["pkg.square"]), {"description": [DESCRIBED]}, executor)
    token, line, block = made(result)
    assert (token.starter, token.reference) == (
        "import pkg\narea = pkg.<token_mask>(3)\nprint(area)\n",
        "square",
    )
    assert (line.starter, line.reference) == (
        "import pkg\n<line_mask>\nprint(area)\n",
        "area = pkg.square(3)",
    )
    assert block.starter == "import pkg\n<block_mask>\n"
    assert block.reference == "import pkg\narea = pkg.square(3)\nprint(area)\n"
    assert {task.problem for task in made(result)} == {json.loads(DESCRIBED)["description"]}
    assert [objections(task, executor) for task in made(result)] == [None] * 3


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("The area.", "not a JSON object"),
        ('{"description": "It calls square to get an area of sides."}', "names square"),
        ('{"description": "An area."}', "2 words"),
    ],
)
def test_a_description_that_does_not_do_is_written_again(
    executor: LocalExecutor, fault: str, told: str
) -> None:
    replies = {"description": [fault, DESCRIBED]}
    result, asked = driven(steps(snippets()["pkg.square"]), replies, executor)
    assert made(result)
    assert told in asked[1].prompt


def test_an_example_that_does_not_run_is_no_task(executor: LocalExecutor) -> None:
    broken = replace(snippets()["pkg.square"], code="import pkg\npkg.square(3, 4)\n", line=2)
    result, asked = driven(steps(broken), {}, executor)
    assert isinstance(result, RejectedProduct)
    assert result.stage == "example"
    assert not asked


def test_code_of_applications_is_bound_and_not_run(executor: LocalExecutor) -> None:
    code = "import pkg\nfrom app import size\n\narea = pkg.square(size)\n"
    mine = Snippet("app", code, "pkg", "2.0", None, "pkg.square", 4, DOWNSTREAM, {"place": "app"})
    options = replace(OPTIONS, levels=(Level.LINE,))
    result, _ = driven(steps(mine, options), {"description": [DESCRIBED]}, executor)
    (task,) = made(result)
    assert task.source["place"] == "app"
    assert objections(task, executor) is None
    gone = Snippet(
        "app", code.replace("square", "ring"), "pkg", "2.0", None, "pkg.ring", 4, DOWNSTREAM
    )
    result, _ = driven(steps(gone, options), {"description": [DESCRIBED]}, executor)
    refused = objections(made(result)[0], executor)
    assert refused is not None
    assert refused[0] == "bound"


@pytest.mark.parametrize(
    ("code", "symbol", "wanted"),
    [
        ("pkg.ring(1)\n", "pkg.ring", ["import pkg\npkg.ring(1)\n"]),
        (
            "ring(1)\n",
            "pkg.ring",
            ["from pkg import *\nring(1)\n", "from pkg import ring\nring(1)\n"],
        ),
        ("import pkg as p\np.ring(1)\n", "pkg.ring", ["import pkg as p\np.ring(1)\n"]),
        ("x.ring(1)\n", "pkg.Shape.ring", ["x.ring(1)\n"]),
    ],
)
def test_imports_that_documentation_leaves_out(code: str, symbol: str, wanted: list[str]) -> None:
    assert versicode.with_imports(code, symbol) == wanted


def test_the_api_that_code_calls() -> None:
    found = used_api("import pkg as p\nx = 1\np.ring(x)\n", "pkg", frozenset({"pkg"}))
    assert found is not None
    assert (found.symbol, found.line) == ("pkg.ring", 3)
    assert used_api("import other\nother.ring()\n", "pkg", frozenset({"pkg"})) is None


EXECUTED = replace(OPTIONS, form=EXECUTABLE)


def test_a_function_with_four_kinds_of_tests(executor: LocalExecutor) -> None:
    replies = {"refactoring": [json.dumps(REFACTORED)], "tests": [json.dumps(TESTS)]}
    result, _ = driven(steps(snippets()["pkg.square"], EXECUTED), replies, executor)
    (task,) = made(result)
    assert task.facts.test_type == "call+exception+type+value"
    assert objections(task, executor) is None


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"value": ""}, 'no text "value"'),
        ({"type": "assert area(2) == 4"}, 'the test "type" does not look at that'),
        ({"value": "assert area(3) == 8"}, "AssertionError"),
        ({"call": "def ("}, "call: the code does not parse"),
    ],
)
def test_tests_that_do_not_hold_are_written_again(
    executor: LocalExecutor, fault: dict[str, str], told: str
) -> None:
    replies = {
        "refactoring": [json.dumps(REFACTORED)],
        "tests": [json.dumps({**TESTS, **fault}), json.dumps(TESTS)],
    }
    result, asked = driven(steps(snippets()["pkg.square"], EXECUTED), replies, executor)
    assert made(result)
    assert told in asked[-1].prompt


def test_pairs_are_run_on_both_sides_and_described(executor: LocalExecutor) -> None:
    with stored(*surfaces()) as store:
        pairs = migrations(store, "pkg", "1.0", "2.0").tasks
    starts = versicode.migration_starts(pairs, PLACES, OPTIONS)
    text = json.dumps({"description": "Prints how long a closed curve of size two is."})
    result, _ = driven(starts[0].begin(), {"description": [text]}, executor)
    (task,) = made(result)
    assert task.problem == json.loads(text)["description"]
    assert task.suite == "versicode-pkg"
    assert task.environment in {BEFORE, AFTER}
    assert objections(task, executor) is None
