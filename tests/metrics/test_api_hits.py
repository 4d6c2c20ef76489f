from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.metrics import api_hits
from libdrift.scoring.answers import extract_code
from tests.published import published


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import numpy as np\nnp.linalg.norm(x)", {"numpy.linalg.norm"}),
        ("from numpy.linalg import norm as n\nn(x)", {"numpy.linalg.norm"}),
        ("import a.b\na.b.c()", {"a.b.c"}),
        ("import a.b as d\nd.c()", {"a.b.c"}),
        ("from a import (b,\n  c as d)\nb(); d.e()", {"a.b", "a.c.e"}),
        ("np.zeros(3)\nimport numpy as np", {"numpy.zeros"}),
        ("def f():\n    import numpy as np\n    np.dot(1)\nnp.dot(2)", {"numpy.dot", "np.dot"}),
        (
            "def f():\n    from a import x\n    x()\ndef g():\n    from b import x\n    x()",
            {"a.x", "b.x"},
        ),
        ("import np\ndef f(np):\n    np.zeros()", {"np.zeros"}),
        ("from a import b\nf = lambda b: b.c()\nf(b.d())", {"b.c", "f", "a.b.d"}),
        (
            "from a import deco\n@deco()\nclass C(deco.base()):\n    x = deco.y()",
            {"a.deco", "a.deco.base", "a.deco.y"},
        ),
        ("from . import z\nfrom ..a import y\nz(); y()", {".z", "..a.y"}),
        ("f(x).g()[0].h()", {"f", "g", "h"}),
        ("x[0](1); (lambda: 1)(); f()()", {"f"}),
        ("# foo(1)\ns = 'bar(2)'\nif (1): pass", set()),
        ("x = '\\d'", set()),
        ("x = 1\r\nimport a\r\na.b()", {"a.b"}),
    ],
)
def test_calls_have_their_full_names(code: str, expected: set[str]) -> None:
    assert api_hits.calls(code) == expected


@pytest.mark.parametrize("code", ["def broken(", "a\0b", "(" * 5000, "print 1"])
def test_what_cannot_be_parsed_has_no_calls(code: str) -> None:
    assert api_hits.calls(code) is None
    assert api_hits.hit({"a"}, code) is False
    assert api_hits.released_hit({"a"}, code) is None


def test_depth_is_no_limit() -> None:
    assert api_hits.calls("x" + ".a" * 300 + "()") is not None
    assert api_hits.released_calls("x" + ".a()" * 300) is not None


@pytest.mark.parametrize(
    ("starter", "solution", "expected"),
    [
        ("import numpy as np\ndef f(x):\n", "    return np.sum(x)", {"numpy.sum"}),
        # Cut inside an import, inside a name, behind an opening parenthesis.
        ("def f(x):\n    from ", "a.b import c\n    return c(x)", {"a.b.c"}),
        ("import numpy as np\nx = np.", "zeros(3)", {"numpy.zeros"}),
        ("import numpy as np\nx = np.zer", "os(np.size(1))", {"numpy.zeros", "numpy.size"}),
        ("import numpy as np\nx = np.zeros(", "np.size(1))", {"numpy.size"}),
        ("app = make()\n@app.route('/')\ndef v():\n", "    return run()\n", {"run"}),
        ("é = call('é'); x = ", "other()", {"other"}),
        ("x = 1\r\ny = ", "f()", {"f"}),
        ("x = g()\n", "", set()),
        ("x = ", "not python (", set()),
    ],
)
def test_the_truth_is_what_the_solution_adds(
    starter: str, solution: str, expected: set[str]
) -> None:
    assert api_hits.truth_calls(starter, starter + solution) == expected


def test_a_starter_that_the_reference_changes() -> None:
    starter = "import a\n\n\ndef f():\n    a.given()\n    ...\n"
    reference = "import a\n\n\ndef f():\n    a.given()\n    return a.made()\n"
    assert api_hits.truth_calls(starter, reference) == {"a.made"}


def test_hit_miss_and_left_out() -> None:
    assert api_hits.hit({"a.b", "c"}, "from a import b\nb(); c(); d()") is True
    assert api_hits.hit({"a.b", "c"}, "from a import b\nb()") is False
    assert api_hits.hit(frozenset(), "f()") is None


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_truth_always_hits_itself(starter: str, solution: str) -> None:
    truth = api_hits.truth_calls(starter, starter + solution)
    assert api_hits.hit(truth, starter + solution) in ({True} if truth else {None})


# The released program's own defects, in pairs of our own.
RELEASED: list[dict[str, Any]] = [
    {
        "metric": "gt_api_calls",
        "inputs": {"starting_code": "import os.path\n", "solution": "  os.path.join(a)"},
        "expected": ["os.path.path.join"],
    },
    {
        "metric": "gt_api_calls",
        "inputs": {"starting_code": "from m import p, q\n", "solution": "# while (p(1))"},
        "expected": ["p", "while"],
    },
    {
        "metric": "gt_api_calls",
        "inputs": {"starting_code": "def f():\n    from ", "solution": "m import p\n    p()"},
        "expected": ["m.p"],
    },
    {
        "metric": "pred_api_calls",
        "inputs": {"code": "p()\nimport os.path, m as p\nos.path.join(); p.q().r()"},
        "expected": ["m.q", "os.path.path.join", "p", "r"],
    },
    {
        "metric": "extract_code",
        "inputs": {"text": "Sure\n```python\nx()\n```\n```python\ny()\n```"},
        "expected": "\nx()\n",
    },
    {"metric": "extract_code", "inputs": {"text": "```py\nx\n```"}, "expected": "```py\nx\n```"},
    {
        "metric": "api_hit",
        "inputs": {"api_calls": ["x"], "answer": "```python\nx()```"},
        "expected": 1,
    },
    {"metric": "api_hit", "inputs": {"api_calls": ["x"], "answer": "y()"}, "expected": 0},
    {"metric": "api_hit", "inputs": {"api_calls": [], "answer": "y("}, "expected": None},
    {"metric": "api_hit", "inputs": {"api_calls": [], "answer": "y()"}, "expected": 1},
]


def released(metric: str, inputs: dict[str, Any]) -> Any:
    if metric == "gt_api_calls":
        found = api_hits.released_truth_calls(inputs["starting_code"], inputs["solution"])
        return sorted(found)
    if metric == "pred_api_calls":
        return sorted(api_hits.released_calls(inputs["code"]) or [])
    if metric == "extract_code":
        return extract_code(inputs["text"], any_fence=False)
    code = extract_code(inputs["answer"], any_fence=False)
    return api_hits.released_hit(inputs["api_calls"], code)


@pytest.mark.parametrize("case", RELEASED, ids=lambda case: case["metric"])
def test_released_mode(case: dict[str, Any]) -> None:
    assert released(case["metric"], case["inputs"]) == case["expected"]


@pytest.mark.published
def test_released_mode_gives_every_golden_value() -> None:
    cases = json.loads(published("golden", "gitchameleon.json").read_text("utf-8"))["cases"]
    metrics = {case["metric"] for case in RELEASED}
    mine = [case for case in cases if case["metric"] in metrics]
    assert len(mine) == 25
    wrong = [c["id"] for c in mine if released(c["metric"], c["inputs"]) != c["expected"]]
    assert wrong == []


@pytest.mark.published
def test_the_published_ground_truth_against_itself() -> None:
    lines = published("gitchameleon", "problems.jsonl").read_text("utf-8").splitlines()
    fixed, as_released = [], []
    for problem in map(json.loads, lines):
        starter, solution = problem["starting_code"], problem["solution"]
        truth = api_hits.released_truth_calls(starter, solution)
        assert truth == set(problem["api_calls"]), problem["example_id"]
        as_released.append(api_hits.released_hit(truth, starter + solution))
        fixed.append(
            api_hits.hit(api_hits.truth_calls(starter, starter + solution), starter + solution)
        )
    assert (as_released.count(True), len(as_released)) == (277, 328)
    assert (fixed.count(True), fixed.count(False), fixed.count(None)) == (290, 0, 38)


@pytest.mark.parametrize(
    ("starter", "solution", "expected"),
    [
        ("from a import np\nimport numpy as np\n", "    np.z()", {"numpy.z"}),
        ("import numpy as np\nfrom a import np\n", "    np.z()", {"a.np.z"}),
        ("", "y = 1if(x)else 2", set()),
        ("", "été(x) + x.é(1)", set()),
        ("import é\n", "    é.f()", {"f"}),
    ],
)
def test_released_patterns_know_ascii_names_and_the_last_import(
    starter: str, solution: str, expected: set[str]
) -> None:
    assert api_hits.released_truth_calls(starter, solution) == expected
