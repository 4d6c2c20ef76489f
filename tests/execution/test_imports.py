from __future__ import annotations

from itertools import pairwise

import pytest

from libdrift.execution.imports import names_of, ordered
from libdrift.records import TestStyle
from libdrift.sandbox import Program

REFERENCE = (
    "import numpy as np\nfrom scipy.stats import norm\n\n\ndef f(x):\n    return norm.cdf(x)\n"
)
TESTS = "import math\nimport json\nfrom answer import f\n\n\ndef test_f():\n    assert math.isclose(f(0), 0.5)\n"
NUMPY, MATH = ("numpy", ""), ("math", "")
SCIPY = {("scipy", ""), ("scipy.stats", ""), ("scipy.stats", "norm")}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("import numpy as np\n", {MATH, NUMPY}),
        (REFERENCE, {MATH, NUMPY, *SCIPY}),
        # `scipy.stats` would be there for `scipy.stats.norm` if another answer's import were made
        ("import scipy\n\nf = lambda x: scipy.stats.norm.cdf(x)\n", {MATH, ("scipy", "")}),
        ("import os\nos.environ['A'] = '1'\nimport numpy\n", {MATH}),
        ("'''Doc.'''\nimport numpy\n", {MATH, NUMPY}),
        ("import antigravity\nimport numpy\n", {MATH, NUMPY}),
        ("def f(x):\n    import numpy\n", {MATH}),
        ("not python (", {MATH}),
    ],
)
def test_only_what_the_program_would_import_itself(
    answer: str, expected: set[tuple[str, str]]
) -> None:
    program = Program(answer, TESTS, TestStyle.PYTEST)
    assert names_of(program, REFERENCE) == expected


def test_the_tests_own_imports_count_where_they_are_used() -> None:
    program = Program("", "import json\nimport math\nassert math.pi\n", TestStyle.SCRIPT)
    assert names_of(program, "") == {MATH}


def test_steps_hold_no_more_than_a_program_has_and_lead_to_it() -> None:
    one, two, other = frozenset({MATH}), frozenset({MATH, NUMPY}), frozenset({("json", "")})
    programs = [two, one, other, two, frozenset(), frozenset({MATH, *SCIPY})]
    order = ordered(programs)
    assert sorted(index for index, _ in order) == list(range(len(programs)))
    for index, steps in order:
        assert all(small < large for small, large in pairwise(steps))
        assert (steps[-1] if steps else frozenset()) == programs[index]
    found = dict(order)
    assert found[0] == found[3] == (two,)  # what costs is shared first, math costs nothing
    assert abs([i for i, _ in order].index(0) - [i for i, _ in order].index(3)) == 1


def test_many_programs_with_nothing_in_common_are_no_trouble() -> None:
    programs = [frozenset({(f"module_{number}", "")}) for number in range(1500)]
    assert dict(ordered(programs)) == {index: (names,) for index, names in enumerate(programs)}
