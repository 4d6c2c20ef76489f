"""LibEvolutionEval's recipe: instructions in place of summaries, and calls that bind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from libdrift.build.completion import complete
from libdrift.build.recipes import libevolutioneval
from libdrift.build.recipes.gates import BINDING
from libdrift.build.recipes.options import RecipeOptions
from libdrift.build.recipes.steps import RecipeStart
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

TEXT = "Work out how much room there is between six equal sides, given the length of an edge."
GOOD = json.dumps({"instruction": TEXT})


@pytest.fixture
def start() -> RecipeStart:
    with stored(*surfaces()) as store:
        tasks = complete(store, "pkg", ["1.0", "2.0"]).tasks
    docs = {task.id: "pkg.cube(side)" for task in tasks}
    places = {"1.0": BEFORE, "2.0": AFTER}
    found = libevolutioneval.starts(tasks, docs, places, RecipeOptions("levo-pkg"))
    return next(one for one in found if one.about == "pkg.cube")


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ([], ""),
        (["Compute it."], "not a JSON object"),
        (['{"instruction": "Give the room of cubes with such a side"}'], "has cube in it"),
        (['{"instruction": "Give it."}'], "write 5 to 80 words"),
    ],
)
def test_an_instruction_is_the_prompt(
    start: RecipeStart, tmp_path: Path, faults: list[str], told: str
) -> None:
    executor = LocalExecutor(tmp_path)
    result, asked = driven(start.begin(), {"instruction": [*faults, GOOD]}, executor)
    (task,) = made(result)
    assert TEXT in task.problem
    assert told in asked[-1].prompt
    assert task.environment == AFTER
    assert objections(task, executor) is None


@pytest.mark.parametrize(
    ("path", "answer", "binds"),
    [
        ("pkg.cube", ".cube(side)", True),
        ("pkg.cube", ".cube(side, other)", False),
        ("pkg.cube", ".cube(edge=side)", False),
        ("pkg.cube", ".cube(*sides)", False),  # of nothing: a side is missing
        ("pkg.ring", ".ring(radius)", False),
        ("pkg.cube.__call__", ".cube.__call__(side)", True),
    ],
)
def test_a_call_binds_or_not(tmp_path: Path, path: str, answer: str, *, binds: bool) -> None:
    script = libevolutioneval.binding(path, answer)
    assert (LocalExecutor(tmp_path).run(AFTER, script).status == 0) is binds
    assert BINDING == "binding"
